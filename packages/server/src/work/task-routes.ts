import { Type } from 'typebox';
import { SMALL_BODY } from '../http/json-body.ts';
import { responses } from '../http/responses.ts';
import type { Server } from '../http/server.ts';
import { UserHeader as headers, Id } from '../http/wire.ts';
import type { Serving } from './serving.ts';
import {
  ClaimedTasks,
  TaskClaim,
  TaskEnded,
  TaskEvents,
  TaskExtended,
  TaskFailure,
  TaskLease,
  TaskResult,
} from './task-schema.ts';
import type { Tasks } from './tasks.ts';

const tags = ['sessions'];
const config = { access: 'operate', isForWorkers: true } as const;
const params = Type.Object({ task_id: Id });

/** For workers: tasks that need a model. */
export function taskRoutes(app: Server, tasks: Tasks, { noteCalls }: Pick<Serving, 'noteCalls'>): void {
  app.addHook('preClose', async () => tasks.stop());
  app.post(
    '/api/worker/tasks/claim',
    {
      config,
      schema: {
        tags,
        operationId: 'claimTasks',
        summary: 'Claim tasks for a worker',
        description:
          'Waits up to `wait_s` seconds until there is a task of the kind, and returns up to `capacity` of them, or none. Each is held by this worker alone until `lease_expires_at`; a heartbeat extends that. A key that is bound to a user gets the tasks of this user alone.',
        headers,
        body: TaskClaim,
        response: responses({ 200: ClaimedTasks }, 413, 415, 422),
      },
    },
    async (request, reply) => {
      const { kind, capacity = 1, wait_s = 0, calls } = request.body;
      // Campaigns of all users dial by these: a key of one user does not decide about them.
      if (calls && request.caller === null) noteCalls(calls);
      const left = new AbortController();
      reply.raw.on('close', () => left.abort());
      const wanted = { kind, user_id: request.caller, capacity, waitMs: wait_s * 1000, signal: left.signal };
      return { tasks: await tasks.claim(wanted) };
    },
  );
  app.post(
    '/api/worker/tasks/:task_id/heartbeat',
    {
      config,
      schema: {
        tags,
        operationId: 'extendTask',
        summary: 'Extend the lease of a task',
        description: '409 `lease_lost` once another worker may have the task, or nobody needs its result any more.',
        params,
        headers,
        body: TaskLease,
        response: responses({ 200: TaskExtended }, 409, 413, 415, 422),
      },
    },
    async (request) => tasks.renew(named(request)),
  );
  app.post(
    '/api/worker/tasks/:task_id/events',
    {
      config: { ...config, roundsNumbers: true },
      bodyLimit: SMALL_BODY,
      schema: {
        tags,
        operationId: 'reportTaskEvents',
        summary: 'Report partial results of a task',
        description:
          'Streamed to whoever waits for the result. Extends the lease as a heartbeat does. 409 `lease_lost` for a worker that does not hold the task any more.',
        params,
        headers,
        body: TaskEvents,
        response: responses({ 200: TaskExtended }, 409, 413, 415, 422),
      },
    },
    async (request) => tasks.report(named(request), request.body.events),
  );
  app.post(
    '/api/worker/tasks/:task_id/complete',
    {
      config,
      schema: {
        tags,
        operationId: 'completeTask',
        summary: 'Complete a task with its result',
        description:
          'Each task has one result: 409 `lease_lost` for a late one. 422 for a result that does not match the schema of the kind; the worker still holds the task then.',
        params,
        headers,
        body: TaskResult,
        response: responses({ 200: TaskEnded }, 409, 413, 415, 422),
      },
    },
    async (request) => {
      await tasks.complete(named(request), request.body.result);
      return { task_id: request.params.task_id };
    },
  );
  app.post(
    '/api/worker/tasks/:task_id/fail',
    {
      config,
      schema: {
        tags,
        operationId: 'failTask',
        summary: 'Report that a task has failed',
        description:
          'A `retryable` one goes to another worker after a pause: a second, up to three attempts; of the kind `analysis` five seconds, doubled each time, up to five attempts. Any other is given up.',
        params,
        headers,
        body: TaskFailure,
        response: responses({ 200: TaskEnded }, 409, 413, 415, 422),
      },
    },
    async (request) => {
      const { lease_token: _, ...failure } = request.body;
      await tasks.fail(named(request), failure);
      return { task_id: request.params.task_id };
    },
  );
}

function named(request: { params: { task_id: string }; body: { lease_token: number }; caller: string | null }) {
  const { params, body, caller } = request;
  return { id: params.task_id, lease_token: body.lease_token, caller };
}
