// Campaigns beside a dispatcher that is written the usual way: how fast, for how much processor time, and what
// happens when processes are killed.
import { randomInt } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from '@switchboard/testkit/client.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { median } from '@switchboard/testkit/median.ts';
import type { Postgres } from '@switchboard/testkit/postgres.ts';
import type { Program } from '@switchboard/testkit/program.ts';
import type { ServiceProcess } from '@switchboard/testkit/service-process.ts';
import { table } from '@switchboard/testkit/table.ts';
import { cpuMs, postgresCpuMs } from '../../bench/support/cpu.ts';
import { show } from '../../bench/support/report.ts';
import { reactionOf } from '../../packages/server/src/providers/sandbox/population.ts';
import { startBull } from './bull.ts';
import { type Dial, readRecord } from './carrier-record.ts';
import { UNASKED, verdict } from './page.ts';
import { startDialling, USER } from './two-services.ts';

const FAST_CALLS = Number(process.env.OUTREACH_DISPATCHED ?? 3_000);
const ROUNDS = Number(process.env.OUTREACH_ROUNDS ?? 3);
const KILLED_CALLS = Number(process.env.OUTREACH_KILLED ?? 1_000);
const KILLS = Number(process.env.OUTREACH_KILLS ?? 8);
const ATTEMPTS = 3;
/** People a second that are asked for. */
const ASKED = 500;
const CONCURRENT = 1_000;
const WITHIN_MS = 300_000;
const QUICK = { RING_MS: '5', SANDBOX_RING_MS: '5', TALK_MS: '5' };
const SLOW = { RING_MS: '300', SANDBOX_RING_MS: '300', TALK_MS: '300' };
const SERVICE = {
  CALLS_CONCURRENT: '100000',
  CALLS_PER_SECOND: '10000',
  CALLS_BURST: '100000',
  CALLS_PER_DAY: '100000000',
  OVERLOAD_DELAY_MS: '600000',
  RINGING_TIMEOUT_S: '2',
};

/** All of them answer. */
const answering = (count: number) => Array.from({ length: count }, (_, n) => `+1500557${String(n).padStart(4, '0')}`);
const population = (count: number) => Array.from({ length: count }, (_, n) => `+1500556${String(n).padStart(4, '0')}`);

interface Speed {
  perSecond: number;
  dispatcherMs: number;
  databaseMs: number;
}

interface Killed {
  dials: Dial[];
  kills: number;
  /** The word of the dispatcher itself on those whom it has not dialled, or not to the end. */
  says: string;
}

/** Files of one run. */
interface Place {
  dir: string;
  record: string;
}

async function withPlace<T>(run: (place: Place) => Promise<T>): Promise<T> {
  const dir = mkdtempSync(path.join(tmpdir(), 'switchboard-dispatch-'));
  return run({ dir, record: path.join(dir, 'dialled') }).finally(() => rmSync(dir, { recursive: true, force: true }));
}

