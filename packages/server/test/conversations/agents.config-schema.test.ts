import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { startService } from '@switchboard/testkit/service.ts';
import { Compile } from 'typebox/compile';
import { AgentConfig } from '../../src/conversations/agents/config-schema.ts';

const service = await startService();
const schema = (await service.request('GET', '/api/schemas/agent-config')).body;
const example = schema.examples[0];

async function check(config: object) {
  const { status, body } = await service.request('POST', '/api/schemas/agent-config/validate', { body: { config } });
  assert.equal(status, 200, JSON.stringify(body));
  assert.equal(body.valid, body.problems.length === 0);
  return body;
}

async function problems(config: object): Promise<string[]> {
  const found: { loc: unknown[]; type: string }[] = (await check(config)).problems;
  return found.map(({ loc, type }) => `${loc.join('.')} ${type}`);
}

test('the schema is a complete JSON schema document: another validator agrees with the service', async () => {
  assert.equal(schema.$schema, 'https://json-schema.org/draft/2020-12/schema');
  const alone = Compile(schema);
  const wrong = { ...example, llm: { provider: 'nobody' } };
  for (const config of [example, {}, wrong, { tools: { functions: [{ name: '1' }] } }, { mine: 1 }])
    assert.equal(alone.Check(config), Compile(AgentConfig).Check(config), JSON.stringify(config));
  assert.deepEqual([alone.Check(example), alone.Check(wrong)], [true, false]);
  const keywords = JSON.stringify(schema);
  for (const own of ['callback_url', 'phone_number"}', 'decimal', '~kind']) assert.ok(!keywords.includes(own), own);
});

test('a recording can be silent only while tools run that the agent has', async () => {
  const tools = { hang_up: true, call_back: {}, collect_digits: [{ name: 'pin' }], functions: [{ name: 'pay' }] };
  const pause_on = ['pay', 'pai', 'collect_pin', 'hang_up', 'send_dtmf', 'propose_call_back', 'sensitive_digits'];
  const found = await problems({ tools, recording: { enabled: true, pause_on } });
  assert.deepEqual(
    found.filter((one) => one.includes('pause_on')),
    ['config.recording.pause_on.1 value_error', 'config.recording.pause_on.4 value_error'],
  );
  const body = { name: 'A', user_id: 'user-1', config: { recording: { pause_on: ['pai'] } } };
  const refused = await service.request('POST', '/api/agents/', { body });
  assert.deepEqual([refused.status, refused.body.detail[0].loc], [422, ['body', 'config', 'recording', 'pause_on', 0]]);
});

test('sounds are those of the worker or files of its folder; another name is refused with those that there are', async () => {
  const sounds = { background: 'office', thinking: 'file:typing-2.wav', hold: 'music', hold_volume: 0.5 };
  assert.deepEqual(await problems({ sounds }), []);
  const wrong = { background: 'offce', thinking: 'file:../x.ogg', hold: 'file:.ogg', thinking_volume: 9 };
  assert.deepEqual((await problems({ sounds: wrong })).sort(), [
    'config.sounds.background value_error',
    'config.sounds.hold value_error',
    'config.sounds.thinking value_error',
    'config.sounds.thinking_volume less_than_equal',
  ]);
  const names = ['', 'keyboard', 'file:x', 'file:x.aac', 'file:a/b.ogg', 'https://example.com/x.ogg', 'file:x.ogg\n'];
  for (const background of names)
    assert.deepEqual(await problems({ sounds: { background } }), ['config.sounds.background value_error'], background);
});

