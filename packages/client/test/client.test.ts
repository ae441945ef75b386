import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reaches } from '@switchboard/testkit/calls.ts';
import { keysOf } from '@switchboard/testkit/keys.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { createSwitchboard } from '../src/index.ts';
import { failure } from './support/requests.ts';

const service = await startService({ env: { AUTH_MODE: 'required' } });
const { key } = await keysOf(service.database).create({ name: 'a backend', role: 'service', user_id: null });
const sb = createSwitchboard({ baseUrl: service.url, apiKey: key, userId: 'user-1' });

test('the user of the client is that of its requests, and of bodies that name one', async () => {
  const agent = await sb.agents.create({ name: 'Front desk' });
  assert.equal(agent.user_id, 'user-1');
  assert.equal((await sb.agents.update(agent.id, { is_active: false })).is_active, false);
  assert.equal((await sb.agents.get(agent.id)).name, 'Front desk');
  assert.deepEqual(
    (await sb.agents.list()).map(({ id }) => id),
    [agent.id],
  );
  const other = sb.forUser('user-2');
  assert.equal((await failure(other.agents.get(agent.id))).code, 'not_found');
  assert.equal((await sb.agents.create({ name: 'Theirs', user_id: 'user-3' })).user_id, 'user-3');
  assert.equal(await sb.agents.delete(agent.id), undefined);
  assert.deepEqual(await sb.agents.list(), []);
});

test('a user may have an id in any script, in headers and in streams', async () => {
  for (const userId of ['ämil', 'Ünïcode-世界', '🙂']) {
    const user = sb.forUser(userId);
    const agent = await user.agents.create({ name: 'Front desk' });
    assert.equal(agent.user_id, userId);
    assert.deepEqual((await user.agents.list()).length, 1);
    assert.equal((await failure(sb.agents.get(agent.id))).code, 'not_found');
    assert.equal((await sb.agents.get(agent.id, { userId })).user_id, userId);
    const { data } = await user.api.GET('/api/agents/{agent_id}', { params: { path: { agent_id: agent.id } } });
    assert.equal(data?.user_id, userId);
    const stop = new AbortController();
    const events = user.events.follow({ signal: stop.signal })[Symbol.asyncIterator]();
    const first = events.next();
    const call = await user.calls.start({ agent_id: agent.id, phone_number: '+15005550100' });
    const { value } = await first;
    assert.ok(value?.event === 'call' && value.data.call_id === call.call_id);
    stop.abort();
  }
});

test('a refusal has its code, its status and the request in the log', async () => {
  const error = await failure(sb.calls.get('no-such-call'));
  assert.deepEqual([error.code, error.status, error.problems], ['not_found', 404, []]);
  assert.match(error.message, /^GET \/api\/calls\/no-such-call: 404 not_found: ./);
  assert.ok(error.requestId);
  const stranger = createSwitchboard({ baseUrl: service.url, apiKey: 'sbk_wrong' });
  assert.equal((await failure(stranger.agents.list())).code, 'unauthenticated');
});

test('an invalid request has all its problems, each with its place', async () => {
  const body = { agent_id: 7, phone_number: 'x' } as unknown as { agent_id: string; phone_number: string };
  const error = await failure(sb.calls.start(body));
  assert.deepEqual([error.code, error.status], ['invalid_request', 422]);
  const places = error.problems.map(({ loc }) => loc.join('.'));
  assert.deepEqual(places.sort(), ['body.agent_id', 'body.phone_number']);
  assert.match(error.message, /body\.phone_number: /);
});

test('a key may come from a function, which is called for each request', async () => {
  let asked = 0;
  const apiKey = async () => {
    asked++;
    return key;
  };
  const lazy = createSwitchboard({ baseUrl: service.url, apiKey, userId: 'user-1' });
  await lazy.agents.list();
  await lazy.agents.list();
  assert.equal(asked, 2);
});

test('a list can be awaited for its first page, and read to its end item by item or page by page', async () => {
  const user = sb.forUser('pages');
  const made: string[] = [];
  for (let n = 0; n < 5; n++) made.unshift((await user.sessions.create({})).id);
  const first = await user.sessions.list({ limit: 2 });
  assert.deepEqual(
    first.items.map(({ id }) => id),
    made.slice(0, 2),
  );
  const ids: string[] = [];
  for await (const { id } of user.sessions.list({ limit: 2 })) ids.push(id);
  assert.deepEqual(ids, made);
  const sizes: number[] = [];
  for await (const page of user.sessions.list({ limit: 2 }).pages()) sizes.push(page.items.length);
  assert.deepEqual(sizes, [2, 2, 1]);
  assert.equal((await user.sessions.list({ status: 'FAILED' }).toArray()).length, 0);
});

test('any request can be sent by its path, with the key and the user of the client', async () => {
  const { data, error, response } = await sb.api.GET('/api/calls/', { params: { query: { limit: 1 } } });
  assert.deepEqual([data?.items, error, response.status], [[], undefined, 200]);
  assert.match(await sb.service.metrics(), /^# HELP /m);
  assert.equal((await sb.service.health()).status, 'ok');
});

test('a call is started once under a key of one’s own', async () => {
  const agent = await sb.agents.create({ name: 'Caller' });
  const body = { agent_id: agent.id, phone_number: '+15005550100' };
  const first = await sb.calls.start(body, { idempotencyKey: 'order-1' });
  assert.deepEqual(await sb.calls.start(body, { idempotencyKey: 'order-1' }), first);
  assert.notEqual((await sb.calls.start(body)).call_id, first.call_id);
  const headers = { authorization: `Bearer ${key}` };
  const asService = {
    ...service,
    request: ((method, path) => service.request(method, path, { headers })) as typeof service.request,
  };
  await reaches(asService, first.call_id, 'ANSWERED');
  assert.equal((await sb.calls.end(first.call_id)).call_status, 'COMPLETED');
});
