import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answeredCall, createAgent, USER } from '@switchboard/testkit/calls.ts';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { openTestDatabase } from '@switchboard/testkit/database.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { watchStatements } from '../support/statements.ts';

const PHONE = '+4930123456';
const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
const env = { CALLS_PER_SECOND: '100', CALLS_BURST: '1000' };
const OFFICE = { windows: [{ country: 'DE', days: DAYS, from: '09:00', to: '17:00' }] };

async function outreach(at = '2027-01-12T03:00:00.000Z') {
  const clock = createTestClock(at);
  const service = await startService({ clock, env });
  const send = (method: string, path: string, body?: unknown, user = USER) =>
    service.request(method, path, { user, body });
  const agent_id = await createAgent(service);
  return {
    service,
    clock,
    agent_id,
    send,
    call: (fields: object = {}) => send('POST', '/api/calls/outbound', { agent_id, phone_number: PHONE, ...fields }),
    policy: async (rules: object, name = 'hours') => {
      const answer = await send('PUT', `/api/dial-policies/${name}`, { is_default: true, ...rules });
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      return answer.body;
    },
    suppress: async (fields: object = {}) => {
      const answer = await send('POST', '/api/suppressions', { entries: [{ phone_number: PHONE, ...fields }] });
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      return answer.body;
    },
    decisions: async () =>
      (await send('GET', `/api/dial-decisions?phone_number=${encodeURIComponent(PHONE)}`)).body.items,
  };
}

test('without policies and suppressions nothing is decided, and a call takes the same statements', async () => {
  const { service, call, decisions, suppress, policy } = await outreach();
  assert.equal((await call()).status, 201);
  const sent = watchStatements(service.database);
  assert.equal((await call()).status, 201);
  const before = sent.filter(({ sql }) => /count_phones|save_allowances|dial_|suppressions/.test(sql)).length;
  assert.deepEqual(await decisions(), []);
  // One more number that somebody suppressed costs none either.
  await suppress({ phone_number: '+4930999999' });
  sent.length = 0;
  assert.equal((await call()).status, 201);
  assert.equal(sent.filter(({ sql }) => /count_phones|save_allowances|dial_|suppressions/.test(sql)).length, before);
  // Two place it, and one reads it before its phone is dialled.
  assert.equal(before, 3);
  // With a policy, the decision is made and recorded by the same ones.
  await policy({ max_attempts: [{ count: 100, days: 1 }], windows: [{ days: DAYS, from: '00:00', to: '24:00' }] });
  sent.length = 0;
  assert.equal((await call()).status, 201);
  assert.equal(sent.filter(({ sql }) => /count_phones|save_allowances|dial_|suppressions/.test(sql)).length, before);
  assert.deepEqual(
    (await decisions()).map(({ outcome }: { outcome: string }) => outcome),
    ['allow'],
  );
  await service.close();
});

test('a call outside of the hours of the person is deferred to the first minute that is allowed, and then placed', async () => {
  const { service, clock, call, policy, decisions, send, agent_id } = await outreach();
  await policy(OFFICE);
  const refused = await call();
  assert.equal(refused.status, 409);
  assert.equal(refused.body.code, 'dial_deferred');
  assert.equal(refused.body.decision.not_before, '2027-01-12T08:00:00.000Z');
  assert.equal(refused.body.decision.reasons[0].rule, 'window');
  const check = await send('POST', '/api/dial-checks', { agent_id, phone_number: PHONE });
  assert.equal(check.status, 200);
  assert.deepEqual([check.body.outcome, check.body.not_before], ['defer', '2027-01-12T08:00:00.000Z']);
  assert.equal((await call({ time_zone: 'Asia/Tokyo' })).status, 201);
  assert.equal((await call({ time_zone: 'Mars/Base' })).status, 422);
  assert.equal((await call({ region: 'US-ZZ' })).status, 422);
  clock.advance(5 * 3_600_000);
  const placed = await call({ purpose: 'service' });
  assert.equal(placed.status, 201);
  const [latest, , first] = await decisions();
  assert.equal(first.id, refused.body.decision.id);
  assert.deepEqual([first.outcome, first.call_id, first.policy_version], ['defer', null, 1]);
  assert.deepEqual([latest.outcome, latest.call_id, latest.purpose], ['allow', placed.body.call_id, 'service']);
  const shown = (await send('GET', `/api/calls/${placed.body.call_id}`)).body.dial_decisions;
  assert.deepEqual(shown, [latest]);
  await service.close();
});

