import { query } from '@switchboard/testkit/postgres.ts';
import type { Bench } from '../support/bench.ts';
import { writeRequests } from '../support/load.ts';
import { atMost, loadTable, type Section } from '../support/report.ts';
import { type Contender, interleave } from '../support/rounds.ts';
import { growing, nameOf } from '../support/sizes.ts';

const SIZES = growing(10_000_000);
const CONNECTIONS = 2;
const FLAT = 1.5;
const name = (size: number) => nameOf(size, 'calls');
const day = (before: number) => new Date(Date.now() - before * 86_400_000).toISOString().slice(0, 10);

/** Typical queries of an operator: the last thirty days, and a year. */
const REPORTS = {
  'thirty days, by day': `?group_by=day&start_date=${day(29)}`,
  'thirty days, by agent and end reason': `?group_by=agent,end_reason&start_date=${day(29)}`,
  'a year, by direction': '?group_by=direction',
} as const;

/**
 * `GET /api/stats/calls` for growing numbers of calls: of one user, over a year, with ten agents. The report only
 * reads the histograms, so the calls themselves are not stored here.
 */
export async function statistics(bench: Bench): Promise<Section> {
  const contenders: Contender[] = [];
  for (const size of SIZES) {
    const database = await bench.database();
    contenders.push(await bench.startService(name(size), { DATABASE_URL: database }));
    await fill(database, size);
  }
  const section: Section = { lines: [], details: '' };
  for (const [report, parameters] of Object.entries(REPORTS)) {
    const path = `/api/stats/calls${parameters}`;
    const requests = writeRequests([{ method: 'GET', path, headers: { 'x-user-id': 'user-big' } }]);
    const by = await interleave(contenders, CONNECTIONS, () => requests);
    requests.remove();
    const p99 = (size: number) => by[name(size)]?.p99_ms ?? Number.NaN;
    const [, medium, large] = SIZES;
    section.lines.push(
      atMost(`${report}: p99 at ${name(large)}, of that at ${name(medium)}`, p99(large), p99(medium), FLAT),
    );
    section.details += `\`GET ${path}\`, ${CONNECTIONS} connections.\n\n${loadTable(by)}\n\n`;
  }
  section.details += 'A histogram has as many buckets as different times, 5 % apart, which few calls have fewer of.';
  return section;
}

/** Histograms of this many calls of the past year. Two in three are answered, a fifth are inbound. */
async function fill(database: string, size: number): Promise<void> {
  await query(
    database,
    `insert into call_rollups (user_id, day, agent_id, direction, end_reason, answered_by, metric, bucket, calls, total_ms)
     select 'user-big', day, agent_id, direction, end_reason, '', metric, histogram_bucket(ms), count(*), sum(ms)
     from (
       select current_date - (i % 365) as day, '01980000-0000-7000-8000-00000000000' || i % 10 as agent_id,
         case when i / 10 % 5 = 0 then 'INBOUND' else 'OUTBOUND' end as direction,
         case when i % 3 < 2 then 'hangup' else 'no_answer' end as end_reason,
         round(4000 * exp(1.2 * random()))::bigint as ring_ms,
         case when i % 3 < 2 then round(60000 * exp(1.5 * (random() + random() - 1)))::bigint end as talk_ms
       from generate_series(1, ${size}) as i
     ) as calls cross join lateral (values ('ring', ring_ms), ('talk', talk_ms)) as measured (metric, ms)
     where ms is not null group by 1, 2, 3, 4, 5, 6, 7, 8`,
  );
  await query(database, 'vacuum analyze call_rollups');
}
