// The detection of speech in a recording that is held back: speech is where its sound is, however late it is detected,
// and nothing leaves that no detector has heard.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { initializeLogger, VADEventType } from '@livekit/agents';
import { AudioFrame } from '@livekit/rtc-node';
import { missingFestival, PCM_RATE, speak } from '../local/voice.ts';
import { createClearance } from '../recording/clearance.ts';
import { createDelay } from '../recording/delay.ts';
import { createEars } from '../recording/ears.ts';
import { RATE, samplesIn } from '../recording/mixer.ts';
import { isLoud, isSilent } from './delayed.ts';
import { FRAME, split, startMixer, tone } from './samples.ts';

initializeLogger({ pretty: false, level: 'error' });

const PCM_FRAME = PCM_RATE / 50;

test('the others are heard by a detector of our own, which says where in the recording they spoke', {
  skip: missingFestival() ?? false,
}, async () => {
  const words = await speak('When do you open on Sunday?');
  const samples = new Int16Array(PCM_RATE + words.length + PCM_RATE);
  samples.set(words, PCM_RATE);
  const changes: { is: boolean; at: number }[] = [];
  const listen = () =>
    createEars(
      (is, at) => changes.push({ is, at }),
      (error) => assert.fail(String(error)),
    );
  const ears = listen();
  /** All at once, in a recording in which the first sample is at 50 s. */
  const hear = (sound: Int16Array, { open } = ears) => {
    const ear = open();
    let start = 0;
    for (; start + PCM_FRAME <= sound.length; start += PCM_FRAME) {
      const frame = new AudioFrame(sound.slice(start, start + PCM_FRAME), PCM_RATE, 1, PCM_FRAME);
      ear.add(frame, 50_000 + ((start + PCM_FRAME) * 1000) / PCM_RATE);
    }
    ear.close();
    return 50_000 + (start * 1000) / PCM_RATE;
  };
  hear(samples);
  hear(new Int16Array(samples.length));
  await ears.finished();
  assert.deepEqual(
    changes.map(({ is }) => is),
    [true, false],
  );
  const [began, ended] = changes.map(({ at }) => at);
  const end = 51_000 + (words.length * 1000) / PCM_RATE;
  assert.ok(began && began >= 51_000 && began < 51_300, `${began}`);
  assert.ok(ended && ended > end - 600 && ended < end + 100, `${ended} of ${end}`);

  // A track that ends while somebody speaks is heard to its end.
  const other = listen();
  const cut = hear(samples.slice(0, PCM_RATE + words.length / 2), other);
  await other.finished();
  assert.deepEqual(changes.slice(2), [
    { is: true, at: began },
    { is: false, at: cut },
  ]);
});

type Span = readonly [from_ms: number, to_ms: number];

/** A detector that has heard sound as far as the test says, with speech in parts of it. */
function startDetector(...speech: Span[]) {
  type Event = { type: VADEventType; timestamp: number; silenceDuration: number };
  let controller: ReadableStreamDefaultController<Event> | undefined;
  const events = new ReadableStream<Event>({
    start(own) {
      controller = own;
    },
  });
  let [pushed, heard] = [0, 0];
  const stream = Object.assign(events, {
    pushFrame: () => {
      pushed += 20;
    },
    flush: () => {},
    close: () => controller?.close(),
  });
  return {
    stream: () => stream,
    hear(until_ms: number): void {
      while (heard + 32 <= Math.min(until_ms, pushed)) {
        const before = heard;
        heard += 32;
        const tell = (type: VADEventType) => controller?.enqueue({ type, timestamp: heard, silenceDuration: 256 });
        tell(VADEventType.INFERENCE_DONE);
        const passes = (ms: number) => before < ms && heard >= ms;
        if (speech.some(([from_ms]) => passes(from_ms + 64))) tell(VADEventType.START_OF_SPEECH);
        if (speech.some(([, to_ms]) => passes(to_ms + 256))) tell(VADEventType.END_OF_SPEECH);
      }
    },
    fail: (error: Error) => controller?.error(error),
    end: () => controller?.close(),
  };
}

