import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startService } from '@switchboard/testkit/service.ts';
import { assertRefused, problemsOf } from '../support/answers.ts';
import { MORNING, NIGHT, nightAgent } from '../support/versions.ts';

const service = await startService();
const etag = ({ headers }: { headers: Headers }) => ({ 'if-match': headers.get('etag') ?? '' });

test('without a draft the draft is what calls get, and saving one changes nothing that calls get', async () => {
  const { send, agent } = await nightAgent(service);
  const none = await send('GET', '/draft');
  assert.deepEqual([none.body.has_changes, none.body.config, none.body.based_on], [false, NIGHT, 1]);
  assert.deepEqual([none.body.revision, none.body.updated_at, none.body.updated_by], ['version-1', null, null]);
  const saved = await send('PUT', '/draft', { name: 'Morning desk', description: 'x', config: MORNING }, etag(none));
  assert.equal(saved.status, 200);
  const { body } = await send('GET', '/draft');
  assert.deepEqual(body, saved.body);
  assert.deepEqual(
    [body.name, body.description, body.config, body.has_changes, body.based_on, body.updated_by],
    ['Morning desk', 'x', MORNING, true, 1, 'open'],
  );
  assert.deepEqual([(await agent()).config, (await agent()).name], [NIGHT, 'Desk']);
});

test('of two editors, the second one is told, and finds what the first one saved', async () => {
  const { send } = await nightAgent(service);
  const read = await send('GET', '/draft');
  const first = await send('PUT', '/draft', { name: 'First', config: MORNING }, etag(read));
  assert.equal(first.status, 200);
  assertRefused(await send('PUT', '/draft', { name: 'Second', config: {} }, etag(read)), 412, 'changed_meanwhile');
  const found = await send('GET', '/draft');
  assert.equal(found.body.name, 'First');
  assert.equal(found.headers.get('etag'), first.headers.get('etag'));
  assert.equal((await send('PUT', '/draft', { name: 'Second', config: {} }, etag(found))).status, 200);
});

test('a version is made of the draft that was read, or of none', async () => {
  const { send } = await nightAgent(service);
  const read = await send('PUT', '/draft', { name: 'Read', config: MORNING });
  const other = await send('PUT', '/draft', { name: 'Not read', config: MORNING });
  assertRefused(await send('POST', '/versions', { note: 'x' }, etag(read)), 412, 'changed_meanwhile');
  assert.equal((await send('GET', '/versions')).body.items.length, 1);
  assert.equal((await send('POST', '/versions', { from: 1 }, etag(read))).status, 200, 'a version does not change');
  assert.equal((await send('POST', '/versions', { note: 'x' }, etag(other))).body.name, 'Not read');
});

test('of two editors at the same moment one saves', async () => {
  const { send } = await nightAgent(service);
  for (let round = 0; round < 3; round++) {
    const read = await send('GET', '/draft');
    const both = ['A', 'B'].map((name) => send('PUT', '/draft', { name: name + round, config: {} }, etag(read)));
    assert.deepEqual((await Promise.all(both)).map(({ status }) => status).sort(), [200, 412]);
  }
});

test('a release by somebody else makes the draft that nobody has begun another one', async () => {
  const { send } = await nightAgent(service);
  const read = await send('GET', '/draft');
  await send('PATCH', '', { config: MORNING });
  assertRefused(await send('PUT', '/draft', { name: 'Late', config: {} }, etag(read)), 412, 'changed_meanwhile');
});

test('a draft that says what calls get is none, however it came to say so', async () => {
  const { send, release, made } = await nightAgent(service);
  await send('PUT', '/draft', { name: 'Desk', config: MORNING });
  await send('PUT', '/draft', { name: 'Desk', config: NIGHT });
  assert.equal((await send('GET', '/draft')).body.has_changes, false);
  const number = await made(MORNING);
  assert.equal((await send('GET', '/draft')).body.has_changes, true);
  await release([number, 100]);
  assert.equal((await send('GET', '/draft')).body.has_changes, false);
  await send('PUT', '/draft', { name: 'Desk', config: NIGHT });
  await send('PATCH', '', { config: NIGHT });
  assert.equal((await send('GET', '/draft')).body.has_changes, false);
});

test('a draft may be wrong; a version may not, and all its mistakes are named with their places', async () => {
  const { send } = await nightAgent(service);
  const config = { llm: { provider: 'openia' }, greting: 'Hello', greeting: 'Hi {{first name}}' };
  assert.equal((await send('PUT', '/draft', { name: 'Desk', config })).status, 200);
  assert.deepEqual((await send('GET', '/draft')).body.config, config);
  assert.deepEqual(problemsOf(await send('POST', '/versions', { note: 'Hello' })), [
    'body.config.greeting value_error',
    'body.config.greting extra_forbidden',
    'body.config.llm.provider enum',
  ]);
});

test('a draft has a name and a configuration of 256 KiB at most', async () => {
  const { send } = await nightAgent(service);
  assert.deepEqual(problemsOf(await send('PUT', '/draft', { name: '', konfig: {} })), [
    'body.config missing',
    'body.konfig extra_forbidden',
    'body.name string_too_short',
  ]);
  const config = { prompt: 'x'.repeat(256 * 1024) };
  assert.deepEqual(problemsOf(await send('PUT', '/draft', { name: 'Desk', config })), ['body.config too_long']);
  assertRefused(
    await send('PUT', '/draft', { name: 'Desk', config: { prompt: 'x'.repeat(5_000_000) } }),
    413,
    'body_too_large',
  );
});
