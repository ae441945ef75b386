import { type Static, Type } from 'typebox';
import { IdempotencyHeader, idempotencyOf } from '../../access/idempotency/header.ts';
import type { Idempotency } from '../../access/idempotency/idempotency.ts';
import { requireCaller } from '../../http/caller.ts';
import { responses } from '../../http/responses.ts';
import type { Server } from '../../http/server.ts';
import { AnyQuery, RequiredUserHeader, UserHeader } from '../../http/wire.ts';
import type { StartedCall } from './placing.ts';
import { OutboundCall, OutboundCallStarted, WorkerJob, WorkerJobSchema } from './schema.ts';

const tags = ['calls'];

/** The published schema, without the formats that only our validator knows. */
const workerJobSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  ...(JSON.parse(JSON.stringify(WorkerJob)) as object),
};

/** Starts calls, or schedules them. */
export interface Starting {
  start(user_id: string, input: Static<typeof OutboundCall>, idempotency: Idempotency | null): Promise<StartedCall>;
}

export function outboundRoutes(app: Server, outbound: Starting): void {
  app.post(
    '/api/calls/outbound',
    {
      config: { stores: true },
      schema: {
        tags,
        operationId: 'startOutboundCall',
        summary: 'Start an outbound call',
        description:
          'Returns `RINGING` at once; the phone is dialled afterwards, exactly once. With `at` or `window` it is placed later, and the answer is `SCHEDULED`. Follow the call by its status, its event stream, or `callback_url`. Limits: concurrent calls, calls per second and per day (429), and destinations (403). Send an `Idempotency-Key` to repeat the request safely.',
        headers: Type.Object({ ...RequiredUserHeader.properties, ...IdempotencyHeader }),
        querystring: AnyQuery,
        body: OutboundCall,
        response: responses({ 201: OutboundCallStarted }, 402, 404, 409, 413, 415, 422, 429),
      },
    },
    async (request, reply) => {
      const call = await outbound.start(requireCaller(request), request.body, idempotencyOf(request));
      reply.status(201);
      return call;
    },
  );
  app.get(
    '/api/schemas/worker-job',
    {
      config: { isForWorkers: true },
      schema: {
        tags,
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
