import type { Static } from 'typebox';
import type { Db } from '../db/tables.ts';
import type { Clock } from '../lib/clock.ts';
import { newId } from '../lib/ids.ts';
import type { Metrics } from '../lib/metrics.ts';
import type { UsageEventCreate } from './schema.ts';
import { insertUsageEvent, type UsageEvent } from './store.ts';

export type { UsageEvent };
export type Usage = ReturnType<typeof createUsage>;

export function createUsage({ db, clock, metrics }: { db: Db; clock: Clock; metrics: Metrics }) {
  /** Writes an event to the ledger; it is committed when this resolves. Sessions and agents may be unknown here. */
  async function log(input: Static<typeof UsageEventCreate>): Promise<UsageEvent> {
    const { session_id, user_id, provider, event_type, quantity, unit_cost, total_cost } = input;
    const event = await insertUsageEvent(db, {
      ...{ id: newId(), session_id, user_id, agent_id: input.agent_id ?? null, provider, event_type },
      ...{ quantity, unit_cost, total_cost, created_at: clock.now() },
    });
    metrics.usageEvents.inc({ event_type });
    return event;
  }

  return { log };
}
