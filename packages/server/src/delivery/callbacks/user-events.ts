import type { Content } from '../../access/data-keys/content.ts';
import type { Reached } from '../../access/quotas/quotas.ts';
import type { Release } from '../../conversations/versions/versions.ts';
import type { Db } from '../../db/tables.ts';
import { newId } from '../../lib/ids.ts';
import { currentTraceparent } from '../../lib/tracing.ts';
import type { Platform } from '../../platform.ts';
import type { EventType } from './schema.ts';
import { holdEndpoints, insertCallbacks, isSubscribed } from './store.ts';

/** The user whose endpoints get an event, and an address that gets it as well. */
interface Addressee {
  user_id: string;
  url?: string | null;
}

/** Queues events without a session, in the transaction of the change that they report. */
export function createUserEvents({ clock, content }: Pick<Platform, 'clock'> & { content: Content }) {
  /**
   * Queues events for the endpoints of a user and `url`. Several bodies are only written, and any only encrypted, if
   * there is anywhere to send them: a change that nobody is told of needs no key.
   */
  async function enqueueEachForUser(trx: Db, type: EventType, to: Addressee, all: object[]): Promise<void> {
    const [{ user_id, url = null }, timestamp] = [to, clock.now()];
    const isCostly = all.length > 1 || content.isOn;
    if (all.length === 0 || (isCostly && url === null && !(await isSubscribed(trx, user_id, type)))) return;
    const bodies = all.map((data) => JSON.stringify({ type, timestamp, data }));
    const event = { session_id: null, user_id, type, url, due_at: timestamp };
    const payloads = await content.closeOfUser(trx, user_id, bodies);
    const events = payloads.map((payload) => ({ ...event, id: newId(), payload }));
    await insertCallbacks(trx, events, timestamp, currentTraceparent());
  }

  const enqueueForUser = (trx: Db, type: EventType, to: Addressee, data: object) =>
    enqueueEachForUser(trx, type, to, [data]);

  return {
    enqueueForUser,
    enqueueEachForUser,
    holdEndpoints,
    enqueueQuotaThreshold: (trx: Db, reached: Reached) =>
      enqueueForUser(trx, 'quota.threshold', { user_id: reached.user_id }, reached),
    /** Says which versions calls get; not by whom, because that person may be erased before this user is. */
    enqueueRelease(trx: Db, agent: { id: string; user_id: string }, release: Release): Promise<void> {
      const { created_by: _, ...shown } = release;
      const { id: agent_id, user_id } = agent;
      return enqueueForUser(trx, 'agent.released', { user_id }, { agent_id, user_id, ...shown });
    },
  };
}
