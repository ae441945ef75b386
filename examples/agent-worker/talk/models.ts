/**
 * WHERE THE MODELS GO. Three stand-ins, so that the worker runs without any account: hearing is text that somebody
 * sends into the room, thinking is a few rules, and the voice is a tone. Replace them one by one, or all at once by an
 * AgentSession of the library (see agent-session.ts).
 */
import { AudioFrame, type Room, RoomEvent } from '@livekit/rtc-node';
import type { Used } from '../switchboard/prices.ts';
import { SAMPLE_RATE } from './voice.ts';

/** Data packets of this topic are taken for what the caller says. */
export const HEARD_TOPIC = 'heard';

/** Stands where speech recognition would: calls `heard` with each finished utterance. */
export function listen(room: Room, heard: (text: string) => void): void {
  room.on(RoomEvent.DataReceived, (payload, _participant, _kind, topic) => {
    if (topic === HEARD_TOPIC) heard(new TextDecoder().decode(payload));
  });
}

/** Stands where a language model would. */
export async function think(text: string): Promise<{ reply: string; hangUp: boolean; used: Used[] }> {
  const hangUp = /\bgoodbye\b/i.test(text);
  const reply = hangUp ? 'Thank you for calling. Goodbye.' : `You said: ${text}`;
  // As roughly as if a token were a word.
  const tokens = (words: string) => String(words.split(/\s+/).length);
  const model = { provider: 'placeholder', model: 'rules' };
  const used: Used[] = [
    { ...model, unit: 'llm_input_tokens', quantity: tokens(text) },
    { ...model, unit: 'llm_output_tokens', quantity: tokens(reply) },
  ];
  return { reply, hangUp, used };
}

/** Stands where speech synthesis would: a tone as long as the text. */
export function synthesize(text: string): { frames: Iterable<AudioFrame>; used: Used[] } {
  const used: Used = { provider: 'placeholder', model: 'tone', unit: 'tts_characters', quantity: String(text.length) };
  return { frames: tone(Math.min(300 + text.length * 20, 3000)), used: [used] };
}

function* tone(ms: number): Generator<AudioFrame> {
  const samples = SAMPLE_RATE / 100;
  for (let frame = 0; frame < ms / 10; frame++) {
    const wave = (_: unknown, index: number) =>
      2000 * Math.sin((2 * Math.PI * 440 * (frame * samples + index)) / SAMPLE_RATE);
    yield new AudioFrame(Int16Array.from({ length: samples }, wave), SAMPLE_RATE, 1, samples);
  }
}