test('an agent is neither created nor updated nor published with a sound that no worker can have', async () => {
  const config = { sounds: { hold: 'jazz' } };
  const ask = (method: string, path: string, body: object) =>
    service.request(method, `/api/agents/${path}`, { user: 'user-1', body });
  const { id } = (await ask('POST', '', { name: 'A', user_id: 'user-1', config: { sounds: { hold: 'music' } } })).body;
  const refused = [await ask('POST', '', { name: 'A', user_id: 'user-1', config }), await ask('PATCH', id, { config })];
  for (const { status, body } of refused) {
    assert.deepEqual([status, body.detail[0].loc], [422, ['body', 'config', 'sounds', 'hold']]);
    assert.match(body.detail[0].msg, /music, or file:/);
  }
  assert.equal((await ask('PUT', `${id}/draft`, { name: 'A', config })).status, 200);
  const published = await ask('POST', `${id}/versions`, { note: 'Jazz' });
  assert.deepEqual([published.status, JSON.stringify(published.body).includes('"sounds","hold"')], [422, true]);
});

test('a valid configuration has no problems, and its variables are listed', async () => {
  assert.deepEqual(await check(example), { valid: true, problems: [], variables: ['clinic', 'first_name'] });
  assert.deepEqual(await check({}), { valid: true, problems: [], variables: [] });
  const texts = { silence: { timeout_s: 5, message: '{{ b }}' }, voicemail: { message: '{{a}} {{a}}' } };
  assert.deepEqual((await check(texts)).variables, ['a', 'b']);
});

test('the configuration in the worker’s README is valid', async () => {
  const readme = await readFile(new URL('../../../../worker/README.md', import.meta.url), 'utf8');
  const config = JSON.parse(/^```json\n(.*?)^```$/ms.exec(readme)?.[1] ?? '');
  assert.deepEqual(await check(config), { valid: true, problems: [], variables: ['clinic', 'first_name'] });
});

test('headers of an inbound call are variables that nobody is asked for', async () => {
  const config = { greeting: 'Hello {{sip.x-account}}, {{ name }}.', instructions: '{{sip.X}}{{tel.x}}' };
  const { valid, problems, variables } = await check(config);
  assert.deepEqual([valid, variables], [false, ['name']]);
  assert.deepEqual(
    problems.map(({ input }: { input: string }) => input),
    ['{{sip.X}}', '{{tel.x}}'],
  );
});

test('every documented section is known', () => {
  assert.deepEqual(Object.keys(schema.properties).sort(), [
    'compliance',
    'extractors',
    'fail_over',
    'greeting',
    'inbound',
    'instructions',
    'language',
    'limits',
    'llm',
    'privacy',
    'realtime',
    'recording',
    'report_waits_for_analyses',
    'screening',
    'silence',
    'sounds',
    'stt',
    'tools',
    'transfer',
    'tts',
    'turn_detection',
    'voicemail',
  ]);
});

