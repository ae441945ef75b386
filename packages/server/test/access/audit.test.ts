import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answeredCall, createAgent, USER } from '@switchboard/testkit/calls.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { keysOf } from '@switchboard/testkit/keys.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { allPages } from '../support/answers.ts';
import { scenario } from '../support/tests.ts';

test('keys, numbers, listening in, transfers, secrets and erasures are audited: who, for whom, from where, what', async () => {
  const service = await startService({ env: { AUTH_MODE: 'required', TRUST_PROXY: '127.0.0.1' } });
  const root = await keysOf(service.database).create({ name: 'root', role: 'service' });
  const headers = { authorization: `Bearer ${root.key}`, 'x-forwarded-for': '192.0.2.7' };
  const as = {
    request: (method: string, path: string, options: object = {}) =>
      service.request(method, path, { user: USER, ...options, headers }),
  };
  const agent_id = await createAgent(as);
  const { body: key } = await as.request('POST', '/api/keys', { body: { name: 'one', role: 'worker' } });
  await as.request('POST', `/api/keys/${key.id}/revoke`);
  const number = { agent_id, phone_number: '+15005550010' };
  await as.request('POST', '/api/telephony/numbers/assign', { body: number });
  await as.request('POST', '/api/telephony/numbers/release', { body: { agent_id } });
  const { call_id } = await answeredCall(as, { agent_id });
  await as.request('POST', `/api/calls/${call_id}/listen`);
  await as.request('POST', `/api/sessions/${call_id}/transfer`, { body: { phone_number: '+15005550101' } });
  await as.request('POST', '/api/callbacks/secret/rotate', { body: {} });
  await as.request('DELETE', '/api/users/stranger');
  const { body } = await as.request('GET', '/api/audit');
  const entries = body.items
    .map((entry: Record<string, string>) => [entry.action, entry.target, entry.detail])
    .filter(([action]: string[]) => action !== 'agent.created')
    .reverse();
  const erased = body.items[0].target;
  assert.match(erased, /^user\/erased-/);
  assert.deepEqual(entries, [
    ['key.created', `api_key/${root.id}`, 'service'],
    ['key.created', `api_key/${key.id}`, 'worker'],
    ['key.revoked', `api_key/${key.id}`, 'one'],
    ['number.assigned', `agent/${agent_id}`, '+15005550010'],
    ['number.released', `agent/${agent_id}`, '+15005550010'],
    ['call.listened', `session/${call_id}`, null],
    ['transfer.started', `session/${call_id}`, 'COLD'],
    ['callback_secret.rotated', 'callback_secret', null],
    ['user.erased', erased, null],
  ]);
  const [first, ...others] = body.items.reverse();
  assert.deepEqual([first.actor, first.user_id, first.ip], ['command', null, null]);
  for (const { actor, user_id, ip, at } of others) {
    assert.deepEqual([actor, user_id, ip], [`api_key/${root.id}`, USER, '192.0.2.7']);
    assert.ok(Math.abs(new Date(at).getTime() - Date.now()) < 60_000);
  }
  assert.deepEqual(await allPages(service, '/api/audit', 3, { headers }), body.items.reverse());
});

test('refused actions are audited as refused, with the error', async () => {
  const service = await startService();
  const agent_id = await createAgent(service);
  const owned = { agent_id, phone_number: '+15005550099' };
  assert.equal((await service.request('POST', '/api/telephony/numbers/assign', { body: owned })).status, 404);
  assert.equal((await service.request('POST', '/api/telephony/numbers/release', { body: { agent_id } })).status, 409);
  const transfer = { phone_number: '+15005550101' };
  assert.equal((await service.request('POST', `/api/sessions/${agent_id}/transfer`, { body: transfer })).status, 404);
  assert.equal((await service.request('POST', `/api/keys/${agent_id}/revoke`)).status, 404);
  await service.app.reconcile();
  const { items } = (await service.request('GET', '/api/audit?outcome=refused')).body;
  assert.deepEqual(items.map((entry: Record<string, string>) => `${entry.action} ${entry.detail}`).sort(), [
    'key.revoked 404 not_found',
    'number.assigned 404 number_not_owned',
    'number.released 409 no_number_assigned',
    'transfer.started 404 not_found',
  ]);
  const { body: done } = await service.request('GET', '/api/audit?outcome=succeeded');
  assert.deepEqual(
    done.items.map(({ action }: { action: string }) => action),
    ['agent.created'],
  );
});

