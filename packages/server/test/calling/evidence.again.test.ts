// Decisions that are made again from their evidence, without the service.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { type EvidenceKeys, verifyDocument } from '@switchboard/client/evidence';
import { createAgent, reaches, USER } from '@switchboard/testkit/calls.ts';
import type { Json } from '@switchboard/testkit/client.ts';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { COMPILE_CACHE, NODE } from '@switchboard/testkit/program.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { createSandboxMedia } from '../../src/providers/sandbox/media.ts';

const COMMAND = path.resolve(import.meta.dirname, '../../scripts/decide-again.ts');
const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
const [PHONE, CLOSED, ADVISER] = ['+15005550100', '+15005550101', '+15005550102'];

const dir = await mkdtemp(path.join(tmpdir(), 'switchboard-again-'));
after(() => rm(dir, { recursive: true, force: true }));
const clock = createTestClock('2027-01-12T10:00:00.000Z');
const sandbox = createSandboxMedia({ clock: systemClock, ringMs: 1 });
/** Runs while the room of a call is made, between its decision and its phone. */
let meanwhile = async () => {};
const media: typeof sandbox = {
  ...sandbox,
  createRoom: async (room) => {
    await meanwhile();
    await sandbox.createRoom(room);
  },
};
const service = await startService({ clock, media });
const ask = (method: string, where: string, body?: object) => service.request(method, where, { user: USER, body });
const suppress = (phone_number: string) => ask('POST', '/api/suppressions', { entries: [{ phone_number }] });
const agent_id = await createAgent(service);
const call = (phone_number: string, time_zone = 'UTC') =>
  ask('POST', '/api/calls/outbound', { agent_id, phone_number, time_zone });

/** A document as the service sends it. */
async function evidence(where: string): Promise<string> {
  const response = await fetch(`${service.url}${where}/evidence`, { headers: { 'x-user-id': USER } });
  assert.equal(response.status, 200);
  return response.text();
}

/** Runs the command on documents. */
async function again(...documents: string[]) {
  const files = documents.map((_, index) => path.join(dir, `${index}.json`));
  for (const [index, text] of documents.entries()) await writeFile(files[index] ?? '', text);
  return run(...files);
}

async function run(...files: string[]) {
  const [file = '', ...options] = NODE;
  const env = { PATH: process.env.PATH, ...COMPILE_CACHE };
  return promisify(execFile)(file, [...options, COMMAND, ...files], { env }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  );
}

/** The document with a change of its decision. */
function changed(text: string, change: (decision: Json, document: Json) => void): string {
  const document = JSON.parse(text);
  change(document.decision, document);
  return JSON.stringify(document);
}

const windows = [{ days: DAYS, from: '09:00', to: '17:00' }];
const rules = { is_default: true, windows, max_attempts: [{ count: 3, days: 1 }], min_gap_s: 60 };
assert.equal((await ask('PUT', '/api/dial-policies/hours', rules)).status, 200);

/** The evidence of a refused call's decision. */
async function refused(phone_number: string, code: string, time_zone?: string): Promise<string> {
  const { status, body } = await call(phone_number, time_zone);
  assert.deepEqual([status, body.code], [409, code]);
  return evidence(`/api/dial-decisions/${body.decision.id}`);
}

/** The evidence of an ended call, during which it was asked to transfer it, also to a suppressed number. */
async function transferred(): Promise<string> {
  const { call_id } = (await call(PHONE)).body;
  await reaches(service, call_id, 'ANSWERED');
  const transfer = (phone_number: string) =>
    ask('POST', `/api/sessions/${call_id}/transfer`, { phone_number, type: 'WARM' });
  assert.equal((await suppress(ADVISER)).status, 200);
  assert.equal((await transfer(ADVISER)).status, 409);
  assert.equal((await transfer(CLOSED)).status, 200);
  await ask('POST', `/api/calls/${call_id}/end`);
  await reaches(service, call_id, 'COMPLETED');
  return evidence(`/api/calls/${call_id}`);
}

/** The evidence of a call that was placed, and whose hours were over before its phone could be dialled. */
async function late(): Promise<string> {
  meanwhile = async () => clock.advance(8 * 3_600_000);
  const { call_id, status } = (await call('+15005550103')).body;
  meanwhile = async () => {};
  assert.equal(status, 'FAILED');
  return evidence(`/api/calls/${call_id}`);
}

const ofTransfers = await transferred();
const deferred = await refused(PHONE, 'dial_deferred');
const denied = await refused(ADVISER, 'dial_denied');
const ofLate = await late();
const asleep = await refused(CLOSED, 'dial_deferred', 'Asia/Tokyo');

test('decisions to allow, defer and deny, about transfers and late phones, come out as they were', async () => {
  const { code, stdout, stderr } = await again(ofTransfers, deferred, denied, ofLate, asleep);
  assert.deepEqual([code, stderr], [0, '']);
  const lines = stdout.trimEnd().split('\n');
  const told = lines.map((line: string) => / agrees: (.*), (call|transfer) at /.exec(line)?.slice(1));
  assert.deepEqual(told, [
    ['allow', 'call'],
    ['deny (suppression)', 'transfer'],
    ['allow', 'transfer'],
    ['defer until 2027-01-12T10:01:00.000Z (min_gap)', 'call'],
    ['deny (suppression)', 'call'],
    ['allow', 'call'],
    ['defer until 2027-01-13T09:00:00.000Z (window)', 'call'],
    ['defer until 2027-01-13T00:00:00.000Z (window)', 'call'],
  ]);
});

