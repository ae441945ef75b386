// The detection of who has answered, beside a realtime model.
import assert from 'node:assert/strict';
import { after, type TestContext, test } from 'node:test';
import { initializeLogger, stt, voice } from '@livekit/agents';
import { readConfig } from '../conversation/config.ts';
import { LocalLlm } from '../conversation/models/local.ts';
import { createDetector, createModels } from '../conversation/models.ts';
import { createSession } from '../conversation/session.ts';
import { type Detector, detectVoicemail, type Outcome } from '../conversation/voicemail.ts';
import { until } from './chat-service.ts';
import { Loudspeaker, Silence } from './line.ts';
import { startRealtime } from './realtime-stand-ins.ts';

initializeLogger({ pretty: false, level: 'silent' });
// The plugins' connections end with this process.
after(() => setImmediate(() => process.exit()));

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
  const detector = own ?? createDetector(config, settings);
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

test('the models of the detection are those of its configuration', () => {
  const settings = { keys: { deepgram: 'key', groq: 'key', openai: 'key' }, baseUrls: new Map() };
  const detector = (config: Record<string, unknown>) => createDetector(readConfig({ config, variables: {} }), settings);
  assert.deepEqual(detector({ voicemail: {} }), {});
  const own = detector({ voicemail: { stt: { provider: 'groq' }, llm: { provider: 'groq', model: 'm' } } });
  assert.equal(own.llm?.model, 'm');
  // It recognizes sentences, which have to be found first.
  assert.equal(own.stt?.capabilities.streaming, true);
  assert.ok(detector({ realtime: {}, voicemail: {} }).llm instanceof LocalLlm);
  assert.throws(
    () => detector({ voicemail: { stt: { provider: 'nobody' } } }),
    /voicemail.stt.provider must be one of/,
  );
});
