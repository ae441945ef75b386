import { type RawBuilder, sql } from 'kysely';
import type { Db, Tables } from '../../db/tables.ts';
import type { Days } from '../../http/date-range.ts';
import type { CostPurpose, ReportGroup } from './report-schema.ts';

/** Periods of a report, finest first, named as in `date_trunc`. */
const PERIODS = ['day', 'week', 'month'] as const;
type ReportPeriod = (typeof PERIODS)[number];

/** Columns by dimension. */
export const COLUMN = {
  day: 'day',
  week: 'week',
  month: 'month',
  user: 'user_id',
  agent: 'agent_id',
  agent_version: 'agent_version',
  provider: 'provider',
  model: 'model',
  event_type: 'event_type',
  direction: 'direction',
} as const satisfies Record<ReportGroup, string>;

/** The entries of the ledger that a report covers; null: any. Entries recorded after the day `as_of` are excluded. */
export interface ReportFilter {
  user_id: string | null;
  days: Days;
  as_of: string | null;
  agent_id: string | null;
  agent_version: number | null;
  provider: string | null;
  model: string | null;
  event_type: Tables['usage_events']['event_type'] | null;
  direction: Tables['usage_events']['direction'];
  /** Usage of calls and chats, of test runs, or of both. */
  purpose: CostPurpose;
}

interface Sums {
  total_cost: string;
  events: number;
  unpriced_events: number;
}

/** The sums of one group; '' if its entries have no agent, version, model or direction. Amounts are exact. */
export interface ReportRow extends Partial<Record<(typeof COLUMN)[ReportGroup], string>>, Sums {
  agent_name?: string | null;
  quantity: string;
}

/** Unpriced events of one kind. */
interface UnpricedKind {
  provider: string;
  model: string;
  event_type: string;
  events: number;
}

export interface ReportSums extends Sums {
  items: ReportRow[];
  unpriced: UnpricedKind[];
}

/**
 * The sums of all groups together, up to `limit` groups after the group `after`, and up to `kinds` kinds of unpriced
 * events: one statement, and therefore one snapshot.
 */
export async function reportSums(
  db: Db,
  filter: ReportFilter,
  groups: ReportGroup[],
  { limit, after, kinds }: { limit: number; after: string[] | null; kinds: number },
): Promise<ReportSums> {
  const { rows } = await sql<ReportSums>`
    with grouped as materialized (${grouped(filter, groups)}),
    page as (${page(filter, groups, limit, after)}),
    kinds as (${unpricedKinds(filter)} limit ${kinds})
    select trim_scale(coalesce(sum(total_cost), 0)) as total_cost, coalesce(sum(events), 0)::bigint as events,
      coalesce(sum(unpriced), 0)::bigint as unpriced_events,
      (select coalesce(json_agg(page order by ${keys(groups)}), '[]') from page) as items,
      (select coalesce(json_agg(kinds), '[]') from kinds) as unpriced
    from grouped`.execute(db);
  return rows[0] as ReportSums;
}

/** Up to `limit` groups after the group `after`, in the order of their keys. */
export async function reportRows(
  db: Db,
  filter: ReportFilter,
  groups: ReportGroup[],
  limit: number,
  after: string[] | null,
): Promise<ReportRow[]> {
  const { rows } = await sql<ReportRow>`
    with grouped as materialized (${grouped(filter, groups, after)})
    select * from (${page(filter, groups, limit, after)}) as page order by ${keys(groups)}`.execute(db);
  return rows;
}

/** All groups, in batches of `atOnce`, from one statement. Needs a transaction. */
export async function* allReportRows(
  trx: Db,
  filter: ReportFilter,
  groups: ReportGroup[],
  atOnce: number,
): AsyncGenerator<ReportRow[]> {
  await sql`
    declare cost_report no scroll cursor for
    with grouped as materialized (${grouped(filter, groups)})
    select * from (${page(filter, groups, null, null)}) as page order by ${keys(groups)}`.execute(trx);
  for (let left = true; left; ) {
    const { rows } = await sql<ReportRow>`fetch ${sql.lit(atOnce)} from cost_report`.execute(trx);
    yield rows;
    left = rows.length === atOnce;
  }
  await sql`close cost_report`.execute(trx);
}

/** Events without a price, and up to `limit` kinds of them, from a partial index. */
export async function unpricedEvents(
  db: Db,
  filter: ReportFilter,
  limit: number,
): Promise<{ events: number; kinds: UnpricedKind[] }> {
  const { rows } = await sql<{ events: number; kinds: UnpricedKind[] }>`
    with all_kinds as (${unpricedKinds(filter)})
    select coalesce(sum(events), 0)::bigint as events,
      (select coalesce(json_agg(listed), '[]') from (select * from all_kinds limit ${limit}) as listed) as kinds
    from all_kinds`.execute(db);
  return rows[0] as { events: number; kinds: UnpricedKind[] };
}

/**
 * The last day of the period that contains the `count`th rollup from `filter.days.from` on, or the last rollup if
 * there are fewer; null if there is none.
 */
export async function lastDayOf(
  db: Db,
  filter: ReportFilter,
  period: ReportPeriod,
  count: number,
): Promise<string | null> {
  const begin = sql`date_trunc(${sql.lit(period)}, max(day)::timestamp)`;
  const { rows } = await sql<{ to: string | null }>`
    select to_char(${begin} + interval '1 ${sql.raw(period)}' - interval '1 day', 'YYYY-MM-DD') as to
    from (select day from ${rollups(filter)} where ${conditions(filter)} order by day limit ${count}) as first`.execute(
    db,
  );
  return rows[0]?.to ?? null;
}

