/** Greetings as the worker hears them: when its speech detector notices speech, and the words that are recognized. */
import { VADEventType } from '@livekit/agents';
import { AudioFrame } from '@livekit/rtc-node';
import { createSpeechDetector } from '../../conversation/speech-detector.ts';
import type { Ears } from '../ears.ts';
import { PCM_RATE, toWav } from '../voice.ts';
import type { Greeting } from './greetings.ts';
import { soundOf } from './sound.ts';

export type Heard = { at_ms: number } & (
  | { what: 'begins' }
  | { what: 'ends'; after_ms: number }
  | { what: 'words'; text: string }
);

/** Silence after which the library's speech detector says that speech has ended. */
const END_MS = 250;
/** Time that a recognizer takes for the last words. */
const RECOGNIZED_MS = 300;
/** The speed of speech. */
const WORDS_PER_MINUTE = 150;

/** Without sound: speech of a common speed, recognized without a mistake. */
export function heardInText({ sentences, speed, before_ms, pause_ms }: Greeting): Heard[] {
  const heard: Heard[] = [];
  let [at_ms, said] = [before_ms, [] as string[]];
  for (const [index, sentence] of sentences.entries()) {
    if (said.length === 0) heard.push({ at_ms, what: 'begins' });
    said.push(sentence);
    at_ms += (sentence.split(' ').length * 60_000) / WORDS_PER_MINUTE / speed;
    if (index < sentences.length - 1 && pause_ms < END_MS) at_ms += pause_ms;
    else {
      heard.push(...ended(at_ms, said.join(' ')));
      at_ms += pause_ms;
      said = [];
    }
  }
  return heard.sort((one, other) => one.at_ms - other.at_ms);
}

function ended(at_ms: number, text: string): Heard[] {
  const words: Heard[] = text ? [{ at_ms: at_ms + END_MS + RECOGNIZED_MS, what: 'words', text }] : [];
  return [{ at_ms: at_ms + END_MS, what: 'ends', after_ms: END_MS }, ...words];
}

/** Spoken by the local voice, over a telephone line, and recognized by the local ears. */
export async function heardInSound(greeting: Greeting, ears: Pick<Ears, 'recognize'>): Promise<Heard[]> {
  const samples = await soundOf(greeting);
  const stream = createSpeechDetector().stream();
  const length = PCM_RATE / 50;
  for (let start = 0; start + length <= samples.length; start += length)
    stream.pushFrame(new AudioFrame(samples.slice(start, start + length), PCM_RATE, 1, length));
  const end_ms = (samples.length * 1_000) / PCM_RATE - 500;
  const heard: Heard[] = [];
  for await (const event of stream) {
    const at_ms = event.timestamp;
    // The library's stream cannot be told that the sound has ended.
    if (at_ms >= end_ms) break;
    if (event.type === VADEventType.START_OF_SPEECH) heard.push({ at_ms, what: 'begins' });
    if (event.type !== VADEventType.END_OF_SPEECH) continue;
    const said = event.frames.map(({ data, sampleRate }) => toWav(data, sampleRate));
    const words = await Promise.all(said.map((wav) => ears.recognize(wav)));
    heard.push(...ended(at_ms - END_MS, words.join(' ').trim()));
  }
  stream.close();
  return heard.sort((one, other) => one.at_ms - other.at_ms);
}
