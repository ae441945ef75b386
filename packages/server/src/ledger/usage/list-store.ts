import { sql } from 'kysely';
import type { Db, Tables } from '../../db/tables.ts';
import type { Days } from '../../http/date-range.ts';
import { idsOfDay, toStored } from '../../lib/ids.ts';
import type { UsageEvent } from './store.ts';

/** The filter of a list of events; null: any. */
export interface EventFilter {
  user_id: string | null;
  days: Days;
  session_id: string | null;
  agent_id: string | null;
  provider: string | null;
  model: string | null;
  event_type: Tables['usage_events']['event_type'] | null;
}

/** The position of an event in a list. */
export interface Place {
  created_at: Date;
  id: string;
}

/** Events logged on the requested days, later entries that adjust those, or both. */
type Kind = 'timely' | 'late' | 'any';

/**
 * Up to `limit` events after a position, oldest first, logged until `until`. A user's events are ordered by time,
 * from the index of the user; those of a session, or of all users, by id. Days are those on which events count.
 */
export async function listEvents(
  db: Db,
  filter: EventFilter,
  limit: number,
  after: Place | null,
  until: Date | null = null,
): Promise<UsageEvent[]> {
  const branch = (kind: Kind, upTo = limit) => branchOf(db, filter, kind, upTo, after, until);
  if (filter.days.to === null || filter.session_id !== null) return branch('any').execute();
  // Adjusting entries of these days may follow at any later time; a partial index contains only those.
  if (isByTime(filter)) {
    const timely = await branch('timely').execute();
    return timely.length === limit ? timely : [...timely, ...(await branch('late', limit - timely.length).execute())];
  }
  const both = db
    .selectFrom(branch('timely').as('timely'))
    .selectAll()
    .unionAll(db.selectFrom(branch('late').as('late')).selectAll());
  return db.selectFrom(both.as('found')).selectAll().orderBy('id').limit(limit).execute();
}

function isByTime({ user_id, session_id }: EventFilter): boolean {
  return user_id !== null && session_id === null;
}

function branchOf(db: Db, filter: EventFilter, kind: Kind, limit: number, after: Place | null, until: Date | null) {
  const { user_id, days, session_id, agent_id, provider, model, event_type } = filter;
  const amount = (name: 'quantity' | 'unit_cost' | 'total_cost') => sql<string>`trim_scale(${sql.ref(name)})`.as(name);
  let query = db
    .selectFrom('usage_events')
    .select(['id', 'session_id', 'user_id', 'agent_id', 'provider', 'event_type', 'created_at'])
    .select([amount('quantity'), amount('unit_cost'), amount('total_cost')])
    .select(['model', 'direction', 'is_unpriced', 'adjusts'])
    .select(sql<string | null>`to_char(used_on, 'YYYY-MM-DD')`.as('used_on'))
    .where(isOn(days, kind))
    .limit(limit);
  if (user_id !== null) query = query.where('user_id', '=', user_id);
  if (session_id !== null) query = query.where('session_id', '=', toStored(session_id));
  if (agent_id !== null) query = query.where('agent_id', '=', toStored(agent_id));
  if (provider !== null) query = query.where('provider', '=', provider);
  if (model !== null) query = query.where('model', '=', model);
  if (event_type !== null) query = query.where('event_type', '=', event_type);
  if (until) query = query.where('created_at', '<=', until);
  if (kind === 'late' && days.to) query = query.where('id', '>=', idsOfDay(days.to, -1));
  if (isByTime(filter)) {
    if (after)
      query = query
        .where('created_at', '>=', after.created_at)
        .where(sql<boolean>`(created_at, id) > (${after.created_at.toISOString()}::timestamptz, ${after.id}::uuid)`);
    return query.orderBy('created_at').orderBy('id');
  }
  if (after) query = query.where('id', '>', after.id);
  if (session_id === null) {
    // There is no index on the times of all events; ids are created within a day of them, whatever the clocks.
    if (days.from) query = query.where('id', '>=', idsOfDay(days.from, -1));
    if (days.to && kind === 'timely') query = query.where('id', '<', idsOfDay(days.to, 2));
  }
  return query.orderBy('id');
}

/**
 * Whether an event counts on one of these days; no entry is logged before the day that it adjusts. `coalesce`,
 * because until the table is analyzed the planner takes `used_on is null` to be rare, and would read and sort
 * everything.
 */
function isOn({ from, to }: Days, kind: Kind) {
  const midnight = (day: string, after: number) =>
    sql`(${day}::date + ${sql.lit(after)})::timestamp at time zone 'UTC'`;
  if (from === null && to === null) return sql<boolean>`true`;
  const since = from ? sql`created_at >= ${midnight(from, 0)}` : sql`true`;
  const until = to ? sql`created_at < ${midnight(to, 1)}` : sql`true`;
  const adjusted = sql`used_on >= ${from ?? '-infinity'}::date and used_on <= ${to ?? 'infinity'}::date`;
  if (kind === 'timely') return sql<boolean>`${since} and ${until} and coalesce(${adjusted}, true)`;
  if (kind === 'late') return sql<boolean>`created_at >= ${midnight(to ?? 'infinity', 1)} and ${adjusted}`;
  return sql<boolean>`${since} and coalesce(${adjusted}, ${until})`;
}
