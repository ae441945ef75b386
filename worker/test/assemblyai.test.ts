// AssemblyAI's streaming recognition by its SDK, against a stand-in: it was never called with an account.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { initializeLogger, stt } from '@livekit/agents';
import { AudioFrame } from '@livekit/rtc-node';
import type { FailedOver, ProviderCheckCreate } from '@switchboard/client';
import { checkApart } from '../check/apart.ts';
import { checkModel } from '../check/check.ts';
import { readConfig } from '../conversation/config.ts';
import { createModels } from '../conversation/models.ts';
import { usedBy } from '../conversation/report.ts';
import { at } from './asking.ts';
import { startAssemblyAi, tell, turn } from './assemblyai.ts';
import { trustedCertificate } from './certificate.ts';
import { until } from './chat-service.ts';

initializeLogger({ pretty: false, level: 'silent' });

const certificate = trustedCertificate();
type Behavior = NonNullable<Parameters<typeof startAssemblyAi>[1]>;

async function start(t: TestContext, behavior?: Behavior) {
  const standIn = await startAssemblyAi(certificate, behavior);
  t.after(standIn.close);
  return standIn;
}

const FRAME = 480;
const RATE = 24_000;
/** Says `seconds` of sound in frames as a call has them. */
function say(stream: stt.SpeechStream, seconds: number): void {
  for (let samples = 0; samples < seconds * RATE; samples += FRAME)
    stream.pushFrame(new AudioFrame(new Int16Array(FRAME).fill(100), RATE, 1, FRAME));
}

/** Listens to a stream of a model: its events as `type text`, what is booked, and its errors. */
function listen(model: stt.STT, connOptions?: { maxRetry: number; retryIntervalMs: number; timeoutMs: number }) {
  const booked: string[] = [];
  const errors: Error[] = [];
  model.on('metrics_collected', (one) => {
    for (const { provider, model: name, unit, quantity } of usedBy(one))
      booked.push(`${provider}/${name} ${unit} ${Number(quantity) > 0}`);
  });
  model.on('error', ({ error }) => errors.push(error));
  const stream = model.stream(connOptions && { connOptions });
  const heard: string[] = [];
  const read = async () => {
    for await (const { type, alternatives } of stream)
      if (type !== stt.SpeechEventType.RECOGNITION_USAGE)
        heard.push(`${stt.SpeechEventType[type]} ${alternatives?.[0]?.text ?? ''}`.trim());
  };
  return { stream, heard, booked, errors, ended: read() };
}

/** Says two turns, the first of them in pieces. */
const speaks: Behavior = {
  hears: (socket, message, seconds) => {
    if (!Buffer.isBuffer(message)) return;
    if (seconds === 0.5) tell(socket, turn(0, 'when do you', false));
    if (seconds !== 1) return;
    tell(socket, turn(0, 'when do you open', true));
    // The same words once more, with marks.
    tell(socket, { ...turn(0, 'When do you open?', true), turn_is_formatted: true });
    tell(socket, turn(1, 'on Sunday', true));
  },
};

test('words, turns and the time that the session was open, in chunks that the provider takes', async (t) => {
  const standIn = await start(t, speaks);
  const { stt: model } = at(standIn, 'stt', { provider: 'assemblyai', language: 'en-US' });
  const { stream, heard, booked, errors, ended } = listen(model as stt.STT);
  say(stream, 1);
  stream.flush();
  say(stream, 0.11);
  stream.endInput();
  await ended;
  assert.deepEqual(heard, [
    'START_OF_SPEECH',
    'INTERIM_TRANSCRIPT when do you',
    'FINAL_TRANSCRIPT when do you open',
    'END_OF_SPEECH',
    'START_OF_SPEECH',
    'FINAL_TRANSCRIPT on Sunday',
    'END_OF_SPEECH',
  ]);
  assert.deepEqual(errors, []);
  assert.deepEqual([...new Set(booked)], ['assemblyai/universal-streaming-english stt_minutes true']);
  const [{ path, headers } = assert.fail('not asked')] = standIn.asked;
  const { pathname, searchParams } = new URL(path, standIn.origin);
  assert.deepEqual([pathname, headers.authorization], ['/v3/ws', 'the-key']);
  assert.deepEqual(Object.fromEntries(searchParams), {
    sample_rate: '16000',
    encoding: 'pcm_s16le',
    speech_model: 'universal-streaming-english',
  });
  // 50 ms of 16,000 samples a second, each of two bytes.
  const chunks = standIn.sent.filter((one) => typeof one === 'number');
  assert.deepEqual(new Set(chunks), new Set([1_600]));
  assert.ok(chunks.length >= 22, `${chunks.length} chunks`);
  const said = standIn.sent.filter((one) => typeof one !== 'number').map(({ type }) => type);
  assert.deepEqual(said, ['ForceEndpoint', 'Terminate']);
});