test('calls that are placed together count for each other, and refused ones use up nothing', async () => {
  const { service, clock, call, policy } = await outreach('2027-01-12T10:00:00.000Z');
  await policy({ max_attempts: [{ count: 2, days: 1 }] });
  const answers = await Promise.all(Array.from({ length: 10 }, () => call()));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 201, 409, 409, 409, 409, 409, 409, 409, 409]);
  const refused = answers.find(({ status }) => status === 409);
  assert.equal(refused?.body.decision.not_before, '2027-01-13T10:00:00.000Z');
  const { calls } = await service.database.db.selectFrom('call_allowances').select('calls').executeTakeFirstOrThrow();
  assert.equal(calls, 2);
  clock.advance(24 * 3_600_000);
  assert.equal((await call()).status, 201);
  await service.close();
});

test('a suppressed number is denied from the answer on, also to transfers, and allowed again once it is removed', async () => {
  const { service, call, suppress, send, decisions } = await outreach();
  const talking = await answeredCall(service);
  assert.deepEqual(await suppress(), { added: 1, changed: 0 });
  assert.deepEqual(await suppress({ reason: 'registry' }), { added: 0, changed: 1 });
  const refused = await call();
  assert.deepEqual([refused.status, refused.body.code], [409, 'dial_denied']);
  const transfer = await send('POST', `/api/sessions/${talking.call_id}/transfer`, {
    phone_number: PHONE,
    type: 'WARM',
  });
  assert.deepEqual([transfer.status, transfer.body.code], [409, 'dial_denied']);
  assert.deepEqual(
    (await decisions()).map(({ kind, outcome }: { kind: string; outcome: string }) => [kind, outcome]),
    [
      ['transfer', 'deny'],
      ['call', 'deny'],
    ],
  );
  const { body: list } = await send('GET', `/api/suppressions?phone_number=${encodeURIComponent(PHONE)}`);
  assert.equal(list.items.length, 1);
  const first = (await send('GET', '/api/suppressions/changes')).body;
  assert.deepEqual(
    first.items.map((one: { deleted_at: null }) => one.deleted_at),
    [null],
  );
  assert.equal((await send('DELETE', `/api/suppressions/${list.items[0].id}`, undefined, 'user-2')).status, 404);
  assert.equal((await send('DELETE', `/api/suppressions/${list.items[0].id}`)).status, 204);
  const next = (await send('GET', `/api/suppressions/changes?cursor=${first.next_cursor}`)).body;
  assert.equal(next.items.length, 1);
  assert.notEqual(next.items[0].deleted_at, null);
  assert.equal((await call()).status, 201);
  await service.close();
});

test('suppressions of one agent, or of a purpose, leave other calls alone; expired ones too', async () => {
  const { service, clock, call, suppress, agent_id } = await outreach();
  const other = await createAgent(service);
  await suppress({ scope: 'agent', scope_id: agent_id });
  await suppress({ scope: 'purpose', scope_id: 'marketing', expires_at: '2027-01-12T04:00:00.000Z' });
  assert.equal((await call({ purpose: 'service' })).status, 409);
  assert.equal((await call({ agent_id: other })).status, 409);
  assert.equal((await call({ agent_id: other, purpose: 'service' })).status, 201);
  clock.advance(3_600_000);
  assert.equal((await call({ agent_id: other })).status, 201);
  await service.close();
});

