import { query } from '@switchboard/testkit/postgres.ts';
import { table } from '@switchboard/testkit/table.ts';
import type { Bench } from '../support/bench.ts';
import { usageRequests } from '../support/inputs.ts';
import { type Load, type Requests, writeRequests } from '../support/load.ts';
import { A_ROW_A_COMMIT, A_ROW_WITH_ROLLUPS, pgbench } from '../support/pgbench.ts';
import { atMost, information, type Line, loadTable, ratio, type Section, share, show } from '../support/report.ts';
import { type Contender, interleave } from '../support/rounds.ts';

const CONNECTIONS = [64, 256];
/** More make it slower: each is a process of the database. */
const PGBENCH_CONNECTIONS = 64;
const OURS = 'Switchboard';
const CEILING = 'without a database';
const UNBATCHED = 'without batching';
const ASYNCPG = 'FastAPI + asyncpg';
const ORM = 'FastAPI + SQLAlchemy';

/** `POST /api/usage/events`. */
export async function usage(bench: Bench): Promise<Section> {
  const [database, other] = [await bench.database(), await bench.database()];
  const asyncpg = await bench.startFastApi(ASYNCPG, 'fastapi_asyncpg');
  const contenders = [
    await bench.startService(OURS, { DATABASE_URL: database }),
    await bench.startServer(CEILING, 'ceiling.ts'),
    await bench.startServer(UNBATCHED, 'unbatched.ts', { DATABASE_URL: other }),
    asyncpg,
    await bench.startFastApi(ORM, 'fastapi_sqlalchemy'),
    await bench.startExpress('Express + pg'),
  ];
  const limits = {
    row: await pgbench(asyncpg.database, A_ROW_A_COMMIT, PGBENCH_CONNECTIONS),
    rollups: await pgbench(other, A_ROW_WITH_ROLLUPS, PGBENCH_CONNECTIONS),
  };
  const requests = writeRequests(usageRequests(20_000));
  const section: Section = { lines: [], details: '' };
  for (const connections of CONNECTIONS) {
    const by = await interleave(contenders, connections, () => requests);
    section.lines.push(...linesOf(`${connections} connections:`, by, limits));
    section.details += `${connections} connections.\n\n${loadTable(by)}\n\n`;
  }
  await addLonely(section, contenders, requests);
  section.details += `pgbench, ${PGBENCH_CONNECTIONS} connections and no HTTP: ${show(limits.row)} rows a second, a row a commit; ${show(limits.rollups)}
with the same rollups in the commit. Nothing is asked of these: how many commits a second there are is the disk's doing, and on this one a
commit costs so little that its rows would be more than a server can read and answer.\n\n${await counted(database)}`;
  requests.remove();
  return section;
}

function linesOf(at: string, by: Record<string, Load>, limits: { row: number; rollups: number }): Line[] {
  const figure = (name: string) => by[name]?.per_second ?? Number.NaN;
  const p99 = (name: string) => by[name]?.p99_ms ?? Number.NaN;
  const ours = figure(OURS);
  return [
    share(`${at} our server ${CEILING}`, ours, figure(CEILING), 60),
    information(`${at} pgbench without HTTP, a row a commit`, ours, limits.row),
    information(`${at} pgbench without HTTP, a row and its rollups a commit`, ours, limits.rollups),
    ratio(`${at} ours ${UNBATCHED}`, ours, figure(UNBATCHED), 3),
    ratio(`${at} ${ASYNCPG}`, ours, figure(ASYNCPG), 5),
    ratio(`${at} ${ORM}`, ours, figure(ORM), 20),
    atMost(`${at} p99, of that of ${ASYNCPG}`, p99(OURS), p99(ASYNCPG), 0.5),
  ];
}

async function addLonely(section: Section, contenders: Contender[], requests: Requests): Promise<void> {
  const two = contenders.filter(({ name }) => name === OURS || name === UNBATCHED);
  const by = await interleave(two, 1, () => requests);
  const p50 = (name: string) => by[name]?.p50_ms ?? Number.NaN;
  section.lines.push(atMost(`one client: time of a request, of that ${UNBATCHED}`, p50(OURS), p50(UNBATCHED), 1.2));
  section.details += `One client.\n\n${loadTable(by)}\n\n`;
}

/** Nothing was lost or counted twice. */
async function counted(database: string): Promise<string> {
  const [row] = await query<{ events: string; sums: string }>(
    database,
    'select (select count(*) from usage_events) as events, (select sum(events) from usage_rollups) as sums',
  );
  return table(['events in the ledger', 'events in the rollups'], [[row?.events ?? '', row?.sums ?? '']]);
}
