import { median } from '@switchboard/testkit/median.ts';
import { query } from '@switchboard/testkit/postgres.ts';
import { table } from '@switchboard/testkit/table.ts';
import type { Bench } from '../support/bench.ts';
import { usageRequests } from '../support/inputs.ts';
import { type Sent, writeRequests } from '../support/load.ts';
import { atMost, loadTable, ratio, type Section, show } from '../support/report.ts';
import { type Contender, interleave } from '../support/rounds.ts';
import { growing, nameOf } from '../support/sizes.ts';

const SIZES = growing(10_000_000);
const REPORTS = ['summary', 'timeline', 'by-agent', 'report'] as const;
/** The report's query, if any. */
const QUERY = { summary: '', timeline: '', 'by-agent': '', report: '?group_by=month,agent,provider' } as const;
const CONNECTIONS = 4;
const RAW_ROUNDS = 3;
const FLAT = 1.25;
/** A page in the middle: there are some 36. */
const LATER_PAGE = 18;
const name = (size: number) => nameOf(size, 'events');

/**
 * Reports, and the cost of one more event, for growing numbers of events: of one user, over a year, by ten agents and
 * three providers.
 */
export async function growth(bench: Bench): Promise<Section> {
  const databases = new Map<number, string>();
  const contenders: Contender[] = [];
  for (const size of SIZES) {
    const database = await bench.database();
    contenders.push(await bench.startService(name(size), { DATABASE_URL: database }));
    await fill(database, size);
    databases.set(size, database);
  }
  const largest = databases.get(SIZES.at(-1) ?? 0) ?? '';
  const section: Section = { lines: [], details: '' };
  for (const report of REPORTS) {
    const requests = writeRequests([reportRequest(report)]);
    const by = await interleave(contenders, CONNECTIONS, () => requests);
    requests.remove();
    const [small, large] = [by[name(SIZES[0] ?? 0)], by[name(SIZES.at(-1) ?? 0)]];
    const raw_ms = await rawReport(largest, report);
    section.lines.push(
      ratio(`${report}: as fast as over the raw rows`, raw_ms, large?.p50_ms ?? 0, 100),
      atMost(
        `${report}: p99 at ${name(SIZES.at(-1) ?? 0)}, of that at ${name(SIZES[0] ?? 0)}`,
        large?.p99_ms ?? Number.NaN,
        small?.p99_ms ?? Number.NaN,
        1.5,
      ),
    );
    section.details += `\`GET /api/costs/${report}${QUERY[report]}\`, ${CONNECTIONS} connections; over the raw rows: ${show(raw_ms)} ms.\n\n${loadTable(by)}\n\n`;
  }
  await addLaterPage(section, contenders.at(-1)?.url ?? '');
  const requests = writeRequests(usageRequests(20_000));
  const by = await interleave(contenders, 64, () => requests);
  requests.remove();
  const costs = contenders.map((contender) => 1e6 / (by[contender.name]?.per_second ?? 0));
  section.lines.push(
    atMost(
      `one more event at ${name(SIZES.at(-1) ?? 0)}, of that at ${name(SIZES[0] ?? 0)}`,
      costs.at(-1) ?? Number.NaN,
      costs[0] ?? Number.NaN,
      FLAT,
    ),
  );
  section.details += `One more event, 64 connections.\n\n${table(
    ['in the ledger', 'µs an event'],
    contenders.map((contender, index) => [contender.name, show(costs[index] ?? 0)]),
  )}`;
  return section;
}

/** A page in the middle of a long report compared with its first page, which also computes the totals. */
async function addLaterPage(section: Section, url: string): Promise<void> {
  const headers = { 'x-user-id': 'user-big' };
  const path = '/api/costs/report?group_by=day,agent&limit=100';
  let cursor = '';
  for (let page = 1; page < LATER_PAGE; page++) {
    const response = await fetch(url + path + cursor, { headers });
    cursor = `&cursor=${((await response.json()) as { next_cursor: string }).next_cursor}`;
  }
  const pages = { 'page 1': path, [`page ${LATER_PAGE}`]: path + cursor };
  const [first, later] = Object.entries(pages).map(([name, of]) => ({
    name,
    url,
    requests: writeRequests([{ method: 'GET', path: of, headers }]),
  }));
  if (!first || !later) return;
  const by = await interleave([first, later], CONNECTIONS, ({ name }) =>
    name === first.name ? first.requests : later.requests,
  );
  for (const { requests } of [first, later]) requests.remove();
  const p50 = ({ name }: Contender) => by[name]?.p50_ms ?? Number.NaN;
  section.lines.push(
    atMost(`report by day and agent: p50 of ${later.name}, of that of page 1`, p50(later), p50(first), 0.5),
  );
  section.details += `\`GET ${path}\`, ${CONNECTIONS} connections.\n\n${loadTable(by)}\n\n`;
}

function reportRequest(report: (typeof REPORTS)[number]): Sent {
  return { method: 'GET', path: `/api/costs/${report}${QUERY[report]}`, headers: { 'x-user-id': 'user-big' } };
}

/** Events of the past year, in the ledger and in the rollups. */
async function fill(database: string, size: number): Promise<void> {
  await query(
    database,
    `insert into usage_events
     select (left(id_from(at)::text, 15) || substr(gen_random_uuid()::text, 16))::uuid, 'call-' || i / 20, 'user-big', 'agent-' || i / 20 % 10,
       (array['openai', 'deepgram', 'cartesia'])[1 + i % 3], (array['llm_tokens', 'stt_minutes', 'tts_characters'])[1 + i % 3],
       i % 1000, 0.000038, 0.000038 * (i % 1000), at
     from (select i, now() - interval '365 days' * (i::float8 / ${size}) as at from generate_series(1, ${size}) as i) as events;
     insert into usage_rollups (user_id, day, agent_id, provider, event_type, recorded_on, quantity, total_cost, events)
     select user_id, (created_at at time zone 'UTC')::date, agent_id, provider, event_type, (created_at at time zone 'UTC')::date,
       sum(quantity), sum(total_cost), count(*)
     from usage_events group by 1, 2, 3, 4, 5;
     insert into usage_agent_sessions select distinct user_id, agent_id, session_id from usage_events;
     insert into usage_agent_session_counts select user_id, agent_id, count(*) from usage_agent_sessions group by 1, 2;`,
  );
  await query(database, 'vacuum analyze');
}

const RAW = {
  summary: `select provider, sum(total_cost), sum(total_cost) filter (where created_at >= date_trunc('month', now()))
    from usage_events where user_id = 'user-big' group by grouping sets ((provider), ())`,
  timeline: `select date_trunc('day', created_at), provider, sum(total_cost) from usage_events where user_id = 'user-big'
    group by grouping sets ((1, provider), (1)) order by 1`,
  report: `select date_trunc('month', created_at), agent_id, provider, sum(total_cost), count(*) from usage_events
    where user_id = 'user-big' group by 1, 2, 3 order by 1, 2, 3`,
  'by-agent': `select agent_id, sum(total_cost), count(distinct session_id), count(*) from usage_events
    where user_id = 'user-big' and agent_id is not null group by 1 order by 2 desc`,
} as const;

/** Median milliseconds of the same report over the events themselves, without HTTP. */
async function rawReport(database: string, report: (typeof REPORTS)[number]): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < RAW_ROUNDS; round++) {
    const begun = performance.now();
    await query(database, RAW[report]);
    times.push(performance.now() - begun);
  }
  return median(times);
}
