import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { createAgent, USER } from '@switchboard/testkit/calls.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { allPages, assertRefused, problemsOf } from '../support/answers.ts';

const service = await startService();
const UNKNOWN = '01980000-0000-7000-8000-000000000000';
const NUMBER = '+15005550010';
const OTHER = '+15005550011';

function assign(agent_id: string, phone_number = NUMBER, user?: string) {
  return service.request('POST', '/api/telephony/numbers/assign', {
    body: { agent_id, phone_number },
    ...(user !== undefined && { user }),
  });
}

function release(agent_id: string, user?: string) {
  return service.request('POST', '/api/telephony/numbers/release', {
    body: { agent_id },
    ...(user !== undefined && { user }),
  });
}

function lookup(phone_number: string, user?: string) {
  const query = new URLSearchParams({ phone_number });
  return service.request('GET', `/api/telephony/lookup?${query}`, user === undefined ? {} : { user });
}

async function assigned(phone_number = NUMBER, fields: object = {}): Promise<string> {
  const agent_id = await createAgent(service, fields);
  const answer = await assign(agent_id, phone_number);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return agent_id;
}

// Every test finds all numbers free.
afterEach(async () => {
  const { items } = (await service.request('GET', '/api/telephony/numbers')).body;
  for (const { agent_id } of items) if (agent_id) await release(agent_id);
});

test('an assigned number belongs to the agent, at the carrier and in the service', async () => {
  const agent_id = await createAgent(service);
  const answer = await assign(agent_id);
  const carrier_sid = `PN${'10'.padStart(32, '0')}`;
  assert.equal(answer.status, 200);
  assert.deepEqual(answer.body, { status: 'assigned', agent_id, phone_number: NUMBER, carrier_sid });
  const agent = (await service.request('GET', `/api/agents/${agent_id}`)).body;
  assert.deepEqual([agent.phone_number, agent.carrier_sid], [NUMBER, carrier_sid]);
});

test('a released number is free, and can be assigned again', async () => {
  const agent_id = await assigned();
  const answer = await release(agent_id);
  assert.deepEqual([answer.status, answer.body], [200, { status: 'released', agent_id, phone_number: NUMBER }]);
  const agent = (await service.request('GET', `/api/agents/${agent_id}`)).body;
  assert.deepEqual([agent.phone_number, agent.carrier_sid], [null, null]);
  assertRefused(await lookup(NUMBER), 404, 'not_found');
  assert.equal((await assign(await createAgent(service))).status, 200);
});

test('a number that the account does not own is refused', async () => {
  const agent_id = await createAgent(service);
  assertRefused(await assign(agent_id, '+15005550100'), 404, 'number_not_owned');
  assert.equal((await service.request('GET', `/api/agents/${agent_id}`)).body.phone_number, null);
});

test('a second assignment of the same number is refused', async () => {
  const holder = await assigned();
  const agent_id = await createAgent(service);
  assertRefused(await assign(agent_id), 409, 'number_taken');
  assert.equal((await lookup(NUMBER)).body.agent_id, holder);
  assert.equal((await assign(agent_id, OTHER)).status, 200);
});

test('a second number for the same agent is refused, and so is assigning the same one again', async () => {
  const agent_id = await assigned();
  assertRefused(await assign(agent_id, OTHER), 409, 'agent_has_number');
  assertRefused(await assign(agent_id), 409, 'agent_has_number');
  assert.equal((await assign(await createAgent(service), OTHER)).status, 200);
});

test('releasing an agent without a number is refused', async () => {
  const agent_id = await createAgent(service);
  assertRefused(await release(agent_id), 409, 'no_number_assigned');
  await assign(agent_id);
  await release(agent_id);
  assertRefused(await release(agent_id), 409, 'no_number_assigned');
});

test('unknown, malformed, deleted and other users’ agents are the same 404', async () => {
  const deleted = await createAgent(service);
  await service.request('DELETE', `/api/agents/${deleted}`);
  const foreign = await createAgent(service, { user_id: 'owner' });
  const answers = [];
  for (const agent_id of [UNKNOWN, 'no-id', '', deleted, foreign]) {
    answers.push(await assign(agent_id, NUMBER, USER), await release(agent_id, USER));
  }
  for (const answer of answers) assertRefused(answer, 404, 'not_found');
  assert.equal(new Set(answers.map(({ body }) => JSON.stringify(body))).size, 1);
});

test('another user’s number cannot be released', async () => {
  const agent_id = await assigned(NUMBER, { user_id: 'owner' });
  assertRefused(await release(agent_id, USER), 404, 'not_found');
  assert.equal((await lookup(NUMBER, 'owner')).body.agent_id, agent_id);
});

test('all problems of a request are reported at once', async () => {
  const post = async (path: string, body: object) =>
    problemsOf(await service.request('POST', `/api/telephony/numbers/${path}`, { body }));
  assert.deepEqual(await post('assign', {}), ['body.agent_id missing', 'body.phone_number missing']);
  assert.deepEqual(await post('assign', { agent_id: 1, phone_number: '15005550010' }), [
    'body.agent_id string_type',
    'body.phone_number string_pattern_mismatch',
  ]);
  assert.deepEqual(await post('release', {}), ['body.agent_id missing']);
  for (const phone_number of ['', '+1500555001', '+1 500 555 0010', '+01500555001', `+1${'5'.repeat(200)}`, 'abc']) {
    assert.deepEqual(await post('assign', { agent_id: UNKNOWN, phone_number }), [
      'body.phone_number string_pattern_mismatch',
    ]);
  }
});

