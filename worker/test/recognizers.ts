/** Stand-ins for providers that recognize speech over sockets, made from the types of their plugins. */
import type { WebSocket } from 'ws';
import { type Asked, startStandIn } from './stand-in.ts';

export const RATE = 16_000;
/** Bytes of a second of sound, of which a stand-in says what it has heard after a half and after all. */
export const SECOND = 2 * RATE;

// biome-ignore lint/suspicious/noExplicitAny: messages of each protocol.
export type Message = Record<string, any>;
export const tell = (socket: WebSocket, message: Message) => socket.send(JSON.stringify(message));

interface Recognizer {
  /** Where the key is, and how. */
  key: (asked: Asked) => unknown;
  path: RegExp;
  query: Record<string, string>;
  /** Bytes of sound in a message; of other messages null. */
  soundIn: (message: Message | Buffer) => number | null;
  begins?: (socket: WebSocket) => void;
  /** Says what was heard after half of the sound, and after all. */
  half: (socket: WebSocket) => void;
  all: (socket: WebSocket) => void;
  /** Called with each message that has no sound. */
  answers?: (socket: WebSocket, message: Message) => void;
}

const deepgram = (transcript: string, isOver: boolean) => ({
  type: 'Results',
  is_final: isOver,
  speech_final: isOver,
  metadata: { request_id: 'a-request' },
  channel: {
    alternatives: [
      {
        transcript,
        confidence: 0.9,
        words: [{ word: 'when', start: 0, end: 0.2, confidence: 0.9 }],
        languages: ['en'],
      },
    ],
  },
});
const bytesOf = (message: Message | Buffer) => (Buffer.isBuffer(message) ? message.length : null);

export const RECOGNIZERS: Record<string, Recognizer> = {
  deepgram: {
    key: ({ headers }) => headers.authorization,
    path: /^\/v1\/listen$/,
    query: {
      model: 'nova-3',
      language: 'en',
      encoding: 'linear16',
      sample_rate: '16000',
      channels: '1',
      interim_results: 'true',
    },
    soundIn: bytesOf,
    half: (socket) => tell(socket, deepgram('when do you', false)),
    all: (socket) => tell(socket, deepgram('when do you open', true)),
    answers: (socket, { type }) => type === 'CloseStream' && socket.close(1000),
  },
  cartesia: {
    key: ({ headers }) => headers['x-api-key'],
    path: /^\/stt\/turns\/websocket$/,
    query: { encoding: 'pcm_s16le', sample_rate: '16000' },
    soundIn: bytesOf,
    begins: (socket) => tell(socket, { type: 'connected', request_id: 'a-request' }),
    half: (socket) => {
      tell(socket, { type: 'turn.start', request_id: 'a-request' });
      tell(socket, { type: 'turn.update', transcript: 'when do you' });
    },
    all: (socket) => tell(socket, { type: 'turn.end', transcript: 'when do you open' }),
    answers: (socket, { type }) => type === 'close' && socket.close(1000),
  },
  elevenlabs: {
    key: ({ headers }) => headers['xi-api-key'],
    path: /^\/speech-to-text\/realtime$/,
    query: { model_id: 'scribe_v2_realtime', audio_format: 'pcm_16000', language_code: 'en' },
    soundIn: (message) =>
      'message_type' in message && message.message_type === 'input_audio_chunk' && message.audio_base_64 !== ''
        ? Buffer.from(message.audio_base_64, 'base64').length
        : null,
    begins: (socket) => tell(socket, { message_type: 'session_started', session_id: 'a-session' }),
    half: (socket) => tell(socket, { message_type: 'partial_transcript', text: 'when do you' }),
    all: (socket) => {
      tell(socket, { message_type: 'committed_transcript', text: 'when do you open' });
      tell(socket, { message_type: 'committed_transcript', text: '' });
    },
  },
};

/** Begins to listen as a provider does; `bytes` are those of the sound that it has heard. */
export async function startRecognizer({ soundIn, begins, half, all, answers }: Recognizer) {
  let bytes = 0;
  const standIn = await startStandIn({
    socket: (socket) => {
      begins?.(socket);
      socket.on('message', (data: Buffer, isBinary) => {
        const message = isBinary ? data : (JSON.parse(String(data)) as Message);
        const more = soundIn(message);
        if (more === null) return void (Buffer.isBuffer(message) || answers?.(socket, message));
        const before = bytes;
        bytes += more;
        if (before < SECOND / 2 && bytes >= SECOND / 2) half(socket);
        if (before < SECOND && bytes >= SECOND) all(socket);
      });
    },
  });
  return { ...standIn, bytes: () => bytes };
}
