// The tone after which a machine records.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { initializeLogger, voice } from '@livekit/agents';
import { createBeepDetector } from '../conversation/beep.ts';
import { LocalLlm } from '../conversation/models/local.ts';
import { detectVoicemail, type Outcome } from '../conversation/voicemail.ts';
import { RENDITIONS } from '../local/greetings/greetings.ts';
import { createNoise, createTone, RATE } from '../scenario/audio/sound.ts';
import { fromLine, toLine } from '../scenario/phone/g711.ts';
import { until } from './chat-service.ts';
import { Phone } from './line.ts';

initializeLogger({ pretty: false, level: 'silent' });

const FRAME = RATE / 100;
const silence = (ms: number) => new Int16Array((RATE * ms) / 1_000);
const joined = (...parts: Int16Array[]) => Int16Array.from(parts.flatMap((part) => [...part]));
const mixed = (one: Int16Array, other: Int16Array) => one.map((sample, at) => sample / 2 + (other[at] ?? 0) / 2);

/** When a beep ended in this sound, in milliseconds; null for none. */
function beepIn(samples: Int16Array): number | null {
  let ms = 0;
  const detector = createBeepDetector(() => ms);
  for (let at = 0; at < samples.length; at += FRAME) {
    ms += 10;
    detector.add({ data: samples.subarray(at, at + FRAME), sampleRate: RATE, channels: 1 });
  }
  const ended = detector.endedAt();
  return Number.isFinite(ended) ? ended : null;
}

/** A vowel: harmonics of a voice, the loudest around 500 and 1,500 Hz. */
const vowel = (hz: number, ms: number) =>
  silence(ms).map((_, at) => {
    let sum = 0;
    for (let of = hz; of < 3_000; of += hz) {
      const level = 1 / (1 + ((of - 500) / 150) ** 2) + 0.6 / (1 + ((of - 1_500) / 200) ** 2);
      sum += level * Math.sin((2 * Math.PI * of * at) / RATE);
    }
    return 2_500 * sum;
  });

/** A note of an instrument: its loudness at each time is that of a tone, times `level`. */
const note = (hz: number, ms: number, level: (ms: number) => number) =>
  createTone({ hz, ms }).map((sample, at) => sample * level((at * 1_000) / RATE));
const tremolo = (ms: number) => 0.65 + 0.35 * Math.sin((2 * Math.PI * 6 * ms) / 1_000);
const melody = [440, 494, 523, 587, 659].map((hz) => createTone({ hz, ms: 300 }));
const hum = createTone({ hz: 300, ms: 600 });

const noisy = createNoise('white@15dB', 'a line');
const PITCHES = [400, 440, 850, 1_000, 1_010, 1_400, 2_500];
const VOWELS = [110, 150, 210, 260];
for (const [what, tone, ends] of [
  ...PITCHES.flatMap((hz) =>
    [150, 400, 1_000].map((ms) => [`${hz} Hz for ${ms} ms`, createTone({ hz, ms }), 1_000 + ms] as const),
  ),
  ...RENDITIONS.flatMap(({ tone }) => {
    if (!tone) return [];
    const beeps = Array.from({ length: tone.times }, () => joined(createTone(tone), silence(200)));
    const ends = 1_000 + tone.times * (tone.ms + 200) - 200;
    return [[`${tone.times} × ${tone.hz} Hz over a telephone line`, fromLine(toLine(joined(...beeps))), ends] as const];
  }),
  ['a tone in noise', noisy(createTone({ hz: 1_000, ms: 400 })), 1_400],
] as const)
  test(`a beep is heard, and when it ended: ${what}`, () => {
    const ended = beepIn(joined(silence(1_000), tone, silence(800)));
    assert.ok(ended !== null && Math.abs(ended - ends) <= 60, `${ended}`);
  });

for (const [what, sound] of [
  ['silence', silence(2_000)],
  ['noise', noisy(silence(2_000))],
  ['a tone that is too short', createTone({ hz: 1_000, ms: 80 })],
  ['a tone below the band', createTone({ hz: 300, ms: 500 })],
  ['a key', mixed(createTone({ hz: 770, ms: 400 }), createTone({ hz: 1_336, ms: 400 }))],
  ['a note that trembles', note(880, 1_200, tremolo)],
  ['a note that dies away', note(880, 1_500, (ms) => 10 ** (-ms / 400))],
  ['a melody that goes on', joined(...melody, hum)],
  ['a sung vowel before other words', joined(createTone({ hz: 500, ms: 400 }), silence(150), vowel(150, 500))],
  ...VOWELS.map((hz) => [`a vowel at ${hz} Hz`, vowel(hz, 600)] as const),
] as const)
  test(`no beep: ${what}`, () => assert.equal(beepIn(joined(silence(200), sound, silence(800))), null));

/** An agent that leaves a message with a machine whose greeting has been heard. */
async function record(t: TestContext, wait_for_beep = true) {
  const turnHandling = { endpointing: { maxDelay: 1_200 } };
  const session = new voice.AgentSession({ vad: null, llm: new LocalLlm(), turnHandling, userAwayTimeout: null });
  const phone = new Phone();
  session.input.audio = phone;
  await session.start({ agent: new voice.Agent({ instructions: 'Be brief.' }) });
  t.after(() => session.close());
  let said: number | null = null;
  session.on(voice.AgentSessionEventTypes.ConversationItemAdded, ({ item }) => {
    if (item.type === 'message' && item.textContent === 'Call us back.') said = Date.now();
  });
  const outcomes: Outcome[] = [];
  const action = { action: 'leave_message', message: 'Call us back.', waitsForBeep: wait_for_beep } as const;
  const ended = detectVoicemail(session, action, (outcome) => outcomes.push(outcome));
  session._updateUserState('speaking');
  session.amd?.onUserSpeechStarted();
  await sleep(300);
  session._updateUserState('listening');
  session.amd?.onUserSpeechEnded(250);
  session.amd?.onTranscript('Please leave a message after the tone.');
  const greeted = Date.now();
  /** Milliseconds from the end of the greeting to the message. */
  const message = async () => {
    assert.equal(await ended, false);
    await until(() => said !== null);
    assert.deepEqual(outcomes, [{ answered_by: 'voicemail' }, { answered_by: 'voicemail', hang_up: true }]);
    return Number(said) - greeted;
  };
  return { phone, message, isSaid: () => said !== null, sinceGreeting: () => Date.now() - greeted };
}

test('a message waits for the end of the tone, also of one that sounds before the machine is noticed', async (t) => {
  const early = await record(t);
  early.phone.play(joined(silence(200), createTone({ hz: 1_000, ms: 400 })));
  const soon = await early.message();
  assert.ok(soon < 3_900, `${soon} ms: after silence, not after its tone`);
  // Not at the same time: on a busy machine the first would take the silence that the second speaks after.
  const late = await record(t);
  await sleep(1_500);
  assert.ok(!late.isSaid(), 'the message came before the tone');
  const began = late.sinceGreeting();
  late.phone.play(createTone({ hz: 440, ms: 800 }));
  const waited = await late.message();
  assert.ok(waited >= began + 800, `${waited} ms after the greeting, and the tone began after ${began}`);
});

test('without a tone a message follows silence, and without waiting for it the greeting', async (t) => {
  const [silent, impatient] = await Promise.all([record(t), record(t, false)]);
  const [waited, none] = await Promise.all([silent.message(), impatient.message()]);
  assert.ok(waited >= 3_900 && waited < 9_000, `${waited} ms`);
  assert.ok(none < 3_900, `${none} ms`);
});