async function prepare(url: string, numbers: string[], fields: object) {
  const ok = async (method: string, where: string, body?: unknown) => {
    const answer = await request(url, { method, path: where, user: USER, body });
    if (answer.status >= 300) throw new Error(`${where}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const { id: agent_id } = await ok('POST', '/api/agents/', { name: 'Front desk', user_id: USER });
  const { id } = await ok('POST', '/api/campaigns', { name: 'Renewals', agent_id, ...fields });
  for (let from = 0; from < numbers.length; from += 1_000) {
    const recipients = numbers.slice(from, from + 1_000).map((phone_number) => ({ phone_number }));
    await ok('POST', `/api/campaigns/${id}/recipients`, { recipients });
  }
  return { id, ok };
}

const pacing = (max_concurrent: number) => ({ max_concurrent, per_minute: 60_000, reserve_for_others: 0 });

const lastOf = (record: string, count: number) => {
  const dials = readRecord(record);
  if (dials.length !== count) throw new Error(`${dials.length} dials instead of ${count}`);
  return Math.max(...dials.map(({ atMs }) => atMs));
};
const nowMs = () => Number(process.hrtime.bigint() / 1_000_000n);

async function campaignSpeed(postgres: Postgres, round: number): Promise<Speed> {
  return withPlace(async ({ record }) => {
    const database = await postgres.createDatabase(`speed_${round}`);
    const env = { ...SERVICE, ...QUICK, DATABASE_URL: database, DIAL_RECORD: record };
    const service = await startDialling(env);
    const { id, ok } = await prepare(service.url, answering(FAST_CALLS), { pacing: pacing(CONCURRENT) });
    const pid = service.child.pid ?? 0;
    const before = [cpuMs(pid), await postgresCpuMs(database)] as const;
    const begun = nowMs();
    await ok('POST', `/api/campaigns/${id}/start`);
    await until(
      () => ok('GET', `/api/campaigns/${id}`),
      ({ state }) => state === 'completed',
    );
    const used = [cpuMs(pid) - before[0], (await postgresCpuMs(database)) - before[1]] as const;
    await service.end('SIGKILL');
    return speedOf(lastOf(record, FAST_CALLS) - begun, used);
  });
}

async function bullSpeed(): Promise<Speed> {
  return withPlace(async ({ dir, record }) => {
    const bull = await startBull(dir);
    await bull.fill(answering(FAST_CALLS), 1);
    const worker = await bull.startWorker({ ...QUICK, DIAL_RECORD: record, CONCURRENCY: String(CONCURRENT) });
    const pid = worker.child.pid ?? 0;
    const before = [cpuMs(pid), cpuMs(bull.redisPid)] as const;
    const begun = nowMs();
    await bull.queue.resume();
    await bull.drained(WITHIN_MS);
    const used = [cpuMs(pid) - before[0], cpuMs(bull.redisPid) - before[1]] as const;
    await bull.end();
    return speedOf(lastOf(record, FAST_CALLS) - begun, used);
  });
}

/** Like `eventually`, at a pace that costs the service nothing. */
async function until<T>(ask: () => Promise<T>, ready: (answer: T) => boolean): Promise<T> {
  return eventually(async () => sleep(200).then(ask), ready, WITHIN_MS);
}

const speedOf = (ms: number, [dispatcher, database]: readonly [number, number]): Speed => ({
  perSecond: (FAST_CALLS * 1_000) / ms,
  dispatcherMs: dispatcher / FAST_CALLS,
  databaseMs: database / FAST_CALLS,
});

/** Kills one of two at random, and starts it again. */
async function killAgain<T extends Program>(running: T[], start: () => Promise<T>): Promise<void> {
  for (let kill = 0; kill < KILLS; kill++) {
    await sleep(300 + randomInt(1_500));
    const index = randomInt(running.length);
    await running[index]?.end('SIGKILL');
    running[index] = await start();
  }
}

async function campaignKilled(postgres: Postgres): Promise<Killed> {
  return withPlace(async ({ record }) => {
    const env = { ...SERVICE, ...SLOW, DATABASE_URL: await postgres.createDatabase('killed'), DIAL_RECORD: record };
    // Redis makes up for a lost worker after 30 s; this service looks every few seconds.
    const start = () => startDialling({ ...env, RECONCILE_INTERVAL_MS: '1000' });
    const running: ServiceProcess[] = [await start(), await start()];
    const retries = { attempts: ATTEMPTS, on: ['busy', 'no_answer'], delays_s: [1] };
    const fields = { pacing: pacing(2 * KILLED_CONCURRENT), retries };
    const { id, ok } = await prepare(running[0]?.url ?? '', population(KILLED_CALLS), fields);
    await ok('POST', `/api/campaigns/${id}/start`);
    await killAgain(running, start);
    const asked = async (where: string) => (await request(running[0]?.url ?? '', { path: where, user: USER })).body;
    await until(
      () => asked(`/api/campaigns/${id}`),
      ({ state }) => state === 'completed',
    );
    const { attempts } = await asked(`/api/campaigns/${id}/stats`);
    for (const one of running) await one.end('SIGKILL');
    return { dials: readRecord(record), kills: KILLS, says: `${attempts.interrupted} attempts \`interrupted\`` };
  });
}

/** Calls that one process dials at the same time. */
const KILLED_CONCURRENT = 20;

async function bullKilled(): Promise<Killed> {
  return withPlace(async ({ dir, record }) => {
    const bull = await startBull(dir);
    await bull.fill(population(KILLED_CALLS), ATTEMPTS);
    const start = () => bull.startWorker({ ...SLOW, DIAL_RECORD: record, CONCURRENCY: String(KILLED_CONCURRENT) });
    const running = [await start(), await start()];
    await bull.queue.resume();
    await killAgain(running, start);
    await bull.drained(WITHIN_MS);
    const failed = await bull.queue.getFailed(0, -1);
    const stalled = failed.filter(({ failedReason }) => failedReason.includes('stalled')).length;
    await bull.end();
    return { dials: readRecord(record), kills: KILLS, says: `${stalled} jobs given up because they were lost twice` };
  });
}

