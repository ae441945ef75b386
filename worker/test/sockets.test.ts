/** Recognition and voices over sockets, against stand-ins that answer as the types of the plugins say. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { initializeLogger, stt, type tts } from '@livekit/agents';
import { AudioFrame } from '@livekit/rtc-node';
import type { WebSocket } from 'ws';
import { at } from './asking.ts';
import { type Message, RATE, RECOGNIZERS, SECOND, startRecognizer, tell } from './recognizers.ts';
import { type Asked, startStandIn } from './stand-in.ts';

initializeLogger({ pretty: false, level: 'silent' });

const FRAME = RATE / 50;
const SENTENCE = 'Good morning, and welcome to the library. How can I help you?';

for (const [provider, recognizer] of Object.entries(RECOGNIZERS)) {
  test(`${provider}: words as they are recognized, from sound as the provider takes it`, {
    timeout: 60_000,
  }, async (t) => {
    const standIn = await startRecognizer(recognizer);
    t.after(standIn.close);
    const { stt: model } = at(standIn, 'stt', { provider, language: 'en' });
    const stream = (model as stt.STT).stream();
    t.after(() => stream.close());
    for (let samples = 0; samples < RATE; samples += FRAME)
      stream.pushFrame(new AudioFrame(new Int16Array(FRAME).fill(100), RATE, 1, FRAME));
    stream.flush();
    const heard: string[] = [];
    for await (const { type, alternatives } of stream) {
      if (type === stt.SpeechEventType.RECOGNITION_USAGE) continue;
      heard.push(`${stt.SpeechEventType[type]} ${alternatives?.[0]?.text ?? ''}`.trim());
      if (type === stt.SpeechEventType.END_OF_SPEECH) break;
    }
    assert.deepEqual(heard, [
      'START_OF_SPEECH',
      'INTERIM_TRANSCRIPT when do you',
      'FINAL_TRANSCRIPT when do you open',
      'END_OF_SPEECH',
    ]);
    const [asked = assert.fail('not asked')] = standIn.asked;
    const { pathname, searchParams } = new URL(asked.path, standIn.origin);
    assert.match(pathname, recognizer.path);
    assert.partialDeepStrictEqual(Object.fromEntries(searchParams), recognizer.query);
    assert.match(String(recognizer.key(asked)), /^(Token )?the-key$/);
    assert.equal(standIn.bytes(), SECOND);
  });
}

interface Voice {
  key: (asked: Asked) => unknown;
  path: RegExp;
  query: Record<string, string>;
  rate: number;
  /** The text in a message, and what it is answered with. */
  textIn: (message: Message) => string;
  answers: (socket: WebSocket, message: Message, sound: Buffer) => void;
}

const VOICES: Record<string, Voice> = {
  deepgram: {
    key: ({ headers }) => headers.authorization,
    path: /^\/v1\/speak$/,
    query: { model: 'some-voice', encoding: 'linear16', sample_rate: '24000' },
    rate: 24_000,
    textIn: ({ type, text }) => (type === 'Speak' ? text : ''),
    answers: (socket, { type }, sound) => {
      if (type === 'Speak') socket.send(sound);
      if (type === 'Flush') tell(socket, { type: 'Flushed', sequence_id: 0 });
      if (type === 'Close') socket.close(1000);
    },
  },
  cartesia: {
    key: (asked) => asked.headers['x-api-key'] ?? new URL(asked.path, 'http://a').searchParams.get('api_key'),
    path: /^\/tts\/websocket$/,
    query: {},
    rate: 24_000,
    textIn: ({ transcript, voice, model_id, output_format }) => {
      assert.deepEqual([voice, model_id], [{ mode: 'id', id: 'some-voice' }, 'sonic-3']);
      assert.deepEqual(output_format, { container: 'raw', encoding: 'pcm_s16le', sample_rate: 24_000 });
      return transcript;
    },
    answers: (socket, { context_id, continue: isMore }, sound) => {
      const head = { context_id, status_code: 206 };
      if (isMore) tell(socket, { ...head, type: 'chunk', data: sound.toString('base64'), done: false, step_time: 1 });
      else tell(socket, { ...head, type: 'done', done: true, status_code: 200 });
    },
  },
  elevenlabs: {
    key: ({ headers }) => headers['xi-api-key'],
    path: /^\/text-to-speech\/some-voice\/multi-stream-input$/,
    query: { model_id: 'eleven_flash_v2_5', output_format: 'pcm_22050' },
    rate: 22_050,
    textIn: ({ text = '' }) => text,
    answers: (socket, { context_id, text = '', close_context }, sound) => {
      if (text.trim()) tell(socket, { contextId: context_id, audio: sound.toString('base64'), isFinal: false });
      if (close_context) tell(socket, { contextId: context_id, isFinal: true });
    },
  },
};

for (const [provider, voice] of Object.entries(VOICES)) {
  test(`${provider}: sound for the whole text, by the voice of the configuration`, { timeout: 60_000 }, async (t) => {
    let [said, sent] = ['', 0];
    const standIn = await startStandIn({
      socket: (socket) =>
        socket.on('message', (data) => {
          const message = JSON.parse(String(data)) as Message;
          const text = voice.textIn(message);
          said += text;
          const sound = Buffer.alloc(text.trim() ? voice.rate : 0, 1);
          sent += sound.length / 2;
          voice.answers(socket, message, sound);
        }),
    });
    t.after(standIn.close);
    const { tts: model } = at(standIn, 'tts', { provider, voice: 'some-voice' });
    const stream = (model as tts.TTS).stream();
    t.after(() => stream.close());
    stream.pushText(SENTENCE);
    stream.endInput();
    let samples = 0;
    for await (const one of stream) if (typeof one !== 'symbol') samples += one.frame.samplesPerChannel;
    assert.equal(said.replaceAll(/\s+/g, ' ').trim(), SENTENCE);
    assert.ok(sent > 0);
    assert.equal(samples, sent);
    const [asked = assert.fail('not asked')] = standIn.asked;
    const { pathname, searchParams } = new URL(asked.path, standIn.origin);
    assert.match(pathname, voice.path);
    assert.partialDeepStrictEqual(Object.fromEntries(searchParams), voice.query);
    assert.match(String(voice.key(asked)), /^(Token )?the-key$/);
  });
}
