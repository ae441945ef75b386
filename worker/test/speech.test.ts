import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { initializeLogger, type metrics, tokenize, tts, voice } from '@livekit/agents';
import { AudioFrame } from '@livekit/rtc-node';
import type { Policy } from '../conversation/fallback/order.ts';
import { FallbackTts } from '../conversation/fallback/tts.ts';
import { report } from '../conversation/report.ts';
import type { Used } from '../switchboard/prices.ts';

initializeLogger({ pretty: false, level: 'silent' });

const RATE = 24_000;
const SENTENCES = ['Good morning, this is the front desk of the library.', 'How can I help you on this fine day?'];
const TEXT = SENTENCES.join(' ');
let requests = 0;
const policy: Policy = { kind: 'tts', on: ['error'], firstTokenMs: 5_000, report: () => {} };

const frame = () => new AudioFrame(new Int16Array(RATE / 50), RATE, 1, RATE / 50);

class Speech extends tts.ChunkedStream {
  label = 'test.Speech';
  override async run(): Promise<void> {
    const requestId = `request-${requests++}`;
    for (const final of [false, true]) this.queue.put({ requestId, segmentId: requestId, frame: frame(), final });
    this.queue.close();
  }
}

class StreamedSpeech extends tts.SynthesizeStream {
  label = 'test.StreamedSpeech';
  override async run(): Promise<void> {
    for await (const text of this.input) {
      if (typeof text !== 'string') continue;
      this.markStarted();
    }
    const requestId = `request-${requests++}`;
    this.queue.put({ requestId, segmentId: requestId, frame: frame(), final: true });
    this.queue.put(tts.SynthesizeStream.END_OF_STREAM);
  }
}

/** A TTS like the plugins' ones: either one request per text, or streaming. */
class Voice extends tts.TTS {
  label: string;
  constructor(streaming: boolean, label = 'test.TTS') {
    super(RATE, 1, { streaming });
    this.label = label;
  }
  override get provider() {
    return 'api.openai.com';
  }
  override get model() {
    return 'a-voice';
  }
  synthesize(text: string) {
    return new Speech(text, this);
  }
  stream() {
    return new StreamedSpeech(this);
  }
}

/** Plays immediately, to nobody. */
class Speaker extends voice.AudioOutput {
  override async captureFrame(captured: AudioFrame): Promise<void> {
    await super.captureFrame(captured);
  }
  override flush(): void {
    super.flush();
    if (this.pendingPlayoutSegments > 0) this.onPlaybackFinished({ playbackPosition: 0.04, interrupted: false });
  }
  override clearBuffer(): void {}
}

/** Says the text in an AgentSession of the library, waits for this many metrics, and returns what was booked. */
async function say(model: tts.TTS, expected: number, agentsOwn = false) {
  const session = new voice.AgentSession({ vad: null, ...(!agentsOwn && { tts: model }) });
  const booked: Used[] = [];
  const emitted: metrics.TTSMetrics[] = [];
  report(session, { transcript: () => {}, usage: (used) => booked.push(used) });
  session.on(voice.AgentSessionEventTypes.MetricsCollected, (event) => {
    if (event.metrics.type === 'tts_metrics') emitted.push(event.metrics);
  });
  session.output.audio = new Speaker(RATE);
  await session.start({ agent: new voice.Agent({ instructions: '', ...(agentsOwn && { tts: model }) }) });
  await session.say(TEXT).waitForPlayout();
  const deadline = Date.now() + 10_000;
  while (emitted.length < expected && Date.now() < deadline) await sleep(10);
  await session.close();
  return { booked, emitted };
}

const charactersOf = (booked: Used[]) => booked.reduce((sum, { quantity }) => sum + Number(quantity), 0);
/** The library joins sentences without spaces. */
const CHARACTERS = SENTENCES.join('').length;

for (const [name, make, sums, agentsOwn] of [
  ['a TTS that does not stream', () => new Voice(false), [true], false],
  ['a TTS that does not stream, as the agent’s own', () => new Voice(false), [true], true],
  [
    'a TTS wrapped to stream',
    () => new tts.StreamAdapter(new Voice(false), new tokenize.basic.SentenceTokenizer()),
    [true],
    false,
  ],
  // It reports each sentence separately too.
  ['a fallback among such', () => new FallbackTts([new Voice(false)], policy), [false, false, true], false],
] as const) {
  test(`${name}: each text is logged once, although the library reports it twice`, async () => {
    const { booked, emitted } = await say(make(), SENTENCES.length + sums.length, agentsOwn);
    assert.deepEqual(emitted.map(({ streamed }) => streamed).sort(), [...SENTENCES.map(() => false), ...sums]);
    assert.equal(charactersOf(booked), CHARACTERS, JSON.stringify(emitted));
    for (const { provider, model, unit } of booked)
      assert.deepEqual([provider, model, unit], ['openai', 'a-voice', 'tts_characters']);
  });
}

for (const [make, reported, characters] of [
  [() => new Voice(true), 1, TEXT.length],
  // It is asked for each sentence, reports each itself too, and the whole text.
  [() => new FallbackTts([new Voice(true), new Voice(false, 'test.Second')], policy), 5, CHARACTERS],
] as const) {
  test(`a streaming TTS is logged once too (${make().label})`, async () => {
    const { booked } = await say(make(), reported);
    assert.equal(charactersOf(booked), characters);
  });
}
