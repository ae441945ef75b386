import type { Static } from 'typebox';
import type { Database } from '../db/database.ts';
import type { Idempotency } from '../db/idempotency.ts';
import type { Db } from '../db/tables.ts';
import type { Clock } from '../lib/clock.ts';
import { newId } from '../lib/ids.ts';
import type { Metrics } from '../lib/metrics.ts';
import { createIngest } from './ingest.ts';
import { lockRollups, pseudonymiseRollups } from './rollup-store.ts';
import type { UsageEventCreate } from './schema.ts';
import { pseudonymiseEvents, type UsageEvent } from './store.ts';

export type { UsageEvent };
export type Usage = ReturnType<typeof createUsage>;

const EVENTS_AT_ONCE = 5_000;

export function createUsage({ db, clock, metrics }: { db: Database['db']; clock: Clock; metrics: Metrics }) {
  const ingest = createIngest(db);

  /** Writes an event to the ledger; it is committed when this resolves. Sessions and agents may be unknown here. */
  async function log(input: Static<typeof UsageEventCreate>, idempotency: Idempotency | null): Promise<UsageEvent> {
    const { session_id, user_id, provider, event_type, quantity, unit_cost, total_cost } = input;
    const { answer, first } = await ingest.add({
      ...{ user_id, idempotency },
      event: {
        ...{ id: newId(), session_id, user_id, agent_id: input.agent_id ?? null, provider, event_type },
        ...{ quantity, unit_cost, total_cost, created_at: clock.now() },
      },
    });
    if (first) metrics.usageEvents.inc({ event_type });
    return answer;
  }

  /** Puts a pseudonym in the place of a user in up to some thousand events; false when there were none. */
  async function pseudonymiseSome(user_id: string, pseudonym: string): Promise<boolean> {
    return (await pseudonymiseEvents(db, user_id, pseudonym, EVENTS_AT_ONCE)) > 0;
  }

  /** The same for what is left, and for the rollups. No event is written meanwhile: they must agree with the ledger. */
  async function pseudonymise(trx: Db, user_id: string, pseudonym: string): Promise<void> {
    await lockRollups(trx);
    await pseudonymiseEvents(trx, user_id, pseudonym, null);
    await pseudonymiseRollups(trx, user_id, pseudonym);
  }

  return { log, pseudonymiseSome, pseudonymise };
}
