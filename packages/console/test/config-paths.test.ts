import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import type { AgentConfig } from '@switchboard/client';
import { BLANK, TEMPLATES } from '@switchboard/templates';
import {
  alsoSet,
  fromParameters,
  inOrder,
  isObject,
  modelsOf,
  type Path,
  problemsOutside,
  type Schema,
  schemaAt,
  toParameters,
  toText,
  valueAt,
  withValue,
} from '../src/data/config-paths.ts';

const description = path.resolve(import.meta.dirname, '../../server/openapi.json');
const { components } = JSON.parse(await readFile(description, 'utf8'));

/** A schema of the API description without references. */
function resolve(schema: Record<string, unknown>): Schema {
  if (typeof schema.$ref === 'string') return resolve(components.schemas[schema.$ref.split('/').at(-1) ?? '']);
  const { properties, items, anyOf } = schema as {
    properties?: Record<string, Record<string, unknown>>;
    items?: Record<string, unknown>;
    anyOf?: Record<string, unknown>[];
  };
  return {
    ...schema,
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, resolve(one)])),
    }),
    ...(items && { items: resolve(items) }),
    ...(anyOf && { anyOf: anyOf.map(resolve) }),
  };
}
const SCHEMA = resolve(components.schemas.AgentConfig);

/** A value for each field of a schema, and unknown ones beside them. */
function fill(schema: Schema & { type?: string }, unknown: boolean): unknown {
  if (schema.properties) {
    const names = Object.keys(schema.properties).reverse();
    const known = Object.fromEntries(names.map((name) => [name, fill(schema.properties?.[name] ?? {}, unknown)]));
    return unknown ? { 'un.known': { deep: [1, null, { a: 'b' }] }, ...known } : known;
  }
  // A section that may be a list is one model here.
  if (schema.anyOf?.[0]) return fill(schema.anyOf[0], unknown);
  if (schema.items) return [fill(schema.items, unknown), fill(schema.items, unknown)];
  if (schema.enum) return schema.enum[0];
  // Texts by name: headers.
  if (schema.type === 'object') return { any: 'text' };
  return { boolean: true, integer: 7, number: 1.5 }[schema.type ?? ''] ?? 'text';
}

/** Places of all values that are no sections. */
function leaves(value: unknown, at: Path = []): Path[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => leaves(item, [...at, index]));
  if (isObject(value)) return Object.entries(value).flatMap(([name, inner]) => leaves(inner, [...at, name]));
  return [at];
}

const FULL = fill(SCHEMA, false) as AgentConfig;
const WITH_UNKNOWN = fill(SCHEMA, true) as AgentConfig;

test('a value that is set again, or changed and changed back, leaves every configuration of the schema as it was', () => {
  const places = leaves(WITH_UNKNOWN);
  assert.ok(places.length > 60, `${places.length} places`);
  for (const place of places) {
    const value = valueAt(WITH_UNKNOWN, place);
    assert.deepEqual(withValue(WITH_UNKNOWN, place, value), WITH_UNKNOWN);
    const changed = withValue(WITH_UNKNOWN, place, 'changed');
    assert.equal(valueAt(changed, place), 'changed');
    assert.deepEqual(withValue(changed, place, value), WITH_UNKNOWN, place.join('.'));
  }
});

test('a removed value takes nothing with it but sections and lists that it leaves empty', () => {
  const config = { llm: { model: 'a', options: { top_p: 1 } }, tools: { functions: [{ name: 'f' }], hang_up: true } };
  assert.deepEqual(withValue(config, ['llm', 'model'], undefined), { ...config, llm: { options: { top_p: 1 } } });
  assert.deepEqual(withValue(config, ['tools', 'functions', 0], undefined), { ...config, tools: { hang_up: true } });
  assert.deepEqual(withValue({ tts: { voice: 'a' } }, ['tts', 'voice'], undefined), {});
  assert.deepEqual(withValue({ llm: 'wrong' }, ['llm', 'model'], 'a'), { llm: { model: 'a' } });
});

test('the JSON has its keys in the order of the schema, and loses none', () => {
  const text = toText(WITH_UNKNOWN, SCHEMA);
  assert.deepEqual(JSON.parse(text), WITH_UNKNOWN);
  const known = Object.keys(SCHEMA.properties ?? {});
  assert.deepEqual(Object.keys(JSON.parse(text)), [...known, 'un.known']);
  const options = { z: 1, a: 2 };
  assert.equal(
    JSON.stringify(inOrder({ llm: { options, model: 'a' } }, SCHEMA)),
    '{"llm":{"model":"a","options":{"z":1,"a":2}}}',
  );
});