export function isPeriod(group: ReportGroup | undefined): group is ReportPeriod {
  return PERIODS.some((period) => period === group);
}

/** Digits of the largest version: as texts of one length, versions are sorted by number. */
const VERSION_DIGITS = sql.lit(10);

const ROLLUP_COLUMNS = sql.raw(
  'user_id, day, agent_id, provider, event_type, model, direction, recorded_on, agent_version, quantity, total_cost, events, unpriced',
);

/** The rollups of a purpose. Test runs have their own, so that nothing is added to those of calls. */
const rollups = ({ purpose }: ReportFilter) =>
  ({
    call: sql`usage_rollups`,
    test: sql`test_usage_rollups`,
    all: sql`(
      select ${ROLLUP_COLUMNS} from usage_rollups union all select ${ROLLUP_COLUMNS} from test_usage_rollups
    ) as both_rollups`,
  })[purpose];

/** The column of rollups, as text. */
const source = (group: ReportGroup) =>
  group === 'agent_version'
    ? sql`case when agent_version = 0 then '' else lpad(agent_version::text, ${VERSION_DIGITS}, '0') end`
    : sql.ref(COLUMN[group]);

/** The same collation in every database, so that a cursor stays valid. */
const key = (group: ReportGroup) => sql`${sql.ref(COLUMN[group])} collate "C"`;
const keys = (groups: ReportGroup[]) => sql.join(groups.map(key));

const unpricedKinds = (filter: ReportFilter) => sql`
  select provider, model, event_type, sum(unpriced)::bigint as events
  from ${rollups(filter)} where ${conditions(filter)} and unpriced <> 0
  group by 1, 2, 3 having sum(unpriced) <> 0 order by 4 desc, 1, 2, 3`;

/**
 * Groups by dates before formatting them, because there are more rollups than groups. Rollups before the group
 * `after` are skipped by its first key, or by the days of `filter` if that key is a period.
 */
function grouped(filter: ReportFilter, groups: ReportGroup[], after: string[] | null = null): RawBuilder<unknown> {
  const column = (group: ReportGroup) => sql.ref(COLUMN[group]);
  const summed = groups.map((group) =>
    isPeriod(group)
      ? sql`date_trunc(${sql.lit(group)}, day::timestamp) as ${column(group)}`
      : sql`${source(group)} as ${column(group)}`,
  );
  const texts = groups.map((group) =>
    isPeriod(group) ? sql`to_char(${column(group)}, 'YYYY-MM-DD') as ${column(group)}` : column(group),
  );
  const [first] = groups;
  const rest = after && first && !isPeriod(first) ? sql`and ${source(first)} collate "C" >= ${after[0]}::text` : sql``;
  return sql`
    select ${sql.join(texts)}, quantity, total_cost, events, unpriced from (
      select ${sql.join(summed)}, sum(quantity) as quantity, sum(total_cost) as total_cost, sum(events) as events,
        sum(unpriced) as unpriced
      from ${rollups(filter)} where ${conditions(filter)} ${rest}
      group by ${sql.join(groups.map((_group, index) => sql.lit(index + 1)))}
    ) as summed`;
}

/**
 * Groups with the names of agents that belong to the user of the entries, including deleted ones. Names are looked up
 * one by one, `limit 1`: there may be more agents than groups.
 */
function page(
  filter: ReportFilter,
  groups: ReportGroup[],
  limit: number | null,
  after: string[] | null,
): RawBuilder<unknown> {
  const isAfter = after ? sql`(${keys(groups)}) > (${sql.join(after.map((text) => sql`${text}::text`))})` : sql`true`;
  const columns = groups.map((group) => sql.ref(`chosen.${COLUMN[group]}`));
  const hasAgents = groups.includes('agent');
  const owner = groups.includes('user') ? sql`chosen.user_id` : sql`${filter.user_id}::text`;
  const named = sql`, case when chosen.agent_id <> '' then coalesce(agent.name, 'Unknown') end as agent_name`;
  // Entries accept any text as an agent id; only valid ids are looked up.
  const join = sql`left join lateral (
      select name from agents where id = case
        when chosen.agent_id ~ '^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$' then chosen.agent_id::uuid
      end and (user_id = ${owner} or ${owner} is null) limit 1
    ) as agent on true`;
  const some = limit === null ? sql`` : sql`order by ${keys(groups)} limit ${limit}`;
  return sql`
    select ${sql.join(columns)} ${hasAgents ? named : sql``}, trim_scale(quantity)::text as quantity,
      trim_scale(total_cost)::text as total_cost, events::bigint as events, unpriced::bigint as unpriced_events
    from (select * from grouped where ${isAfter} ${some}) as chosen
    ${hasAgents ? join : sql``}`;
}

function conditions({ user_id, days, as_of, purpose: _, ...equals }: ReportFilter): RawBuilder<unknown> {
  const all = Object.entries({ user_id, ...equals }).flatMap(([name, value]) =>
    value === null ? [] : sql`${sql.ref(name)} = ${value}`,
  );
  if (days.from !== null) all.push(sql`day >= ${days.from}::date`);
  if (days.to !== null) all.push(sql`day <= ${days.to}::date`);
  if (as_of !== null) all.push(sql`recorded_on <= ${as_of}::date`);
  return all.length > 0 ? sql.join(all, sql` and `) : sql`true`;
}
