import { query } from '@switchboard/testkit/postgres.ts';
import { createAgents, placeCalls } from '../support/api.ts';
import type { Bench } from '../support/bench.ts';
import { writeRequests } from '../support/load.ts';
import { loadTable, ratio, type Section, share } from '../support/report.ts';
import { interleave } from '../support/rounds.ts';

const CALLS = 500;
const CONNECTIONS = [64, 256];

/** `GET /api/calls/{call_id}/status`. */
export async function status(bench: Bench): Promise<Section> {
  const asyncpg = await bench.startFastApi('FastAPI + asyncpg', 'fastapi_asyncpg');
  const service = await bench.startService('Switchboard', { DATABASE_URL: await bench.database() });
  const ceiling = await bench.startServer('without a database', 'ceiling.ts');
  const calls = await placeCalls(service.url, await createAgents(service.url, CALLS), '+15005550100');
  const ids = calls.map(({ call_id }) => call_id);
  await query(
    asyncpg.database,
    `insert into sessions select id::uuid, 'user-1', 'call-' || id, 'ACTIVE', 'ANSWERED', 'OUTBOUND', '+15005550100', now()
     from unnest(array['${ids.join("','")}']) as id`,
  );
  const requests = writeRequests(ids.map((id) => ({ method: 'GET', path: `/api/calls/${id}/status` })));
  const section: Section = { lines: [], details: '' };
  for (const connections of CONNECTIONS) {
    const by = await interleave([service, ceiling, asyncpg], connections, () => requests);
    const ours = by.Switchboard?.per_second ?? 0;
    const at = `${connections} connections:`;
    section.lines.push(
      ratio(`${at} FastAPI + asyncpg`, ours, by[asyncpg.name]?.per_second ?? 0, 5),
      share(`${at} our server without a database`, ours, by[ceiling.name]?.per_second ?? 0, 60),
    );
    section.details += `${connections} connections.\n\n${loadTable(by)}\n\n`;
  }
  requests.remove();
  return section;
}
