// npm run footprint: how many files and functions of the service a call, a usage event and a transfer enter, beyond
// those of an idle service. Reports, and fails only if it cannot measure.
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { pino } from 'pino';
import { buildApp } from '../src/app.ts';
import { loadConfig } from '../src/config.ts';
import { openDatabase } from '../src/db/open.ts';
import { systemClock } from '../src/lib/clock.ts';
import { createMetrics } from '../src/lib/metrics.ts';
import { createSandboxCarrier } from '../src/providers/sandbox/carrier.ts';
import { createSandboxMedia } from '../src/providers/sandbox/media.ts';
import { createFolderStorage } from '../src/providers/storage/folder.ts';
import { beyond, count, type Entered, startCoverage } from './support/coverage.ts';
import { folderOf } from './support/source-map.ts';

const USER = 'user-1';
/** Time for events of the provider, callbacks and metrics to follow. */
const SETTLE_MS = 250;
/** Longer than the intervals of timers, which fire during some scenarios and not others. */
const LONGEST_TIMER_MS = 1_100;
const DEADLINE_MS = 60_000;
const ANSWERS = '+15005550100';
const ANOTHER = '+15005550101';
const IS_BUSY = '+15005550001';

interface Scenario {
  name: string;
  /** Files and functions beyond idle; null without one. */
  target: { files: number; functions: number } | null;
  run: () => Promise<void>;
}

/** A service with the sandbox and an embedded database in this process, and a receiver of callbacks. */
async function startService() {
  const DATA_DIR = await mkdtemp(path.join(tmpdir(), 'switchboard-'));
  const config = loadConfig({
    DATA_DIR,
    SANDBOX_RING_MS: '20',
    CALLBACK_ALLOW_PRIVATE: 'true',
    RECONCILE_INTERVAL_MS: '3600000',
    OVERLOAD_DELAY_MS: '600000',
  });
  const database = await openDatabase({ ...config.database, onIdleError: () => {} });
  const app = await buildApp({
    config,
    database,
    media: createSandboxMedia({ clock: systemClock, ringMs: config.sandbox.ringMs }),
    carrier: createSandboxCarrier(),
    storage: createFolderStorage(config.recordings.dir),
    clock: systemClock,
    log: pino({ level: 'silent' }),
    metrics: createMetrics(),
  });
  await app.start();
  const url = await app.server.listen({ host: '127.0.0.1', port: 0 });
  const receiver = createServer((request, response) => void request.resume().on('end', () => response.end()));
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  return {
    app,
    db: database.db,
    url,
    receiver,
    callbackUrl: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`,
    close: async () => {
      receiver.close();
      await app.server.close();
      await app.stop();
      await database.close();
      await rm(DATA_DIR, { recursive: true });
    },
  };
}

type Service = Awaited<ReturnType<typeof startService>>;

/** Sends a request on a connection of its own: whether an earlier one is still open is a matter of time. */
async function send({ url }: Service, method: string, place: string, body?: object) {
  const headers = { connection: 'close', 'x-user-id': USER, ...(body && { 'content-type': 'application/json' }) };
  const response = await fetch(`${url}${place}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${place}: ${response.status} ${text}`);
  return JSON.parse(text);
}

/** Waits in the database: a request would enter functions of its own. */
async function reaches({ db }: Service, id: string, call_status: string): Promise<void> {
  const deadline = performance.now() + DEADLINE_MS;
  const read = () => db.selectFrom('sessions').select('call_status').where('id', '=', id).executeTakeFirst();
  while ((await read())?.call_status !== call_status) {
    if (performance.now() > deadline) throw new Error(`the call did not become ${call_status}`);
    await sleep(10);
  }
}

async function scenariosOf(service: Service): Promise<Scenario[]> {
  const { id: agent_id } = await send(service, 'POST', '/api/agents/', { name: 'Front desk', user_id: USER });
  const place = async (phone_number: string, status: string, fields: object = {}): Promise<string> => {
    const call = await send(service, 'POST', '/api/calls/outbound', { agent_id, phone_number, ...fields });
    await reaches(service, call.call_id, status);
    return call.call_id;
  };
  const session_id = await place(IS_BUSY, 'FAILED');
  const event = {
    provider: 'openai',
    event_type: 'llm_tokens',
    quantity: 812,
    unit_cost: 0.000001,
    total_cost: 0.000812,
  };
  return [
    {
      name: 'an outbound call whose number is busy',
      target: { files: 45, functions: 120 },
      run: async () => void (await place(IS_BUSY, 'FAILED')),
    },
    // Before any callback: the sender's rounds remember receivers, in which idle ones differ.
    {
      name: 'a usage event',
      target: { files: 24, functions: 60 },
      run: () => send(service, 'POST', '/api/usage/events', { ...event, user_id: USER, session_id }),
    },
    {
      name: 'an outbound call, answered and ended, with callback',
      target: { files: 60, functions: 170 },
      run: async () => {
        const delivered = once(service.receiver, 'request');
        const id = await place(ANSWERS, 'ANSWERED', { callback_url: service.callbackUrl });
        await send(service, 'POST', `/api/calls/${id}/end`);
        await delivered;
      },
    },
    {
      name: 'an outbound call and its cold transfer',
      target: null,
      run: async () => {
        const id = await place(ANSWERS, 'ANSWERED');
        const target = { phone_number: ANOTHER, type: 'COLD' };
        await send(service, 'POST', `/api/sessions/${id}/transfer`, target);
        await reaches(service, id, 'COMPLETED');
      },
    },
  ];
}

/** Prints the functions by wing, or folder below the wings. */
function list(entered: Entered[]): void {
  const wings = Map.groupBy(entered, ({ file }) => folderOf(file).split('/')[0] ?? '');
  for (const [wing, functions] of wings) {
    console.log(`  ${wing || 'src'}: ${count(functions).files} files, ${count(functions).functions} functions`);
    for (const [file, inFile] of Map.groupBy(functions, (one) => one.file))
      console.log(`    ${file}: ${inFile.map(({ name, line }) => name || `line ${line}`).join(', ')}`);
  }
}

const show = ({ files, functions }: { files: number; functions: number }) => `${files} / ${functions}`;

const { values } = parseArgs({ options: { list: { type: 'boolean' } } });
const takeCoverage = await startCoverage();
const service = await startService();
const started = await takeCoverage();
// The same time as a scenario takes, with a round of all background work.
await service.app.reconcile();
await sleep(2 * SETTLE_MS);
const background = await takeCoverage();
await send(service, 'GET', '/healthz');
await send(service, 'GET', '/readyz');
const idle = [...started, ...(await takeCoverage())];
const scenarios: [Scenario, Entered[]][] = [];
for (const scenario of await scenariosOf(service)) {
  await scenario.run();
  await sleep(SETTLE_MS);
  await takeCoverage();
  await scenario.run();
  await sleep(SETTLE_MS);
  scenarios.push([scenario, await takeCoverage()]);
}
await sleep(LONGEST_TIMER_MS);
background.push(...(await takeCoverage()));
await service.close();

const row = (cells: string[]) => console.log(cells[0]?.padEnd(52), ...cells.slice(1).map((cell) => cell.padStart(15)));
row(['Files / functions with a name', 'beyond idle', 'target', 'with start, HTTP']);
for (const [{ name, target }, entered] of scenarios) {
  const own = beyond(entered, [...background, ...idle]);
  row([name, show(count(own)), target ? show(target) : '', show(count(beyond(entered, background)))]);
  if (values.list) list(own);
}
