// Valid requests with random changes, to every operation on both databases: no 5xx, and only
// published responses. `SEED` repeats a run.
import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import { freePort } from '@switchboard/testkit/ports.ts';
import { startPostgres } from '@switchboard/testkit/postgres.ts';
import { writeSection } from '@switchboard/testkit/section.ts';
import { type ServiceProcess, startProcess } from '@switchboard/testkit/service-process.ts';
import { table } from '@switchboard/testkit/table.ts';
import { closedWith, faultOf, kindOf } from './support/faults.ts';
import { mutate, randomFrom } from './support/mutations.ts';
import { createFixture, type Document, operationsOf, requester } from './support/operations.ts';
import { PROBED, readProbe } from './support/probe.ts';
import { openRaw } from './support/raw.ts';

/** Counts for each database. */
const REQUESTS = Number(process.env.MUTATED_REQUESTS ?? 2_000);
const SEED = Number(process.env.SEED ?? randomInt(2 ** 30));
const CLIENTS = 8;
/** Number of requests after which a client gets a new agent, call and key: it may have deleted the old ones. */
const FIXTURE_AFTER = 100;
const SETTINGS = {
  CALLS_CONCURRENT: '100000',
  CALLS_PER_SECOND: '10000',
  CALLS_BURST: '100000',
  CALLS_PER_DAY: '10000000',
  REQUEST_TIMEOUT_MS: '10000',
  ...PROBED,
};

const postgres = await startPostgres(await freePort());
after(() => postgres.remove());
const dir = mkdtempSync(path.join(tmpdir(), 'switchboard-'));
after(() => rmSync(dir, { recursive: true, force: true }));
const DATABASES = {
  PostgreSQL: { DATABASE_URL: await postgres.createDatabase('mutated') },
  'the embedded database': { DATA_DIR: dir },
};

interface Outcome {
  operations: number;
  sent: number;
  answers: Record<string, number>;
  faults: string[];
}

const rows: (string | number)[][] = [];
let total = 0;

describe('requests changed at random', () => {
  for (const [kind, settings] of Object.entries(DATABASES)) {
    test(`cause no 5xx on ${kind}, and only published responses`, async (t) => {
      t.diagnostic(`SEED=${SEED}`);
      const service = await startProcess({ ...SETTINGS, ...settings });
      try {
        const { operations, sent, answers, faults } = await sendAll(service);
        total += sent;
        rows.push([kind, operations, sent, ...['2xx', '4xx', '5xx', 'closed'].map((name) => answers[name] ?? 0)]);
        assert.deepEqual(faults.slice(0, 20), [], `SEED=${SEED}`);
        assert.ok(sent >= REQUESTS && (answers['2xx'] ?? 0) > sent / 50 && (answers['4xx'] ?? 0) > sent / 5);
        assert.doesNotMatch(service.output(), /"msg":"request failed"/);
      } finally {
        await service.end('SIGTERM');
      }
    });
  }
});

async function sendAll(service: ServiceProcess): Promise<Outcome> {
  const { polluted } = await readProbe(service);
  const outcome: Outcome = { operations: 0, sent: 0, answers: {}, faults: [] };
  await Promise.all(Array.from({ length: CLIENTS }, (_, index) => runClient(service, index, outcome)));
  if ((await readProbe(service)).polluted !== polluted) outcome.faults.push('Object.prototype has been changed');
  return outcome;
}

/** Sends its share of the requests, one after the other, to the operations in turn. */
async function runClient({ url }: ServiceProcess, index: number, outcome: Outcome): Promise<void> {
  const connection = openRaw(url);
  const client = requester((bytes) => connection.send(bytes));
  const document = (await (await fetch(`${url}/openapi.json`)).json()) as Document;
  const operations = operationsOf(document);
  const random = randomFrom(SEED + index);
  outcome.operations = operations.length;
  let fixture = await createFixture(client, `user-${index}`);
  for (let nth = 0; nth < REQUESTS / CLIENTS; nth++) {
    if (nth % FIXTURE_AFTER === FIXTURE_AFTER - 1) fixture = await createFixture(client, `user-${index}-${nth}`);
    const operation = operations[(nth * CLIENTS + index) % operations.length];
    if (!operation) continue;
    const { name, bytes, operation: published, thenEnd } = mutate(operation, fixture, random);
    const answers = await connection.send(bytes, { thenEnd }).catch((error: Error) => [closedWith(error)]);
    if (answers.length === 0) answers.push(closedWith());
    outcome.sent++;
    for (const answer of answers) {
      outcome.answers[kindOf(answer)] = (outcome.answers[kindOf(answer)] ?? 0) + 1;
      const faults = faultOf(answer, published, document);
      outcome.faults.push(...faults.map((one) => `${name}: ${one}: ${bytes.subarray(0, 2000).toString('latin1')}`));
    }
  }
  connection.close();
}

after(() =>
  writeSection(
    7,
    'mutated',
    `## Requests changed at random

Valid requests of every operation with one to four changes at the same time, in fields, query, path and headers; in one of ten some bytes of
the body are changed, in one of ten some bytes of the head. No response was a 5xx or unpublished. \`SEED=${SEED}\` repeats them.

${table(['Database', 'Operations', 'Requests', '2xx', '4xx', '5xx', 'Closed'], rows)}`,
    { 'generated and mutated requests': total },
  ),
);
