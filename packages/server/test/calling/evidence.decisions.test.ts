// Signed evidence of decisions about dialling, also of those by which nobody was called.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { EvidenceError, verifyDocument, verifyEvidence } from '@switchboard/client/evidence';
import { createAgent, USER } from '@switchboard/testkit/calls.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { NODE } from '@switchboard/testkit/program.ts';
import { newId } from '../../src/lib/ids.ts';
import { startEvidence } from '../support/evidence.ts';

const COMMAND = path.resolve(import.meta.dirname, '../../../client/src/command.ts');
const { service, db, ask, evidenceOf, evidenceAt, publicKeys, eventfulCall } = await startEvidence();

let next = 400;
/** A call that is refused because its number is suppressed; the id of the decision. */
async function refused(user = USER) {
  const phone_number = `+15005550${next++}`;
  const agent_id = await createAgent(service, { user_id: user, config: { compliance: { policy: 'gap' } } });
  assert.equal((await ask('PUT', '/api/dial-policies/gap', { min_gap_s: 60 }, user)).status, 200);
  await ask('POST', '/api/suppressions', { entries: [{ phone_number }] }, user);
  const { status, body } = await ask('POST', '/api/calls/outbound', { agent_id, phone_number }, user);
  assert.deepEqual([status, body.code], [409, 'dial_denied']);
  return { id: String(body.decision.id), phone_number, agent_id };
}

const ofDecision = (id: string, user = USER) => evidenceAt(`/api/dial-decisions/${id}/evidence`, user);

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([name, inner]) => [name, sorted(inner)]));
};
const hashOf = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest('hex');

test('a decision that led to no call is a signed document: why, by which rules, and from what', async () => {
  const { id, phone_number } = await refused();
  const { status, type, text } = await ofDecision(id);
  assert.deepEqual([status, type], [200, 'application/json; charset=utf-8'], text);
  const keys = await publicKeys();
  const evidence = verifyDocument(text, keys);
  assert.ok('decision' in evidence);
  const { decision, policies } = evidence;
  assert.deepEqual(
    [decision.id, decision.user_id, decision.call_id, decision.outcome, decision.phone_number],
    [id, USER, null, 'deny', phone_number],
  );
  assert.equal(decision.reasons[0]?.rule, 'suppression');
  assert.deepEqual(
    policies.map(({ name, version, rules }) => ({ name, version, rules })),
    [{ name: 'gap', version: 1, rules: { min_gap_s: 60 } }],
  );
  assert.equal(JSON.stringify(sorted(JSON.parse(text))), text, 'canonical');
  assert.equal((await ofDecision(id)).text, text, 'the same as long as nothing changes');
  assert.throws(() => verifyEvidence(text, keys), /the evidence of a decision, not of a call/);
  assert.throws(() => verifyDocument(text.replace('"deny"', '"allow"'), keys), EvidenceError);
});

test('the consents that there were when it was decided are in it', async () => {
  const user = 'with-consents';
  const { id, phone_number } = await refused(user);
  const about = { phone_number, purpose: 'marketing', kind: 'k', channel: 'c', evidence_url: null, user_id: user };
  const at = (ms: number) => new Date(Date.now() + ms);
  const rows = [-60_000, 60_000].map((ms) => {
    return { ...about, id: newId(), text: `${ms}`, obtained_at: at(ms), created_at: at(0), revoked_at: null };
  });
  await db.insertInto('consents').values(rows).execute();
  const evidence = verifyDocument((await ofDecision(id, user)).text, await publicKeys());
  assert.deepEqual(
    evidence.consents.map(({ text }) => text),
    ['-60000'],
  );
});

