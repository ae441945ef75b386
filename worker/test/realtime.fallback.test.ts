// Speech-to-speech models that refuse, stall or break off: the caller gets the continuation from the next one.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { initializeLogger, voice } from '@livekit/agents';
import type { FailedOver } from '@switchboard/client';
import { readConfig } from '../conversation/config.ts';
import { createModels } from '../conversation/models.ts';
import { report } from '../conversation/report.ts';
import { say } from '../conversation/say.ts';
import { createSession } from '../conversation/session.ts';
import type { Used } from '../switchboard/prices.ts';
import { until } from './chat-service.ts';
import { Loudspeaker, RATE, Silence } from './line.ts';
import { startRealtime } from './realtime-stand-ins.ts';

initializeLogger({ pretty: false, level: 'silent' });

type Kind = Parameters<typeof startRealtime>[0];
type Behavior = NonNullable<Parameters<typeof startRealtime>[1]>;

/** A call with a list of models, each with a kind and a behavior. */
async function start(t: TestContext, ones: [Kind, Behavior][], fail_over: object = {}) {
  const standIns = await Promise.all(ones.map(([kind, behavior]) => startRealtime(kind, behavior)));
  const told: FailedOver[] = [];
  const sections = ones.map(([provider], index) => ({
    provider,
    model: ['first', 'second', 'third'][index],
    base_url: `${standIns[index]?.origin}/v1`,
  }));
  const baseUrls = new Map(sections.map(({ base_url }) => [base_url, 'the-key']));
  const config = readConfig({
    config: { instructions: 'Be brief.', realtime: sections, fail_over: { first_token_ms: 20_000, ...fail_over } },
    variables: {},
  });
  const session = createSession(
    config,
    createModels(config, { keys: {}, baseUrls }, (one) => told.push(one)),
  );
  const [lines, used]: [string[], Used[]] = [[], []];
  report(session, {
    transcript: (speaker, text) => text && lines.push(`${speaker} ${text}`),
    usage: (one) => used.push(one),
  });
  let closed: string | null = null;
  session.on(voice.AgentSessionEventTypes.Close, ({ reason }) => {
    closed = reason;
  });
  const loudspeaker = new Loudspeaker();
  session.input.audio = new Silence();
  session.output.audio = loudspeaker;
  await session.start({ agent: new voice.Agent({ instructions: config.instructions }), record: false });
  t.after(() => {
    session.close().catch(() => {});
    for (const { close } of standIns) close();
  });
  return { session, standIns, told, lines, used, loudspeaker, closed: () => closed };
}

const isAsked = (message: { type?: string; clientContent?: { turnComplete?: boolean } }) =>
  message.type === 'response.create' || message.clientContent?.turnComplete === true;
/** Answers each question with these parts. */
const answers = (...parts: string[]): Behavior => ({
  on: (session, message) => {
    if (isAsked(message)) session.answer(parts, { asked: message });
  },
});
const asked = ({ messages }: { messages: object[] }) => messages.filter(isAsked).map((one) => JSON.stringify(one));

const over = (reason: string, to = 'local/second') => ({ kind: 'realtime', from: 'local/first', to, reason });
const booked = (used: Used[]) => [...new Set(used.map(({ provider, model }) => `${provider}/${model}`))].sort();

