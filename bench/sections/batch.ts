import type { Bench } from '../support/bench.ts';
import { batchRequests, prices, withModels, withoutCosts } from '../support/inputs.ts';
import { load, type Requests, writeRequests } from '../support/load.ts';
import { A_THOUSAND_ROWS, pgbench } from '../support/pgbench.ts';
import { loadTable, type Section, share, show } from '../support/report.ts';
import { interleave } from '../support/rounds.ts';

const EVENTS = 1000;
const CONNECTIONS = 8;
const MODELLED = 'Switchboard, with models';
const PRICES = 4_000;
const [OWN, PRICED] = ['with their costs', 'priced by the book'];

const WHY = `Reading, checking and answering a batch takes one process some 10 ms, so that about 100 a second are the most there is; PostgreSQL
takes 9 ms more, elsewhere, and pgbench sends its rows nowhere. Tried, and no faster: the rows as one JSON parameter, arrays without quotes,
a larger young generation. What helped: quoting the digits of numbers before parsing instead of a reviver (17 ms to 12), and a
prepared statement.`;

/** `POST /api/usage/events/batch`, a thousand events per request. */
export async function batch(bench: Bench): Promise<Section> {
  const { database } = await bench.startFastApi('FastAPI + asyncpg', 'fastapi_asyncpg');
  const service = await bench.startService('Switchboard', { DATABASE_URL: await bench.database() });
  const modelled = { ...service, name: MODELLED };
  const requests = writeRequests(batchRequests(50, EVENTS));
  const withModel = writeRequests(batchRequests(50, EVENTS, withModels));
  await load(service.url, requests, CONNECTIONS, 1);
  const by = await interleave([service, modelled], CONNECTIONS, ({ name }) =>
    name === MODELLED ? withModel : requests,
  );
  const priced = await comparePriced(service.url, requests);
  const limit = await pgbench(database, A_THOUSAND_ROWS, CONNECTIONS);
  for (const sent of [requests, withModel]) sent.remove();
  const [plain, dimensioned] = [by.Switchboard?.per_second ?? 0, by[MODELLED]?.per_second ?? 0];
  return {
    lines: [
      share('events a second, of pgbench in batches of 1,000', plain, limit, 60),
      share('events a second with models, of those without', dimensioned, plain, 90),
      share(
        'events a second that the price book prices, of those with costs',
        priced[PRICED] ?? 0,
        priced[OWN] ?? 0,
        95,
      ),
    ],
    details: `Batches of ${EVENTS}, ${CONNECTIONS} connections; pgbench, into a table with the same indexes and without rollups:
${show(limit)} batches a second, on all cores.\n\n${loadTable(by)}\n\n${WHY}`,
  };
}

/** Batches per second, with costs and priced by the book. */
async function comparePriced(url: string, requests: Requests): Promise<Record<string, number>> {
  const { ok, status } = await fetch(`${url}/api/prices`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ entries: prices(PRICES) }),
  });
  if (!ok) throw new Error(`the prices were answered with ${status}`);
  const unpriced = writeRequests(batchRequests(50, EVENTS, withoutCosts));
  const contenders = [OWN, PRICED].map((name) => ({ name, url }));
  const by = await interleave(contenders, CONNECTIONS, ({ name }) => (name === PRICED ? unpriced : requests));
  unpriced.remove();
  return Object.fromEntries(Object.entries(by).map(([name, { per_second }]) => [name, per_second]));
}
