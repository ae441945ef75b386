/** Stand-ins for speech-to-speech models: OpenAI's realtime sessions, and Google's live sessions. */
import type { WebSocket } from 'ws';
import { type Asked, startStandIn } from './stand-in.ts';

/** Half a second of sound, with 24,000 samples a second. */
const SOUND = Buffer.alloc(24_000).toString('base64');

/** Messages that a session was sent. */
// biome-ignore lint/suspicious/noExplicitAny: messages of the protocols.
type Message = any;

interface Session {
  send(message: object): void;
  /** Says these parts of an answer. An answer that does not end stays open. */
  answer(parts: readonly string[], options?: { ends?: boolean; asked?: Message }): void;
  /** The caller is heard to say this. */
  hear(words: string): void;
  close(code?: number, reason?: string): void;
  /** Ends the connection without a word. */
  cut(): void;
}

interface Behavior {
  refuses?: () => number | null;
  /** Called with each message of the worker, after what every session answers. */
  on?: (session: Session, message: Message) => void;
}

export async function startRealtime(kind: 'openai' | 'google', { refuses, on }: Behavior = {}) {
  const messages: Message[] = [];
  const sessions: Session[] = [];
  const standIn = await startStandIn({
    ...(refuses && { refuses }),
    socket: (socket: WebSocket, _asked: Asked) => {
      const session = kind === 'openai' ? openAi(socket) : google(socket);
      sessions.push(session);
      socket.on('message', (data) => {
        const message = JSON.parse(String(data));
        messages.push(message);
        session.told(message);
        on?.(session, message);
      });
    },
  });
  const heard = () =>
    messages.filter((one) => one.type === 'input_audio_buffer.append' || one.realtimeInput?.audio).length;
  return { ...standIn, messages, sessions, heard };
}

/** Tokens of the model that transcribes the caller. */
const TRANSCRIBED = {
  type: 'tokens',
  total_tokens: 25,
  input_tokens: 20,
  output_tokens: 5,
  input_token_details: { audio_tokens: 18, text_tokens: 2 },
};

function openAi(socket: WebSocket): Session & { told(message: Message): void } {
  const send = (message: object) => socket.send(JSON.stringify(message));
  let count = 0;
  let last: string | undefined;
  const add = (item: { id: string }, previous_item_id = last) => {
    last = item.id;
    send({ type: 'conversation.item.added', previous_item_id: previous_item_id ?? null, item });
  };
  return {
    send,
    told: ({ type, item, previous_item_id }) => {
      if (type === 'conversation.item.create') add(item, previous_item_id);
    },
    answer: (parts, { ends = true, asked } = {}) => {
      const [id, item_id] = [`resp_${++count}`, `item_${socket.url}${count}_${Math.random()}`];
      const metadata = asked?.response?.metadata;
      const item = { id: item_id, type: 'message', role: 'assistant', status: 'in_progress', content: [] };
      send({ type: 'response.created', response: { id, metadata, status: 'in_progress', output: [] } });
      send({ type: 'response.output_item.added', response_id: id, output_index: 0, item });
      add(item);
      const of = { response_id: id, item_id, output_index: 0, content_index: 0 };
      send({ type: 'response.content_part.added', ...of, part: { type: 'audio', transcript: '' } });
      for (const delta of parts) {
        send({ type: 'response.output_audio_transcript.delta', ...of, delta });
        send({ type: 'response.output_audio.delta', ...of, delta: SOUND });
      }
      if (!ends) return;
      const content = [{ type: 'output_audio', transcript: parts.join('') }];
      send({ type: 'response.output_item.done', ...of, item: { ...item, status: 'completed', content } });
      const usage = {
        total_tokens: 30,
        input_tokens: 20,
        output_tokens: 10,
        input_token_details: { text_tokens: 15, audio_tokens: 5, cached_tokens: 0 },
        output_token_details: { text_tokens: 4, audio_tokens: 6 },
      };
      send({ type: 'response.done', response: { id, metadata, status: 'completed', output: [], usage } });
    },
    hear: (transcript) => {
      const id = `heard_${++count}`;
      send({ type: 'input_audio_buffer.speech_started', item_id: id, audio_start_ms: 0 });
      send({ type: 'input_audio_buffer.speech_stopped', item_id: id, audio_end_ms: 500 });
      add({ id, type: 'message', role: 'user', content: [{ type: 'input_audio' }] } as { id: string });
      const of = { item_id: id, content_index: 0 };
      send({ type: 'conversation.item.input_audio_transcription.completed', ...of, transcript, usage: TRANSCRIBED });
    },
    close: (code, reason) => socket.close(code, reason),
    cut: () => socket.terminate(),
  };
}

function google(socket: WebSocket): Session & { told(message: Message): void } {
  const send = (message: object) => socket.send(JSON.stringify(message));
  return {
    send,
    told: ({ setup }) => {
      if (setup) send({ setupComplete: {} });
    },
    answer: (parts, { ends = true } = {}) => {
      for (const text of parts) {
        const inlineData = { mimeType: 'audio/pcm;rate=24000', data: SOUND };
        send({ serverContent: { modelTurn: { parts: [{ inlineData }] }, outputTranscription: { text } } });
      }
      if (!ends) return;
      const usageMetadata = {
        promptTokenCount: 20,
        responseTokenCount: 10,
        totalTokenCount: 30,
        promptTokensDetails: [{ modality: 'TEXT', tokenCount: 20 }],
        responseTokensDetails: [{ modality: 'AUDIO', tokenCount: 10 }],
      };
      send({ serverContent: { generationComplete: true }, usageMetadata });
      send({ serverContent: { turnComplete: true } });
    },
    hear: (text) => send({ serverContent: { inputTranscription: { text } } }),
    close: (code, reason) => socket.close(code, reason),
    cut: () => socket.terminate(),
  };
}