test('fields without a place in the form are named: those of the schema, unknown ones, and values of a wrong type', () => {
  const free = ['stt', 'llm', 'tts', 'realtime'].map((section) => `${section}.options`);
  assert.deepEqual(alsoSet(FULL).sort(), [...free, 'realtime.temperature', 'voicemail.llm', 'voicemail.stt'].sort());
  assert.deepEqual(alsoSet({ greeting: 7, llm: { model: 'a', seed: 1 }, crm: {}, tools: 'none' }), [
    'greeting',
    'llm.seed',
    'crm',
    'tools',
  ]);
  for (const { name, config } of [...TEMPLATES, BLANK]) assert.deepEqual(alsoSet({ ...config }), [], name);
});

test('problems that no field tells are told with their places, once', () => {
  const at = (...path: (string | number)[]) => ({
    loc: ['config', ...path],
    msg: path.join(' '),
    type: 'extra_forbidden',
  });
  const config = {
    greeting: 5,
    llm: { model: 'a', options: { x: 1, y: 2 }, seed: 1 },
    stt: 'x',
    tools: { transfer: 'x', functions: [{ headers: { a: 1 }, parameters: { type: 'object', oneOf: 1 } }] },
    fail_over: { on: ['error', 7] },
    extractors: [7],
  };
  const ofFields = [
    at('greeting'),
    at('llm', 'model'),
    at('stt'),
    at('tools', 'functions', 0, 'headers', 'a'),
    at('fail_over', 'on', 1),
    at('extractors', 0),
  ];
  assert.deepEqual(problemsOutside(config, ofFields), [], 'those of fields');
  const inside = { ...at('llm', 'options', 'x'), msg: 'another' };
  const others = [
    at('llm', 'seed'),
    at('llm', 'options', 'x'),
    inside,
    at('tools', 'transfer'),
    at('tools', 'functions', 0, 'parameters', 'oneOf'),
  ];
  assert.deepEqual(
    problemsOutside(config, [...others, ...ofFields]),
    others.map(({ loc, msg }) => ({ place: loc.slice(1).join('.'), msg })),
  );
});

test('the models of a list have their places, values and schema in it, and stay without fields until they are removed', () => {
  const config = { llm: [{ model: 'a', options: {} }, { model: 'b' }] };
  assert.deepEqual(modelsOf(config, 'llm'), [
    { path: ['llm', 0], model: config.llm[0] },
    { path: ['llm', 1], model: config.llm[1] },
  ]);
  assert.deepEqual(modelsOf({ llm: { model: 'a' } }, 'llm'), [{ path: ['llm'], model: { model: 'a' } }]);
  assert.deepEqual(modelsOf({ llm: [] }, 'llm'), [{ path: ['llm'], model: [] }]);
  assert.deepEqual(withValue({ llm: [] }, ['llm', 'model'], 'a'), { llm: { model: 'a' } });
  assert.deepEqual(withValue(config, ['llm', 1, 'model'], 'c'), { llm: [config.llm[0], { model: 'c' }] });
  assert.deepEqual(withValue(config, ['llm', 1, 'model'], undefined), { llm: [config.llm[0], {}] });
  assert.deepEqual(withValue(config, ['llm', 1], undefined), { llm: [config.llm[0]] });
  for (const place of [['llm'], ['llm', 1]])
    assert.equal(schemaAt(SCHEMA, [...place, 'temperature'])?.maximum, 2, place.join('.'));
  const wrong = { llm: [...config.llm, 'x'], fail_over: { on: ['error', 7] } };
  assert.deepEqual(alsoSet(wrong), ['llm.0.options', 'llm.2', 'fail_over.on']);
  assert.deepEqual(inOrder({ llm: [{ model: 'b', provider: 'groq' }] }, SCHEMA), {
    llm: [{ provider: 'groq', model: 'b' }],
  });
});

test('arguments of a function keep what the form does not show', () => {
  const schema = {
    type: 'object',
    additionalProperties: false,
    properties: {
      day: { type: 'string', description: 'The day', format: 'date' },
      kinds: { type: ['string', 'null'], enum: ['new', null] },
      any: true,
    },
    required: ['day', 'elsewhere'],
  };
  const list = toParameters(schema);
  assert.deepEqual(fromParameters(schema, list), schema);
  const renamed = list.map((one) => (one.name === 'day' ? { ...one, name: 'date', isRequired: false } : one));
  assert.deepEqual(fromParameters(schema, renamed), {
    ...schema,
    properties: { date: schema.properties.day, kinds: schema.properties.kinds, any: true },
    required: ['elsewhere'],
  });
  assert.deepEqual(alsoSet({ tools: { functions: [{ parameters: schema }] } }), [
    'tools.functions.0.parameters.additionalProperties',
    'tools.functions.0.parameters.properties.day.format',
    'tools.functions.0.parameters.properties.kinds.type',
    'tools.functions.0.parameters.properties.kinds.enum',
    'tools.functions.0.parameters.properties.any',
  ]);
  assert.equal(fromParameters({ type: 'object', properties: { a: {} } }, []), undefined);
});
