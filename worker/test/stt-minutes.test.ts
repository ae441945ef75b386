// Usage of recognition: the last of it is reported as a call ends, when its session no longer listens.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { initializeLogger, stt } from '@livekit/agents';
import { AudioFrame } from '@livekit/rtc-node';
import { readConfig } from '../conversation/config.ts';
import { countsAll } from '../conversation/models/unreported.ts';
import { createDetector, createModels } from '../conversation/models.ts';
import { report } from '../conversation/report.ts';
import { createSession } from '../conversation/session.ts';
import { HearingAgent } from '../conversation/sounds.ts';
import { createTone } from '../scenario/audio/sound.ts';
import { startAssemblyAi } from './assemblyai.ts';
import { trustedCertificate } from './certificate.ts';
import { until } from './chat-service.ts';
import { Loudspeaker, Phone } from './line.ts';
import { RATE, RECOGNIZERS, SECOND, startRecognizer } from './recognizers.ts';

initializeLogger({ pretty: false, level: 'silent' });

const certificate = trustedCertificate();
/** Longest chunk of sound, which is not sent before it is full. */
const CHUNK_S = 0.16;
/** Time between the moments at which both ends of a connection notice its beginning and its end. */
const NOTICE_S = 0.5;

interface Heard {
  origin: string;
  /** Seconds that the provider charges for, so far. */
  seconds: () => number;
  isOver: () => boolean;
  /** How far what is booked may be from that. */
  blurS: number;
  close: () => void;
}

async function startPlugin(provider: string): Promise<Heard> {
  const { bytes, ...standIn } = await startRecognizer(RECOGNIZERS[provider] ?? assert.fail());
  return { ...standIn, seconds: () => bytes() / SECOND, isOver: () => true, blurS: CHUNK_S };
}

/** Charges for the time that its connections are open. */
async function startMetered(): Promise<Heard> {
  let ms = 0;
  const open = new Map<object, number>();
  const standIn = await startAssemblyAi(certificate, {
    hears: (socket) => {
      if (open.has(socket)) return;
      const began = performance.now();
      open.set(socket, began);
      socket.once('close', () => {
        open.delete(socket);
        ms += performance.now() - began;
      });
    },
  });
  const seconds = () => [...open.values()].reduce((sum, began) => sum + performance.now() - began, ms) / 1000;
  return { ...standIn, seconds, isOver: () => open.size === 0, blurS: NOTICE_S };
}

const start = (provider: string) => (provider === 'assemblyai' ? startMetered() : startPlugin(provider));

/** A call that has these recognizers, of which each is a list; `booked` are the seconds. */
async function call(t: TestContext, sections: { provider: string; base_url: string }[]) {
  const baseUrls = new Map(sections.map(({ base_url }) => [base_url, 'the-key']));
  const listeners = sections.map((section) => ({ ...section, language: 'en' }));
  const config = readConfig({
    config: { stt: listeners.length > 1 ? listeners : listeners[0], llm: { provider: 'local' } },
    variables: {},
  });
  const session = createSession(config, createModels(config, { keys: { openai: 'unused' }, baseUrls }));
  let booked = 0;
  report(session, {
    transcript: () => {},
    usage: ({ unit, quantity }) => {
      if (unit === 'stt_minutes') booked += Number(quantity) * 60;
    },
  });
  const phone = new Phone();
  session.input.audio = phone;
  session.output.audio = new Loudspeaker();
  const agent = new HearingAgent({ instructions: 'Be brief.' }, () => 0);
  // It has no voice to answer with.
  agent.intercept(() => {});
  await session.start({ agent, record: false });
  t.after(() => session.close().catch(() => {}));
  phone.play(createTone({ hz: 440, ms: 10_000 }));
  return { session, booked: () => booked };
}

function assertBooked(booked: number, charged: number, blurS: number): void {
  assert.ok(charged > 1, `${charged} s charged`);
  assert.ok(Math.abs(booked - charged) < blurS, `${booked} s booked of ${charged}`);
}

