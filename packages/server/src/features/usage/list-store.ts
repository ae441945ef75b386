import { sql } from 'kysely';
import type { Db, Tables } from '../../db/tables.ts';
import type { Days } from '../../http/date-range.ts';
import { idsFrom } from '../../lib/ids.ts';
import type { UsageEvent } from './store.ts';

/** Which events are listed; null: any. */
export interface EventFilter {
  user_id: string | null;
  days: Days;
  session_id: string | null;
  agent_id: string | null;
  provider: string | null;
  model: string | null;
  event_type: Tables['usage_events']['event_type'] | null;
}

/** The place of an event in a list. */
export interface Place {
  created_at: Date;
  id: string;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Up to `limit` events after a place, oldest first, of those logged until `until`. Events of a user are in the order of
 * their times, by the index of the user; those of a session, or of everybody, in the order of their ids, which are made
 * at the same time.
 */
export function listEvents(
  db: Db,
  filter: EventFilter,
  limit: number,
  after: Place | null,
  until: Date | null = null,
): Promise<UsageEvent[]> {
  const { user_id, days, session_id, agent_id, provider, model, event_type } = filter;
  const amount = (name: 'quantity' | 'unit_cost' | 'total_cost') => sql<string>`trim_scale(${sql.ref(name)})`.as(name);
  const byTime = user_id !== null && session_id === null;
  let query = db
    .selectFrom('usage_events')
    .select(['id', 'session_id', 'user_id', 'agent_id', 'provider', 'event_type', 'created_at'])
    .select([amount('quantity'), amount('unit_cost'), amount('total_cost')])
    .select(['model', 'direction', 'is_unpriced', 'adjusts'])
    .select(sql<string | null>`to_char(used_on, 'YYYY-MM-DD')`.as('used_on'))
    .limit(limit);
  if (user_id !== null) query = query.where('user_id', '=', user_id);
  if (session_id !== null) query = query.where('session_id', '=', session_id);
  if (agent_id !== null) query = query.where('agent_id', '=', agent_id);
  if (provider !== null) query = query.where('provider', '=', provider);
  if (model !== null) query = query.where('model', '=', model);
  if (event_type !== null) query = query.where('event_type', '=', event_type);
  if (days.from) query = query.where('created_at', '>=', sql<Date>`${days.from}::date::timestamp at time zone 'UTC'`);
  if (days.to) query = query.where('created_at', '<', sql<Date>`(${days.to}::date + 1)::timestamp at time zone 'UTC'`);
  if (until) query = query.where('created_at', '<=', until);
  if (byTime) {
    if (after)
      query = query
        .where('created_at', '>=', after.created_at)
        .where(sql<boolean>`(created_at, id) > (${after.created_at.toISOString()}::timestamptz, ${after.id}::uuid)`);
    return query.orderBy('created_at').orderBy('id').execute();
  }
  if (after) query = query.where('id', '>', after.id);
  if (session_id === null) {
    // No index has the times of everybody's events; ids are made within a day of them, whatever the clocks.
    if (days.from) query = query.where('id', '>=', idsOn(days.from, -1));
    if (days.to) query = query.where('id', '<', idsOn(days.to, 2));
  }
  return query.orderBy('id').execute();
}

/** The least id of the day that is so many after this one. */
function idsOn(day: string, after: number): string {
  return idsFrom(new Date(Math.max(0, Date.parse(day) + after * DAY_MS)));
}