test('a user id that cannot be read is refused under the name of the key, and to strangers as anything else', async () => {
  const service = await startService({ env: { AUTH_MODE: 'required' } });
  const root = await keysOf(service.database).create({ name: 'root', role: 'service' });
  const rollBack = async (headers?: Record<string, string>) => {
    const { status } = await service.request('POST', '/api/agents/x/rollback', {
      user: 'j\xfcrgen',
      ...(headers && { headers }),
    });
    return status;
  };
  const headers = { authorization: `Bearer ${root.key}` };
  assert.deepEqual([await rollBack(headers), await rollBack()], [422, 401]);
  await service.app.reconcile();
  const { items } = (await service.request('GET', '/api/audit?outcome=refused', { headers })).body;
  const actors = items.map(({ action, actor, actor_name }: Record<string, string>) => [action, actor, actor_name]);
  assert.deepEqual(actors, [
    ['request.refused', 'unauthenticated', null],
    ['agent.rolled_back', `api_key/${root.id}`, 'root'],
  ]);
});

test('releases, versions and corrections that fail have an entry; of the others, those of an operator’s key', async () => {
  const service = await startService({ env: { AUTH_MODE: 'required' } });
  const keys = keysOf(service.database);
  const as = (key: string, name: string) => (method: string, path: string, body?: object) => {
    const headers = { authorization: `Bearer ${key}`, 'idempotency-key': name };
    return service.request(method, path, { user: USER, ...(body && { body }), headers });
  };
  const root = await keys.create({ name: 'root', role: 'service' });
  const own = await keys.create({ name: 'own', role: 'user', user_id: USER });
  const { id } = (await as(root.key, 'agent')('POST', '/api/agents/', { name: 'A', user_id: USER })).body;
  const opens = (await as(own.key, 'opens')('POST', '/api/scenarios', { text: scenario('opens') })).body.id;
  const gate = (await as(own.key, 'gate')('POST', '/api/suites', { name: 'Desk', scenarios: [opens] })).body.id;
  for (const send of [as(own.key, 'own'), as(root.key, 'root')]) {
    await send('PUT', `/api/agents/${id}/release`, { arms: [{ version: 1, weight: 100 }], gate });
    await send('POST', `/api/agents/${id}/versions`, { from: 99 });
    await send('POST', `/api/calls/${id}/end`);
    await send('POST', `/api/calls/${id}/outcome`, { answered_by: 'human' });
    await send('PATCH', `/api/sessions/${id}`, { metadata: {} });
  }
  const night = await keys.create({ name: 'night', role: 'supervisor' });
  for (const { key } of [own, night]) await as(key, 'room')('POST', '/api/sessions/by-room/none/end');
  const used = { session_id: 's', user_id: USER, provider: 'p', event_type: 'llm_tokens', unit_cost: 1 };
  // The second of each pair is refused: it has the key of the first, and is another event.
  for (const quantity of [1, 2, -1, -2])
    await as(root.key, quantity > 0 ? 'event' : 'correction')('POST', '/api/usage/events', {
      ...used,
      quantity,
      total_cost: quantity,
    });
  await service.app.reconcile();
  const { body } = await as(root.key, 'read')('GET', '/api/audit?outcome=refused');
  const shown = body.items.map((one: Record<string, string>) => `${one.actor_name} ${one.action} ${one.detail}`);
  assert.deepEqual(shown.sort(), [
    'night call.ended 404 not_found',
    'own agent.released 409 gate_not_passed',
    'own agent.version_created 404 not_found',
    'root agent.released 409 gate_not_passed',
    'root agent.version_created 404 not_found',
    'root call.ended 404 not_found',
    'root call.outcome_corrected 404 not_found',
    'root session.corrected 404 not_found',
    'root usage.corrected 422 invalid_request',
  ]);
});