for (const [what, behavior, reason, fail_over] of [
  ['refuses the key', { refuses: () => 401 }, 'error'],
  ['has no room', { refuses: () => 429 }, 'rate_limit'],
  ['says nothing', {}, 'timeout', { first_token_ms: 4_000 }],
  ['breaks off before its answer', { on: (session, message) => isAsked(message) && session.cut() }, 'error'],
] as [string, Behavior, string, object?][])
  test(`a speech-to-speech model that ${what} is replaced by the next one, which says the greeting`, {
    timeout: 60_000,
  }, async (t) => {
    const call = await start(
      t,
      [
        ['openai', behavior],
        ['openai', answers('Hello ', 'Ada.')],
      ],
      fail_over,
    );
    say(call.session, 'Hello Ada.');
    await until(() => call.lines.length > 0);
    assert.deepEqual(call.lines, ['AGENT Hello Ada.']);
    assert.deepEqual(call.told, [over(reason)]);
    assert.equal(call.loudspeaker.samples, RATE);
    assert.match(asked(call.standIns[1] ?? assert.fail())[0] ?? '', /word for word.*Hello Ada/);
    await until(() => call.used.length > 0);
    assert.deepEqual(booked(call.used), ['local/second', 'local/second:audio']);
    const { instructions } = call.standIns[1]?.messages.find((one) => one.session?.instructions)?.session ?? {};
    assert.equal(instructions, 'Be brief.');
  });

test('the model that writes down what the caller says is booked under its own name', { timeout: 60_000 }, async (t) => {
  const { standIns, session, lines, used } = await start(t, [
    ['openai', answers('Hello.')],
    ['openai', {}],
  ]);
  say(session, 'Hello.');
  await until(() => lines.length === 1);
  used.length = 0;
  standIns[0]?.sessions.at(-1)?.hear('Good morning.');
  await until(() => used.length >= 3);
  assert.deepEqual(
    used.slice(0, 3).map(({ provider, model, unit, quantity }) => [provider, model, unit, quantity]),
    [
      ['local', 'gpt-4o-mini-transcribe', 'llm_input_tokens', '2'],
      ['local', 'gpt-4o-mini-transcribe', 'llm_output_tokens', '5'],
      ['local', 'gpt-4o-mini-transcribe:audio', 'llm_input_tokens', '18'],
    ],
  );
});

for (const [from, to] of [
  ['openai', 'openai'],
  ['openai', 'google'],
  ['google', 'openai'],
] as [Kind, Kind][])
  test(`an answer of ${from} that breaks off is completed by ${to}, with what was said before`, {
    timeout: 60_000,
  }, async (t) => {
    let questions = 0;
    const first: Behavior = {
      on: (session, message) => {
        if (!isAsked(message)) return;
        if (questions++ === 0) return session.answer(['Hello.'], { asked: message });
        session.answer(['We open ', 'at ten '], { asked: message, ends: false });
      },
    };
    const call = await start(t, [
      [from, first],
      [to, answers('on Sunday.')],
    ]);
    say(call.session, 'Hello.');
    await until(() => call.lines.length === 1);
    call.session.generateReply({ instructions: 'Say when we open.' });
    await until(() => call.loudspeaker.samples >= 1.5 * RATE);
    // Google's plugin has connected twice.
    call.standIns[0]?.sessions.at(-1)?.cut();
    await until(() => call.lines.length === 3);
    assert.deepEqual(
      call.lines.map((line) => line.trim()),
      ['AGENT Hello.', 'AGENT We open at ten', 'AGENT on Sunday.'],
    );
    const name = (kind: Kind, model: string) => (kind === 'google' ? `google/${model}` : `local/${model}`);
    assert.deepEqual(call.told, [
      { kind: 'realtime', from: name(from, 'first'), to: name(to, 'second'), reason: 'error' },
    ]);
    const [question = ''] = asked(call.standIns[1] ?? assert.fail()).slice(-1);
    assert.match(question, /You have said: .*We open at ten .*Continue exactly where that stops.*Say when we open/);
    const context = JSON.stringify(call.standIns[1]?.messages);
    assert.match(context, /Hello\./, 'what was said before');
    await until(() => call.used.some(({ model }) => model.startsWith('second')));
    // Speech tokens have a name of their own.
    assert.deepEqual(
      new Set(booked(call.used).map((one) => one.replace(':audio', ''))),
      new Set([name(from, 'first'), name(to, 'second')]),
    );
  });

