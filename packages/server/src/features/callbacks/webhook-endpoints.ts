import type { Static } from 'typebox';
import type { Database } from '../../db/database.ts';
import type { Db } from '../../db/tables.ts';
import type { Clock } from '../../lib/clock.ts';
import { AppError } from '../../lib/errors.ts';
import { isId, newId } from '../../lib/ids.ts';
import { type PageRequest, toPage } from '../../lib/page.ts';
import type { Actor } from '../../lib/principal.ts';
import { currentTraceparent } from '../../lib/tracing.ts';
import type { Audit } from '../audit/audit.ts';
import { switchOn } from './endpoint-store.ts';
import { TEST_EVENT, TEST_MESSAGE } from './schema.ts';
import { failPendingOf, hostOf, redirectPending } from './store.ts';
import { findTestEvent, insertTestEvent } from './test-event-store.ts';
import type { WebhookEndpointCreate, WebhookEndpointUpdate } from './webhook-endpoint-schema.ts';
import {
  countEndpoints,
  deleteEndpoint,
  deleteEndpointsOfUser,
  findEndpoint,
  insertEndpoint,
  listEndpoints,
  lockEndpoint,
  lockEndpoints,
  updateEndpoint,
  type WebhookEndpoint,
} from './webhook-endpoint-store.ts';

export type WebhookEndpoints = ReturnType<typeof createWebhookEndpoints>;

export const MAX_ENDPOINTS = 20;
/** Test events per user and minute: each is a request to an address that the user chooses. */
export const MAX_TESTS = 10;
const MINUTE_MS = 60_000;

interface Deps {
  db: Database['db'];
  clock: Clock;
  audit: Audit;
}

/** Webhook endpoints of a user, which receive the events of all its calls. */
export function createWebhookEndpoints({ db, clock, audit }: Deps) {
  function owned<T extends { user_id: string }>(endpoint: T | undefined, caller: string | null): T {
    if (!endpoint || (caller !== null && endpoint.user_id !== caller)) throw new AppError('not_found');
    return endpoint;
  }

  /** Throws `not_found` for an id that is unknown, malformed or another user's. */
  async function get(id: string, caller: string | null): Promise<WebhookEndpoint> {
    return owned(isId(id) ? await findEndpoint(db, id) : undefined, caller);
  }

  /** Reactivates an address that was switched off. Throws `too_many_webhook_endpoints`. */
  async function create(user_id: string, input: Static<typeof WebhookEndpointCreate>, actor: Actor) {
    const [id, now] = [newId(), clock.now()];
    await db.transaction().execute(async (trx) => {
      await lockEndpoints(trx, user_id);
      if ((await countEndpoints(trx, user_id)) >= MAX_ENDPOINTS) throw new AppError('too_many_webhook_endpoints');
      const { url, events = null, is_active = true } = input;
      const times = { created_at: now, updated_at: now };
      await insertEndpoint(trx, { id, user_id, url, host: hostOf(url), events, is_active, ...times });
      await switchOn(trx, { user_id, url });
      await audit.record(trx, actor, 'webhook_endpoint.created', `webhook_endpoint/${id}`);
    });
    return get(id, user_id);
  }

  /**
   * Absent fields are unchanged. Pending callbacks go to the new address; those of a deactivated endpoint are given
   * up.
   */
  async function update(
    id: string,
    { url, events, is_active }: Static<typeof WebhookEndpointUpdate>,
    caller: string | null,
    actor: Actor,
  ) {
    await db.transaction().execute(async (trx) => {
      const before = owned(isId(id) ? await lockEndpoint(trx, id) : undefined, caller);
      const now = clock.now();
      await updateEndpoint(trx, id, {
        ...(url !== undefined && { url, host: hostOf(url) }),
        ...(events !== undefined && { events }),
        ...(is_active !== undefined && { is_active }),
        updated_at: now,
      });
      await switchOn(trx, { user_id: before.user_id, url: url ?? before.url });
      if (is_active === false) await failPendingOf(trx, id, now);
      else if (url !== undefined && url !== before.url) await redirectPending(trx, id, url, now);
      await audit.record(trx, actor, 'webhook_endpoint.updated', `webhook_endpoint/${id}`);
    });
    return get(id, caller);
  }

  /** Deletes the endpoint and gives up its pending callbacks. */
  async function remove(id: string, caller: string | null, actor: Actor): Promise<void> {
    await db.transaction().execute(async (trx) => {
      owned(isId(id) ? await lockEndpoint(trx, id) : undefined, caller);
      await deleteEndpoint(trx, id);
      await failPendingOf(trx, id, clock.now());
      await audit.record(trx, actor, 'webhook_endpoint.deleted', `webhook_endpoint/${id}`);
    });
  }

  /**
   * Queues a test event for the endpoint, whatever events it subscribes to and whether or not it is active;
   * reactivates its address. Throws `not_found`, and `too_many_requests` above ten a minute.
   */
  async function sendTest(id: string, caller: string | null) {
    return db.transaction().execute(async (trx) => {
      const { user_id, url } = owned(isId(id) ? await lockEndpoint(trx, id) : undefined, caller);
      await lockEndpoints(trx, user_id);
      const timestamp = clock.now();
      await assertRoom(trx, user_id, timestamp);
      await switchOn(trx, { user_id, url });
      const data = { endpoint_id: id.toLowerCase(), message: TEST_MESSAGE };
      const payload = JSON.stringify({ type: TEST_EVENT, timestamp, data });
      const event = { id: newId(), user_id, endpoint_id: id, url, payload, traceparent: currentTraceparent() };
      return { ...(await insertTestEvent(trx, event, timestamp)), call_id: null, attempts: [] };
    });
  }

  async function assertRoom(trx: Db, user_id: string, now: Date): Promise<void> {
    const earlier = await findTestEvent(trx, user_id, new Date(now.getTime() - MINUTE_MS), MAX_TESTS);
    if (earlier === undefined) return;
    const retry_after_s = Math.max(1, Math.ceil((earlier.getTime() + MINUTE_MS - now.getTime()) / 1000));
    throw new AppError('too_many_requests', { retry_after_s });
  }

  return {
    get,
    sendTest,
    create,
    update,
    remove,
    /** Newest first. */
    list: async (user_id: string, page: PageRequest) =>
      toPage(await listEndpoints(db, user_id, page), page.limit, (endpoint) => endpoint.id),
    erase: deleteEndpointsOfUser,
  };
}