test('suppressions are imported from CSV, named by line where they are wrong, and exported to what can be imported', async () => {
  const { service, call, send } = await outreach();
  const post = (text: string) =>
    fetch(`${service.url}/api/suppressions`, {
      method: 'POST',
      headers: { 'x-user-id': USER, 'content-type': 'text/csv' },
      body: text,
    });
  const wrong = await post('phone_number,reason\n+4930123456,asked\n12,asked\n');
  assert.equal(wrong.status, 422);
  assert.deepEqual(((await wrong.json()) as { detail: { loc: unknown }[] }).detail[0]?.loc, [
    'body',
    'line',
    3,
    'phone_number',
  ]);
  assert.equal((await call()).status, 201);
  const good = await post(`phone_number,reason\n${PHONE},imported\n+4930123457,registry\n`);
  assert.deepEqual(await good.json(), { added: 2, changed: 0 });
  assert.equal((await call()).status, 409);
  const file = await fetch(`${service.url}/api/suppressions`, { headers: { 'x-user-id': USER, accept: 'text/csv' } });
  const text = await file.text();
  assert.equal(text.trim().split('\r\n').length, 3);
  assert.deepEqual(await (await post(text)).json(), { added: 0, changed: 2 });
  const mine = { entries: [{ phone_number: PHONE, scope: 'agent', scope_id: 'x' }] };
  assert.equal((await send('POST', '/api/suppressions', mine)).status, 422);
  await service.close();
});

test('a policy that asks for consent denies until there is one, and again once it is revoked', async () => {
  const { service, clock, call, policy, send } = await outreach();
  await policy({ requires_consent: [{ purpose: 'marketing' }] });
  const consent = { phone_number: PHONE, purpose: 'marketing', kind: 'express_written', text: 'Yes.', channel: 'form' };
  const give = async () => {
    const answer = await send('POST', '/api/consents', { ...consent, obtained_at: clock.now().toISOString() });
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    return answer.body.id;
  };
  assert.equal((await call()).body.decision.reasons[0].rule, 'consent');
  assert.equal((await call({ purpose: 'service' })).status, 201);
  const id = await give();
  assert.equal((await call()).status, 201);
  assert.equal((await send('POST', `/api/consents/${id}/revoke`, {}, 'user-2')).status, 404);
  assert.equal((await send('POST', `/api/consents/${id}/revoke`, {})).status, 200);
  assert.equal((await call()).status, 409);
  clock.advance(1_000);
  await give();
  assert.equal((await call()).status, 201);
  assert.equal((await send('GET', '/api/consents')).body.items.length, 2);
  await service.close();
});

test('a policy has versions that never change; an agent names its own, and one that does not exist denies', async () => {
  const { service, call, policy, send } = await outreach();
  assert.equal((await policy(OFFICE)).version, 1);
  assert.equal((await policy(OFFICE)).version, 1);
  assert.equal((await policy({ min_gap_s: 60 })).version, 2);
  assert.deepEqual((await send('GET', '/api/dial-policies/hours?version=1')).body.rules, OFFICE);
  assert.equal((await send('GET', '/api/dial-policies/hours?version=3')).status, 404);
  assert.equal((await send('GET', '/api/dial-policies/hours', undefined, 'user-2')).status, 404);
  const bad = await send('PUT', '/api/dial-policies/hours', {
    windows: [{ days: ['mon'], from: '17:00', to: '09:00' }],
  });
  assert.deepEqual([bad.status, bad.body.detail[0].loc], [422, ['body', 'windows', 0, 'to']]);
  await policy({ preset: 'us-tx' }, 'texas');
  const listed = (await send('GET', '/api/dial-policies')).body;
  assert.deepEqual(
    listed.policies.map((one: { name: string; is_default: boolean }) => [one.name, one.is_default]),
    [
      ['hours', false],
      ['texas', true],
    ],
  );
  assert.equal(listed.presets.length, 4);
  assert.equal((await call({ region: 'US-TX' })).body.decision.reasons[0].rule, 'consent');
  const agent = (config: object) => createAgent(service, { config });
  const named = await agent({ compliance: { policy: 'hours' } });
  assert.equal((await call({ agent_id: named })).status, 201);
  assert.equal((await call({ agent_id: named })).body.decision.reasons[0].rule, 'min_gap');
  const lost = await call({ agent_id: await agent({ compliance: { policy: 'gone' } }), phone_number: '+4930123457' });
  assert.deepEqual([lost.body.code, lost.body.decision.reasons[0].rule], ['dial_denied', 'policy']);
  await service.close();
});

