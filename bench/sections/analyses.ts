import { query } from '@switchboard/testkit/postgres.ts';
import { table } from '@switchboard/testkit/table.ts';
import type { Bench } from '../support/bench.ts';
import { writeRequests } from '../support/load.ts';
import { atMost, loadTable, type Section } from '../support/report.ts';
import { type Contender, interleave } from '../support/rounds.ts';
import { growing, nameOf } from '../support/sizes.ts';

const [, ...SIZES] = growing(1_000_000);
const CONNECTIONS = 2;
const FLAT = 1.5;
const name = (size: number) => nameOf(size, 'analyzed calls');

/** Lists of an operator. Of a thousand calls one has the rare outcome; a score has a hundred values. */
const LISTS = {
  'a usual value': 'analysis.outcome=booked',
  'a rare value': 'analysis.outcome=rare',
  'two values': 'analysis.outcome=rare&analysis.score=49',
  'a value, and calls of one direction': 'analysis.outcome=rare&direction=INBOUND',
  'sorted by a number': 'sort=-analysis.score',
} as const;
/** Tables that grow with the calls. */
const TABLES = ['sessions', 'analyses', 'analysis_values'];

/** `GET /api/calls/` by values of analyses, for growing numbers of calls of one user. */
export async function analyses(bench: Bench): Promise<Section> {
  const contenders: Contender[] = [];
  const databases = new Map<number, string>();
  for (const size of SIZES) {
    const database = await bench.database();
    contenders.push(await bench.startService(name(size), { DATABASE_URL: database }));
    await fill(database, size);
    databases.set(size, database);
  }
  const [medium, large] = SIZES as [number, number];
  const database = databases.get(large) ?? '';
  const section: Section = { lines: [], details: '' };
  const plans: string[][] = [];
  for (const [list, parameters] of Object.entries(LISTS)) {
    const path = `/api/calls/?limit=50&${parameters}`;
    const requests = writeRequests([{ method: 'GET', path, headers: { 'x-user-id': 'user-big' } }]);
    const before = await scans(database);
    const by = await interleave(contenders, CONNECTIONS, () => requests);
    requests.remove();
    plans.push([`\`${parameters}\``, ...used(before, await scans(database))]);
    const p99 = (size: number) => by[name(size)]?.p99_ms ?? Number.NaN;
    section.lines.push(
      atMost(`${list}: p99 at ${name(large)}, of that at ${name(medium)}`, p99(large), p99(medium), FLAT),
    );
    section.details += `\`GET ${path}\`, ${CONNECTIONS} connections.\n\n${loadTable(by)}\n\n`;
  }
  section.details += `By PostgreSQL’s own count at ${name(large)}:\n\n${table(['', 'read from end to end', 'indexes of values'], plans)}`;
  return section;
}

interface Scans {
  tables: Map<string, number>;
  indexes: Map<string, number>;
}

/** How often tables were read from end to end, and indexes of values used, since the database was made. */
async function scans(database: string): Promise<Scans> {
  const list = TABLES.map((one) => `'${one}'`).join(', ');
  const tables = await query<{ name: string; count: string }>(
    database,
    `select relname as name, seq_scan as count from pg_stat_user_tables where relname in (${list})`,
  );
  const indexes = await query<{ name: string; count: string }>(
    database,
    `select indexrelname as name, idx_scan as count from pg_stat_user_indexes where relname = 'analysis_values'`,
  );
  const counts = (rows: typeof tables) => new Map(rows.map(({ name: of, count }) => [of, Number(count)]));
  return { tables: counts(tables), indexes: counts(indexes) };
}

function used(before: Scans, after: Scans): string[] {
  const more = (kind: keyof Scans) =>
    [...after[kind]].filter(([of, count]) => count > (before[kind].get(of) ?? 0)).map(([of]) => `\`${of}\``);
  return [more('tables').join(', ') || 'none', more('indexes').join(', ') || 'none'];
}

/** Fills it with ended calls of the past year, with a result each. Indexes of so many rows are built afterwards. */
async function fill(database: string, size: number): Promise<void> {
  const list = TABLES.map((one) => `'${one}'`).join(', ');
  const indexes = await query<{ name: string; made: string }>(
    database,
    `select indexname as name, indexdef as made from pg_indexes
     where tablename in (${list}) and indexname not in (select conname from pg_constraint)`,
  );
  await query(
    database,
    `set session_replication_role = replica;
     ${indexes.map(({ name: index }) => `drop index ${index};`).join(' ')}
     insert into sessions (id, room_name, user_id, status, call_direction, call_status, session_data, started_at, ended_at,
       created_at, updated_at)
     select overlay(id_from(at)::text placing 'a' || lpad(to_hex(n), 11, '0') from 25)::uuid, 'call-' || n, 'user-big', 'COMPLETED',
       case when n % 5 = 0 then 'INBOUND' else 'OUTBOUND' end, 'COMPLETED', '{}', at, at, at, at
     from (select n, now() - interval '1 year' * (${size} - n) / ${size} as at from generate_series(1, ${size}) as n) as made;
     insert into analyses (id, session_id, user_id, extractor, extractor_version, state, result, created_at, ended_at)
     select id, id, user_id, 'visit', 1, 'done', '{}', created_at, created_at from sessions;
     insert into analysis_values (session_id, extractor, field, value, number, counted_as, user_id)
     select id, 'visit', field,
       case when field = 'score' then (n * 7 % 100)::text when n % 1000 = 7 then 'rare' when n % 3 = 0 then 'refused' else 'booked' end,
       case when field = 'score' then n * 7 % 100 else 0 end, '', user_id
     from (select id, user_id, substr(room_name, 6)::int as n from sessions) as calls, unnest(array['outcome', 'score']) as field;
     ${indexes.map(({ made }) => `${made};`).join(' ')}`,
  );
  for (const filled of TABLES) await query(database, `vacuum analyze ${filled}`);
}
