import type { Static } from 'typebox';
import type { Db } from '../../db/tables.ts';
import { AppError } from '../../lib/errors.ts';
import { isId, newId } from '../../lib/ids.ts';
import { type PageRequest, toPage } from '../../lib/page.ts';
import { type Actor, owned } from '../../lib/principal.ts';
import { currentTraceparent } from '../../lib/tracing.ts';
import type { Platform } from '../../platform.ts';
import { failPendingOf, redirectPending, switchOn } from './queue-store.ts';
import { TEST_EVENT, TEST_MESSAGE } from './schema.ts';
import { findTestEvent, hostOf, insertTestEvent } from './store.ts';
import type { WebhookEndpointCreate, WebhookEndpointUpdate } from './webhook-endpoint-schema.ts';
import {
  countEndpoints,
  deleteEndpoint,
  deleteEndpointsOfUser,
  findEndpoint,
  insertEndpoint,
  listEndpoints,
  listUrls,
  lockEndpoint,
  lockEndpoints,
  updateEndpoint,
  type WebhookEndpoint,
} from './webhook-endpoint-store.ts';

export type WebhookEndpoints = ReturnType<typeof createWebhookEndpoints>;

export const MAX_ENDPOINTS = 20;
/** Endpoints of one user on one host: nobody proves to own it, and each event is sent to each of them. */
export const MAX_ENDPOINTS_PER_HOST = 5;
/** Test events per user and minute: each is a request to an address that the user chooses. */
export const MAX_TESTS = 10;
const MINUTE_MS = 60_000;

type Deps = Pick<Platform, 'db' | 'clock' | 'audit'>;

/** Webhook endpoints of a user, which receive the events of all its calls. */
export function createWebhookEndpoints({ db, clock, audit }: Deps) {
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
      await assertFewOnHost(trx, user_id, url);
      const times = { created_at: now, updated_at: now };
      await insertEndpoint(trx, { id, user_id, url, host: hostOf(url), events, is_active, ...times });
      await switchOn(trx, { user_id, url });
      await audit.record(trx, actor, 'webhook_endpoint.created', targetOf(id), { after: { url, events, is_active } });
    });
    return get(id, user_id);
  }

  /** Ports of a host count together. Throws `too_many_webhook_endpoints`. */
  async function assertFewOnHost(trx: Db, user_id: string, url: string): Promise<void> {
    const host = hostnameOf(url);
    const onHost = (await listUrls(trx, user_id)).filter((one) => hostnameOf(one) === host);
    if (onHost.length >= MAX_ENDPOINTS_PER_HOST)
      throw new AppError('too_many_webhook_endpoints', {
        detail: `The user has ${onHost.length} webhook endpoints on this host; ${MAX_ENDPOINTS_PER_HOST} are allowed.`,
      });
  }

  /**
   * Absent fields are unchanged. Pending callbacks go to the new address; those of a deactivated endpoint are given
   * up.
   */
  async function update(id: string, given: Static<typeof WebhookEndpointUpdate>, caller: string | null, actor: Actor) {
    const { url, is_active } = given;
    await db.transaction().execute(async (trx) => {
      const before = owned(isId(id) ? await lockEndpoint(trx, id) : undefined, caller);
      const now = clock.now();
      if (url !== undefined && hostnameOf(url) !== hostnameOf(before.url)) {
        await lockEndpoints(trx, before.user_id);
        await assertFewOnHost(trx, before.user_id, url);
      }
      await updateEndpoint(trx, id, { ...given, ...(url !== undefined && { host: hostOf(url) }), updated_at: now });
      await switchOn(trx, { user_id: before.user_id, url: url ?? before.url });
      if (is_active === false) await failPendingOf(trx, id, now);
      else if (url !== undefined && url !== before.url) await redirectPending(trx, id, url, now);
      const change = { user_id: before.user_id, before: shown(before), after: { ...shown(before), ...given } };
      await audit.record(trx, actor, 'webhook_endpoint.updated', targetOf(id), change);
    });
    return get(id, caller);
  }

  /** Deletes the endpoint and gives up its pending callbacks. */
  async function remove(id: string, caller: string | null, actor: Actor): Promise<void> {
    await db.transaction().execute(async (trx) => {
      const before = owned(isId(id) ? await lockEndpoint(trx, id) : undefined, caller);
      await deleteEndpoint(trx, id);
      await failPendingOf(trx, id, clock.now());
      const change = { user_id: before.user_id, before: shown(before) };
      await audit.record(trx, actor, 'webhook_endpoint.deleted', targetOf(id), change);
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
      await assertFewTests(trx, user_id, timestamp);
      await switchOn(trx, { user_id, url });
      const data = { endpoint_id: id.toLowerCase(), message: TEST_MESSAGE };
      const payload = JSON.stringify({ type: TEST_EVENT, timestamp, data });
      const event = { id: newId(), user_id, endpoint_id: id, url, payload, traceparent: currentTraceparent() };
      return { ...(await insertTestEvent(trx, event, timestamp)), call_id: null, attempts: [] };
    });
  }

  async function assertFewTests(trx: Db, user_id: string, now: Date): Promise<void> {
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

const targetOf = (id: string) => `webhook_endpoint/${id.toLowerCase()}`;

function shown({ url, events, is_active }: Pick<WebhookEndpoint, 'url' | 'events' | 'is_active'>) {
  return { url, events, is_active };
}

/** Names with and without the final dot are the same host. */
function hostnameOf(url: string): string {
  return new URL(url).hostname.replace(/\.$/, '');
}
