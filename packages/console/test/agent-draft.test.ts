import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  differences,
  editorOf,
  keepEdits,
  overtaken,
  readEdits,
  rebase,
  toFields,
  toPut,
} from '../src/data/agent-draft.ts';

const SAVED = { name: 'Desk', description: null, config: { greeting: 'Hi' } };
const base = toFields(SAVED);
const draft = { ...base, name: 'Mine', configText: '{}' };
const edits = { draft, base, at: '2026-01-01T00:00:00.000Z' };

/** A storage with room for so many characters. */
function createStorage(room: number): Storage {
  const items = new Map<string, string>();
  return {
    length: 0,
    clear: () => items.clear(),
    key: () => null,
    getItem: (key) => items.get(key) ?? null,
    removeItem: (key) => void items.delete(key),
    setItem: (key, text) => {
      if (text.length > room) throw new DOMException('full', 'QuotaExceededError');
      items.set(key, text);
    },
  };
}

test('edits are kept for their agent until they are saved, and broken ones are as none', () => {
  const storage = createStorage(10_000);
  assert.equal(readEdits(storage, 'a'), null);
  assert.equal(keepEdits(storage, 'a', edits), true);
  assert.deepEqual(readEdits(storage, 'a'), edits);
  assert.equal(readEdits(storage, 'b'), null);
  keepEdits(storage, 'a', null);
  assert.equal(readEdits(storage, 'a'), null);
  for (const broken of ['{', 'null', '{"draft":{},"base":{},"at":"x"}']) {
    storage.setItem('switchboard.draft.a', broken);
    assert.equal(readEdits(storage, 'a'), null, broken);
  }
});

test('a browser without room says so', () => {
  assert.equal(keepEdits(createStorage(10), 'a', edits), false);
});

test('edits on newer fields leave theirs alone', () => {
  const theirs = toFields({ ...SAVED, name: 'Theirs', description: 'New' });
  assert.deepEqual(overtaken(edits, theirs), ['name'], 'the description was not edited');
  assert.deepEqual(overtaken(edits, { ...base, name: 'Mine' }), [], 'they saved the same');
  const moved = rebase(edits, theirs);
  assert.deepEqual(moved.draft, { ...theirs, name: 'Mine', configText: '{}' });
  assert.deepEqual(differences(moved.draft, theirs), ['name', 'configText']);
  assert.deepEqual(toPut(moved, 'TTS', {}), { name: 'Mine', description: 'New', config: {} });
});

test('a configuration whose text alone is another, as in the order of its keys, has not been saved by others', () => {
  const saved = toFields({ ...SAVED, config: { instructions: 'Be short.', greeting: 'Hi' } });
  const typed = { ...saved, configText: '{"greeting":"Hi","instructions":"Be short."}' };
  const begun = { ...edits, base: typed, draft: { ...typed, configText: '{"greeting":"Hi",' } };
  assert.deepEqual(overtaken(begun, saved), [], 'nobody has changed what the edits began with');
  const other = toFields({ ...SAVED, config: { instructions: 'Be long.', greeting: 'Hi' } });
  assert.deepEqual(overtaken(begun, other), ['configText']);
  assert.deepEqual(overtaken({ ...edits, base, draft: typed }, saved), [], 'they saved the same');
  assert.deepEqual(overtaken({ ...edits, base, draft: { ...typed, configText: '{' } }, saved), ['configText']);
});

test('a chosen type stays until the configuration changes; the typed text of an equal configuration stays', () => {
  const renamed = { ...edits, draft: { ...base, name: 'Mine' } };
  assert.equal(toPut(renamed, 'TTS', SAVED.config).type, 'TTS');
  assert.equal(toPut({ ...edits, draft: { ...draft, type: 'LLM' } }, 'TTS', {}).type, 'LLM');
  const typed = '{"greeting":   "Hi"}';
  assert.equal(toFields(SAVED, typed).configText, typed);
  assert.equal(toFields({ ...SAVED, config: {} }, typed).configText, '{}');
});

test('who saved a draft is named; in open mode nobody has a name', () => {
  assert.equal(editorOf('Night shift'), 'Night shift');
  for (const unnamed of ['open', null]) assert.equal(editorOf(unnamed), 'Somebody else');
});
