import assert from 'node:assert/strict';
import path from 'node:path';
import { wordsOf } from '../../worker/local/accuracy/compare.ts';
import { findPython } from '../../worker/local/python.ts';
import type { Used } from '../../worker/local/server.ts';
import { missingFestival, toWav } from '../../worker/local/voice.ts';
import { startProgram } from './program.ts';
import { WORKER_DIR } from './worker.ts';

/** The worker's local models, as a separate process, and the same models for the caller in a test. */
export interface Voice {
  /** The `base_url` of the models. */
  url: string;
  /** The sections of an agent's config that name them. */
  config: Record<'stt' | 'llm' | 'tts', object>;
  /** Text as samples of 24 kHz. */
  speak(text: string): Promise<Int16Array>;
  /** The words in samples of 24 kHz. */
  recognize(samples: Int16Array): Promise<string>;
  /** Usage that the models counted under a key. */
  used(key: string): Promise<Used>;
  stop(): Promise<unknown>;
}

export function missingVoice(): string | null {
  const missing = missingFestival();
  return missing && `not on this machine: ${missing}`;
}

export async function startVoice(): Promise<Voice> {
  const server = path.join(WORKER_DIR, 'local/server.ts');
  const models = startProgram([process.execPath, server], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, LOCAL_PYTHON: findPython(process.env), PORT: '0' },
  });
  await models.until((output) => output.includes(' at http'), 30_000);
  const url = /at (http\S+)/.exec(models.output())?.[1] ?? assert.fail(models.output());
  const ask = async (route: string, init: RequestInit): Promise<Response> => {
    const response = await fetch(`${url}${route}`, { method: 'POST', ...init });
    assert.equal(response.status, 200, `${route}: ${response.ok ? '' : await response.text()}`);
    return response;
  };
  return {
    url,
    config: {
      stt: { provider: 'openai', base_url: url, model: 'moonshine-tiny', language: 'en' },
      llm: { provider: 'openai', base_url: url, model: 'rules' },
      tts: { provider: 'openai', base_url: url, model: 'festival', voice: 'slt' },
    },
    speak: async (input) => {
      const body = JSON.stringify({ model: 'festival', voice: 'slt', input, response_format: 'pcm' });
      return new Int16Array(await (await ask('/audio/speech', { body })).arrayBuffer());
    },
    recognize: async (samples) => {
      const body = new FormData();
      body.set('model', 'moonshine-tiny');
      body.set('file', new File([Uint8Array.from(toWav(samples))], 'heard.wav'));
      return ((await (await ask('/audio/transcriptions', { body })).json()) as { text: string }).text;
    },
    used: async (key) => {
      const response = await fetch(`${url}/usage`, { headers: { authorization: `Bearer ${key}` } });
      return (await response.json()) as Used;
    },
    stop: () => models.end('SIGKILL'),
  };
}

/** Every word of a sentence of docs/speech.md was recognized, in any spelling, and no other. */
export function assertHeard(text: string | undefined, expected: string): void {
  const words = (from: string) => wordsOf(from).join('');
  assert.equal(words(text ?? ''), words(expected), `"${text}" instead of "${expected}"`);
}
