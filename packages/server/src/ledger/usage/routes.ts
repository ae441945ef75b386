import type { FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { IdempotencyHeader, idempotencyOf } from '../../access/idempotency/header.ts';
import { actorOf, assertSameUser, requireRole } from '../../http/caller.ts';
import { createCsvExports, jsonOrCsv, prefersCsv, varyByAccept } from '../../http/csv.ts';
import { daysOf } from '../../http/date-range.ts';
import { pageOf, pageRequest } from '../../http/paging.ts';
import { responses } from '../../http/responses.ts';
import type { Server } from '../../http/server.ts';
import { AnyQuery, UserHeader } from '../../http/wire.ts';
import { AppError } from '../../lib/errors.ts';
import type { Actor } from '../../lib/principal.ts';
import { isPlace, type UsageList } from './list.ts';
import {
  LedgerEvent,
  USAGE_COLUMNS,
  USAGE_DECIMALS,
  UsageBatch,
  UsageBatchCreate,
  type UsageBatchEvent,
  UsageEvent,
  UsageEventCreate,
  UsageListQuery,
} from './schema.ts';
import { isCorrection, type Usage } from './usage.ts';

export function usageRoutes(app: Server, { usage, list }: { usage: Usage; list: UsageList }): void {
  /** Refuses events in calls of others by a key that is bound to a user: what a call costs is read by its session. */
  async function assertOwnSessions({ principal }: FastifyRequest, events: { session_id: string }[]): Promise<void> {
    const user_id = principal?.user_id ?? null;
    if (user_id === null || (await usage.isOfUser(user_id, events))) return;
    throw new AppError('wrong_user', { detail: 'A session_id names a session of another user.' });
  }
  const sendExport = createCsvExports();
  app.post(
    '/api/usage/events',
    {
      config: {
        decimals: USAGE_DECIMALS,
        access: 'operate',
        isForWorkers: true,
        restriction: 'negative amounts (corrections): `service` and `admin` only',
      },
      schema: {
        tags: ['usage'],
        operationId: 'logUsageEvent',
        audit: { may_change: 'usage.corrected', failures: 'noted' },
        summary: 'Log a usage event',
        description:
          '201 means that the event is committed. The ledger is append-only; amounts keep every digit. Negative amounts are corrections and require the role `service`. Send an `Idempotency-Key` to make retries safe.',
        headers: Type.Object({ ...UserHeader.properties, ...IdempotencyHeader }),
        querystring: AnyQuery,
        body: UsageEventCreate,
        response: responses({ 201: UsageEvent }, 409, 413, 415, 422),
      },
    },
    async (request, reply) => {
      assertSameUser(request.caller, request.body.user_id);
      await assertOwnSessions(request, [request.body]);
      const corrector = correctorOf(request, [request.body]);
      reply.status(201);
      return usage.log(request.body, idempotencyOf(request), corrector);
    },
  );
  app.post(
    '/api/usage/events/batch',
    {
      config: {
        decimals: USAGE_DECIMALS,
        access: 'operate',
        isForWorkers: true,
        restriction: 'negative amounts (corrections): `service` and `admin` only',
      },
      schema: {
        tags: ['usage'],
        operationId: 'logUsageEvents',
        audit: { may_change: 'usage.corrected', failures: 'noted' },
        summary: 'Log up to 1,000 usage events',
        description:
          'All events are of one user; all are committed, or none. An event without `unit_cost` is priced by the price book, or stored as unpriced: it costs 0 until it is priced, and reports count it. Send an `Idempotency-Key` to make retries safe. An empty list uses up its key: 201 means that nothing was or will be written under the key, 422 that the original batch has arrived.',
        headers: Type.Object({ ...UserHeader.properties, ...IdempotencyHeader }),
        body: UsageBatchCreate,
        response: responses({ 201: UsageBatch }, 409, 413, 415, 422),
      },
    },
    async (request, reply) => {
      const { events } = request.body;
      for (const { user_id } of events) assertSameUser(request.caller, user_id);
      await assertOwnSessions(request, events);
      const corrector = correctorOf(request, events);
      reply.status(201);
      return { events: await usage.logBatch(events, idempotencyOf(request), request.caller, corrector) };
    },
  );
  app.get(
    '/api/usage/events',
    {
      config: { restriction: 'events of all users: not with a key that is bound to a user' },
      exposeHeadRoute: false,
      schema: {
        tags: ['usage'],
        operationId: 'listUsageEvents',
        audit: { access: 'data.exported', target: 'usage-events', only: 'files' },
        summary: 'List usage events',
        description:
          'The events of the user, oldest first, with cursor pagination. A `service` key without a user gets those of all users. With `Accept: text/csv`, returns all of them as a file (RFC 4180, UTF-8) regardless of `limit`; text that a spreadsheet would take for a formula is prefixed with an apostrophe. Events logged during the export are not included. A failed export lacks the last chunk, so that clients report an error.',
        headers: UserHeader,
        querystring: UsageListQuery,
        response: responses({ 200: jsonOrCsv(pageOf(LedgerEvent), USAGE_COLUMNS) }, 422),
      },
    },
    async (request, reply) => {
      const { session_id = null, agent_id = null, provider = null, model = null, event_type = null } = request.query;
      const days = daysOf(request.query);
      const filter = { user_id: request.caller, days, session_id, agent_id, provider, model, event_type };
      const page = pageRequest(request.query, isPlace);
      varyByAccept(reply);
      if (!prefersCsv(request)) return list.page(filter, page);
      return sendExport(reply, 'usage-events', USAGE_COLUMNS, list.pages(filter));
    },
  );
}

/** The caller if there are negative amounts (corrections), which workers may not send; null otherwise. */
function correctorOf(request: FastifyRequest, events: Static<typeof UsageBatchEvent>[]): Actor | null {
  if (!events.some(isCorrection)) return null;
  requireRole(request, ['service', 'admin'], 'A correction (a negative amount)');
  // Failures of other events have no entry: workers log thousands of them.
  request.auditNote = {};
  return actorOf(request);
}
