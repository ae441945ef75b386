import { Type } from 'typebox';
import { responses } from '../http/responses.ts';
import type { Server } from '../http/server.ts';
import { Id } from '../http/wire.ts';
import { WorkItem, WorkList, WorkQuery } from './schema.ts';
import type { Work } from './work.ts';

const tags = ['service'];

/** For operators: what is left to do, and what fails. */
export function workRoutes(app: Server, work: Work): void {
  app.get(
    '/api/work',
    {
      config: { access: 'operate' },
      schema: {
        tags,
        operationId: 'listWork',
        summary: 'List queued work',
        description:
          'Background work, which the service repeats until it succeeds, and tasks of workers, which are given up after a few attempts: counts by kind over all processes, and up to 100 pieces of work whose last attempt has failed, in the order in which they were added. Work that is done is not listed.',
        querystring: WorkQuery,
        response: responses({ 200: WorkList }, 422),
      },
    },
    async ({ query }) => work.list(query.kind),
  );
  app.post(
    '/api/work/:work_id/retry',
    {
      config: { access: 'operate' },
      schema: {
        tags,
        operationId: 'retryWork',
        audit: { access: 'work.retried', target: 'work/:work_id' },
        summary: 'Try queued work again now',
        description: 'Makes it due at once. Work that is running is done once more afterwards.',
        params: Type.Object({ work_id: Id }),
        response: responses({ 200: WorkItem }, 404, 413, 415, 422),
      },
    },
    async ({ params }) => work.retry(params.work_id),
  );
}
