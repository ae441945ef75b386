// Providers that are busy, silent, or break off in the middle: the caller gets the continuation from the next one.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { initializeLogger, llm, type metrics, stt, type tts } from '@livekit/agents';
import { AudioFrame } from '@livekit/rtc-node';
import type { FailedOver } from '@switchboard/client';
import { readConfig } from '../conversation/config.ts';
import { usedBy } from '../conversation/report.ts';
import { missingFestival, PCM_RATE, speak } from '../local/voice.ts';
import { type Answer, breaksAfter, busy, listed, over, pair, says, silent } from './lists.ts';
import { completion, type StandIn, startStandIn } from './stand-in.ts';

initializeLogger({ pretty: false, level: 'silent' });

/** The answer of a list of models, and what is booked: `model unit quantity`. */
async function ask(model: unknown) {
  const used: string[] = [];
  const book = (one: metrics.AgentMetrics) => {
    for (const { model: name, unit, quantity } of usedBy(one)) used.push(`${name} ${unit} ${quantity}`);
  };
  const list = model as llm.LLM;
  list.on('metrics_collected', book);
  const chatCtx = llm.ChatContext.empty();
  chatCtx.addMessage({ role: 'user', content: 'When is it?' });
  let failed: unknown;
  list.on('error', ({ error }) => {
    failed = error;
  });
  const { text } = await list.chat({ chatCtx }).collect();
  list.off('metrics_collected', book);
  return { text, used, failed };
}

const SECOND = ['second llm_input_tokens 10', 'second llm_output_tokens 3'];

for (const [what, answer, reason] of [
  ['is busy', busy, 'rate_limit'],
  ['says nothing', silent, 'timeout'],
  ['is broken', (response) => response.writeHead(503).end('{}'), 'error'],
] as [string, Answer, string][])
  test(`a language model that ${what} is replaced by the next one, to which the usage is booked`, async (t) => {
    const list = await pair('llm', [answer, says('At ', 'ten.')]);
    t.after(list.close);
    assert.deepEqual(await ask(list.llm), { text: 'At ten.', used: SECOND, failed: undefined });
    assert.deepEqual(list.told, [over('llm', reason)]);
    const { model, provider } = list.llm as llm.LLM;
    assert.deepEqual([model, provider], ['second', new URL(list.standIns[1]?.origin ?? '').host]);
    // The next answer does not wait for the first one again.
    await ask(list.llm);
    assert.deepEqual(list.asked(), [1, 2]);
  });

for (const [what, continued] of [
  ['continues', ['Tues', 'day at ten.']],
  ['repeats it', ['Your appointment', ' is on ', 'Tuesday at ten.']],
] as [string, string[]][])
  test(`an answer that breaks off is completed by the next model, which ${what}: nothing is said twice`, async (t) => {
    const list = await pair('llm', [breaksAfter('Your appoint', 'ment is ', 'on Tue'), says(...continued)]);
    t.after(list.close);
    const { text, used } = await ask(list.llm);
    assert.equal(text, 'Your appointment is on Tuesday at ten.');
    assert.deepEqual(used, SECOND);
    assert.deepEqual(list.told, [over('llm', 'error')]);
    const { messages } = list.standIns[1]?.asked[0]?.body ?? {};
    assert.deepEqual(messages.slice(0, 2), [
      { role: 'user', content: 'When is it?' },
      { role: 'assistant', content: 'Your appointment is on ' },
    ]);
    assert.match(messages[2].content, /Continue it exactly where it stops/);
  });

test('an answer in a language without spaces is spoken while it comes, and continued', async (t) => {
  const list = await pair('llm', [breaksAfter('ご予約は', '火曜'), says('日の十時です。')]);
  t.after(list.close);
  assert.equal((await ask(list.llm)).text, 'ご予約は火曜日の十時です。');
  assert.equal(list.standIns[1]?.asked[0]?.body.messages[1].content, 'ご予約は火曜');
});

test('an answer that stops without an end is completed as well', async (t) => {
  const stops: Answer = (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(`data: ${JSON.stringify(completion([{ content: 'It is at ' }])[0])}\n\n`);
  };
  const list = await pair('llm', [stops, says('ten.')], { first_token_ms: 3_000 });
  t.after(list.close);
  assert.equal((await ask(list.llm)).text, 'It is at ten.');
  assert.deepEqual(list.told, [over('llm', 'timeout')]);
});

