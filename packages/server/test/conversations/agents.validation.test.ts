import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startService } from '@switchboard/testkit/service.ts';
import { problemsOf } from '../support/answers.ts';

const service = await startService();
const user_id = 'user-1';
const valid = { name: 'Front desk', user_id };

async function create(fields: object | string): Promise<string[]> {
  const body = typeof fields === 'string' ? fields : { ...valid, ...fields };
  return problemsOf(await service.request('POST', '/api/agents/', { body }));
}

async function accepted(fields: object) {
  const answer = await service.request('POST', '/api/agents/', { body: { ...valid, ...fields } });
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  return answer.body;
}

/** An object nested `levels` deep, itself included. */
function nested(levels: number): object {
  return levels === 1 ? {} : { a: nested(levels - 1) };
}

/** An object whose JSON has exactly so many bytes. */
function ofBytes(bytes: number): object {
  const empty = JSON.stringify({ text: '' }).length;
  return { text: 'x'.repeat(bytes - empty) };
}

test('missing fields are named', async () => {
  assert.deepEqual(await create('{}'), ['body.name missing', 'body.user_id missing']);
  assert.deepEqual(await create('{"name":"x"}'), ['body.user_id missing']);
});

const WRONG: [fields: object, problem: string][] = [
  [{ name: 1 }, 'body.name string_type'],
  [{ name: null }, 'body.name string_type'],
  [{ name: '' }, 'body.name string_too_short'],
  [{ name: 'x'.repeat(256) }, 'body.name string_too_long'],
  [{ name: '👋'.repeat(256) }, 'body.name string_too_long'],
  [{ name: `e${'\u0301'.repeat(255)}` }, 'body.name string_too_long'],
  [{ user_id: 1 }, 'body.user_id string_type'],
  [{ user_id: '' }, 'body.user_id string_too_short'],
  [{ user_id: 'x'.repeat(256) }, 'body.user_id string_too_long'],
  [{ description: [] }, 'body.description string_type'],
  [{ description: 'x'.repeat(65_537) }, 'body.description string_too_long'],
  [{ config: [] }, 'body.config dict_type'],
  [{ config: 'x' }, 'body.config dict_type'],
  [{ is_active: 'true' }, 'body.is_active bool_type'],
  [{ is_active: 1 }, 'body.is_active bool_type'],
  [{ type: 'pipeline' }, 'body.type enum'],
  [{ type: '' }, 'body.type enum'],
  [{ name: 'a\0b' }, 'body.name string_nul'],
  [{ description: '\0' }, 'body.description string_nul'],
  [{ config: { prompt: 'a\0b' } }, 'body.config.prompt string_nul'],
  [{ config: { list: ['a', { b: '\0' }] } }, 'body.config.list.1.b string_nul'],
  [{ config: { inner: { 'a\0': 1 } } }, 'body.config.inner string_nul'],
];
for (const [fields, problem] of WRONG) {
  test(`${JSON.stringify(fields).slice(0, 60)} is refused: ${problem}`, async () => {
    assert.deepEqual(await create(fields), [problem]);
  });
}

test('a lone surrogate is refused in every position', async () => {
  const raw = (fields: string) => create(`{"user_id":"user-1",${fields}}`);
  assert.deepEqual(await raw('"name":"\\ud800"'), ['body.name string_unicode']);
  assert.deepEqual(await raw('"name":"\\udc00\\ud800"'), ['body.name string_unicode']);
  assert.deepEqual(await raw('"name":"x","description":"a\\ud83d"'), ['body.description string_unicode']);
  assert.deepEqual(await raw('"name":"x","config":{"a":["\\ude00"]}'), ['body.config.a.0 string_unicode']);
  assert.deepEqual(await raw('"name":"x","config":{"\\ud800":1}'), ['body.config string_unicode']);
});

test('a surrogate pair is one character', async () => {
  assert.equal((await accepted({ name: '👋'.repeat(255) })).name, '👋'.repeat(255));
});

test('texts of exactly the maximum length are accepted', async () => {
  const { name, description } = await accepted({ name: 'x'.repeat(255), description: 'y'.repeat(65_536) });
  assert.deepEqual([name.length, description.length], [255, 65_536]);
});