test('ten concurrent assignments of one number have exactly one success', async () => {
  const agents = await Promise.all(Array.from({ length: 10 }, () => createAgent(service)));
  const answers = await Promise.all(agents.map((agent_id) => assign(agent_id)));
  const statuses = answers.map(({ status, body }) => (status === 200 ? '200' : `${status} ${body.code}`)).sort();
  assert.deepEqual(statuses, ['200', ...Array(9).fill('409 number_taken')]);
  const winner = answers.find(({ status }) => status === 200)?.body.agent_id;
  assert.equal((await lookup(NUMBER)).body.agent_id, winner);
  const numbers = await Promise.all(agents.map((id) => service.request('GET', `/api/agents/${id}`)));
  assert.deepEqual(
    numbers.filter(({ body }) => body.phone_number !== null).map(({ body }) => body.id),
    [winner],
  );
});

test('ten concurrent assignments to one agent have exactly one success', async () => {
  const agent_id = await createAgent(service);
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, index) => assign(agent_id, `+150055500${10 + index}`)),
  );
  const statuses = answers.map(({ status, body }) => (status === 200 ? '200' : `${status} ${body.code}`)).sort();
  assert.deepEqual(statuses, ['200', ...Array(9).fill('409 agent_has_number')]);
  const { phone_number } = (await service.request('GET', `/api/agents/${agent_id}`)).body;
  assert.equal(phone_number, answers.find(({ status }) => status === 200)?.body.phone_number);
  const rows = await service.database.db.selectFrom('number_assignments').selectAll().execute();
  assert.deepEqual(
    rows.map((row) => row.phone_number),
    [phone_number],
  );
});

test('ten concurrent releases have exactly one success', async () => {
  const agent_id = await assigned();
  const answers = await Promise.all(Array.from({ length: 10 }, () => release(agent_id)));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array(9).fill(409)]);
  assert.equal((await assign(agent_id)).status, 200);
});

test('the list shows every number of the account and its agent', async () => {
  const agent_id = await assigned(OTHER);
  const { status, body } = await service.request('GET', '/api/telephony/numbers');
  assert.equal(status, 200);
  assert.deepEqual(
    body.items.map(({ phone_number }: { phone_number: string }) => phone_number),
    Array.from({ length: 10 }, (_, index) => `+150055500${10 + index}`),
  );
  const free = { carrier_sid: `PN${'10'.padStart(32, '0')}`, voice: true, agent_id: null, user_id: null };
  assert.deepEqual(body.items[0], { phone_number: NUMBER, ...free });
  const { voice, carrier_sid: _, ...owner } = body.items[1];
  assert.deepEqual(owner, { phone_number: OTHER, agent_id, user_id: USER });
  assert.equal(voice, true);
  assert.equal(body.next_cursor, null);
});

test('a named user sees free numbers and its own, never another user’s', async () => {
  await assigned(NUMBER, { user_id: 'owner' });
  await assigned(OTHER);
  const { items } = (await service.request('GET', '/api/telephony/numbers', { user: USER })).body;
  const numbers = items.map(({ phone_number }: { phone_number: string }) => phone_number);
  assert.equal(numbers.length, 9);
  assert.ok(!numbers.includes(NUMBER) && numbers.includes(OTHER));
  assert.ok(!JSON.stringify(items).includes('owner'));
});

test('the pages together are the whole list', async () => {
  const { items } = (await service.request('GET', '/api/telephony/numbers')).body;
  for (const limit of [1, 3, 10]) assert.deepEqual(await allPages(service, '/api/telephony/numbers', limit), items);
  const refused = async (query: string) => problemsOf(await service.request('GET', `/api/telephony/numbers?${query}`));
  assert.deepEqual(await refused('limit=0'), ['query.limit greater_than_equal']);
  assert.deepEqual(await refused('cursor=x'), ['query.cursor value_error']);
  assert.deepEqual(await refused('colour=blue'), ['query.colour extra_forbidden']);
});

test('looking up a number returns what a worker needs to answer it', async () => {
  const agent_id = await assigned(NUMBER, { name: 'Front desk', config: { llm: { model: 'm' } } });
  const answer = await lookup(NUMBER);
  assert.deepEqual(
    [answer.status, answer.body],
    [200, { agent_id, name: 'Front desk', config: { llm: { model: 'm' } } }],
  );
});

test('a number can be looked up with its plus sign, without it, or with a space in its place', async () => {
  const agent_id = await assigned(NUMBER);
  for (const text of [NUMBER.replace('+', '%2B'), NUMBER, NUMBER.replace('+', '')]) {
    const { status, body } = await service.request('GET', `/api/telephony/lookup?phone_number=${text}`);
    assert.deepEqual([status, body.agent_id], [200, agent_id], text);
  }
});

test('a number that is free, not owned, or another user’s is not found', async () => {
  await assigned(NUMBER, { user_id: 'owner' });
  for (const number of [NUMBER, OTHER, '+15005550100']) assertRefused(await lookup(number, USER), 404, 'not_found');
  assert.equal((await lookup(NUMBER, 'owner')).status, 200);
});

test('looking up an invalid number is refused', async () => {
  assert.deepEqual(problemsOf(await service.request('GET', '/api/telephony/lookup')), ['query.phone_number missing']);
  for (const text of ['', '911', '++15005550010', '+-15005550010', '1500555001x', 'front desk'])
    assert.deepEqual(problemsOf(await lookup(text)), ['query.phone_number string_pattern_mismatch'], text);
});