test('a failure that is not listed in fail_over.on stays one, and so does that of all models', async (t) => {
  const list = await pair('llm', [busy, says('At ten.')], { on: ['timeout'] });
  t.after(list.close);
  const { text, failed } = await ask(list.llm);
  assert.equal(text, '');
  assert.match(String(failed), /429/);
  assert.deepEqual([list.told, list.asked()], [[], [1, 0]]);
  const all = await pair('llm', [busy, busy]);
  t.after(all.close);
  assert.match(String((await ask(all.llm)).failed), /429/);
  assert.deepEqual(all.asked(), [1, 1]);
});

const RATE = 24_000;
/** Sound whose samples say how far it is. */
const sound = (from: number, to: number) =>
  Buffer.from(Int16Array.from({ length: (to - from) * RATE }, (_, index) => from * 100 + index / (RATE / 100)).buffer);

for (const [what, answer, reason] of [
  ['is busy', busy, 'rate_limit'],
  ['says nothing', silent, 'timeout'],
  [
    'breaks off',
    (response) => {
      response.writeHead(200, { 'content-type': 'audio/pcm', 'content-length': 3 * 2 * RATE });
      response.write(sound(0, 1), () => response.socket?.destroy());
    },
    'error',
  ],
] as [string, Answer, string][])
  test(`of a voice that ${what}, the next one says the rest of the sentence`, async (t) => {
    const speaks: Answer = (response) => response.writeHead(200, { 'content-type': 'audio/pcm' }).end(sound(0, 3));
    const list = await pair('tts', [answer, speaks]);
    t.after(list.close);
    const used: string[] = [];
    const voice = list.tts as tts.TTS;
    voice.on('metrics_collected', (one) => {
      if (one.label !== voice.label) used.push(...usedBy(one).map(({ model, quantity }) => `${model} ${quantity}`));
    });
    voice.on('error', () => {});
    const heard: number[] = [];
    for await (const { frame } of voice.synthesize('We open at ten on Sunday.')) heard.push(...frame.data);
    assert.ok(Math.abs(heard.length / RATE - 3) < 0.05, `${heard.length / RATE} s`);
    // Whichever voice says it, the sentence goes on from where it was.
    const jumps = heard.flatMap((sample, at) => (Math.abs(sample - at / (RATE / 100)) > 10 ? [at / RATE] : []));
    assert.deepEqual(jumps.slice(0, 3), []);
    assert.deepEqual(list.told, [over('tts', reason)]);
    assert.ok(used.includes('second 25'), used.join());
    assert.equal(list.standIns[1]?.asked[0]?.body.input, 'We open at ten on Sunday.');
  });

const FRAME = PCM_RATE / 50;

