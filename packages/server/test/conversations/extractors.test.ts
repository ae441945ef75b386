import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createAgent, USER } from '@switchboard/testkit/calls.ts';
import type { Json } from '@switchboard/testkit/client.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { MAX_AGENT_EXTRACTORS } from '../../src/conversations/agents/extractor-pins.ts';
import { MAX_CHOICES, MAX_ITEMS, MAX_SCHEMA_FIELDS } from '../../src/conversations/extractors/fields.ts';
import { MAX_EXTRACTOR_VERSIONS, MAX_EXTRACTORS, MAX_SCHEMA_BYTES } from '../../src/conversations/extractors/schema.ts';
import { assertRefused, problemsOf } from '../support/answers.ts';
import { send } from '../support/tests.ts';

const service = await startService();
after(() => service.close());

const schema = (properties: Json): Json => ({ type: 'object', properties });
const OUTCOME = schema({ outcome: { type: 'string', enum: ['booked', 'none'] }, friendly: { type: 'boolean' } });

const post = (fields: Json, user = USER) =>
  send(service, 'POST', '/api/extractors', { schema: OUTCOME, ...fields }, user);

test('an extractor is made, read, listed and deleted; others do not find it', async () => {
  const { status, body } = await post({ name: 'outcome', instructions: 'Clinic.', weights: { friendly: 2 } });
  assert.equal(status, 201, JSON.stringify(body));
  const expected = { name: 'outcome', version: 1, schema: OUTCOME, instructions: 'Clinic.', model: null };
  const { id, name, version, schema: kept, instructions, model, when, sample, weights } = body;
  assert.deepEqual({ name, version, schema: kept, instructions, model }, expected);
  assert.deepEqual({ when, sample, weights }, { when: {}, sample: 1, weights: { friendly: 2 } });
  const path = `/api/extractors/${id}`;
  assert.deepEqual((await send(service, 'GET', path)).body, body);
  const { items } = (await send(service, 'GET', '/api/extractors')).body;
  assert.deepEqual(items, [body]);
  assert.deepEqual((await send(service, 'GET', '/api/extractors', undefined, 'other')).body.items, []);
  for (const method of ['GET', 'DELETE'])
    assertRefused(await send(service, method, path, undefined, 'other'), 404, 'not_found');
  assertRefused(await send(service, 'GET', '/api/extractors/x'), 404, 'not_found');
  assert.equal((await send(service, 'DELETE', path)).status, 204);
  assertRefused(await send(service, 'GET', path), 404, 'not_found');
  assert.equal((await post({ name: 'outcome' })).body.version, 2, 'a name and a version always mean the same');
});

test('what is saved under a name is its next version, unless it says the same; earlier ones can be read', async () => {
  const first = (await post({ name: 'reason' })).body;
  const again = await post({ name: 'reason', sample: 1 });
  assert.deepEqual([again.status, again.body], [200, first]);
  const second = await post({ name: 'reason', instructions: 'Be strict.' });
  assert.deepEqual([second.status, second.body.version, second.body.id], [200, 2, first.id]);
  const read = async (version: number) =>
    (await send(service, 'GET', `/api/extractors/${first.id}?version=${version}`)).body;
  assert.deepEqual(await read(1), first);
  assert.deepEqual(await read(2), second.body);
  assert.equal((await read(3)).code, 'not_found');
});