test('documents about calls and decisions of a user are one chain, which the command verifies', async () => {
  const user = 'of-both';
  const { call_id } = await eventfulCall(user);
  const { id } = await refused(user);
  const texts = [(await evidenceOf(call_id, user)).text, (await ofDecision(id, user)).text];
  const [first = '', second = ''] = texts;
  const { chain } = JSON.parse(second);
  assert.deepEqual(chain, { position: 2, previous: createHash('sha256').update(first).digest('hex') });
  const dir = await mkdtemp(path.join(tmpdir(), 'switchboard-decisions-'));
  after(() => rm(dir, { recursive: true, force: true }));
  const files = ['keys.json', '1.json', '2.json'].map((name) => path.join(dir, name));
  for (const [index, text] of [JSON.stringify(await publicKeys()), ...texts].entries())
    await writeFile(files[index] ?? '', text);
  const [keys = '', ...documents] = files;
  const [file = '', ...options] = NODE;
  const { stdout } = await promisify(execFile)(file, [...options, COMMAND, 'verify', '--keys', keys, ...documents]);
  assert.match(stdout, new RegExp(`2\\.json: valid\\. Decision ${id}, number 2 of its user`));
  assert.equal(stdout.match(/: valid\./g)?.length, 2);
});

test('the hash of the inputs is that of their canonical form, and verified', async () => {
  const { id, phone_number } = await refused();
  const { body } = await ask('GET', `/api/dial-decisions?phone_number=${encodeURIComponent(phone_number)}`);
  const [{ inputs, inputs_hash }] = body.items;
  assert.equal(inputs_hash, hashOf(sorted(inputs)));
  const { call_id } = await eventfulCall();
  const keys = await publicKeys();
  // Somebody with access to the database changes what it was decided from: the service signs what it finds.
  const rows = db.updateTable('dial_decisions').set({ inputs: JSON.stringify({ ...inputs, suppressions: [] }) });
  await rows.where('id', '=', id).execute();
  const changed = (await ofDecision(id)).text;
  assert.throws(() => verifyDocument(changed, keys), /the inputs of the decision .* do not match its hash/);
  const ofCall = (await evidenceOf(call_id)).text;
  assert.equal(verifyEvidence(ofCall, keys).decisions.length, 1);
  await db
    .updateTable('dial_decisions')
    .set({ inputs_hash: 'f'.repeat(64) })
    .where('call_id', '=', call_id)
    .execute();
  const other = (await evidenceOf(call_id)).text;
  assert.throws(() => verifyEvidence(other, keys), /the inputs of the decision/);
});

test('decisions of releases that hashed another form are valid', async () => {
  const { id } = await refused();
  const { inputs } = await db
    .selectFrom('dial_decisions')
    .select('inputs')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const { format, kind, at, ...rest } = JSON.parse(inputs);
  assert.equal(format, 2);
  const before = JSON.stringify({ kind, at, ...rest });
  const set = { inputs: before, inputs_hash: createHash('sha256').update(before).digest('hex') };
  assert.notEqual(set.inputs_hash, hashOf(sorted(JSON.parse(before))));
  await db.updateTable('dial_decisions').set(set).where('id', '=', id).execute();
  const evidence = verifyDocument((await ofDecision(id)).text, await publicKeys());
  assert.ok('decision' in evidence && evidence.decision.inputs_hash === set.inputs_hash);
});

test('there is none of an unknown decision, of somebody else, or after an erasure', async () => {
  const user = 'deciding-to-go';
  const { id } = await refused(user);
  for (const path of [newId(), 'x', id]) assert.equal((await ofDecision(path)).status, 404, path);
  assert.equal((await ofDecision(id, user)).status, 200);
  assert.equal((await service.request('DELETE', `/api/users/${user}`)).status, 200);
  await eventually(
    async () => {
      await service.app.reconcile();
      return db.selectFrom('agents').select('id').where('user_id', '=', user).execute();
    },
    (left) => left.length === 0,
  );
  assert.equal((await ofDecision(id, user)).status, 404);
  const left = await db.selectFrom('evidence_documents').selectAll().where('decision_id', '=', id).execute();
  assert.deepEqual(left, []);
});

test('each reading of it is in the audit log', async () => {
  const { id } = await refused();
  await ofDecision(id);
  const row = await db
    .selectFrom('audit_log')
    .select('action')
    .where('target', '=', `dial_decision/${id}`)
    .executeTakeFirst();
  assert.equal(row?.action, 'evidence.issued');
});