test('a falsified outcome, time, reason, rule or input is found', async () => {
  const id: string = JSON.parse(deferred).decision.id;
  const cases: [string, RegExp][] = [
    [
      changed(deferred, (decision) => Object.assign(decision, { outcome: 'allow' })),
      /outcome: the document has allow, and the rules give defer/,
    ],
    [
      changed(deferred, (decision) => Object.assign(decision, { not_before: null })),
      /not_before: the document has none, and the rules give 2027-01-12T10:01/,
    ],
    [
      changed(denied, (decision) => Object.assign(decision.reasons[0], { rule: 'consent' })),
      /rules of the reasons: the document has consent, and the rules give suppression/,
    ],
    [
      changed(deferred, (_, { policies }) => Object.assign(policies[0].rules, { min_gap_s: 30 })),
      /2027-01-12T10:01:00.000Z, and the rules give 2027-01-12T10:00:30/,
    ],
    [
      changed(deferred, ({ inputs }) => Object.assign(inputs, { attempts: [] })),
      /outcome: the document has defer, and the rules give allow/,
    ],
    // Those of somebody else, or of another time, are no proof.
    [
      changed(denied, (decision) => Object.assign(decision, { phone_number: PHONE })),
      /CONTRADICTS itself\. phone_number: the document has \+15005550100, and its inputs have \+15005550102/,
    ],
    [
      changed(denied, (decision) => Object.assign(decision, { evaluated_at: '2027-01-12T09:00:00.000Z' })),
      /CONTRADICTS itself\. evaluated_at: /,
    ],
    [
      changed(denied, (decision) => Object.assign(decision, { policy_version: 2 })),
      /CONTRADICTS itself\. policy_version: the document has 2, and its inputs have 1/,
    ],
    [
      changed(ofLate, (_, { call }) => Object.assign(call, { to_number: PHONE })),
      /CONTRADICTS itself\. phone_number: the document has \+15005550103, and its call has \+15005550100/,
    ],
    [
      changed(ofTransfers, (_, { decisions }) => Object.assign(decisions[2], { call_id: null })),
      /CONTRADICTS itself\. call_id: the document has none, and its call has /,
    ],
  ];
  const { code, stderr, stdout } = await again(...cases.map(([text]) => text), denied);
  assert.equal(code, 1);
  for (const [index, [, pattern]] of cases.entries()) {
    const lines = stderr.split('\n').filter((line: string) => line.includes(`${index}.json: decision`));
    assert.match(lines.join('\n'), pattern);
    assert.match(lines[0] ?? '', / (DIFFERS|CONTRADICTS itself)\. /);
  }
  assert.match(stderr, new RegExp(id));
  assert.match(stdout, /10\.json: decision \S+ agrees/, 'the others are compared all the same');
});

test('a decision that was changed in the database, and signed by the service, is valid and found', async () => {
  const { id } = JSON.parse(denied).decision;
  const { db } = service.database;
  const set = { outcome: 'allow' as const, reasons: '[]' };
  await db.updateTable('dial_decisions').set(set).where('id', '=', id).execute();
  const forged = await evidence(`/api/dial-decisions/${id}`);
  const keys = await (await fetch(`${service.url}/.well-known/switchboard-evidence.json`)).json();
  assert.equal(verifyDocument(forged, keys as EvidenceKeys).chain.position, JSON.parse(asleep).chain.position + 1);
  const { code, stderr } = await again(forged);
  assert.equal(code, 1);
  assert.match(stderr, /DIFFERS\. outcome: the document has allow, and the rules give deny\.\n/);
});

test('what cannot be decided again is said, and is no agreement', async () => {
  const gone = changed(deferred, (_, { policies }) => Object.assign(policies[0], { rules: null }));
  const later = changed(deferred, ({ inputs }) => Object.assign(inputs, { format: 3 }));
  const nowhere = changed(asleep, ({ inputs }) => Object.assign(inputs.person, { zones: ['Mars/Base'] }));
  const { code, stdout, stderr } = await again(gone, later, nowhere, asleep);
  assert.equal(code, 2);
  const said = stderr.split('\n').map((line: string) => / cannot be decided again: (.*)$/.exec(line)?.[1]);
  assert.deepEqual(said, [
    'the rules of version 1 of the policy hours are not in the document.',
    'its inputs are of the format 3.',
    'Invalid time zone specified: Mars/Base.',
    undefined,
  ]);
  assert.match(stdout, /3\.json: decision \S+ agrees/);
});

test('decisions of releases that noted no format are made again; other files are no evidence', async () => {
  const earlier = changed(deferred, ({ inputs }) => delete inputs.format);
  assert.equal((await again(earlier)).code, 0);
  const later = changed(denied, (_, document) => Object.assign(document, { format: 2 }));
  for (const other of ['null', later, denied.slice(0, 50)]) {
    const { code, stdout, stderr } = await again(other, earlier);
    assert.equal(code, 2);
    assert.match(stderr, /0\.json is no evidence of a call or a decision, or of a later format\./);
    assert.match(stdout, / agrees: /, 'the others are compared all the same');
  }
  const missing = await run(path.join(dir, 'missing.json'));
  assert.deepEqual([missing.code, missing.stderr], [2, `${path.join(dir, 'missing.json')}: there is no such file.\n`]);
  const none = await again();
  assert.deepEqual([none.code, /^decide-again needs the files of evidence\./.test(none.stderr)], [1, true]);
});
