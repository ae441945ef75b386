import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startService } from '@switchboard/testkit/service.ts';
import { assertRefused, rawAnswer } from '../support/answers.ts';

const service = await startService();
const user = 'user-1';
const UNKNOWN = '01980000-0000-7000-8000-000000000000';

async function createAgent(fields: object = {}) {
  const { status, body } = await service.request('POST', '/api/agents/', {
    body: { name: 'Front desk', user_id: user, ...fields },
  });
  assert.equal(status, 201);
  return body;
}

async function change(id: string, body: object) {
  const answer = await service.request('PATCH', `/api/agents/${id}`, { body });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body;
}

async function listed(caller: string): Promise<string[]> {
  const { status, body } = await service.request('GET', '/api/agents/', { user: caller });
  assert.equal(status, 200);
  return body.map(({ id }: { id: string }) => id);
}

test('a created agent has every field, null where it has no value', async () => {
  const agent = await createAgent();
  assert.deepEqual(
    { ...agent, id: '', created_at: '', updated_at: '' },
    {
      id: '',
      name: 'Front desk',
      type: 'PIPELINE',
      is_active: true,
      user_id: user,
      created_at: '',
      updated_at: '',
      description: null,
      config: {},
      phone_number: null,
      carrier_sid: null,
    },
  );
  assert.match(agent.created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
});

test('an id is a UUIDv7', async () => {
  assert.match((await createAgent()).id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

test('null for description or config is the same as leaving it out', async () => {
  const { description, config } = await createAgent({ description: null, config: null });
  assert.deepEqual({ description, config }, { description: null, config: {} });
});

test('a configuration of any JSON is returned as it was sent', async () => {
  const config = {
    text: 'Grüße, 世界 👋🏽',
    empty: ['', {}, [], null, false],
    numbers: [0, -1, 1.5, 1e300, 5e-324],
    '': { 'a.b/c~d': ['nested', { deeper: [[[]]] }] },
    toString: 'a name of Object.prototype',
  };
  const agent = await createAgent({ config });
  assert.deepEqual(agent.config, config);
  assert.deepEqual((await service.request('GET', `/api/agents/${agent.id}`)).body, agent);
});

const PARTS = { stt: 'STT', llm: 'LLM', tts: 'TTS' };
for (const [part, type] of Object.entries(PARTS)) {
  test(`an agent whose configuration has only ${part} is of type ${type}`, async () => {
    assert.equal((await createAgent({ config: { [part]: {}, voice: 'x' } })).type, type);
  });
}

test('an agent whose configuration has none or several of stt, llm and tts is a PIPELINE', async () => {
  for (const config of [{}, { voice: 'x' }, { stt: {}, llm: {} }, { stt: {}, llm: {}, tts: {} }, { STT: {} }]) {
    assert.equal((await createAgent({ config })).type, 'PIPELINE', JSON.stringify(config));
  }
});

test('an explicit type overrides the one derived from the configuration', async () => {
  const agent = await createAgent({ type: 'TTS', config: { stt: {} } });
  assert.equal(agent.type, 'TTS');
  assert.equal((await change(agent.id, { type: 'LLM', config: { stt: {} } })).type, 'LLM');
});

test('unknown fields are ignored', async () => {
  const agent = await createAgent({ colour: 'blue', id: UNKNOWN, phone_number: '+15005550010', created_at: 'never' });
  assert.notEqual(agent.id, UNKNOWN);
  assert.equal(agent.phone_number, null);
  assert.ok(!('colour' in agent));
  const changed = await change(agent.id, { colour: 'blue', user_id: 'somebody', phone_number: '+15005550010' });
  assert.deepEqual({ ...changed, updated_at: agent.updated_at }, agent);
});

test('a body that names a user other than the header is a 403', async () => {
  const answer = await service.request('POST', '/api/agents/', { user: 'mallory', body: { name: 'x', user_id: user } });
  assertRefused(answer, 403, 'wrong_user');
  assert.match(answer.body.detail, /in the body/);
  assert.deepEqual(await listed('mallory'), []);
});

test('a user id beyond ASCII is the same user in the header and in the body', async () => {
  const user_id = 'jürgen 世界';
  const header = Buffer.from(user_id).toString('latin1');
  const created = await service.request('POST', '/api/agents/', { user: header, body: { name: 'x', user_id } });
  assert.equal(created.status, 201);
  assert.deepEqual(await listed(header), [created.body.id]);
  const latin1 = await service.request('GET', '/api/agents/', { user: 'j\xfcrgen' });
  assert.deepEqual([latin1.status, latin1.body.detail[0].loc], [422, ['header', 'x-user-id']]);
});

test('listing without a user is a 401', async () => {
  assertRefused(await service.request('GET', '/api/agents/'), 401, 'user_required');
  assertRefused(await service.request('GET', '/api/agents/', { user: '' }), 401, 'user_required');
});

test('the list is newest first, without deleted agents, with inactive ones, and only the caller’s own', async () => {
  const user_id = 'lister';
  const ids: string[] = [];
  for (const name of ['first', 'second', 'third', 'fourth']) ids.push((await createAgent({ name, user_id })).id);
  await createAgent({ user_id: 'another lister' });
  const [first, second, third, fourth] = ids as [string, string, string, string];
  await change(first, { is_active: false });
  assert.equal((await service.request('DELETE', `/api/agents/${third}`)).status, 204);
  assert.deepEqual(await listed(user_id), [fourth, second, first]);
  assert.deepEqual(await listed('nobody'), []);
});

test('the trailing slash of create and list is optional', async () => {
  const user_id = 'slashless';
  const { status, body } = await service.request('POST', '/api/agents', { body: { name: 'x', user_id } });
  assert.equal(status, 201);
  assert.deepEqual(
    (await service.request('GET', '/api/agents', { user: user_id })).body.map(({ id }: { id: string }) => id),
    [body.id],
  );
});

test('unknown, malformed, deleted and other users’ ids get the same answer', async () => {
  const foreign = (await createAgent({ user_id: 'owner' })).id;
  const deleted = (await createAgent()).id;
  await service.request('DELETE', `/api/agents/${deleted}`);
  for (const method of ['GET', 'PATCH', 'DELETE']) {
    const answers = await Promise.all(
      [UNKNOWN, 'no-id', '%00', `${UNKNOWN}0`, "'--", deleted, foreign].map((id) =>
        rawAnswer(service, `/api/agents/${id}`, user, method),
      ),
    );
    assert.match(answers[0] ?? '', /^404 .*"not_found"/);
    assert.equal(new Set(answers).size, 1, answers.join('\n'));
  }
  assert.equal((await service.request('GET', `/api/agents/${foreign}`, { user: 'owner' })).status, 200);
});

test('absent fields are left unchanged', async () => {
  const agent = await createAgent({ description: 'Answers', config: { llm: { model: 'm' } } });
  const same = await change(agent.id, {});
  assert.deepEqual({ ...same, updated_at: agent.updated_at }, agent);
  const renamed = await change(agent.id, { name: 'Back office' });
  assert.deepEqual({ ...renamed, updated_at: agent.updated_at }, { ...agent, name: 'Back office' });
  assert.ok(renamed.updated_at >= agent.updated_at);
});

test('null clears the description', async () => {
  const { id } = await createAgent({ description: 'Answers' });
  assert.equal((await change(id, { description: null })).description, null);
  assert.equal((await service.request('GET', `/api/agents/${id}`)).body.description, null);
});

test('a new configuration replaces the old one entirely, and the type is derived again', async () => {
  const { id } = await createAgent({ config: { stt: { provider: 'a' }, greeting: 'Hello' } });
  const changed = await change(id, { config: { tts: { voice: 'b' } } });
  assert.deepEqual({ config: changed.config, type: changed.type }, { config: { tts: { voice: 'b' } }, type: 'TTS' });
  assert.equal((await change(id, { name: 'Renamed' })).type, 'TTS');
  assert.equal((await change(id, { config: {} })).type, 'PIPELINE');
});

test('concurrent changes to different fields are all kept', async () => {
  const { id } = await createAgent();
  await Promise.all([
    change(id, { name: 'Renamed' }),
    change(id, { description: 'Described' }),
    change(id, { config: { llm: {} } }),
    change(id, { is_active: false }),
  ]);
  const { name, description, config, is_active, type } = (await service.request('GET', `/api/agents/${id}`)).body;
  assert.deepEqual(
    { name, description, config, is_active, type },
    { name: 'Renamed', description: 'Described', config: { llm: {} }, is_active: false, type: 'LLM' },
  );
});

test('a deleted agent is gone, and deleting it again is a 404', async () => {
  const { id } = await createAgent();
  assert.equal(await rawAnswer(service, `/api/agents/${id}`, user, 'DELETE'), '204 ');
  assertRefused(await service.request('GET', `/api/agents/${id}`), 404, 'not_found');
  assertRefused(await service.request('PATCH', `/api/agents/${id}`, { body: { name: 'x' } }), 404, 'not_found');
  assertRefused(await service.request('DELETE', `/api/agents/${id}`), 404, 'not_found');
});

test('an agent with an assigned number can be deleted only after the number is released', async () => {
  const { id: agent_id } = await createAgent();
  const number = { agent_id, phone_number: '+15005550010' };
  assert.equal((await service.request('POST', '/api/telephony/numbers/assign', { body: number })).status, 200);
  const agent = (await service.request('GET', `/api/agents/${agent_id}`)).body;
  assert.equal(agent.phone_number, '+15005550010');
  assert.ok(agent.carrier_sid);
  assertRefused(await service.request('DELETE', `/api/agents/${agent_id}`), 409, 'agent_has_number');
  assert.equal((await service.request('POST', '/api/telephony/numbers/release', { body: { agent_id } })).status, 200);
  assert.equal((await service.request('DELETE', `/api/agents/${agent_id}`)).status, 204);
});