type Detector = ReturnType<typeof startDetector>;

interface Course {
  speech?: Span;
  /** More speech, after a pause; the line is about both. */
  more?: Span;
  /** Lets the detector hear, as far as it has at a time. */
  detect?: (detector: Detector, now: number) => void;
  blocked?: Span;
  /** The line with what was said, which is a secret. */
  told?: number;
  until?: number;
  /** Breaks the detector's stream before it is used. */
  breaks?: (stream: ReturnType<Detector['stream']>) => void;
}

/** A call of both sides' tones, of which those of the others are speech where the detector says so. */
async function record(course: Course) {
  const { speech = [5_000, 9_000], more = speech, detect, blocked = [0, 0], told = 11_000 } = course;
  const { until = 20_000, breaks } = course;
  let now = 0;
  const failures: unknown[] = [];
  const detector = startDetector(speech, more);
  const mixer = startMixer();
  const clearance = createClearance(2_000, () => now);
  const ears = createEars(
    (is, at) => clearance.speaks('others', is, at),
    (error) => failures.push(error),
    {
      stream() {
        const stream = detector.stream();
        breaks?.(stream);
        return stream;
      },
    },
  );
  const delay = createDelay('stereo', clearance, 0, ears.heardUntil);
  const ear = ears.open();
  const [agent, others] = [mixer.track('agent'), mixer.track('others')];
  const out: Int16Array[] = [];
  for (let [ms, read] = [20, 0]; ms <= until; ms += 20) {
    if (ms > blocked[0] && ms < blocked[1]) continue;
    now = ms;
    mixer.at(ms);
    const tick = () => ms % 100 === 0 && out.push(delay.pass(mixer.take(), now));
    // The timer comes before the frames that wait.
    if (ms === blocked[1]) tick();
    for (; read < ms; read += 20) {
      agent.add(tone(440, FRAME, samplesIn(read)));
      const data = tone(660, FRAME, samplesIn(read));
      ear.add({ data, sampleRate: RATE, channels: 1, samplesPerChannel: FRAME }, others.add(data));
    }
    if (detect) detect(detector, ms);
    else detector.hear(ms);
    await new Promise(setImmediate);
    if (ms === told - 300) clearance.recognized({ text: '4242', until: more[1], words: [] });
    if (ms === told) clearance.onTranscript('others', '4242', [{ from: 0, to: 4 }]);
    if (ms !== blocked[1]) tick();
  }
  out.push(delay.pass(mixer.take(true), now), delay.end(now));
  const sides = split(Int16Array.from(out.flatMap((one) => [...one])));
  return { sides, failures };
}

test('all of a secret is silent in a worker that was blocked, or whose detector is behind, as it was said', async () => {
  const courses: Record<string, Course> = {
    'in time': {},
    blocked: { blocked: [4_900, 7_400] },
    'blocked, and then behind': {
      blocked: [4_900, 7_400],
      detect: (detector, now) => detector.hear(now < 7_400 ? now : 4_900 + 2 * (now - 7_400)),
    },
    behind: { detect: (detector, now) => detector.hear(now - 3_000) },
  };
  for (const [name, course] of Object.entries(courses)) {
    const { sides, failures } = await record(course);
    const [agent, others] = sides;
    assert.ok(isSilent(others, 4_200, 9_200), name);
    assert.ok(isLoud(others, 0, 3_900) && isLoud(others, 9_700, 16_000) && isLoud(agent, 0, 20_000), name);
    assert.deepEqual(failures, [], name);
  }
});

test('what is heard of a secret after a worker was blocked for longer than sound is waited for is silent', async () => {
  const { sides, failures } = await record({ speech: [5_000, 11_000], blocked: [4_900, 9_900], told: 13_000 });
  assert.ok(isSilent(sides[1], 4_200, 11_200) && isLoud(sides[1], 11_700, 18_000) && isLoud(sides[0], 10_000, 20_000));
  assert.deepEqual(failures, []);
});