test('options of the SDK, languages, and formatted turns', async (t) => {
  const standIn = await start(t, speaks);
  const options = { formatTurns: true, keytermsPrompt: ['Ada'], minTurnSilence: 300, webhookUrl: 'https://x.example' };
  const section = { provider: 'assemblyai', model: 'universal-3-5-pro', language: 'pt-BR', options };
  const { stream, heard, ended } = listen(at(standIn, 'stt', section).stt as stt.STT);
  say(stream, 1.1);
  await until(() => heard.length >= 4);
  stream.endInput();
  await ended;
  assert.ok(heard.includes('FINAL_TRANSCRIPT When do you open?'), heard.join());
  const { searchParams } = new URL(standIn.asked[0]?.path ?? '', standIn.origin);
  assert.partialDeepStrictEqual(Object.fromEntries(searchParams), {
    speech_model: 'universal-3-5-pro',
    language_codes: '["pt"]',
    format_turns: 'true',
    keyterms_prompt: '["Ada"]',
    min_turn_silence: '300',
  });
  assert.equal(searchParams.get('webhook_url'), null, 'an option that sends words elsewhere');
  assert.equal(
    (at(standIn, 'stt', { provider: 'assemblyai' }).stt as stt.STT).model,
    'universal-streaming-multilingual',
  );
});

test('a call that ends closes the session, which is not charged any longer', async (t) => {
  const closed = Promise.withResolvers<void>();
  const standIn = await start(t, { hears: (socket) => socket.once('close', () => closed.resolve()) });
  const { stream, ended, errors } = listen(at(standIn, 'stt', { provider: 'assemblyai' }).stt as stt.STT);
  say(stream, 0.2);
  await until(() => standIn.sent.length > 0);
  stream.close();
  await closed.promise;
  await ended;
  assert.deepEqual(errors, []);
});

const again = { maxRetry: 2, retryIntervalMs: 10, timeoutMs: 10_000 };

test('a connection that breaks is made again, and goes on with what was not sent', async (t) => {
  let sessions = 0;
  const standIn = await start(t, {
    hears: (socket, _, seconds) => {
      if (seconds === 0.2 && sessions++ === 0) socket.terminate();
      if (seconds === 0.3) tell(socket, turn(0, 'still here', true));
    },
  });
  const model = at(standIn, 'stt', { provider: 'assemblyai' }).stt as stt.STT;
  const { stream, heard, errors, ended } = listen(model, again);
  say(stream, 0.4);
  await until(() => standIn.asked.length === 2);
  say(stream, 0.5);
  await until(() => heard.some((one) => one.startsWith('FINAL')));
  stream.endInput();
  await ended;
  assert.deepEqual(errors, []);
});

for (const [what, behavior, status] of [
  ['refused with 401', { refuses: () => 401 }, 401],
  ['closed as not authorized', { begins: (socket) => socket.close(1008, 'Unauthorized connection: Invalid key') }, 401],
  [
    'closed as one too many',
    { begins: (socket) => socket.close(1008, 'Unauthorized connection: Too many concurrent sessions') },
    429,
  ],
  [
    'told of a mistake',
    { begins: (socket) => tell(socket, { type: 'Error', error_code: 3006, error: 'Invalid speech_model' }) },
    400,
  ],
] as [string, Behavior, number][])
  test(`a connection that is ${what} fails with the status ${status}`, async (t) => {
    const standIn = await start(t, behavior);
    const { errors, ended } = listen(at(standIn, 'stt', { provider: 'assemblyai' }).stt as stt.STT, again);
    await ended;
    assert.deepEqual(
      errors.map((error) => (error as { statusCode?: number }).statusCode),
      [status],
    );
    // Another attempt may find room.
    assert.equal(standIn.asked.length, behavior.refuses ? 0 : status === 429 ? 3 : 1);
  });