test('a schema that a model cannot fill is refused, with every place', async () => {
  const of = async (properties: unknown, more: Json = {}) =>
    problemsOf(await post({ name: 'wrong', schema: { type: 'object', properties, ...more } }));
  const at = (...places: string[]) => places.map((place) => `body.schema.${place} value_error`).sort();
  assert.deepEqual(await of({}), at('properties'));
  assert.deepEqual(await of(null), at('properties'));
  assert.deepEqual(
    await of({ a: { $ref: '#/x' }, b: { type: 'string', enum: [] } }),
    at('properties.a.type', 'properties.b.enum'),
  );
  assert.deepEqual(await of({ a: { type: 'object', properties: {} } }), at('properties.a.type'));
  assert.deepEqual(await of({ a: { type: 'integer', minimum: 1.2, maximum: 1.8 } }), at('properties.a.maximum'));
  assert.deepEqual(await of({ a: { type: 'number', minimum: 2, maximum: 1 } }), at('properties.a.maximum'));
  assert.deepEqual(await of({ a: { type: 'number', minimum: '1' } }), at('properties.a.minimum'));
  assert.deepEqual(await of({ a: { type: 'string', enum: ['x', 1] } }), at('properties.a.enum.1'));
  assert.deepEqual(await of({ a: { type: 'string', enum: ['x', 'x'] } }), at('properties.a.enum'));
  assert.deepEqual(await of({ a: { type: 'string', pattern: '^(a|$' } }), at('properties.a.pattern'));
  assert.deepEqual(await of({ a: { type: 'array', items: { type: 'array' } } }), at('properties.a.items'));
  assert.deepEqual(
    await of({ a: { type: 'array', items: { type: 'string' }, maxItems: MAX_ITEMS + 1 } }),
    at('properties.a.maxItems'),
  );
  assert.deepEqual(await of({ 'a b': { type: 'string' } }), at('properties.a b'));
  assert.deepEqual(await of({ score: { type: 'number' } }), at('properties.score'));
  assert.deepEqual(
    await of({ a: { type: 'string' } }, { required: ['b'], additionalProperties: true, allOf: [] }),
    at('required.0', 'additionalProperties', 'allOf'),
  );
  assert.deepEqual(
    problemsOf(await post({ name: 'wrong', schema: { properties: { a: { type: 'boolean' } } } })),
    at('type'),
  );
  assert.deepEqual(problemsOf(await post({ name: 'wrong', weights: { outcome: 1, friendly: 1, x: 1 } })), [
    'body.weights.outcome value_error',
    'body.weights.x value_error',
  ]);
  assert.deepEqual(problemsOf(await post({ name: 'Wrong!' })), ['body.name string_pattern_mismatch']);
  assert.equal(
    (await send(service, 'GET', '/api/extractors')).body.items.some(({ name }: Json) => name === 'wrong'),
    false,
  );
});

test('an extractor has up to 50 fields, 100 choices and 64 KiB; a user up to 100 of them', async () => {
  const fields = (count: number) =>
    schema(Object.fromEntries(Array.from({ length: count }, (_, n) => [`f${n}`, { type: 'boolean' }])));
  const choices = (count: number) =>
    schema({ a: { type: 'string', enum: Array.from({ length: count }, (_, n) => `c${n}`) } });
  const add = (name: string, given = OUTCOME) => post({ name, schema: given }, 'many');
  assert.equal((await add('e0', fields(MAX_SCHEMA_FIELDS))).status, 201);
  assert.deepEqual(problemsOf(await add('e1', fields(MAX_SCHEMA_FIELDS + 1))), ['body.schema.properties value_error']);
  assert.equal((await add('e1', choices(MAX_CHOICES))).status, 201);
  assert.deepEqual(problemsOf(await add('e2', choices(MAX_CHOICES + 1))), [
    'body.schema.properties.a.enum value_error',
  ]);
  const long = { ...OUTCOME, description: 'x'.repeat(MAX_SCHEMA_BYTES) };
  assert.deepEqual(problemsOf(await add('e2', long)), ['body.schema too_long']);
  for (let n = 2; n < MAX_EXTRACTORS; n++) assert.equal((await add(`e${n}`)).status, 201);
  assertRefused(await add('one-more'), 409, 'too_many_extractors');
  assert.equal((await post({ name: 'e5', instructions: 'x' }, 'many')).status, 200, 'versions go on');
});

test('of an extractor 1,000 versions are kept', async () => {
  const { id } = (await post({ name: 'long-lived' })).body;
  await service.database.db
    .updateTable('extractors')
    .set({ version: MAX_EXTRACTOR_VERSIONS })
    .where('id', '=', id)
    .execute();
  assert.equal((await post({ name: 'long-lived', instructions: 'x' })).body.code, undefined);
  assert.equal((await send(service, 'GET', `/api/extractors/${id}?version=1`)).body.code, 'not_found');
});

