import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../db/tables.ts';
import { textProblem } from '../../lib/json.ts';
import { fromSessions, type HistoryFilter, type IdPage, MAX_SCANNED, type Said } from './store.ts';

/** How calls are found by values of their analyses. */
export interface ByValues {
  filters: [field: string, value: string][];
  /** The field that they are sorted by; null: newest first. */
  sort: string | null;
  isFalling: boolean;
}

/** A place in the order: a value and the call that has it. */
type Place = [number: number, value: string, id: string];

/** The place that a cursor names; null for one that was made for another order. */
export function placeOf(key: string): Place | null {
  try {
    const [number, value, id] = JSON.parse(key);
    const isText = typeof value === 'string' && textProblem(value) === null;
    return Number.isFinite(number) && isText && typeof id === 'string' ? [number, value, id] : null;
  } catch {
    return null;
  }
}

/**
 * Matching calls, newest first or sorted by a value, from the index of values. All other conditions are checked on the
 * next 5,000 of these, so a page may be short without being the last.
 */
export async function findCallsByValues(
  db: Db,
  filter: HistoryFilter,
  by: ByValues,
  said: Said | null,
  after: string | null,
  limit: number,
): Promise<IdPage> {
  const { user_id: _, ...conditions } = filter;
  const isPlain = said === null && Object.values(conditions).every((one) => one === null);
  const window = isPlain ? limit + 1 : MAX_SCANNED;
  const { rows } = await sql<{ id: string; key: string; is_match: boolean }>`
    with candidate as materialized (${candidates(filter.user_id, by, after, window)})
    select candidate.session_id as id, candidate.key, exists (${fromSessions(filter, said, sql`candidate.session_id`)}) as is_match
    from candidate order by place`.execute(db);
  const matching = rows.filter(({ is_match }) => is_match);
  const page = matching.slice(0, limit);
  const ids = page.map(({ id }) => id);
  if (matching.length > limit) return { ids, next: page.at(-1)?.key ?? null };
  return { ids, next: rows.length === window ? (rows.at(-1)?.key ?? null) : null };
}

function candidates(
  user_id: string | null,
  { filters, sort, isFalling }: ByValues,
  after: string | null,
  window: number,
) {
  const direction = sql.raw(isFalling ? 'desc' : 'asc');
  const own = user_id === null ? sql`true` : sql`user_id = ${user_id}`;
  if (sort !== null) {
    const place = after === null ? null : placeOf(after);
    const beyond =
      place &&
      sql`(number, value, session_id) ${sql.raw(isFalling ? '<' : '>')} (${place[0]}::float8, ${place[1]}, ${place[2]}::uuid)`;
    return sql`
      select session_id, json_build_array(number, value, session_id)::text as key,
        row_number() over (order by number ${direction}, value ${direction}, session_id ${direction}) as place
      from (
        select number, value, session_id from analysis_values as value
        where ${own} and field = ${sort} ${beyond ? sql`and ${beyond}` : sql``} ${others(filters)}
        order by number ${direction}, value ${direction}, session_id ${direction} limit ${window}
      ) as sorted`;
  }
  const [[field, value] = ['', ''], ...more] = filters;
  return sql`
    select session_id, session_id::text as key, row_number() over (order by session_id desc) as place from (
      select distinct session_id from analysis_values as value
      where ${own} and field = ${field} and value = ${value} ${after === null ? sql`` : sql`and session_id < ${after}::uuid`}
        ${others(more)}
      order by session_id desc limit ${window}
    ) as newest`;
}

function others(filters: [field: string, value: string][]): RawBuilder<unknown> {
  const all = filters.map(
    ([field, value]) => sql`and exists (
      select from analysis_values as other
      where other.session_id = value.session_id and other.field = ${field} and other.value = ${value}
    )`,
  );
  return all.length > 0 ? sql.join(all, sql` `) : sql``;
}

/** Values of these calls by field; several of one field as a list. */
export async function readValues(db: Db, session_ids: string[]): Promise<Map<string, Record<string, string>>> {
  const { rows } = await sql<{ session_id: string; fields: Record<string, string> }>`
    select session_id, json_object_agg(field, texts) as fields from (
      select session_id, field, string_agg(distinct value, '; ' order by value) as texts from analysis_values
      where session_id = any(${session_ids}::uuid[]) group by session_id, field
    ) as found group by session_id`.execute(db);
  return new Map(rows.map(({ session_id, fields }) => [session_id, fields]));
}

/** Schemas of a user's extractors at their newest versions, as JSON. */
export async function readSchemas(db: Db, user_id: string): Promise<string[]> {
  const { rows } = await sql<{ content: string }>`
    select content from extractors join extractor_versions as version
      on version.extractor_id = extractors.id and version.version = extractors.version
    where extractors.user_id = ${user_id} and deleted_at is null order by extractors.id`.execute(db);
  return rows.map(({ content }) => content);
}