test('where a detector cannot be opened, or takes no sound, the others are silent, and that is said once', async () => {
  const broken = (): never => {
    throw new Error('broken');
  };
  const breaks: Record<string, NonNullable<Course['breaks']>> = {
    'cannot be opened': broken,
    'takes no sound': (stream) => Object.assign(stream, { pushFrame: broken }),
  };
  for (const [name, one] of Object.entries(breaks)) {
    const { sides, failures } = await record({ breaks: one, told: 0 });
    assert.ok(isSilent(sides[1], 0, 20_000) && isLoud(sides[0], 0, 20_000), name);
    assert.equal(failures.length, 1, name);
  }
});

test('a line that comes before the detector has heard its words silences all that is still here', async () => {
  const detect = (detector: Detector, now: number) => detector.hear(now - 4_200);
  const { sides } = await record({ speech: [4_000, 7_200], told: 7_800, detect });
  assert.ok(isSilent(sides[1], 3_200, 7_800) && isLoud(sides[1], 8_400, 15_000));
});

test('a line that comes before the detector has noticed the last of its speech silences that too', async () => {
  const detect = (detector: Detector, now: number) => detector.hear(now - 1_500);
  const { sides } = await record({ speech: [5_000, 6_000], more: [6_600, 7_200], told: 8_000, detect });
  assert.ok(isSilent(sides[1], 4_200, 7_600) && isLoud(sides[1], 0, 3_900) && isLoud(sides[1], 8_600, 15_000));
  assert.ok(isLoud(sides[0], 0, 20_000));
});

test('once a detector has failed, has ended, or does not follow, the others are silent, and the agent is not', async () => {
  const failing: Record<string, Course> = {
    failed: {
      until: 100_000,
      detect: (one, now) => (now === 4_000 ? one.fail(new Error('broken')) : now < 4_000 && one.hear(now)),
    },
    ended: { detect: (one, now) => (now === 4_000 ? one.end() : now < 4_000 && one.hear(now)) },
    stuck: { until: 40_000, detect: (one, now) => one.hear(Math.min(now, 4_000)) },
  };
  for (const [name, course] of Object.entries(failing)) {
    const { sides, failures } = await record({ speech: [5_000, 6_000], told: 0, until: 20_000, ...course });
    assert.ok(isLoud(sides[1], 0, 1_900) && isSilent(sides[1], 4_000, course.until ?? 20_000), name);
    assert.ok(isLoud(sides[0], 0, course.until ?? 20_000), name);
    assert.equal(failures.length, 1, name);
  }
});

test('a detector that is stuck has failed, even if its track is closed, or brings no more sound', async () => {
  for (const isClosed of [true, false]) {
    const failures: unknown[] = [];
    const ears = createEars(
      () => {},
      (error) => failures.push(error),
      startDetector(),
    );
    const ear = ears.open();
    for (let ms = 20; ms <= 200; ms += 20)
      ear.add({ data: new Int16Array(FRAME), sampleRate: RATE, channels: 1, samplesPerChannel: FRAME }, ms);
    if (isClosed) ear.close();
    for (let now = 200; now <= 30_000; now += 100) assert.equal(ears.heardUntil(now), 0);
    assert.deepEqual(failures, []);
    assert.equal(ears.heardUntil(30_300), 0);
    assert.equal(failures.length, 1);
    await ears.finished();
  }
});

test('where the library cannot load its native detector, which then hears nobody, that is a failure', async (t) => {
  const { Module } = createRequire(import.meta.url)('node:module') as {
    Module: { _load(id: string, ...others: unknown[]): unknown };
  };
  const load = Module._load;
  t.mock.method(Module, '_load', (id: string, ...others: unknown[]) => {
    if (id === '@livekit/local-inference') throw new Error('not for this machine');
    return load.call(Module, id, ...others);
  });
  const failures: unknown[] = [];
  const ears = createEars(
    () => {},
    (error) => failures.push(error),
  );
  ears.open().add(new AudioFrame(new Int16Array(FRAME), RATE, 1, FRAME), 20);
  await new Promise(setImmediate);
  assert.match(String(failures), /not for this machine/);
});