test('a version of an agent pins the versions of its extractors; publishing it again takes the newest', async () => {
  await post({ name: 'pinned' });
  const config = { extractors: ['pinned'] };
  const agent_id = await createAgent(service, { config });
  const path = `/api/agents/${agent_id}`;
  const read = async (number: number) =>
    (await send(service, 'GET', `${path}/versions/${number}`)).body.config.extractors;
  assert.deepEqual(await read(1), ['pinned@1']);
  await post({ name: 'pinned', instructions: 'Be strict.' });
  assert.deepEqual((await send(service, 'GET', path)).body.config.extractors, ['pinned@1']);
  assert.deepEqual((await send(service, 'PATCH', path, { config })).body.config.extractors, ['pinned@2']);
  assert.deepEqual([await read(1), await read(2)], [['pinned@1'], ['pinned@2']]);
  await send(service, 'PUT', `${path}/draft`, { name: 'Draft', config: { extractors: ['pinned@1', 'pinned'] } });
  const made = await send(service, 'POST', `${path}/versions`, {});
  assert.deepEqual(made.body.config.extractors, ['pinned@1', 'pinned@2']);
});

test('a draft that names an extractor is none any more once that is what calls get', async () => {
  await post({ name: 'settled' });
  const agent_id = await createAgent(service, { config: {} });
  const path = `/api/agents/${agent_id}`;
  const publishDraft = async () => {
    const { number } = (await send(service, 'POST', `${path}/versions`, { from: 'draft' })).body;
    await send(service, 'PUT', `${path}/release`, { arms: [{ version: number, weight: 100 }] });
    return (await send(service, 'GET', `${path}/draft`)).body;
  };
  const { name } = (await send(service, 'GET', `${path}/draft`)).body;
  await send(service, 'PUT', `${path}/draft`, { name, config: { extractors: ['settled'] } });
  const { has_changes, config } = await publishDraft();
  assert.deepEqual([has_changes, config], [false, { extractors: ['settled@1'] }]);
  // The newest is another one than calls get: the draft is still a change.
  await send(service, 'PUT', `${path}/draft`, { name, config: { extractors: ['settled'] } });
  await post({ name: 'settled', instructions: 'More.' });
  const arms = [{ version: 1, weight: 100 }];
  await send(service, 'PUT', `${path}/release`, { arms });
  await send(service, 'PUT', `${path}/release`, { arms: [{ version: 2, weight: 100 }] });
  assert.equal((await send(service, 'GET', `${path}/draft`)).body.has_changes, true);
  assert.deepEqual((await publishDraft()).config, { extractors: ['settled@2'] });
});

test('an agent cannot be published with extractors that its user has not, nor with more than eight', async () => {
  await post({ name: 'mine' });
  await post({ name: 'theirs' }, 'other');
  const create = (extractors: unknown[]) =>
    send(service, 'POST', '/api/agents/', { name: 'x', user_id: USER, config: { extractors } });
  assert.deepEqual(problemsOf(await create(['mine', 'theirs', 'mine@7', 'no name', 4])), [
    'body.config.extractors.1 value_error',
    'body.config.extractors.2 value_error',
    'body.config.extractors.3 value_error',
    'body.config.extractors.4 value_error',
  ]);
  const many = Array.from({ length: MAX_AGENT_EXTRACTORS + 1 }, () => 'mine');
  assert.deepEqual(problemsOf(await create(many)), ['body.config.extractors value_error']);
  const agent_id = await createAgent(service, { config: {} });
  await send(service, 'PUT', `/api/agents/${agent_id}/draft`, { name: 'Draft', config: { extractors: ['gone'] } });
  assert.deepEqual(problemsOf(await send(service, 'POST', `/api/agents/${agent_id}/versions`, {})), [
    'body.config.extractors.0 value_error',
  ]);
});

test('an erasure deletes extractors, and their bytes are counted', async () => {
  const before = (await send(service, 'GET', '/api/quotas/leaver', undefined, null)).body.stored_bytes;
  await post({ name: 'gone', instructions: 'x'.repeat(5_000) }, 'leaver');
  const { stored_bytes } = (await send(service, 'GET', '/api/quotas/leaver', undefined, null)).body;
  assert.ok(stored_bytes - before > 5_000, `${stored_bytes - before}`);
  assert.equal((await send(service, 'DELETE', '/api/users/leaver', undefined, null)).status, 200);
  await service.app.reconcile();
  const { db } = service.database;
  for (const table of ['extractors', 'extractor_versions'] as const)
    assert.deepEqual(await db.selectFrom(table).selectAll().where('user_id', '=', 'leaver').execute(), [], table);
});
