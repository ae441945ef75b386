import { type Bench, query } from '../support/bench.ts';
import { usageRequests } from '../support/inputs.ts';
import { writeRequests } from '../support/load.ts';
import { A_ROW_A_COMMIT, pgbench } from '../support/pgbench.ts';
import { atMost, loadTable, ratio, type Section, share, show, table } from '../support/report.ts';
import { interleave } from '../support/rounds.ts';

const CONNECTIONS = [64, 256];
/** More make it slower: each is a process of the database. */
const PGBENCH_CONNECTIONS = 64;

/** `POST /api/usage/events`. */
export async function usage(bench: Bench): Promise<Section> {
  const asyncpg = await bench.startFastApi('FastAPI + asyncpg', 'fastapi_asyncpg');
  const database = await bench.database();
  const contenders = [
    await bench.startService('Switchboard', { DATABASE_URL: database }),
    await bench.startServer('without a database', 'ceiling.ts'),
    await bench.startServer('without batching', 'unbatched.ts', { DATABASE_URL: await bench.database() }),
    asyncpg,
    await bench.startFastApi('FastAPI + SQLAlchemy', 'fastapi_sqlalchemy'),
    await bench.startExpress('Express + pg'),
  ];
  const requests = writeRequests(usageRequests(20_000));
  const section: Section = { lines: [], details: '' };
  const rows = await pgbench(asyncpg.database, A_ROW_A_COMMIT, PGBENCH_CONNECTIONS);
  for (const connections of CONNECTIONS) {
    const by = await interleave(contenders, connections, () => requests);
    const figure = (name: string) => by[name]?.per_second ?? Number.NaN;
    const [ours, ceiling] = [figure('Switchboard'), figure('without a database')];
    const at = `${connections} connections:`;
    section.lines.push(
      share(`${at} our server without a database`, ours, ceiling, 60),
      ratio(`${at} pgbench, a row a commit`, ours, rows, 2),
      ratio(`${at} ours without batching`, ours, figure('without batching'), 3),
      ratio(`${at} FastAPI + asyncpg`, ours, figure('FastAPI + asyncpg'), 5),
      ratio(`${at} FastAPI + SQLAlchemy`, ours, figure('FastAPI + SQLAlchemy'), 20),
      atMost(
        `${at} p99, of that of FastAPI + asyncpg`,
        by.Switchboard?.p99_ms ?? 0,
        by['FastAPI + asyncpg']?.p99_ms ?? 0,
        0.5,
      ),
    );
    section.details += `${connections} connections; pgbench with a row a commit and no HTTP: ${show(rows)} a second.\n\n${loadTable(by)}\n\n`;
  }
  const lonely = await interleave(
    contenders.filter(({ name }) => name === 'Switchboard' || name === 'without batching'),
    1,
    () => requests,
  );
  section.lines.push(
    atMost(
      'one client: time of a request, of that without batching',
      lonely.Switchboard?.p50_ms ?? 0,
      lonely['without batching']?.p50_ms ?? 0,
      1.2,
    ),
  );
  section.details += `One client.\n\n${loadTable(lonely)}\n\n${await commits(database)}`;
  requests.remove();
  return section;
}

async function commits(database: string): Promise<string> {
  const [row] = await query<{ events: string; sums: string }>(
    database,
    'select (select count(*) from usage_events) as events, (select sum(events) from usage_rollups) as sums',
  );
  return `${table(['events in the ledger', 'events in the rollups'], [[row?.events ?? '', row?.sums ?? '']])}`;
}