/** Says a sentence to recognizers, in frames, with silence around it; returns what they recognized. */
async function listen(model: unknown, isOver: () => boolean): Promise<string[]> {
  const stream = (model as stt.STT).stream();
  const words = await speak('When do you open on Sunday?');
  const samples = new Int16Array(PCM_RATE + words.length + 2 * PCM_RATE);
  samples.set(words, PCM_RATE);
  const heard: string[] = [];
  const reading = (async () => {
    for await (const { type, alternatives } of stream)
      if (type === stt.SpeechEventType.FINAL_TRANSCRIPT) heard.push(alternatives?.[0]?.text ?? '');
  })();
  for (let at = 0; at < samples.length; at += FRAME) {
    stream.pushFrame(new AudioFrame(samples.slice(at, at + FRAME), PCM_RATE, 1, FRAME));
    // In the order in which the events of a call come: the sockets are read between frames.
    if (at % (10 * FRAME) === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  while (!isOver()) await new Promise((resolve) => setTimeout(resolve, 20));
  stream.endInput();
  await reading;
  return heard;
}

const transcribes: Answer = (response) =>
  response.setHeader('content-type', 'application/json').end('{"text":"When do you open on Sunday?"}');
const options = { skip: missingFestival() ?? false, timeout: 60_000 };

for (const [what, answer, reason] of [
  ['is busy', busy, 'rate_limit'],
  ['says nothing', silent, 'timeout'],
] as [string, Answer, string][])
  test(
    `a recognizer of files that ${what} is replaced by the next one, which gets the sentence`,
    options,
    async (t) => {
      const list = await pair('stt', [answer, transcribes]);
      t.after(list.close);
      const isOver = () => (list.asked()[1] ?? 0) > 0;
      assert.deepEqual(await listen(list.stt, isOver), ['When do you open on Sunday?']);
      assert.deepEqual(list.told, [over('stt', reason)]);
    },
  );

for (const [what, refuses, reason] of [
  ['takes no stream', true, 'rate_limit'],
  ['hears speech and recognizes nothing', false, 'timeout'],
] as [string, boolean, string][])
  test(
    `a recognizer of streams that ${what} is replaced by the next one, which gets the sentence`,
    options,
    async (t) => {
      let frames = 0;
      const first = await startStandIn({
        refuses: () => (refuses ? 429 : null),
        socket: (socket) =>
          socket.on('message', () => {
            frames += 1;
          }),
      });
      let sentence = 0;
      const second = await startStandIn({
        http: ({ body }, response) => {
          sentence = body.length;
          transcribes(response, { method: '', path: '', headers: {}, body: null });
        },
      });
      t.after(() => [first.close(), second.close()]);
      const told: FailedOver[] = [];
      const sections: [StandIn, object][] = [
        [first, { provider: 'deepgram', model: 'first', language: 'en-US' }],
        [second, { model: 'second' }],
      ];
      const { stt: list } = listed('stt', sections, { first_token_ms: refuses ? 10_000 : 3_000 }, (one) =>
        told.push(one),
      );
      assert.deepEqual(await listen(list, () => sentence > 0), ['When do you open on Sunday?']);
      assert.deepEqual(
        told.map(({ reason: why }) => why),
        [reason],
      );
      // The words were said before the second one listened.
      assert.ok(frames >= (refuses ? 0 : 20) && sentence > PCM_RATE, `${frames} frames, ${sentence} characters`);
    },
  );

test('sounds in which no recognizer of streams finds words do not end a list', options, async (t) => {
  let isHeard = false;
  const hears = await startStandIn({
    socket: (socket) => {
      socket.on('message', (data) => String(data).includes('CloseStream') && socket.send('{"type":"Metadata"}'));
      setTimeout(() => {
        const alternatives = [{ transcript: 'Hello.', confidence: 1, words: [{ word: 'hello', start: 0, end: 1 }] }];
        const metadata = { request_id: 'a-request' };
        const event = { type: 'Results', is_final: true, speech_final: true, metadata, channel: { alternatives } };
        socket.send(JSON.stringify(event));
        isHeard = true;
      }, 5_000);
    },
  });
  const deaf = await startStandIn({});
  t.after(() => [hears.close(), deaf.close()]);
  const told: FailedOver[] = [];
  const late = async (ones: StandIn[], on: string[]) => {
    const sections = ones.map((one): [StandIn, object] => [one, { provider: 'deepgram', language: 'en-US' }]);
    isHeard = false;
    const { stt: list } = listed('stt', sections, { on, first_token_ms: 2_000 }, (one) => told.push(one));
    return listen(list, () => isHeard);
  };
  assert.deepEqual(await late([deaf, hears], ['timeout']), ['Hello.']);
  assert.equal(told.length, 1);
  // Nor is the first one given up where a wait is no reason to ask the next one.
  assert.deepEqual(await late([hears, deaf], ['error']), ['Hello.']);
  assert.equal(told.length, 1);
});

test('a list of one is that model, and mistakes in a list are named with their places', () => {
  const config = { llm: [{ model: 'a' }], tts: [], stt: [{}, { model: 1 }, 'x'], fail_over: { on: ['never'] } };
  assert.throws(
    () => readConfig({ config, variables: {} }),
    /stt.1.model must be text; stt.2 must be an object; tts must be an object, or a list of objects; fail_over.on must be a list of error, timeout, rate_limit$/,
  );
  const { llm: alone } = readConfig({ config: { llm: [{ model: 'a' }] }, variables: {} });
  assert.deepEqual(alone, readConfig({ config: { llm: { model: 'a' } }, variables: {} }).llm);
});