test('a completed warm transfer is audited', async () => {
  const service = await startService();
  const { call_id } = await answeredCall(service);
  const warm = { phone_number: '+15005550101', type: 'WARM' };
  await service.request('POST', `/api/sessions/${call_id}/transfer`, { body: warm });
  await eventually(
    () => service.request('GET', `/api/calls/${call_id}`),
    ({ body }) => body.transfers[0].status === 'connected',
  );
  assert.equal((await service.request('POST', `/api/sessions/${call_id}/transfer/complete`)).status, 200);
  assert.deepEqual(
    (await service.request('GET', '/api/audit')).body.items.map(({ action }: { action: string }) => action),
    ['transfer.completed', 'transfer.started', 'agent.created'],
  );
});

test('a release completed after its process died is audited as repaired', async () => {
  const service = await startService();
  const agent_id = await createAgent(service);
  const number = { agent_id, phone_number: '+15005550012' };
  assert.equal((await service.request('POST', '/api/telephony/numbers/assign', { body: number })).status, 200);
  const { db } = service.database;
  const updated_at = new Date(Date.now() - 3_600_000);
  await db.updateTable('number_assignments').set({ state: 'releasing', updated_at }).execute();
  await service.app.reconcile();
  const [entry] = (await service.request('GET', '/api/audit')).body.items;
  const { actor, action, target, detail } = entry;
  assert.deepEqual([actor, action, target, detail], ['repair', 'number.released', `agent/${agent_id}`, '+15005550012']);
});

test('lists of calls have an entry where they show words, and ends of calls one, for an operator’s key alone', async () => {
  const service = await startService({ env: { AUTH_MODE: 'required' } });
  const keys = keysOf(service.database);
  const [root, own] = [
    await keys.create({ name: 'root', role: 'service' }),
    await keys.create({ name: 'own', role: 'user', user_id: USER }),
  ];
  const as = (key: string, user?: string) => (method: string, path: string) =>
    service.request(method, path, { ...(user && { user }), headers: { authorization: `Bearer ${key}` } });
  const [operator, user] = [as(root.key), as(own.key)];
  const request = (method: string, path: string, options: object = {}) =>
    service.request(method, path, { user: USER, ...options, headers: { authorization: `Bearer ${root.key}` } });
  const agent_id = await createAgent({ request });
  const { call_id } = await answeredCall({ request }, { agent_id });
  const found = async () => {
    await service.app.reconcile();
    const { body } = await operator('GET', '/api/audit');
    return body.items
      .filter(({ action }: Record<string, string>) => action === 'transcripts.read' || action === 'call.ended')
      .map(({ action, target }: Record<string, string>) => `${action} ${target}`);
  };
  await operator('GET', '/api/calls/?include=total_cost');
  for (const query of ['include=last_transcript', 'q=hello']) await user('GET', `/api/calls/?${query}`);
  await user('POST', `/api/calls/${call_id}/end`);
  assert.deepEqual(await found(), []);
  await as(root.key, USER)('POST', `/api/calls/${call_id}/end`);
  assert.deepEqual(await found(), [], 'it had ended');
  for (const query of ['q=hello', 'analysis[outcome]=booked', 'sort=-analysis.score']) {
    await operator('GET', `/api/calls/?${query}`);
    assert.ok((await found()).every((entry: string) => entry === 'transcripts.read calls'));
  }
  const { length } = await found();
  const ends = [];
  for (const [path, body] of [
    ['end', {}],
    ['outcome', { hang_up: true }],
  ] as const) {
    const { call_id: id } = await answeredCall({ request }, { agent_id });
    for (let time = 0; time < 2; time++) await request('POST', `/api/calls/${id}/${path}`, { body });
    ends.unshift(`call.ended call/${id}`);
  }
  assert.deepEqual((await found()).slice(0, -length), ends);
});
