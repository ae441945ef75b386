import { query } from '@switchboard/testkit/postgres.ts';
import { table } from '@switchboard/testkit/table.ts';
import type { Bench } from '../support/bench.ts';
import { residentMiB } from '../support/process-memory.ts';
import { atMost, type Section, show } from '../support/report.ts';
import { growing, nameOf } from '../support/sizes.ts';

const [, SMALL, LARGE] = growing(1_000_000);
/** Warm-up: small exports that fill caches, pools and the heap's young generation. */
const WARM_UPS = 2;
const SAMPLE_MS = 50;
/** More than the noise of garbage collection, and far less than what the objects of all rows would take. */
const CONSTANT = 1.5;
const name = (size: number) => nameOf(size, 'rows');
const EXPORTS = {
  'usage events': '/api/usage/events',
  'cost report': '/api/costs/report?group_by=agent,provider',
  'cost report by day': '/api/costs/report?group_by=day,agent',
} as const;

interface Export {
  rows: number;
  seconds: number;
  highest_MiB: number;
}

/** The process's memory during small and large exports: rows must not be kept. */
export async function exports(bench: Bench): Promise<Section> {
  const section: Section = { lines: [], details: '' };
  for (const [what, path] of Object.entries(EXPORTS)) {
    const database = await bench.database();
    const { url, child } = await bench.startService(what, { DATABASE_URL: database });
    for (const size of [SMALL, LARGE]) await fill(database, what === 'usage events', size);
    await query(database, 'vacuum analyze usage_events, usage_rollups');
    const read = async (size: number) => {
      const found = await readExport(url + path, `user-${size}`, child.pid);
      if (found.rows !== size) throw new Error(`${what}: ${found.rows} rows of ${size}`);
      return found;
    };
    for (let round = 0; round < WARM_UPS; round++) await read(SMALL);
    const all = [await read(SMALL), await read(LARGE)] as const;
    const [small, large] = all;
    section.lines.push(
      atMost(
        `${what}: most memory with ${name(LARGE)}, of that with ${name(SMALL)}`,
        large.highest_MiB,
        small.highest_MiB,
        CONSTANT,
      ),
    );
    section.details += `${what}: \`GET ${path}\` as CSV.\n\n${table(
      ['rows', 'seconds', 'most memory, MiB'],
      all.map(({ rows, seconds, highest_MiB }) => [rows.toLocaleString('en-US'), show(seconds), show(highest_MiB)]),
    )}\n\n`;
  }
  return section;
}

async function readExport(url: string, user: string, pid: number | undefined): Promise<Export> {
  const begun = performance.now();
  let [rows, highest_MiB] = [-1, residentMiB(pid)];
  const sampling = setInterval(() => {
    highest_MiB = Math.max(highest_MiB, residentMiB(pid));
  }, SAMPLE_MS);
  const { body, status } = await fetch(url, { headers: { accept: 'text/csv', 'x-user-id': user } });
  if (status !== 200 || !body) throw new Error(`the export was answered with ${status}`);
  for await (const chunk of body) for (const byte of chunk) if (byte === LINE_FEED) rows += 1;
  clearInterval(sampling);
  return { rows, seconds: (performance.now() - begun) / 1000, highest_MiB };
}

const LINE_FEED = 10;

/** Events of a user, or as many report groups: agents of one day each, 4,000 a day. */
async function fill(database: string, isLedger: boolean, size: number): Promise<void> {
  await query(
    database,
    isLedger
      ? `insert into usage_events
         select (left(id_from(at)::text, 15) || substr(gen_random_uuid()::text, 16))::uuid, 'call-' || i / 20, 'user-${size}',
           'agent-' || i / 20 % 10, 'openai', 'llm_tokens', i % 1000, 0.000038, 0.000038 * (i % 1000), at
         from (select i, now() - interval '90 days' * (i::float8 / ${size}) as at from generate_series(1, ${size}) as i) as events`
      : `insert into usage_rollups (user_id, day, agent_id, provider, event_type, recorded_on, quantity, total_cost, events)
         select 'user-${size}', date '2026-01-01' + i / 4000, 'agent-' || i, 'openai', 'llm_tokens', date '2026-01-01' + i / 4000, i % 1000, 0.000038 * (i % 1000), 1
         from generate_series(1, ${size}) as i`,
  );
}