test('an erasure leaves the hash of a suppressed number, and the number stays blocked', async () => {
  const database = await openTestDatabase();
  const service = await startService({ database, env });
  const send = (method: string, path: string, body?: unknown) => service.request(method, path, { user: USER, body });
  const call = async () =>
    send('POST', '/api/calls/outbound', { agent_id: await createAgent(service), phone_number: PHONE });
  await send('PUT', '/api/dial-policies/p', { is_default: true });
  await send('POST', '/api/suppressions', { entries: [{ phone_number: PHONE }] });
  assert.equal((await call()).status, 409);
  const erased = await service.request('DELETE', `/api/users/${USER}`);
  assert.ok(erased.status < 300, JSON.stringify(erased.body));
  const { db } = database;
  const rows = await db.selectFrom('suppressions').selectAll().execute();
  assert.deepEqual(
    rows.map(({ user_id, phone_number }) => [user_id, phone_number]),
    [[null, null]],
  );
  for (const table of ['dial_decisions', 'dial_policies', 'dial_policy_versions', 'consents'] as const)
    assert.deepEqual(await db.selectFrom(table).selectAll().execute(), [], table);
  assert.equal((await call()).body.code, 'dial_denied');
  assert.deepEqual((await send('GET', '/api/suppressions')).body.items, []);
  await service.close();
  await database.close();
});

test('a number is the same in every spelling that carriers dial alike', async () => {
  const { service, agent_id, send, suppress, policy } = await outreach();
  await suppress({ phone_number: '+447911123456' });
  const check = async (phone_number: string, purpose = 'service') =>
    (await send('POST', '/api/dial-checks', { agent_id, phone_number, purpose })).body;
  for (const number of ['+447911123456', '+4407911123456']) assert.equal((await check(number)).outcome, 'deny', number);
  const listed = await send('GET', `/api/suppressions?phone_number=${encodeURIComponent('+4407911123456')}`);
  assert.equal(listed.body.items.length, 1);
  await policy({ requires_consent: [{ country: 'DE', purpose: 'marketing' }] });
  const consent = { phone_number: '+49030123456', purpose: 'marketing', kind: 'written', text: 'Yes.', channel: 'web' };
  const given = await send('POST', '/api/consents', { ...consent, obtained_at: '2027-01-01T00:00:00.000Z' });
  assert.equal(given.status, 201, JSON.stringify(given.body));
  assert.equal((await check('+4930123456', 'marketing')).outcome, 'allow');
  await service.close();
});

test('windows that hardly ever meet count as never open, and a policy has a name that agents can use', async () => {
  const { service, agent_id, send, policy } = await outreach();
  const every = (region: string | undefined, minute: number) =>
    Array.from({ length: 96 }, (_, index) => {
      const [hour, at] = [String(Math.floor(index / 4)).padStart(2, '0'), (index % 4) * 15 + minute];
      const [from, to] = [at, at + 1].map((one) => `${hour}:${String(one).padStart(2, '0')}`);
      return { country: 'US', ...(region && { region }), days: DAYS, from, to };
    });
  await policy({ windows: [...every(undefined, 1), ...every('TX', 7)] });
  const { outcome, reasons } = (
    await send('POST', '/api/dial-checks', { agent_id, phone_number: '+18005550100', purpose: 'service' })
  ).body;
  assert.equal(outcome, 'deny');
  assert.match(JSON.stringify(reasons), /No time within 62 days/);
  for (const name of ['My%20Policy', '%00', 'x'.repeat(65)])
    assert.equal((await send('PUT', `/api/dial-policies/${name}`, OFFICE)).status, 422, name);
  await service.close();
});
