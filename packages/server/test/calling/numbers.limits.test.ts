import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAgent } from '@switchboard/testkit/calls.ts';
import { openTestDatabase } from '@switchboard/testkit/database.ts';
import { keysOf } from '@switchboard/testkit/keys.ts';
import { type RequestOptions, type Service, startService } from '@switchboard/testkit/service.ts';
import { assertRefused } from '../support/answers.ts';

const NUMBERS = Array.from({ length: 10 }, (_, index) => `+150055500${10 + index}`);
const database = await openTestDatabase();
const service = await startService({ database });

async function assignAll(to: Service, agents: string[], options: RequestOptions = {}) {
  const requests = agents.map((agent_id, index) =>
    to.request('POST', '/api/telephony/numbers/assign', {
      ...options,
      body: { agent_id, phone_number: NUMBERS[index] },
    }),
  );
  return Promise.all(requests);
}

test('the agents of a user have at most five numbers, even when requested concurrently; a service key may assign more', async () => {
  const agents: string[] = [];
  for (let n = 0; n < 8; n++) agents.push(await createAgent(service, { user_id: 'greedy' }));
  const answers = await assignAll(service, agents);
  assert.equal(answers.filter(({ status }) => status === 200).length, 5);
  for (const answer of answers) if (answer.status !== 200) assertRefused(answer, 409, 'number_limit_reached');
  const { items } = (await service.request('GET', '/api/telephony/numbers', { user: 'other' })).body;
  const free = items.filter(({ user_id }: { user_id: string | null }) => user_id === null);
  assert.equal(free.length, 5);
  const [another] = free;
  const body = { agent_id: await createAgent(service, { user_id: 'other' }), phone_number: another.phone_number };
  assert.equal((await service.request('POST', '/api/telephony/numbers/assign', { body })).status, 200);
  // A user who has released one may have another.
  const held = answers.findIndex(({ status }) => status === 200);
  await service.request('POST', '/api/telephony/numbers/release', { body: { agent_id: agents[held] } });
  const again = { agent_id: agents[held], phone_number: NUMBERS[held] };
  assert.equal((await service.request('POST', '/api/telephony/numbers/assign', { body: again })).status, 200);

  const required = await startService({ database, env: { AUTH_MODE: 'required', NUMBERS_PER_USER: '1' } });
  const keys = keysOf(database);
  const as = (key: string) => ({ headers: { authorization: `Bearer ${key}` } });
  const own = as((await keys.create({ name: 'own', role: 'user', user_id: 'greedy' })).key);
  const root = as((await keys.create({ name: 'root', role: 'service' })).key);
  const without = agents.filter((_agent, index) => answers[index]?.status !== 200);
  const [phone_number] = free.slice(1).map((number: { phone_number: string }) => number.phone_number);
  const one = { body: { agent_id: without[0], phone_number } };
  assertRefused(
    await required.request('POST', '/api/telephony/numbers/assign', { ...own, ...one }),
    409,
    'number_limit_reached',
  );
  assert.equal((await required.request('POST', '/api/telephony/numbers/assign', { ...root, ...one })).status, 200);
  await required.close();
  await service.close();
  await database.close();
});
