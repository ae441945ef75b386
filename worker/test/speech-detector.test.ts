import assert from 'node:assert/strict';
import { test } from 'node:test';
import { initializeLogger, VADEventType } from '@livekit/agents';
import { AudioFrame } from '@livekit/rtc-node';
import { createSpeechDetector } from '../conversation/speech-detector.ts';
import { missingFestival, PCM_RATE, speak } from '../local/voice.ts';

initializeLogger({ pretty: false, level: 'error' });

const FRAME = PCM_RATE / 50;
/** Half a second of it is kept before speech. */
const SILENCE = PCM_RATE;

test('a recognizer gets the sentence as it was said, with the silence before it', {
  skip: missingFestival() ?? false,
}, async () => {
  const words = await speak('When do you open on Sunday?');
  const samples = new Int16Array(SILENCE + words.length + SILENCE);
  samples.set(words, SILENCE);
  const stream = createSpeechDetector().stream();
  for (let start = 0; start < samples.length; start += FRAME)
    stream.pushFrame(new AudioFrame(samples.slice(start, start + FRAME), PCM_RATE, 1, FRAME));
  let sentence: AudioFrame | undefined;
  for await (const { type, frames } of stream)
    if (type === VADEventType.END_OF_SPEECH) {
      [sentence] = frames;
      break;
    }
  stream.close();

  const heard = Buffer.from(Int16Array.from(sentence?.data ?? []).buffer);
  assert.ok(heard.length > 0);
  // Its samples follow each other as they were said, from before the first word on.
  const place = Buffer.from(samples.buffer).indexOf(heard) / 2;
  assert.ok(place >= 0 && place < SILENCE, `${place}`);
});
