import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { assertRefused, problemsOf } from '../support/answers.ts';
import { logUsage, type UsageFields } from '../support/usage.ts';

const clock = createTestClock('2026-03-01T10:00:00.000Z');
const service = await startService({ clock });

/** The service's form of an amount, given as JSON text. */
async function kept(amount: string): Promise<string> {
  const { status, body } = await logUsage(service, { quantity: amount, unit_cost: amount, total_cost: amount });
  assert.equal(status, 201, JSON.stringify(body));
  assert.deepEqual([body.unit_cost, body.total_cost], [body.quantity, body.quantity]);
  return body.quantity;
}

async function refused(fields: UsageFields): Promise<string[]> {
  return problemsOf(await logUsage(service, fields));
}

test('a logged event has every field, and money as strings', async () => {
  const answer = await logUsage(service, {
    agent_id: 'agent-1',
    quantity: '1250',
    unit_cost: '"0.0000006"',
    total_cost: '0.00075',
  });
  assert.equal(answer.status, 201);
  const { id, ...rest } = answer.body;
  assert.match(id, /^[0-9a-f-]{36}$/);
  assert.deepEqual(rest, {
    session_id: 'session-1',
    user_id: 'user-1',
    agent_id: 'agent-1',
    provider: 'openai',
    event_type: 'llm_tokens',
    quantity: '1250',
    unit_cost: '0.0000006',
    total_cost: '0.00075',
    created_at: '2026-03-01T10:00:00.000Z',
  });
});

test('an event needs no agent, and its session may be unknown', async () => {
  assert.equal((await logUsage(service)).body.agent_id, null);
  assert.equal((await logUsage(service, { agent_id: null })).body.agent_id, null);
  const early = await logUsage(service, { session_id: 'not yet: 世界', agent_id: 'neither' });
  assert.deepEqual([early.status, early.body.session_id, early.body.agent_id], [201, 'not yet: 世界', 'neither']);
});

for (const event_type of ['stt_minutes', 'llm_tokens', 'tts_characters']) {
  test(`${event_type} are accepted`, async () => {
    assert.equal((await logUsage(service, { event_type })).body.event_type, event_type);
  });
}

const NUMBERS: [sent: string, kept: string][] = [
  ['0.123456789012345678', '0.123456789012345678'],
  ['12345678901234567890.5', '12345678901234567890.5'],
  ['99999999999999999999.999999999999999999', '99999999999999999999.999999999999999999'],
  ['12345678901234567890123456789012345678', '12345678901234567890123456789012345678'],
  ['0.1', '0.1'],
  ['1.50', '1.5'],
  ['0.00278680', '0.0027868'],
  ['100', '100'],
  ['100.000', '100'],
  ['0.000', '0'],
  ['1e-7', '0.0000001'],
  ['1e-18', '0.000000000000000001'],
  ['1.5E-3', '0.0015'],
  ['1E+3', '1000'],
  ['1.234e2', '123.4'],
  ['1.5e1', '15'],
  ['0', '0'],
  ['-0.5', '-0.5'],
  ['-1e-7', '-0.0000001'],
];
for (const [sent, expected] of NUMBERS) {
  test(`the number ${sent} is returned as "${expected}"`, async () => assert.equal(await kept(sent), expected));
}

const STRINGS: [sent: string, kept: string][] = [
  ['.5', '0.5'],
  ['5.', '5'],
  ['+1', '1'],
  ['-1', '-1'],
  ['007', '7'],
  ['-.5', '-0.5'],
  ['+00.50', '0.5'],
  ['-0', '0'],
  ['-0.00', '0'],
  [`${'0'.repeat(40)}1`, '1'],
  ['12345678901234567890.123456789012345678', '12345678901234567890.123456789012345678'],
];
for (const [sent, expected] of STRINGS) {
  test(`the numeric string "${sent}" is returned as "${expected}"`, async () =>
    assert.equal(await kept(JSON.stringify(sent)), expected));
}

const NO_DECIMALS = [
  '',
  '.',
  '+',
  '-',
  '+.',
  '-.',
  '1e5',
  ' 1',
  '1 ',
  '1\n',
  '--1',
  '+-1',
  '1.2.3',
  '1,5',
  '0x10',
  'NaN',
  'Infinity',
  '1_000',
  '\u0661\u0662',
  '\uff11',
  '½',
  'null',
  `${'0'.repeat(4000)}x`,
  '0'.repeat(65),
];
for (const text of NO_DECIMALS) {
  test(`${JSON.stringify(text.slice(0, 20))} of ${text.length} characters is not a numeric string`, async () => {
    assert.deepEqual(await refused({ quantity: JSON.stringify(text) }), ['body.quantity decimal_parsing']);
  });
}

