// The detection of who has answered, beside a realtime model.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { initializeLogger, stt, voice } from '@livekit/agents';
import type { Detector } from '../conversation/answerer.ts';
import { readConfig } from '../conversation/config.ts';
import { LocalLlm } from '../conversation/models/local.ts';
import { createDetector, createModels } from '../conversation/models.ts';
import { createSession } from '../conversation/session.ts';
import { detectVoicemail, type Outcome } from '../conversation/voicemail.ts';
import { missingFestival, speak } from '../local/voice.ts';
import { createTone } from '../scenario/audio/sound.ts';
import { until } from './chat-service.ts';
import { Loudspeaker, Phone, Silence } from './line.ts';
import { startRealtime } from './realtime-stand-ins.ts';

initializeLogger({ pretty: false, level: 'silent' });

const MACHINE = 'Please leave a message after the tone.';

/** A recognizer that hears these words in whatever is said first. */
class Ears extends stt.STT {
  readonly label = 'ears';
  readonly #words: string;
  constructor(words: string) {
    super({ streaming: true, interimResults: false });
    this.#words = words;
  }
  protected override _recognize(): Promise<never> {
    throw new Error('It listens to streams alone.');
  }
  override stream(): stt.SpeechStream {
    return new EarsStream(this, this.#words);
  }
}

class EarsStream extends stt.SpeechStream {
  readonly label = 'ears';
  readonly #words: string;
  constructor(ears: Ears, words: string) {
    super(ears);
    this.#words = words;
  }
  protected override async run(): Promise<void> {
    let isSaid = false;
    for await (const _ of this.input) {
      if (isSaid) continue;
      isSaid = true;
      const text = this.#words;
      const alternative = { text, language: 'en', startTime: 0, endTime: 1, confidence: 1 } as stt.SpeechData;
      this.queue.put({ type: stt.SpeechEventType.FINAL_TRANSCRIPT, alternatives: [alternative] });
    }
  }
}

/** An outbound call of a realtime model, whose callee it hears say something. */
async function call(t: TestContext, heard: string, own?: Detector) {
  const standIn = await startRealtime('openai');
  const base_url = `${standIn.origin}/v1`;
  const realtime = { provider: 'openai', model: 'm', base_url };
  const config = readConfig({ config: { instructions: 'Be brief.', realtime, voicemail: {} }, variables: {} });
  const settings = { keys: {}, baseUrls: new Map([[base_url, 'the-key']]) };
  const session = createSession(config, createModels(config, settings));
  session.input.audio = new Silence();
  session.output.audio = new Loudspeaker();
  await session.start({ agent: new voice.Agent({ instructions: 'Be brief.' }), record: false });
  t.after(() => {
    session.close().catch(() => {});
    standIn.close();
  });
  await until(() => standIn.heard() > 0);
  const outcomes: Outcome[] = [];
  const action = { action: 'hang_up', message: null } as const;
  const detector = own ?? createDetector(config, settings, true);
  const continues = detectVoicemail(session, action, (outcome) => outcomes.push(outcome), { detector });
  standIn.sessions[0]?.hear(heard);
  return { continues: await continues, outcomes };
}

test('by what a realtime model has heard, and by a recognizer of its own in its place', async (t) => {
  const own = { stt: new Ears(MACHINE), llm: new LocalLlm() };
  const [machine, person, ears] = await Promise.all([
    call(t, MACHINE),
    call(t, 'Hello, this is Ada.'),
    call(t, 'Hello?', own),
  ]);
  const voicemail = { continues: false, outcomes: [{ answered_by: 'voicemail', hang_up: true }] };
  assert.deepEqual(machine, voicemail);
  assert.deepEqual(person, { continues: true, outcomes: [{ answered_by: 'human' }] });
  assert.deepEqual(ears, voicemail);
});

/** A call to a machine, beside a model that does not tell when the caller speaks, and has words once it replies. */
async function callMachine(t: TestContext) {
  const standIn = await startRealtime('google', {
    on: (session, { clientContent }) => clientContent?.turnComplete && session.answer(['Call us back.']),
  });
  const base_url = `${standIn.origin}/v1`;
  const realtime = { provider: 'google', model: 'm', base_url };
  const message = 'Call us back.';
  const config = readConfig({
    config: {
      instructions: 'Be brief.',
      realtime,
      voicemail: { action: 'leave_message', message },
      turn_detection: { max_endpointing_delay_ms: 500 },
    },
    variables: {},
  });
  const settings = { keys: {}, baseUrls: new Map([[base_url, 'the-key']]) };
  const session = createSession(config, createModels(config, settings));
  const phone = new Phone();
  session.input.audio = phone;
  session.output.audio = new Loudspeaker();
  await session.start({ agent: new voice.Agent({ instructions: 'Be brief.' }), record: false });
  // The plugin fails if its connection breaks before the session has closed: the stand-in ends with this process.
  t.after(() => void session.close().catch(() => {}));
  await until(() => standIn.heard() > 0);
  const outcomes: Outcome[] = [];
  const action = { action: 'leave_message', message, waitsForBeep: true } as const;
  const detector = createDetector(config, settings, true);
  const ended = detectVoicemail(session, action, (outcome) => outcomes.push(outcome), { detector });
  const isAsked = () => standIn.messages.some((one) => JSON.stringify(one).includes(message));
  return { phone, ended, outcomes, isAsked, hear: (words: string) => standIn.sessions.at(-1)?.hear(words), standIn };
}

test('a machine beside a model that does not say when it hears somebody: its greeting is no silence', {
  skip: missingFestival() ?? false,
}, async (t) => {
  const greeting = await speak(
    'You have reached the office of Miller and Sons, we are open from Monday to Friday. Please leave a message after the tone.',
  );
  const { phone, ended, outcomes, isAsked, hear, standIn } = await callMachine(t);
  phone.play(greeting);
  await until(() => phone.isSilent());
  assert.ok(greeting.length > 5 * 24_000 && outcomes.length === 0, `${outcomes[0]?.answered_by}`);
  hear(MACHINE);
  standIn.sessions.at(-1)?.answer(['Hello, this is Anna.']);
  // The machine has been noticed; its tone has not sounded.
  await sleep(2_000);
  assert.equal(isAsked(), false);
  phone.play(createTone({ hz: 1_000, ms: 400 }));
  await until(() => phone.isSilent());
  assert.equal(isAsked(), false);
  // Known, and reported, before the message.
  assert.deepEqual(outcomes, [{ answered_by: 'voicemail' }]);
  assert.equal(await ended, false);
  assert.deepEqual(outcomes.slice(1), [{ answered_by: 'voicemail', hang_up: true }]);
  assert.equal(isAsked(), true);
});

test('a recognizer hears whoever picks up while a machine is answered, and nobody during other such words', async (t) => {
  const session = new voice.AgentSession({ vad: null, stt: new Ears(''), llm: new LocalLlm(), userAwayTimeout: null });
  await session.start({ agent: new voice.Agent({ instructions: 'Be brief.' }) });
  t.after(() => session.close());
  const { interruption } = session.sessionOptions.turnHandling;
  const deaf: boolean[] = [];
  const say = session.say.bind(session);
  session.say = (text, options) => {
    deaf.push(interruption.discardAudioIfUninterruptible);
    return say(text, options);
  };
  const around = { screening: { answer: 'This is Anna.', timeoutMs: 100 } };
  const continues = detectVoicemail(session, { action: 'continue', message: null }, () => {}, around);
  session.amd?.onUserSpeechStarted();
  session.amd?.onUserSpeechEnded(250);
  session.amd?.onTranscript("Say your name, and I'll see if this person is available.");
  assert.equal(await continues, false);
  assert.deepEqual([...deaf, interruption.discardAudioIfUninterruptible], [false, true]);
});

test('the models of the detection are those of its configuration', () => {
  const settings = { keys: { deepgram: 'key', groq: 'key', openai: 'key' }, baseUrls: new Map() };
  const detector = (config: Record<string, unknown>, isOutbound = true) =>
    createDetector(readConfig({ config, variables: {} }), settings, isOutbound);
  assert.deepEqual(detector({ voicemail: {} }), {});
  const own = detector({ voicemail: { stt: { provider: 'groq' }, llm: { provider: 'groq', model: 'm' } } });
  assert.equal(own.llm?.model, 'm');
  // It recognizes sentences, which have to be found first.
  assert.equal(own.stt?.capabilities.streaming, true);
  assert.ok(detector({ realtime: {}, voicemail: {} }).llm instanceof LocalLlm);
  const unknown = { voicemail: { stt: { provider: 'nobody' } } };
  assert.throws(() => detector(unknown), /voicemail.stt.provider must be one of/);
  // A caller is answered, whatever the detection of other calls lacks.
  assert.deepEqual(detector(unknown, false), {});
  assert.deepEqual(detector({ realtime: {} }), {});
});