test('a configuration of 32 levels is accepted, of 33 refused', async () => {
  assert.deepEqual((await accepted({ config: nested(32) })).config, nested(32));
  const [problem] = await create({ config: nested(33) });
  assert.match(problem ?? '', /^body\.config(\.a){32} too_deep$/);
});

test('a body nested so deeply that a parser could overflow is a 422', async () => {
  const deep = `{"name":"x","user_id":"u","config":${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}}`;
  assert.equal((await create(deep)).length, 1);
  const lists = `{"name":"x","user_id":"u","config":{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}}`;
  assert.equal((await create(lists)).length, 1);
});

test('a configuration of 256 KiB is accepted, one byte more is refused', async () => {
  await accepted({ config: ofBytes(256 * 1024) });
  assert.deepEqual(await create({ config: ofBytes(256 * 1024 + 1) }), ['body.config too_long']);
});

test('a number beyond the range of a double is refused inside a configuration', async () => {
  const raw = (config: string) => create(`{"name":"x","user_id":"u","config":${config}}`);
  assert.deepEqual(await raw('{"limits":[1,1e999]}'), ['body.config.limits.1 finite_number']);
  assert.deepEqual(await raw('{"limit":-1e999}'), ['body.config.limit finite_number']);
});

test('all problems of a request are reported at once', async () => {
  const body = { name: '', description: 5, config: [], is_active: 'no', type: 'X' };
  assert.deepEqual(await create(JSON.stringify(body)), [
    'body.config dict_type',
    'body.description string_type',
    'body.is_active bool_type',
    'body.name string_too_short',
    'body.type enum',
    'body.user_id missing',
  ]);
});

test('malformed and unstorable values are reported at once', async () => {
  const body = { name: 'a\0b', description: 5, config: { prompt: '\0' } };
  assert.deepEqual(await create(JSON.stringify(body)), [
    'body.config.prompt string_nul',
    'body.description string_type',
    'body.name string_nul',
    'body.user_id missing',
  ]);
});

test('problems of the header and of the body are reported at once', async () => {
  const answer = await service.request('POST', '/api/agents/', { user: 'x'.repeat(256), body: { user_id } });
  assert.deepEqual(problemsOf(answer), ['body.name missing', 'header.x-user-id string_too_long']);
});

test('a problem includes its input unless that is large', async () => {
  const refused = async (name: unknown) =>
    (await service.request('POST', '/api/agents/', { body: { name, user_id } })).body.detail[0];
  assert.equal((await refused(17)).input, 17);
  assert.equal((await refused('')).input, '');
  assert.ok(!('input' in (await refused('x'.repeat(100_000)))));
});

test('an update follows the same rules, and null is refused for non-nullable fields', async () => {
  const { id } = await accepted({});
  const patch = async (body: object | string) =>
    problemsOf(await service.request('PATCH', `/api/agents/${id}`, { body }));
  assert.deepEqual(await patch({ name: null, config: null, is_active: null }), [
    'body.config dict_type',
    'body.is_active bool_type',
    'body.name string_type',
  ]);
  assert.ok((await patch({ type: null })).includes('body.type enum'));
  assert.deepEqual(await patch({ name: '' }), ['body.name string_too_short']);
  assert.deepEqual(await patch({ description: '\0' }), ['body.description string_nul']);
  assert.deepEqual(await patch({ config: ofBytes(256 * 1024 + 1) }), ['body.config too_long']);
  assert.deepEqual(await patch('{"config":{"a":1e999}}'), ['body.config.a finite_number']);
  assert.deepEqual(await patch('[]'), ['body dict_type']);
  assert.equal((await service.request('GET', `/api/agents/${id}`)).body.name, valid.name);
});

test('unknown fields are ignored whatever their value', async () => {
  const answer = await service.request('POST', '/api/agents/', {
    body: `{"name":"x","user_id":"u","extra":{"a":1e999,"b":"\\u0000","c":"\\ud800","d":${JSON.stringify(nested(100))}}}`,
  });
  assert.equal(answer.status, 201);
});

test('keys that would reach a prototype are refused', async () => {
  for (const key of ['"__proto__":{"polluted":1}', '"constructor":{"prototype":{"polluted":1}}']) {
    assert.deepEqual(await create(`{"name":"x","user_id":"u",${key}}`), ['body.0 json_invalid']);
    assert.deepEqual(await create(`{"name":"x","user_id":"u","config":{${key}}}`), ['body.0 json_invalid']);
  }
});
