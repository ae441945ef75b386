// Arbitrary input to every operation, in every part of its request: no 5xx, only published
// responses, and no turn of the event loop longer than 50 ms of processor time. The inputs are in `corpus/`.
import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import { freePort } from '@switchboard/testkit/ports.ts';
import { startPostgres } from '@switchboard/testkit/postgres.ts';
import { writeSection } from '@switchboard/testkit/section.ts';
import { startProcess } from '@switchboard/testkit/service-process.ts';
import { closedWith, faultOf, kindOf } from './support/faults.ts';
import { chooser, exchanges, type Input, inputsOf } from './support/inputs.ts';
import { createFixture, operationsOf, requester, variantsOf } from './support/operations.ts';
import { PROBED, readProbe, readSlowness } from './support/probe.ts';
import { openRaw } from './support/raw.ts';

/** One in so many values of each list is sent in each place, and another one in the next place; all by default. */
const ONE_IN = Number(process.env.INPUTS_ONE_IN ?? 1);
/** The values that the first place gets. */
const SEED = Number(process.env.SEED ?? randomInt(2 ** 30));
const MAX_STALL_MS = 50;
const TRIES = 4;
const WARM_UPS = 5;
// No limit on calls, and no background work that could be mistaken for the handling of an input.
const SETTINGS = {
  CALLS_CONCURRENT: '100000',
  CALLS_PER_SECOND: '10000',
  CALLS_BURST: '100000',
  CALLS_PER_DAY: '10000000',
  RECONCILE_INTERVAL_MS: '3600000',
  REQUEST_TIMEOUT_MS: '10000',
  ...PROBED,
};

const postgres = await startPostgres(await freePort());
after(() => postgres.remove());
const dir = mkdtempSync(path.join(tmpdir(), 'switchboard-'));
after(() => rmSync(dir, { recursive: true, force: true }));
const DATABASES = {
  PostgreSQL: {
    settings: { DATABASE_URL: await postgres.createDatabase('inputs') },
    maxStoringMs: MAX_STALL_MS,
    first: SEED,
  },
  // It runs in the service's own thread: writing and reading an object of 256 KiB is part of the turn.
  'the embedded database': { settings: { DATA_DIR: dir }, maxStoringMs: 400, first: SEED + Math.floor(ONE_IN / 2) },
};

/** Outcome of the corpus. */
interface Outcome {
  /** Whether every value of the corpus has been in some place. */
  isComplete: boolean;
  operations: number;
  inputs: number;
  answers: Record<string, number>;
  faults: string[];
  /** `stored`: the input itself was not refused, so the database was queried. */
  stalls: { ms: number; name: string; stored: boolean }[];
  polluted: boolean;
}

describe('arbitrary input', { concurrency: true }, () => {
  for (const [kind, env] of Object.entries(DATABASES)) {
    test(`no input on ${kind} causes a 5xx, an unpublished response, or a stall`, async (t) => {
      t.diagnostic(`SEED=${SEED}`);
      const outcome = await sendAll(env);
      report.push(row(kind, outcome));
      sent += outcome.inputs;
      const { operations, inputs, isComplete } = outcome;
      const isAll = operations >= 190 && inputs > 50_000 / ONE_IN && isComplete;
      assert.ok(isAll, `the corpus has been sent: ${JSON.stringify({ operations, inputs, isComplete })}`);
      assert.deepEqual(outcome.faults.slice(0, 20), []);
      assert.equal(outcome.polluted, false, 'Object.prototype has been changed');
      assert.deepEqual(
        outcome.stalls.filter(({ ms, stored }) => ms > (stored ? env.maxStoringMs : MAX_STALL_MS)),
        [],
      );
    });
  }
});

async function sendAll({ settings, first }: { settings: Record<string, string>; first: number }): Promise<Outcome> {
  const service = await startProcess({ ...SETTINGS, ...settings });
  try {
    return await sendTo(service, first);
  } finally {
    await service.end('SIGTERM');
  }
}

