import type { Page } from 'playwright-core';

const RATE = 24_000;
/**
 * A microphone that is silent until something is said into it. Silence is sent too: the end of a sentence is detected
 * from it.
 */
const MICROPHONE = `() => {
  let context, out;
  async function open() {
    context = new AudioContext({ sampleRate: ${RATE} });
    await context.resume();
    out = context.createMediaStreamDestination();
    const silence = context.createConstantSource();
    silence.offset.value = 0;
    silence.connect(out);
    silence.start();
  }
  navigator.mediaDevices.getUserMedia = async () => {
    if (!out) await open();
    return out.stream.clone();
  };
  window.speak = (base64) => new Promise((resolve) => {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    const samples = Float32Array.from(new Int16Array(bytes.buffer), (sample) => sample / 32768);
    const buffer = context.createBuffer(1, samples.length, ${RATE});
    buffer.copyToChannel(samples, 0);
    const source = context.createBufferSource();
    source.buffer = buffer;
    source.onended = () => resolve();
    source.connect(out);
    source.start();
  });
}`;

/**
 * Gives a page a voice, until it is loaded again: its microphone has what the returned function is given, samples of
 * 24 kHz. A recording that Chromium plays by itself would not wait for the agent.
 */
export async function giveVoice(page: Page): Promise<(samples: Int16Array) => Promise<void>> {
  await page.evaluate(`(${MICROPHONE})()`);
  return async ({ buffer, byteOffset, byteLength }) => {
    const base64 = Buffer.from(buffer, byteOffset, byteLength).toString('base64');
    await page.evaluate(`speak('${base64}')`);
  };
}
