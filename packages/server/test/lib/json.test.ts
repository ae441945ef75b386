import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { firstUnstorable, isObject, type JsonObject, mergePatch, textProblem } from '../../src/lib/json.ts';

// RFC 7386, appendix A: the cases whose target and patch are objects.
const RFC_7386: [target: JsonObject, patch: JsonObject, result: JsonObject][] = [
  [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
  [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
  [{ a: 'b' }, { a: null }, {}],
  [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
  [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
  [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
  [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
  [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
];
for (const [target, patch, result] of RFC_7386) {
  test(`${JSON.stringify(target)} patched with ${JSON.stringify(patch)} is ${JSON.stringify(result)}`, () => {
    assert.deepEqual(mergePatch(target, patch), result);
  });
}

const key = fc.constantFrom('a', 'b', 'c', 'toString', '');
const { object } = fc.letrec<{ value: unknown; object: JsonObject }>((tie) => ({
  value: fc.oneof({ maxDepth: 3 }, fc.constantFrom<unknown>(null, 0, 'text', true, [null], []), tie('object')),
  object: fc.dictionary(key, tie('value'), { maxKeys: 4, noNullPrototype: true }),
}));

function holdsNull(value: unknown): boolean {
  return value === null || (isObject(value) && Object.values(value).some(holdsNull));
}

test('a patch changes neither of its arguments', () => {
  fc.assert(
    fc.property(object, object, (target, patch) => {
      const before = structuredClone({ target, patch });
      mergePatch(target, patch);
      assert.deepEqual({ target, patch }, before);
    }),
  );
});

test('a patch applied twice is a patch applied once', () => {
  fc.assert(
    fc.property(object, object, (target, patch) => {
      const once = mergePatch(target, patch);
      assert.deepEqual(mergePatch(once, patch), once);
    }),
  );
});

test('an empty patch changes nothing, and a patch never adds a null', () => {
  fc.assert(
    fc.property(object, object, (target, patch) => {
      assert.deepEqual(mergePatch(target, {}), target);
      assert.equal(holdsNull(mergePatch({}, patch)), false);
    }),
  );
});

test('a key of Object.prototype is a key like any other', () => {
  const patched = mergePatch(JSON.parse('{"__proto__":{"a":1}}'), JSON.parse('{"__proto__":{"b":2},"constructor":1}'));
  assert.equal(JSON.stringify(patched), '{"__proto__":{"a":1,"b":2},"constructor":1}');
  assert.equal(Object.getPrototypeOf(patched), Object.prototype);
});

test('text is storable unless it has a NUL or a lone surrogate', () => {
  assert.equal(textProblem('\u0001SBCt')?.type, 'string_sealed');
  for (const text of ['', 'text', '👋🏽', '\u0001\u001f\u007f\uffff\ufeff']) assert.equal(textProblem(text), null);
  assert.equal(textProblem('a\0')?.type, 'string_nul');
  for (const text of ['\ud800', 'a\udc00b', '\udc00\ud800', '👋\ud83d'])
    assert.equal(textProblem(text)?.type, 'string_unicode');
});

test('the path of an unstorable value is reported exactly', () => {
  const cases: [value: unknown, path: (string | number)[], type: string][] = [
    ['\0', [], 'string_nul'],
    [{ a: [1, { b: '\ud800' }] }, ['a', 1, 'b'], 'string_unicode'],
    [{ a: { 'b\0': 1 } }, ['a'], 'string_nul'],
    [[1, Number.POSITIVE_INFINITY], [1], 'finite_number'],
    [{ a: Number.NEGATIVE_INFINITY }, ['a'], 'finite_number'],
  ];
  for (const [value, path, type] of cases) {
    const found = firstUnstorable(value);
    assert.deepEqual([found?.path, found?.type], [path, type]);
    assert.ok(found?.msg);
  }
});

test('everything JSON.parse returns for well-formed text without NUL can be stored', () => {
  const storable = fc.jsonValue({ maxDepth: 5 }).filter((value) => !/\\u(0000|d[89a-f])/i.test(JSON.stringify(value)));
  fc.assert(fc.property(storable, (value) => assert.equal(firstUnstorable(value), null)));
});

test('32 levels of objects or lists can be stored, 33 cannot', () => {
  const nest = (levels: number, wrap: (inner: unknown) => unknown) =>
    Array.from({ length: levels }).reduce<unknown>((inner) => wrap(inner), 1);
  for (const wrap of [(inner: unknown) => ({ a: inner }), (inner: unknown) => [inner]]) {
    assert.equal(firstUnstorable(nest(32, wrap)), null);
    assert.equal(firstUnstorable(nest(33, wrap))?.type, 'too_deep');
    assert.equal(firstUnstorable(nest(5_000, wrap))?.type, 'too_deep');
  }
});