for (const [what, config, expected] of [
  ['a provider that no worker has', { llm: { provider: 'nobody' } }, ['config.llm.provider enum']],
  ['a misspelled field of a section', { llm: { modle: 'x' } }, ['config.llm.modle extra_forbidden']],
  ['a misspelled section', { instrutions: 'Be brief.' }, ['config.instrutions extra_forbidden']],
  ['a section that is no object', { tts: 'nova' }, ['config.tts dict_type']],
  ['a text that is none', { greeting: 5 }, ['config.greeting string_type']],
  ['a base_url of another scheme', { llm: { base_url: 'ftp://x' } }, ['config.llm.base_url string_pattern_mismatch']],
  ['a language that is none', { language: 'English!' }, ['config.language string_pattern_mismatch']],
  [
    'a function without an address, the second',
    { tools: { functions: [example.tools.functions[0], { name: 'f', description: 'd' }] } },
    ['config.tools.functions.1.url missing'],
  ],
  [
    'an address that is a number',
    { tools: { functions: [{ name: 'f', description: 'd', url: 5 }] } },
    ['config.tools.functions.0.url string_type'],
  ],
  [
    'parameters that are no schema of an object',
    { tools: { functions: [{ name: 'f', description: 'd', url: 'http://x', parameters: { type: 'string' } }] } },
    ['config.tools.functions.0.parameters.type enum'],
  ],
  [
    'a destination that is no number',
    { tools: { transfer: { destinations: [{ name: 'a', phone_number: '911' }] } } },
    ['config.tools.transfer.destinations.0.phone_number string_pattern_mismatch'],
  ],
  ['a list without models', { llm: [] }, ['config.llm too_short']],
  ['a list of too many', { llm: [{}, {}, {}, {}, {}] }, ['config.llm too_long']],
  [
    'a misspelled field, in the second of a list',
    { tts: [{}, { modle: 'x' }] },
    ['config.tts.1.modle extra_forbidden'],
  ],
  ['a model of a list that is no object', { stt: [{ model: 'a' }, 'b'] }, ['config.stt.1 dict_type']],
  [
    'a provider that speaks, in a list of those that listen',
    { stt: [{}, { provider: 'mistral' }] },
    ['config.stt.1.provider enum'],
  ],
  [
    'a provider without speech-to-speech models, in a list of them',
    { realtime: [{}, { provider: 'mistral' }] },
    ['config.realtime.1.provider enum'],
  ],
  ['a provider whose models have no default', { llm: { provider: 'groq' } }, ['config.llm.model missing']],
  ['the same in a list', { llm: [{}, { provider: 'azure' }] }, ['config.llm.1.model missing']],
  ['a reason that there is not', { fail_over: { on: ['error', 'never'] } }, ['config.fail_over.on.1 enum']],
  ['no time at all', { fail_over: { first_token_ms: 0 } }, ['config.fail_over.first_token_ms greater_than_equal']],
  ['a variable with a space', { greeting: 'Hello {{first name}}' }, ['config.greeting value_error']],
  [
    'several at once',
    { stt: { provider: 1 }, voicemail: { action: 'x' }, llm: { temperature: 3 } },
    ['config.stt.provider string_type', 'config.llm.temperature less_than_equal', 'config.voicemail.action enum'],
  ],
] as [string, object, string[]][]) {
  test(`${what}: one problem, with its path`, async () => {
    assert.deepEqual((await problems(config)).sort(), [...expected].sort());
  });
}

test('a list of models has no problems, and neither validator sees any', async () => {
  const llm = [{ model: 'a' }, { provider: 'groq', model: 'b' }];
  const realtime = [{ provider: 'google' }, {}];
  const config = { stt: [{}], llm, tts: [{}, {}], realtime, fail_over: { on: ['timeout'], first_token_ms: 900 } };
  assert.deepEqual(await problems(config), []);
  assert.ok(Compile(schema).Check(config));
});

test('custom fields are not problems, and agents need not follow the schema', async () => {
  assert.deepEqual(await problems({ crm: { id: 7 }, llm: { options: { top_k: 5 } } }), []);
  const body = { name: 'A', user_id: 'u', config: { llm: { provider: 'nobody' } } };
  assert.equal((await service.request('POST', '/api/agents/', { body })).status, 201);
});

test('a body that is not a configuration is a 422', async () => {
  for (const body of [{}, { config: 'x' }, { config: [] }, { config: {}, more: 1 }])
    assert.equal((await service.request('POST', '/api/schemas/agent-config/validate', { body })).status, 422);
});

test('a configuration with thousands of mistakes is not valid, and the first hundred are reported', async () => {
  const fields = (count: number, name: (index: number) => string) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [name(index), 1]));
  const text = '{{}}'.repeat(16_000);
  for (const config of [
    { llm: fields(15_000, (index) => `k${index}`) },
    { instructions: text, greeting: text, silence: { timeout_s: 1, message: text }, voicemail: { message: text } },
    fields(1_200, (index) => `gr${index.toString(36).padStart(2, '0')}ting`),
  ]) {
    const { valid, problems: found } = await check(config);
    assert.deepEqual([valid, found.length], [false, 100], Object.keys(config)[0]);
  }
});
