import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRedactor } from '../src/index.ts';
import { redactJson } from '../src/json.ts';
import { patternProblem } from '../src/patterns.ts';
import { KINDS } from '../src/types.ts';
import { HARMLESS, MISTAKEN } from './harmless.ts';
import { redactMarked } from './planted.ts';
import { type Language, MISSED, SECRETS } from './secrets.ts';

for (const { form, language, lines } of SECRETS)
  test(`${language}: ${form}: ${[lines].flat()[0]?.slice(0, 40)}`, () => {
    const redacted = redactMarked(lines, language);
    assert.deepEqual(
      redacted.map(({ text }) => text),
      redacted.map(({ expected }) => expected),
    );
  });

for (const [language, lines] of Object.entries(HARMLESS))
  test(`${language}: harmless lines stay as they are`, () => {
    for (const line of lines) {
      const [redacted] = redactMarked(line, language as Language);
      assert.equal(redacted?.text, line);
    }
  });

test('what the page calls missed and mistaken is', () => {
  for (const { lines, language } of MISSED)
    assert.ok(redactMarked(lines, language).some(({ text, expected }) => text !== expected));
  for (const { line, language } of MISTAKEN) assert.equal(redactMarked(line, language)[0]?.spans.length, 1, line);
});

test('there are twelve forms and more, and four languages', () => {
  assert.ok(new Set(SECRETS.map(({ form }) => form)).size >= 12);
  assert.equal(new Set(SECRETS.map(({ language }) => language)).size, 4);
});

test('spans say where the secrets were', () => {
  const text = 'Card 4242424242424242 of ann@example.com';
  const { spans } = createRedactor({ kinds: KINDS }).redact(text);
  assert.deepEqual(
    spans.map(({ kind, from, to }) => [kind, text.slice(from, to)]),
    [
      ['card', '4242424242424242'],
      ['email', 'ann@example.com'],
    ],
  );
});

test('only the kinds that are asked for are replaced', () => {
  const text = 'Card 4242424242424242 of ann@example.com';
  assert.equal(createRedactor({ kinds: ['email'] }).redact(text).text, 'Card 4242424242424242 of [email]');
  assert.equal(createRedactor({ kinds: [] }).redact(text).text, text);
});

test('what is redacted stays as it is', () => {
  const redactor = createRedactor({ kinds: KINDS });
  for (const line of ['My card is [card], expiry 12/28.', '[phone]', 'It’s [email].'])
    assert.equal(redactor.redact(line).text, line);
});

test('a conversation that is redacted stays as it is, and placeholders ask for no number', () => {
  for (const { lines, language } of SECRETS) {
    const conversation = createRedactor({ kinds: KINDS, language }).conversation();
    for (const { expected } of redactMarked(lines, language))
      assert.equal(conversation.redact('USER', expected).text, expected);
  }
  const conversation = createRedactor({ kinds: KINDS }).conversation();
  for (const line of ['Send it to [iban] today.', 'The code is 4821.', 'numero=[card]&total=19.90'])
    assert.equal(conversation.redact('USER', line).text, line);
});

test('a number of one speaker is not continued by another one', () => {
  const conversation = createRedactor({ kinds: KINDS }).conversation();
  assert.equal(conversation.redact('USER', '4242 4242').text, '4242 4242');
  assert.equal(conversation.redact('AGENT', '4242 4242').text, '4242 4242');
});

test('a card whose check digit is wrong stays, unless it was asked for', () => {
  const conversation = createRedactor({ kinds: ['card'] }).conversation();
  assert.equal(conversation.redact('USER', '4242 4242 4242 4241').text, '4242 4242 4242 4241');
  conversation.redact('AGENT', 'Your card number, please?');
  assert.equal(conversation.redact('USER', '4242 4242 4242 4241').text, '[card]');
});

test('no digit stays of two phone numbers that contain the digits of a card by chance', () => {
  const { redact } = createRedactor({ kinds: KINDS });
  assert.equal(redact('Call 512-555-0185, 212-555-0146.').text, 'Call [card].');
  const spoken = 'two oh two five five five oh one four two, four one five five five five oh one nine nine';
  assert.equal(redact(`Call ${spoken}.`).text, 'Call [card].');
});

test('an “oh” before “and” is a digit', () => {
  const text = 'Call two oh two five five five oh one one oh and two oh two five five five oh one oh oh.';
  assert.equal(createRedactor({ kinds: KINDS }).redact(text).text, 'Call [phone] and [phone].');
});

test('JSON keeps its shape: texts and numbers inside are redacted', () => {
  const { redact } = createRedactor({ kinds: KINDS });
  assert.deepEqual(
    redactJson(
      { card: 4242424242424242, list: ['ann@example.com', 7, null, true], deep: { note: 'no' } },
      (text) => redact(text).text,
    ),
    { card: '[card]', list: ['[email]', 7, null, true], deep: { note: 'no' } },
  );
});

test('patterns of an agent are replaced by their names, whatever their case', () => {
  const redactor = createRedactor({ kinds: [], custom: [{ name: 'member_id', pattern: String.raw`\bM-\d{6}\b` }] });
  assert.equal(redactor.redact('It is m-123456.').text, 'It is [member_id].');
});

test('a pattern that backtracking would hang on takes linear time', () => {
  const redactor = createRedactor({ kinds: [], custom: [{ name: 'evil', pattern: '^(a+)+$' }] });
  const text = `${'a'.repeat(5_000)}b`;
  // A backtracking engine would need 2^5000 steps: this ends, or the test never does.
  assert.equal(redactor.redact(text).text, text);
});

test('a pattern that cannot be used is refused with the reason', () => {
  assert.equal(patternProblem(String.raw`\bM-\d{6}\b`), null);
  assert.match(patternProblem('(a') ?? '', /missing closing \)/);
  assert.match(patternProblem('(?=a)b') ?? '', /\(\?=/);
  assert.match(patternProblem('(a)\\1') ?? '', /\\1/);
  assert.match(patternProblem('(a{1000}){1000}') ?? '', /repeat/);
  assert.match(patternProblem('((a{100}){10}){2}') ?? '', /repeat/);
  assert.match(patternProblem('a*') ?? '', /empty text/);
  assert.match(patternProblem('') ?? '', /1 to 500/);
  assert.match(patternProblem('a'.repeat(501)) ?? '', /1 to 500/);
});
