import type { Static } from 'typebox';
import type { Database } from '../db/database.ts';
import { type Idempotency, once } from '../db/idempotency.ts';
import type { Clock } from '../lib/clock.ts';
import { newId } from '../lib/ids.ts';
import type { Metrics } from '../lib/metrics.ts';
import type { UsageEventCreate } from './schema.ts';
import { insertUsageEvent, pseudonymiseEvents, type UsageEvent } from './store.ts';

export type { UsageEvent };
export type Usage = ReturnType<typeof createUsage>;

export function createUsage({ db, clock, metrics }: { db: Database['db']; clock: Clock; metrics: Metrics }) {
  /** Writes an event to the ledger; it is committed when this resolves. Sessions and agents may be unknown here. */
  async function log(input: Static<typeof UsageEventCreate>, idempotency: Idempotency | null): Promise<UsageEvent> {
    const { session_id, user_id, provider, event_type, quantity, unit_cost, total_cost } = input;
    const { answer, first } = await once(db, user_id, idempotency, (trx) =>
      insertUsageEvent(trx, {
        ...{ id: newId(), session_id, user_id, agent_id: input.agent_id ?? null, provider, event_type },
        ...{ quantity, unit_cost, total_cost, created_at: clock.now() },
      }),
    );
    if (first) metrics.usageEvents.inc({ event_type });
    return answer;
  }

  return {
    log,
    /** Puts a pseudonym in the place of a user in up to `limit` events; tells in how many. */
    pseudonymise: (user_id: string, pseudonym: string, limit: number) =>
      pseudonymiseEvents(db, user_id, pseudonym, limit),
  };
}