/** A list of AssemblyAI at two addresses. */
async function pair(t: TestContext, first: Behavior, second: Behavior) {
  const standIns = await Promise.all([start(t, first), start(t, second)]);
  const told: FailedOver[] = [];
  const sections = standIns.map(({ origin }, index) => ({
    provider: 'assemblyai',
    model: index === 0 ? 'universal-3-5-pro' : 'universal-streaming-english',
    base_url: origin,
  }));
  const config = readConfig({ config: { stt: sections, fail_over: { first_token_ms: 10_000 } }, variables: {} });
  const baseUrls = new Map(standIns.map(({ origin }) => [origin, 'the-key']));
  const { stt: list } = createModels(config, { keys: { openai: 'unused' }, baseUrls }, (one) => told.push(one));
  return { list: list as stt.STT, told, standIns };
}

for (const [what, first, reason] of [
  ['has no room', { refuses: () => 429 }, 'rate_limit'],
  ['breaks off', { hears: (socket, _, seconds) => void (seconds === 0.5 && socket.terminate()) }, 'error'],
] as [string, Behavior, string][])
  test(`when it ${what}, the next model hears what was said so far`, { timeout: 60_000 }, async (t) => {
    const { list, told, standIns } = await pair(t, first, speaks);
    const { stream, heard, booked, ended } = listen(list);
    say(stream, 1.2);
    await until(() => heard.some((one) => one === 'FINAL_TRANSCRIPT on Sunday'));
    stream.endInput();
    await ended;
    const [from, to] = ['assemblyai/universal-3-5-pro', 'assemblyai/universal-streaming-english'];
    assert.deepEqual(told, [{ kind: 'stt', from, to, reason }]);
    assert.ok(booked.includes(`${to} stt_minutes true`), booked.join());
    assert.equal(booked.includes(`${from} stt_minutes true`), reason === 'error', 'a session that never began is free');
    assert.ok(standIns[1]?.sent.filter((one) => one === 1_600).length);
  });

const ASKED: ProviderCheckCreate = { kind: 'stt', provider: 'assemblyai' };
const checkAt = (base_url: string, quietMs?: number) =>
  checkModel({ ...ASKED, base_url }, { keys: {}, baseUrls: new Map([[base_url, 'the-key']]) }, quietMs);

test('a check: a key that works, one that is refused, an unknown model, nobody there', async (t) => {
  const works = await start(t, {
    hears: (socket, message) => {
      if (!Buffer.isBuffer(message) && message.type === 'ForceEndpoint') tell(socket, turn(0, '', true));
    },
  });
  const { outcome, detail } = await checkAt(works.origin, 200);
  assert.deepEqual([outcome, /refused nothing/.test(detail ?? '')], ['ok', true]);
  for (const [behavior, expected] of [
    [{ refuses: () => 401 }, 'refused_key'],
    [{ begins: (socket) => socket.close(1008, 'Unauthorized connection: the-key') }, 'refused_key'],
    [{ begins: (socket) => socket.close(3006, 'Invalid speech_model') }, 'unknown_model'],
  ] as [Behavior, string][]) {
    const { origin } = await start(t, behavior);
    const { reason, detail: said } = await checkAt(origin);
    assert.equal(reason, expected, said ?? '');
    assert.doesNotMatch(said ?? '', /the-key/);
  }
  const gone = await start(t);
  gone.close();
  assert.equal((await checkAt(gone.origin)).reason, 'unreachable');
  // The SDK speaks by TLS alone.
  const { reason, detail: said } = await checkAt(works.origin.replace('https', 'http'));
  assert.equal(reason, 'wrong_config', said ?? '');
});

test('a check in a process of its own', async (t) => {
  const { origin } = await start(t, { refuses: () => 401 });
  const { reason } = await checkApart({ ...ASKED, base_url: origin }, { keys: {}, baseUrls: new Map([[origin, 'k']]) });
  assert.equal(reason, 'refused_key');
});
