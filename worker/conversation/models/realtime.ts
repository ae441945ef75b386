import {
  APIConnectionError,
  type APIConnectOptions,
  APIStatusError,
  APITimeoutError,
  type llm,
  type metrics,
} from '@livekit/agents';
import * as openai from '@livekit/agents-plugin-openai';
import WebSocket from 'ws';
import { GoogleLive, httpAt } from './google.ts';
import { at, extra, type Maker } from './maker.ts';

/** Parts of the plugin's session that its types hide. */
interface Hidden {
  oaiRealtimeModel: OpenAiRealtime;
  _options: {
    apiKey: string;
    baseURL: string;
    model: string;
    connOptions: APIConnectOptions;
    inputAudioTranscription?: { model?: string } | null;
  };
  on(event: 'openai_server_event_received', listener: (event: Partial<Transcribed>) => void): void;
  emit(event: 'metrics_collected', metrics: metrics.RealtimeModelMetrics): void;
  emitError(failed: { error: Error; recoverable: boolean }): void;
}
/** A line of the caller is complete, as OpenAI publishes the event; the plugin's type lacks the usage. */
interface Transcribed {
  type: typeof TRANSCRIBED;
  item_id: string;
  usage: {
    /** `duration` for models that are charged by the minute. */
    type: string;
    input_tokens: number;
    output_tokens: number;
    total_tokens?: number;
    input_token_details?: { audio_tokens?: number; text_tokens?: number };
  };
}
const TRANSCRIBED = 'conversation.item.input_audio_transcription.completed';
const Session = openai.realtime.RealtimeSession as unknown as new (model: openai.realtime.RealtimeModel) => Hidden;

/**
 * The plugin's model. Its version 1.8.1 ends the process when a connection is refused, tells nobody why, and connects
 * again in silence when a connection breaks, without the answer that broke off.
 */
class OpenAiRealtime extends openai.realtime.RealtimeModel {
  /** Whether another model takes over when the connection breaks. */
  isListed = false;

  override session(): openai.realtime.RealtimeSession {
    return new OpenAiSession(this) as unknown as openai.realtime.RealtimeSession;
  }
}

class OpenAiSession extends Session {
  constructor(model: openai.realtime.RealtimeModel) {
    super(model);
    this.on('openai_server_event_received', (event) => this.#bookTranscription(event));
  }

  /** Tells the tokens of the model that transcribes the caller, whose prices are its own: the plugin drops them. */
  #bookTranscription({ type, item_id: requestId = '', usage }: Partial<Transcribed>): void {
    if (type !== TRANSCRIBED || usage?.type !== 'tokens') return;
    const { input_tokens, output_tokens, total_tokens = 0, input_token_details = {} } = usage;
    const { audio_tokens: audioTokens = 0, text_tokens: textTokens = 0 } = input_token_details;
    this.emit('metrics_collected', {
      type: 'realtime_model_metrics',
      label: 'openai_transcription',
      requestId,
      timestamp: Date.now(),
      durationMs: 0,
      ttftMs: -1,
      cancelled: false,
      tokensPerSecond: 0,
      inputTokens: input_tokens,
      outputTokens: output_tokens,
      totalTokens: total_tokens,
      inputTokenDetails: { audioTokens, textTokens, imageTokens: 0, cachedTokens: 0 },
      outputTokenDetails: { audioTokens: 0, textTokens: output_tokens, imageTokens: 0 },
      metadata: {
        modelProvider: this.oaiRealtimeModel.provider,
        modelName: this._options.inputAudioTranscription?.model ?? 'unknown',
      },
    });
  }

  /** Opens a connection; the plugin calls this in its constructor. */
  async createWsConn(): Promise<WebSocket> {
    try {
      const socket = await connect(this._options);
      if (this.oaiRealtimeModel.isListed) watch(socket, (error) => this.emitError({ error, recoverable: false }));
      return socket;
    } catch (error) {
      this.emitError({ error: error as Error, recoverable: false });
      throw error;
    }
  }
}

/** Tells when a connection ends that this side has not closed; the plugin itself replaces it after some time. */
function watch(socket: WebSocket, broken: (error: Error) => void): void {
  let isOurs = false;
  const close = socket.close.bind(socket);
  socket.close = (...reason) => {
    isOurs ||= socket.readyState === WebSocket.OPEN;
    close(...reason);
  };
  socket.once('close', (code, reason) => {
    const message = `the connection has ended with ${code} ${reason}`.trim();
    if (!isOurs) broken(new APIConnectionError({ message }));
  });
}

async function connect({ apiKey, baseURL, model, connOptions }: Hidden['_options']): Promise<WebSocket> {
  const url = new URL(`${baseURL}/realtime`);
  url.protocol = url.protocol.replace('http', 'ws');
  url.searchParams.set('model', model);
  const { promise, resolve, reject } = Promise.withResolvers<WebSocket>();
  const socket = new WebSocket(url, { headers: { Authorization: `Bearer ${apiKey}` } });
  const timer = setTimeout(() => {
    reject(new APITimeoutError({ message: `no connection for ${connOptions.timeoutMs} ms` }));
    socket.terminate();
  }, connOptions.timeoutMs);
  socket.once('open', () => resolve(socket));
  socket.once('unexpected-response', (request, { statusCode = 500 }) => {
    reject(new APIStatusError({ message: `Unexpected server response: ${statusCode}`, options: { statusCode } }));
    request.destroy();
  });
  socket.on('error', (error) => reject(new APIConnectionError({ message: error.message || String(error) })));
  socket.once('close', () => reject(new APIConnectionError({ message: 'the connection was closed' })));
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
  }
}

export const REALTIME: Record<string, Maker<llm.RealtimeModel>> = {
  openai: (section, { apiKey, baseUrl, connOptions }) => {
    const { model = 'gpt-realtime', voice = 'marin' } = section;
    const options = { ...extra(section), model, voice, apiKey, ...at(baseUrl) };
    if (!connOptions) return new OpenAiRealtime(options);
    // The plugin counts a connection that it replaces as one that has failed.
    const realtime = new OpenAiRealtime({ ...options, connOptions: { ...connOptions, maxRetry: 1 } });
    realtime.isListed = true;
    return realtime;
  },
  google: (section, { apiKey, baseUrl, connOptions }) => {
    const { model, voice } = section;
    const spoken = { ...(model && { model }), ...(voice && { voice }) };
    const options = { ...extra(section), ...spoken, apiKey, ...httpAt(baseUrl) };
    return new GoogleLive({ ...options, ...(connOptions && { connOptions }) });
  },
};