async function sendTo(service: Awaited<ReturnType<typeof startProcess>>, first: number): Promise<Outcome> {
  const connection = openRaw(service.url);
  const client = requester((bytes) => connection.send(bytes));
  const { body: document } = await client.request('GET', '/openapi.json');
  const outcome: Outcome = {
    isComplete: false,
    operations: 0,
    inputs: 0,
    answers: {},
    faults: [],
    stalls: [],
    polluted: false,
  };
  const { choose, isComplete } = chooser(ONE_IN, first);
  const { polluted: properties } = await readProbe(service);
  let previous: Input | undefined;

  /**
   * Attempts for an input that stalls; the shortest counts, as the input before it may still be in progress. In
   * milliseconds of a machine that is as fast as usual.
   */
  async function stallOf(input: Input): Promise<number> {
    let { stall } = await readProbe(service);
    for (let tries = 1; stall > MAX_STALL_MS && tries < TRIES; tries++) {
      for (const one of [previous, input]) if (one) await connection.send(one.bytes, one);
      const again = (await readProbe(service)).stall;
      stall = Math.min(stall, again / (await readSlowness(service)));
    }
    return stall;
  }

  async function submit(input: Input): Promise<void> {
    const answers = await connection.send(input.bytes, input).catch((error: Error) => [closedWith(error)]);
    outcome.inputs += 1;
    outcome.faults.push(
      ...answers.flatMap((answer) => faultOf(answer, input.operation, document)).map((one) => `${input.name}: ${one}`),
    );
    if (answers.length < input.count && !input.thenEnd) answers.push(closedWith());
    for (const kind of answers.map(kindOf)) outcome.answers[kind] = (outcome.answers[kind] ?? 0) + 1;
    const stored = answers.some(({ status }) => status < 400 || status === 404 || status === 409);
    outcome.stalls.push({ ms: await stallOf(input), name: input.name, stored });
    previous = input;
  }

  // Those that only read come first, and share one fixture.
  const all = operationsOf(document);
  const [reads = [], writes = []] = [true, false].map((isRead) =>
    all.filter(({ method }) => (method === 'GET') === isRead),
  );
  let fixture = await createFixture(client, 'user-0');
  for (const operation of [...reads, ...writes]) {
    if (operation.method !== 'GET') {
      const hasScenario = JSON.stringify(operation).includes('scenario');
      fixture = await createFixture(client, `user-${outcome.operations}`, hasScenario);
    }
    // An operation's code is compiled on first use.
    for (let times = 0; times < WARM_UPS; times++) {
      const [answer] = await connection.send(variantsOf(operation, fixture).plain());
      const { method, template } = operation;
      // The number may be taken or the agent gone, but the input must not be refused for its form.
      const isValid = answer && answer.status < 500 && answer.status !== 422;
      assert.ok(isValid, `${method} ${template}: ${answer?.status} ${answer?.text}`);
    }
    await readProbe(service);
    for (const input of inputsOf(operation, fixture, choose)) await submit(input);
    outcome.operations += 1;
  }
  for (const input of exchanges()) await submit(input);
  outcome.isComplete = isComplete();
  outcome.polluted = (await readProbe(service)).polluted !== properties;
  connection.close();
  return outcome;
}

const report: string[] = [];
let sent = 0;

function row(kind: string, { inputs, operations, answers, faults, stalls }: Outcome): string {
  const worst = stalls.sort((a, b) => b.ms - a.ms);
  if (!process.env.CI) console.log(kind, inputs, answers, faults.length, worst.slice(0, 15), faults.slice(0, 40));
  const counts = ['2xx', '4xx', '5xx', 'closed'].map((name) => answers[name] ?? 0);
  return `| ${[kind, operations, inputs, ...counts, `${Math.round(worst[0]?.ms ?? 0)} ms`].join(' | ')} |`;
}

after(() =>
  writeSection(
    6,
    'inputs',
    `## Inputs of our own

NUL, lone surrogates, depth, huge numbers, prototypes, wrong types, broken framing: each in every field, parameter and header of
every operation. No response was a 5xx or unpublished. A stall is processor time in one turn of the event loop, the
shortest of ${TRIES} attempts; at most ${MAX_STALL_MS} ms are allowed, on a machine that reads and writes an object of 20,000 keys in 5.5 ms, and
correspondingly more on a slower one.

| Database | Operations | Inputs | 2xx | 4xx | 5xx | Closed | Worst stall |
| --- | --- | --- | --- | --- | --- | --- | --- |
${report.join('\n')}`,
    { 'generated and mutated requests': sent },
  ),
);