const UNFIT: [sent: string, type: string][] = [
  ['0.1234567890123456789', 'decimal_max_places'],
  ['1e-19', 'decimal_max_places'],
  ['1.0000000000000000000', 'decimal_max_places'],
  ['123456789012345678901234567890123456789', 'decimal_max_digits'],
  ['1e38', 'decimal_max_digits'],
  ['999999999999999999999.999999999999999999', 'decimal_max_digits'],
  ['1e300', 'decimal_parsing'],
  ['1e-300', 'decimal_parsing'],
  [`0.${'0'.repeat(80)}1`, 'decimal_parsing'],
  ['1e999', 'finite_number'],
  ['-1e999', 'finite_number'],
  ['null', 'decimal_type'],
  ['true', 'decimal_type'],
  ['[]', 'decimal_type'],
  ['{}', 'decimal_type'],
];
for (const [sent, type] of UNFIT) {
  test(`${sent.slice(0, 45)} is refused: ${type}`, async () => {
    assert.deepEqual(await refused({ total_cost: sent }), [`body.total_cost ${type}`]);
  });
}

test('strings and numbers have the same limits', async () => {
  assert.deepEqual(await refused({ unit_cost: '"0.1234567890123456789"' }), ['body.unit_cost decimal_max_places']);
  assert.deepEqual(await refused({ unit_cost: `"${'9'.repeat(39)}"` }), ['body.unit_cost decimal_max_digits']);
  assert.deepEqual(await refused({ unit_cost: '"1e999"' }), ['body.unit_cost decimal_parsing']);
});

test('missing fields and wrong types are all reported at once', async () => {
  assert.deepEqual(problemsOf(await service.request('POST', '/api/usage/events', { body: {} })), [
    'body.event_type missing',
    'body.provider missing',
    'body.quantity missing',
    'body.session_id missing',
    'body.total_cost missing',
    'body.unit_cost missing',
    'body.user_id missing',
  ]);
  const wrong = {
    session_id: 1,
    user_id: '',
    agent_id: 5,
    provider: null,
    event_type: 'video',
    quantity: 'x',
    unit_cost: [],
  };
  assert.deepEqual(problemsOf(await service.request('POST', '/api/usage/events', { body: wrong })), [
    'body.agent_id string_type',
    'body.event_type enum',
    'body.provider string_type',
    'body.quantity decimal_parsing',
    'body.session_id string_type',
    'body.total_cost missing',
    'body.unit_cost decimal_type',
    'body.user_id string_too_short',
  ]);
});

test('text that cannot be stored or is too long is refused', async () => {
  assert.deepEqual(await refused({ session_id: 'a\0' }), ['body.session_id string_nul']);
  assert.deepEqual(await refused({ agent_id: '' }), ['body.agent_id string_too_short']);
  assert.deepEqual(await refused({ agent_id: '\0' }), ['body.agent_id string_nul']);
  assert.deepEqual(await refused({ provider: 'x'.repeat(256) }), ['body.provider string_too_long']);
});

test('an event for a user other than the header’s is a 403', async () => {
  const body = {
    session_id: 's',
    user_id: 'user-1',
    provider: 'p',
    event_type: 'llm_tokens',
    quantity: 1,
    unit_cost: 1,
    total_cost: 1,
  };
  assertRefused(await service.request('POST', '/api/usage/events', { user: 'mallory', body }), 403, 'wrong_user');
});

test('unknown fields are ignored, whatever numbers they hold', async () => {
  const body =
    '{"session_id":"s","user_id":"user-1","provider":"p","event_type":"llm_tokens","quantity":1,"unit_cost":1,"total_cost":1,' +
    '"created_at":"1999-01-01T00:00:00Z","id":"mine","model":{"quantity":1e999}}';
  const answer = await service.request('POST', '/api/usage/events', { body });
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  assert.equal(answer.body.created_at, '2026-03-01T10:00:00.000Z');
  assert.notEqual(answer.body.id, 'mine');
});