test('what the caller said, and nobody answered, is heard by the next model, and told once', {
  timeout: 60_000,
}, async (t) => {
  const second: Behavior = {
    on: (session, message) => {
      if (message.type !== 'input_audio_buffer.append' || call.standIns[1]?.heard() !== 5) return;
      session.hear('When do you open?');
      session.answer(['At ten.']);
    },
  };
  const call = await start(t, [
    ['openai', {}],
    ['openai', second],
  ]);
  const [first] = call.standIns;
  await until(() => (first?.heard() ?? 0) >= 6);
  first?.sessions[0]?.hear('When do you open?');
  await until(() => call.lines.length === 1);
  first?.sessions[0]?.cut();
  await until(() => call.lines.length === 2);
  assert.deepEqual(call.lines, ['USER When do you open?', 'AGENT At ten.']);
  assert.deepEqual(call.told, [over('error')]);
});

test('an answer that the provider fails, because of a limit, comes from the next model', {
  timeout: 60_000,
}, async (t) => {
  const fails: Behavior = {
    on: (session, message) => {
      if (!isAsked(message)) return;
      const response = { id: 'r', metadata: message.response.metadata };
      const error = { type: 'requests', code: 'rate_limit_exceeded', message: 'Rate limit reached.' };
      session.send({ type: 'response.created', response: { ...response, status: 'in_progress' } });
      session.send({
        type: 'response.done',
        response: { ...response, status: 'failed', status_details: { type: 'failed', error } },
      });
    },
  };
  const call = await start(t, [
    ['openai', fails],
    ['openai', answers('Hello Ada.')],
  ]);
  say(call.session, 'Hello Ada.');
  await until(() => call.lines.length > 0);
  assert.deepEqual([call.lines, call.told], [['AGENT Hello Ada.'], [over('rate_limit')]]);
});

test('the call of a tool that takes long, piece by piece, is no stall', { timeout: 60_000 }, async (t) => {
  let pieces = 0;
  const calls: Behavior = {
    on: async (session, message) => {
      if (!isAsked(message)) return;
      session.answer(['One moment.'], { asked: message, ends: false });
      for (; pieces < 12; pieces++) {
        session.send({ type: 'response.function_call_arguments.delta', item_id: 'i', output_index: 1, delta: '1' });
        await sleep(600);
      }
    },
  };
  const call = await start(
    t,
    [
      ['openai', calls],
      ['openai', answers('No.')],
    ],
    { first_token_ms: 5_000 },
  );
  say(call.session, 'One moment.');
  await until(() => pieces === 12);
  assert.deepEqual(call.told, []);
});

test('a third model takes over from the second', { timeout: 60_000 }, async (t) => {
  const call = await start(t, [
    ['openai', { refuses: () => 503 }],
    ['google', { on: (session, message) => message.setup && session.close(1011, 'RESOURCE_EXHAUSTED: quota') }],
    ['openai', answers('Hello Ada.')],
  ]);
  say(call.session, 'Hello Ada.');
  await until(() => call.lines.length > 0);
  assert.deepEqual(
    call.told.map(({ from, to, reason }) => [from, to, reason]),
    [
      ['local/first', 'google/second', 'error'],
      ['google/second', 'local/third', 'rate_limit'],
    ],
  );
});

test('a failure that is not listed in fail_over.on ends the session, and so does that of all models', {
  timeout: 60_000,
}, async (t) => {
  const broken: Behavior = { refuses: () => 503 };
  const listed = await start(
    t,
    [
      ['openai', broken],
      ['openai', answers('Hello.')],
    ],
    { on: ['timeout'] },
  );
  const all = await start(t, [
    ['openai', broken],
    ['openai', broken],
  ]);
  await until(() => listed.closed() !== null && all.closed() !== null);
  assert.deepEqual([listed.told, all.told], [[], [over('error')]]);
  assert.deepEqual([listed.closed(), all.closed()], ['error', 'error']);
});
