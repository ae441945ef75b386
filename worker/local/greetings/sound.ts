import { createTone } from '../../scenario/audio/sound.ts';
import { fromLine, toLine } from '../../scenario/phone/g711.ts';
import { PCM_RATE, speak } from '../voice.ts';
import type { Greeting } from './greetings.ts';

/** Silence at the end: whoever answered waits. */
const WAIT_MS = 8_000;

/** A greeting, spoken by the local voice over a telephone line; 16 bits at PCM_RATE. */
export async function soundOf({ sentences, speed, before_ms, pause_ms, tone }: Greeting): Promise<Int16Array> {
  const parts = [silence(before_ms)];
  for (const sentence of sentences) parts.push(fromLine(toLine(await speak(sentence, { speed }))), silence(pause_ms));
  for (let time = 0; tone && time < tone.times; time++) parts.push(createTone(tone), silence(200));
  parts.push(silence(WAIT_MS));
  const samples = new Int16Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    samples.set(part, at);
    at += part.length;
  }
  return samples;
}

const silence = (ms: number): Int16Array => new Int16Array(Math.round((ms * PCM_RATE) / 1_000));
