/** A check of one model: the smallest request of its kind, by the code that creates the models of calls. */
import type { EventEmitter } from 'node:events';
import { APIError, APITimeoutError, llm, stt, type tts } from '@livekit/agents';
import { AudioFrame } from '@livekit/rtc-node';
import type { ProviderCheckCreate } from '@switchboard/client';
import { readConfig } from '../conversation/config.ts';
import { once } from '../conversation/fallback/order.ts';
import { handle } from '../conversation/fallback/tts.ts';
import { createModel, type ModelSettings } from '../conversation/models.ts';
import type { Checked } from './apart.ts';
import { explain } from './explain.ts';
import { noteRefusals } from './refusals.ts';

/** Shorter than the service waits. */
const WITHIN_MS = 15_000;
/** A provider that refuses a key says so when it is connected to. */
const QUIET_MS = 8_000;
const CONNECT_MS = 5_000;
const RATE = 16_000;

/** Returns what a model has answered to; never throws. */
export async function checkModel(
  asked: ProviderCheckCreate,
  settings: ModelSettings,
  quietMs = QUIET_MS,
): Promise<Checked> {
  const { kind, ...section } = asked;
  const begun = performance.now();
  let isCreated = false;
  const noted = { status: null };
  try {
    const config = readConfig({ config: { [kind]: section }, variables: {} });
    const [first] = config[kind] ?? config.llm;
    const model = createModel[kind](first, settings);
    isCreated = true;
    const detail = await noteRefusals(noted, () => ask(model, kind, quietMs));
    // A remark stands for an answer that did not come.
    const latency_ms = detail === null ? Math.round(performance.now() - begun) : null;
    return { outcome: 'ok', reason: null, detail, latency_ms };
  } catch (error) {
    return { outcome: 'failed', ...explain({ error, isCreated, ...noted }, settings), latency_ms: null };
  }
}

type Model = ReturnType<(typeof createModel)[ProviderCheckCreate['kind']]>;

/** Resolves with a remark, or null; rejects with the first error, also one after which the library would try again. */
async function ask(model: Model, kind: ProviderCheckCreate['kind'], quietMs: number): Promise<string | null> {
  const { promise: failed, reject } = Promise.withResolvers<never>();
  failed.catch(() => {});
  const fail = ({ error }: { error: unknown }) => reject(error);
  // A realtime model reports the errors of its sessions at these.
  if (!(model instanceof llm.RealtimeModel)) (model as EventEmitter).on('error', fail);
  const timer = setTimeout(() => reject(new APITimeoutError({ message: 'no answer' })), WITHIN_MS);
  const asked = {
    llm: () => think(model as llm.LLM, failed),
    tts: () => speak(model as tts.TTS, reject),
    stt: () => hear(model as stt.STT, quietMs),
    realtime: () => converse(model as llm.RealtimeModel, fail, quietMs),
  }[kind]();
  asked.catch(() => {});
  try {
    return await Promise.race([asked, failed]);
  } finally {
    clearTimeout(timer);
  }
}

/** Reads one token. */
async function think(model: llm.LLM, failed: Promise<never>): Promise<null> {
  const chatCtx = llm.ChatContext.empty();
  chatCtx.addMessage({ role: 'user', content: 'Say yes.' });
  const stream = model.chat({ chatCtx, connOptions: once(WITHIN_MS) });
  try {
    for await (const { delta } of stream) if (delta?.content || delta?.toolCalls?.length) return null;
  } finally {
    stream.close();
    model.aclose().catch(() => {});
  }
  // The library reports an error once the stream has ended.
  await Promise.race([failed, new Promise((resolve) => setImmediate(resolve))]);
  throw new APIError('The model answered nothing.');
}

async function speak(voice: tts.TTS, reject: (error: unknown) => void): Promise<null> {
  const attempt: { error?: unknown } = {};
  const stream = voice.capabilities.streaming
    ? voice.stream({ connOptions: once(WITHIN_MS) })
    : voice.synthesize('Yes.', once(WITHIN_MS));
  if ('pushText' in stream) {
    stream.pushText('Yes.');
    stream.flush();
    stream.endInput();
  } else handle(stream, attempt);
  try {
    for await (const audio of stream) if (typeof audio !== 'symbol') return null;
  } finally {
    stream.close();
    voice.close().catch(() => {});
  }
  if (attempt.error !== undefined) reject(attempt.error);
  throw new APIError('The voice said nothing.');
}

/** Has a second of silence recognized, of which many recognizers say nothing. */
async function hear(model: stt.STT, quietMs: number): Promise<string | null> {
  const silence = new AudioFrame(new Int16Array(RATE), RATE, 1, RATE);
  if (!model.capabilities.streaming) {
    await model.recognize([silence]);
    return null;
  }
  const stream = model.stream({ connOptions: once(CONNECT_MS) });
  stream.pushFrame(silence);
  stream.flush();
  try {
    return await Promise.race([heardBy(stream), quiet(quietMs)]);
  } finally {
    stream.close();
  }
}

/** Resolves with the first answer of the provider; the plugin itself reports what was sent. */
async function heardBy(stream: stt.SpeechStream): Promise<null> {
  for await (const { type } of stream) if (type !== stt.SpeechEventType.RECOGNITION_USAGE) return null;
  // A stream that ends without an answer has failed, which is reported, or takes no more.
  return new Promise<never>(() => {});
}

/** Begins an answer; some models begin none by themselves. */
async function converse(
  model: llm.RealtimeModel,
  fail: (event: { error: unknown }) => void,
  quietMs: number,
): Promise<string | null> {
  const session = model.session();
  session.on('error', fail);
  try {
    return await session.generateReply('Say yes.').then(
      () => null,
      (error: unknown) => {
        if (/not compatible/.test(String(error))) return quiet(quietMs);
        throw error;
      },
    );
  } finally {
    await session.close().catch(() => {});
    await model.close().catch(() => {});
  }
}

function quiet(ms: number): Promise<string> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms, 'It took the request and refused nothing, but said nothing either.').unref();
  });
}