/** Whom the carrier was asked to dial more often than they did not answer, and whom it was never asked to dial. */
function wrongOf({ dials }: Killed) {
  const of = Map.groupBy(dials, ({ phone_number }) => phone_number);
  const most = (number: string) => (['busy', 'rings_out'].includes(reactionOf(number) ?? '') ? ATTEMPTS : 1);
  const excess = Array.from(of, ([number, all]) => Math.max(0, all.length - most(number)));
  const again = dials.length - new Set(dials.map(({ attempt }) => attempt)).size;
  return {
    again,
    tooOften: excess.filter((count) => count > 0).length,
    never: population(KILLED_CALLS).filter((number) => !of.has(number)).length,
  };
}

export async function dispatch(postgres: Postgres): Promise<string> {
  const [ours, theirs]: [Speed[], Speed[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    ours.push(await campaignSpeed(postgres, round));
    theirs.push(await bullSpeed());
  }
  const [campaign, bull] = [await campaignKilled(postgres), await bullKilled()];
  return `${speedText(ours, theirs)}\n\n${killedText(campaign, bull)}`;
}

function speedText(ours: Speed[], theirs: Speed[]): string {
  const of = (all: Speed[], field: keyof Speed) => median(all.map((one) => one[field]));
  const row = (what: string, field: keyof Speed, asked = UNASKED) => {
    const [our, their] = [of(ours, field), of(theirs, field)];
    return [what, show(our), show(their), `${show(our / their)}×`, ...asked];
  };
  const asked = verdict(`at least ${ASKED}`, of(ours, 'perSecond') >= ASKED);
  return `${FAST_CALLS.toLocaleString('en-US')} people who all answer, and hang up at once; one process, up to ${CONCURRENT.toLocaleString('en-US')} calls at the same time; medians of ${ROUNDS} interleaved
rounds. A campaign decides about each call, counts it against the limits of its user, records it and what came of it, and reports both; the job
of the queue dials, and nothing else. PostgreSQL has \`fsync\` on; Redis keeps its log of changes, and flushes it once a second.

Dograh's own dispatcher (as of 2026-11) was not run beside them: it dials through telephony providers, for which it has no stand-in. It claims up to 20 people in a transaction of their own, asks the provider for
one call after the other, and notes each as done after that ([its dispatcher](https://github.com/dograh-hq/dograh/blob/main/api/services/campaign/campaign_call_dispatcher.py)); its hours are those of a campaign in one time zone, looked at before such a
batch, and an unknown zone allows any time ([its orchestrator](https://github.com/dograh-hq/dograh/blob/main/api/services/campaign/campaign_orchestrator.py)). Here the decision, the attempt and the call are one transaction, and hours are those of each person.

${table(
  ['', 'campaign', 'BullMQ on Redis', 'ratio', 'asked', 'verdict'],
  [
    row('people a second, from the start until all are dialled', 'perSecond', asked),
    row('dispatcher, CPU ms a person', 'dispatcherMs'),
    row('PostgreSQL or Redis, CPU ms a person', 'databaseMs'),
  ],
)}`;
}

function killedText(campaign: Killed, bull: Killed): string {
  const [our, their] = [wrongOf(campaign), wrongOf(bull)];
  return `The same with two processes of which one or the other gets SIGKILL ${KILLS} times while they dial ${KILLED_CALLS.toLocaleString('en-US')} people of the sandbox, up to ${ATTEMPTS} times if
they are busy or do not answer. Redis itself is not killed. A campaign that names \`interrupted\` in \`retries.on\`, as it does by default, would call
again those whose call a kill has interrupted; this one does not, so that somebody who was called, and may have answered, is not called again.

${table(
  ['', 'campaign', 'BullMQ on Redis'],
  [
    ['dialled by the carrier', campaign.dials.length, bull.dials.length],
    ['dialled again for the same attempt', our.again, their.again],
    ['people called more often than they were to be', our.tooOften, their.tooOften],
    ['people who were never dialled', our.never, their.never],
    ['what it says of them itself', campaign.says, bull.says],
  ],
)}`;
}
