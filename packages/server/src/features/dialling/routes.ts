import { responses } from '../../http/responses.ts';
import type { Server } from '../../http/server.ts';
import { UserHeader } from '../../http/wire.ts';
import { WorkerJob, WorkerJobSchema } from './schema.ts';

/** The published schema, without the formats that only our validator knows. */
const workerJobSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  ...(JSON.parse(JSON.stringify(WorkerJob)) as object),
};

export function workerJobRoutes(app: Server): void {
  app.get(
    '/api/schemas/worker-job',
    {
      config: { access: 'worker' },
      schema: {
        tags: ['calls'],
        operationId: 'getWorkerJobSchema',
        summary: 'Get the JSON schema of a worker\u2019s job',
        description:
          'The schema of the job metadata that an agent\u2019s worker receives when it is dispatched into a room. `version` is the version of the schema.',
        headers: UserHeader,
        response: responses({ 200: WorkerJobSchema }, 422),
      },
    },
    async () => workerJobSchema,
  );
}