for (const provider of ['assemblyai', 'deepgram', 'elevenlabs', 'cartesia'])
  test(`${provider}: all that a call has used is booked when its session has closed`, {
    timeout: 60_000,
  }, async (t) => {
    const { origin, seconds, isOver, blurS, close } = await start(provider);
    t.after(close);
    const { session, booked } = await call(t, [{ provider, base_url: origin }]);
    // Longer than until the first report.
    await sleep(provider === 'deepgram' ? 6_500 : 2_000);
    // A busy machine plays the sound more slowly.
    await until(() => seconds() > 1.2);
    await session.close();
    const atEnd = booked();
    await until(isOver);
    await sleep(100);
    assertBooked(atEnd, seconds(), blurS);
    assert.equal(booked(), atEnd, 'the process has ended by then');
  });

test('a list of recognizers books once what the one of them that listens has heard', { timeout: 60_000 }, async (t) => {
  const standIns = await Promise.all([startPlugin('deepgram'), startPlugin('cartesia')]);
  t.after(() => {
    for (const { close } of standIns) close();
  });
  const sections = standIns.map(({ origin }, index) => ({
    provider: index === 0 ? 'deepgram' : 'cartesia',
    base_url: origin,
  }));
  const { session, booked } = await call(t, sections);
  const charged = () => standIns.reduce((sum, { seconds }) => sum + seconds(), 0);
  await sleep(2_000);
  await until(() => charged() > 1.2);
  await session.close();
  await sleep(100);
  assertBooked(booked(), charged(), CHUNK_S);
});

for (const provider of ['assemblyai', 'deepgram', 'elevenlabs', 'cartesia'])
  test(`${provider}: a detector books all that it has heard, too`, { timeout: 60_000 }, async (t) => {
    const { origin, seconds, isOver, blurS, close } = await start(provider);
    t.after(close);
    const config = readConfig({
      config: { voicemail: { stt: { provider, language: 'en', base_url: origin } } },
      variables: {},
    });
    const settings = { keys: { openai: 'unused' }, baseUrls: new Map([[origin, 'the-key']]) };
    const detector = createDetector(config, settings, true);
    let booked = 0;
    const usage = ({ quantity }: { quantity: string }) => {
      booked += Number(quantity) * 60;
    };
    report(createSession(config, createModels(config, settings)), { transcript: () => {}, usage }, detector);
    const stream = (detector.stt as stt.STT).stream();
    for (let at = 0; at < 100; at++) {
      stream.pushFrame(new AudioFrame(new Int16Array(RATE / 50).fill(1_000), RATE, 1, RATE / 50));
      await sleep(20);
    }
    await until(() => seconds() > 1.2);
    stream.close();
    await until(isOver);
    await sleep(200);
    assertBooked(booked, seconds(), blurS);
  });

/** A recognizer that reads its sound, and reports nothing. */
class Silent extends stt.STT {
  label = 'silent';
  constructor() {
    super({ streaming: true, interimResults: false });
  }
  protected _recognize(): never {
    throw new Error('not used');
  }
  stream(): stt.SpeechStream {
    return new SilentStream(this, RATE);
  }
}

class SilentStream extends stt.SpeechStream {
  label = 'silent';
  protected async run(): Promise<void> {
    for await (const _ of this.input);
  }
}

test('a recognizer that reports nothing is booked while it hears, and to its end', { timeout: 60_000 }, async () => {
  const model = countsAll(new Silent());
  let booked = 0;
  model.on('metrics_collected', ({ audioDurationMs }) => {
    booked += audioDurationMs / 1000;
  });
  const stream = model.stream();
  const hear = async (seconds: number) => {
    for (let at = 0; at < seconds * 50; at++)
      stream.pushFrame(new AudioFrame(new Int16Array(RATE / 50).fill(1_000), RATE, 1, RATE / 50));
    await sleep(100);
  };
  await hear(12);
  assert.ok(booked >= 10 && booked < 12, `${booked} s booked of 12 that were heard`);
  await hear(1);
  stream.close();
  await sleep(100);
  assert.ok(Math.abs(booked - 13) < 0.01, `${booked} s booked of 13`);
});
