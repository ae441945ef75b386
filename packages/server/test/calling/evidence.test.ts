// Signed evidence of calls.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { verifyEvidence } from '@switchboard/client/evidence';
import { createAgent, reaches, USER } from '@switchboard/testkit/calls.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { newId } from '../../src/lib/ids.ts';
import { SECRETS_KEY, startEvidence } from '../support/evidence.ts';
import { findStored } from '../support/stored-text.ts';

const { service, db, ask, evidenceOf, publicKeys, eventfulCall, keysWith } = await startEvidence();

test('the evidence of a call says what was decided, said, agreed and refused, signed and with its place in the chain', async () => {
  const { agent_id, call_id, phone_number, disclosure, transcript_id } = await eventfulCall();
  const { status, type, text } = await evidenceOf(call_id);
  assert.deepEqual([status, type], [200, 'application/json; charset=utf-8'], text);
  const evidence = verifyEvidence(text, await publicKeys());
  assert.deepEqual(
    [evidence.call.call_id, evidence.call.to_number, evidence.call.status],
    [call_id, phone_number, 'COMPLETED'],
  );
  assert.deepEqual(evidence.agent, {
    agent_id,
    agent_version: 1,
    policy: 'gap',
    disclosure: `This is an AI for ${USER}.`,
    opt_out: true,
    recording_consent: 'verbal',
  });
  assert.deepEqual(evidence.disclosure, disclosure);
  assert.deepEqual(
    evidence.recordings.map(({ state }) => state),
    ['refused'],
  );
  assert.equal(evidence.consents[0]?.text, 'Yes – ok “€”\u0001.');
  assert.deepEqual(
    evidence.policies.map(({ name, version, rules }) => ({ name, version, rules })),
    [{ name: 'gap', version: 1, rules: { min_gap_s: 60, max_abandoned_rate: 0.00000123 } }],
  );
  const [decision] = evidence.decisions;
  assert.deepEqual([decision?.outcome, decision?.call_id, decision?.policy_version], ['allow', call_id, 1]);
  const { asked_at: _at, ...optOut } = evidence.opt_out ?? {};
  assert.deepEqual(optOut, {
    noticed_by: 'service',
    transcript_id,
    words: 'Stop calling me.',
    scope: 'user',
    scope_id: '',
    is_suppressed: true,
  });
  // A JSON value that comes back with its keys in order, and nothing between them, is in canonical form.
  assert.equal(JSON.stringify(JSON.parse(text)), text);
  assert.deepEqual(Object.keys(JSON.parse(text)), Object.keys(JSON.parse(text)).sort());
  assert.equal((await evidenceOf(call_id)).text, text, 'the same as long as nothing changes');
});

test('evidence of a call whose agent was deleted says that its settings are not known, and not that there were none', async () => {
  const { agent_id, call_id } = await eventfulCall();
  assert.equal((await service.request('DELETE', `/api/agents/${agent_id}`, { user: USER })).status, 204);
  const { agent, opt_out } = verifyEvidence((await evidenceOf(call_id)).text, await publicKeys());
  const unknown = { policy: null, disclosure: null, opt_out: null, recording_consent: null };
  assert.deepEqual(agent, { agent_id, agent_version: 1, ...unknown });
  assert.equal(opt_out?.noticed_by, 'service');
});

test('at most 100 consents of a number are in its evidence, the newest', async () => {
  const user = 'agreeing';
  const agent_id = await createAgent(service, { user_id: user });
  const phone_number = '+15005550178';
  const of = { user_id: user, phone_number, purpose: 'service', kind: 'k', channel: 'c', evidence_url: null };
  const at = new Date('2026-01-15T09:30:00.000Z');
  const rows = Array.from({ length: 101 }, (_, n) => ({
    ...of,
    id: newId(),
    text: `Yes ${n}.`,
    obtained_at: at,
    created_at: at,
    revoked_at: null,
  }));
  await db.insertInto('consents').values(rows).execute();
  const { body } = await ask('POST', '/api/calls/outbound', { agent_id, phone_number }, user);
  await ask('POST', `/api/calls/${body.call_id}/end`, undefined, user);
  const { consents } = verifyEvidence((await evidenceOf(body.call_id, user)).text, await publicKeys());
  assert.deepEqual(
    consents.map(({ text }) => text),
    rows.slice(1).map(({ text }) => text),
  );
});

test('a new key signs from then on, and what earlier ones have signed stays valid', async () => {
  const [before, after] = [await eventfulCall(), await eventfulCall()];
  const first = (await evidenceOf(before.call_id)).text;
  const keys = keysWith(SECRETS_KEY);
  const kid = await keys.rotate();
  const second = (await evidenceOf(after.call_id)).text;
  assert.equal(JSON.parse(second).key_id, kid);
  const published = await publicKeys();
  assert.equal(published.keys[0]?.kid, kid);
  for (const text of [first, second]) verifyEvidence(text, published);
  assert.equal((await evidenceOf(before.call_id)).text, first);
});

test('the private key is encrypted, and again when SECRETS_KEY changes; without it nothing is signed', async () => {
  await publicKeys();
  const stored = () => db.selectFrom('evidence_keys').selectAll().execute();
  for (const { secret } of await stored()) assert.equal(secret.split('.').length, 5, 'a JWE');
  assert.deepEqual(await findStored(db, ['ed25519_']), []);
  const [old, other] = [SECRETS_KEY, Buffer.alloc(32, 8).toString('base64')];
  await keysWith(other, old).reseal();
  await assert.rejects(keysWith(old).signer(), {
    code: 'secret_unreadable',
  });
  const { call_id } = await eventfulCall();
  const refused = await evidenceOf(call_id);
  assert.deepEqual([refused.status, JSON.parse(refused.text).code], [409, 'secret_unreadable']);
  await keysWith(old, other).reseal();
  assert.equal((await evidenceOf(call_id)).status, 200);
});

test('there is none of a call that goes on, of somebody else, or of an erased user; a plain call has one too', async () => {
  const user = 'to-erase';
  const agent_id = await createAgent(service, { user_id: user });
  const { body } = await ask('POST', '/api/calls/outbound', { agent_id, phone_number: '+15005550177' }, user);
  await reaches(service, body.call_id, 'ANSWERED');
  const open = await evidenceOf(body.call_id, user);
  assert.deepEqual([open.status, JSON.parse(open.text).code], [409, 'call_not_ended']);
  await ask('POST', `/api/calls/${body.call_id}/end`, undefined, user);
  assert.equal((await evidenceOf(body.call_id)).status, 404);
  const plain = verifyEvidence((await evidenceOf(body.call_id, user)).text, await publicKeys());
  assert.deepEqual([plain.decisions, plain.disclosure, plain.opt_out], [[], null, null]);
  const { call_id, phone_number } = await eventfulCall(user);
  assert.equal((await evidenceOf(call_id, user)).status, 200);
  await service.request('DELETE', `/api/users/${user}`);
  await eventually(
    async () => {
      await service.app.reconcile();
      return db.selectFrom('agents').select('id').where('user_id', '=', user).execute();
    },
    (left) => left.length === 0,
  );
  assert.deepEqual(await findStored(db, [phone_number, 'This is an AI for to-erase.']), []);
  const own = await db.selectFrom('evidence_documents').selectAll().where('user_id', '=', user).execute();
  const optOuts = await db.selectFrom('call_opt_outs').selectAll().where('call_id', '=', call_id).execute();
  assert.deepEqual([own, optOuts], [[], []]);
  const gone = await fetch(`${service.url}/api/calls/${call_id}/evidence`);
  assert.equal(gone.status, 404);
});
