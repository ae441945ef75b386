/**
 * Local speech recognition, rules and a voice behind an OpenAI-compatible API: an agent whose models use this
 * `base_url` needs no account. `node local/server.ts` starts it; it reads PORT and LOCAL_PYTHON.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { complete, MIND_MODEL } from './completions.ts';
import { EARS_MODEL, openEars } from './ears.ts';
import { durationMs, PCM_RATE, speak, toWav, VOICE_MODEL } from './voice.ts';

const MAX_BODY = 32 << 20;
const MAX_SPEECH = 4096;

export interface LocalModels {
  /** The `base_url` of the three models. */
  url: string;
  close(): Promise<void>;
}

/** Tokens (here: words), characters and audio of the answered requests. */
export interface Used {
  /** Without those from the cache. */
  input_tokens: number;
  cached_tokens: number;
  output_tokens: number;
  characters: number;
  audio_ms: number;
}

/** An invalid request. */
class Refusal extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export async function serveLocalModels({ python, port = 0 }: { python: string; port?: number }): Promise<LocalModels> {
  const ears = await openEars(python);
  /** Usage under each key, to compare with reported usage. */
  const used = new Map<string, Used>();
  const count = (request: IncomingMessage, more: Partial<Used>): void => {
    const bill = billOf(request);
    for (const [unit, quantity] of Object.entries(more)) bill[unit as keyof Used] += quantity;
  };
  function billOf({ headers }: IncomingMessage): Used {
    const key = headers.authorization ?? '';
    const bill = used.get(key) ?? { input_tokens: 0, cached_tokens: 0, output_tokens: 0, characters: 0, audio_ms: 0 };
    used.set(key, bill);
    return bill;
  }

  async function transcribe(request: IncomingMessage, body: Buffer): Promise<string> {
    const contentType = request.headers['content-type'] ?? '';
    const form = await new Response(Uint8Array.from(body), { headers: { 'content-type': contentType } })
      .formData()
      .catch(() => {
        throw new Refusal(400, 'The body is no multipart form.');
      });
    const file = form.get('file');
    demandModel(form.get('model'), EARS_MODEL);
    if (!(file instanceof File)) throw new Refusal(400, 'The form has no file.');
    const wav = Buffer.from(await file.arrayBuffer());
    const text = await ears.recognize(wav);
    count(request, { audio_ms: durationMs(wav) });
    return text;
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', 'http://local');
    const route = `${request.method} ${pathname.replace(/^\/v1/, '')}`;
    if (route === 'GET /models') return listModels(response);
    if (route === 'GET /usage') return json(response, billOf(request));
    const body = await read(request);
    if (route === 'POST /audio/transcriptions') return json(response, { text: await transcribe(request, body) });
    if (route === 'POST /chat/completions') return count(request, answerChat(parse(body), response));
    if (route === 'POST /audio/speech') return count(request, await answerSpeech(parse(body), response));
    throw new Refusal(404, `There is no ${route} here.`);
  }

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      const status = error instanceof Refusal ? error.status : 500;
      const message = error instanceof Error ? error.message : String(error);
      if (response.headersSent) response.destroy();
      else
        json(response, { error: { message, type: status < 500 ? 'invalid_request_error' : 'server_error' } }, status);
    });
  });
  await once(server.listen(port, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    close: async () => {
      ears.close();
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

function listModels(response: ServerResponse): void {
  const data = [EARS_MODEL, MIND_MODEL, VOICE_MODEL].map((id) => ({ id, object: 'model', owned_by: 'local' }));
  json(response, { object: 'list', data });
}

function answerChat(asked: Record<string, unknown>, response: ServerResponse): Partial<Used> {
  demandModel(asked.model, MIND_MODEL);
  const { prompt_tokens, completion_tokens, prompt_tokens_details } = complete(asked, response);
  const { cached_tokens } = prompt_tokens_details;
  return { input_tokens: prompt_tokens - cached_tokens, cached_tokens, output_tokens: completion_tokens };
}

async function answerSpeech(asked: Record<string, unknown>, response: ServerResponse): Promise<Partial<Used>> {
  const { input, speed, model, response_format = 'wav' } = asked;
  demandModel(model, VOICE_MODEL);
  if (typeof input !== 'string' || !input.trim() || input.length > MAX_SPEECH)
    throw new Refusal(400, `input must be text of 1 to ${MAX_SPEECH} characters.`);
  if (response_format !== 'pcm' && response_format !== 'wav')
    throw new Refusal(400, 'response_format must be pcm or wav.');
  const samples = await speak(input, { ...(typeof speed === 'number' && { speed }) });
  const pcm = Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength);
  response.writeHead(200, {
    'content-type': response_format === 'pcm' ? `audio/pcm;rate=${PCM_RATE}` : 'audio/wav',
  });
  response.end(response_format === 'pcm' ? pcm : toWav(samples));
  return { characters: input.length };
}

function demandModel(asked: unknown, model: string): void {
  if (asked !== model) throw new Refusal(404, `The only model here is ${model}.`);
}

function parse(body: Buffer): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // Answered below.
  }
  throw new Refusal(400, 'The body is not a JSON object.');
}

async function read(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    length += chunk.length;
    if (length > MAX_BODY) throw new Refusal(413, 'The body is too large.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function json(response: ServerResponse, body: object, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

if (import.meta.main) {
  const { url } = await serveLocalModels({
    python: process.env.LOCAL_PYTHON || 'python3',
    port: Number(process.env.PORT || 8020),
  });
  process.stdout.write(`${EARS_MODEL}, ${MIND_MODEL} and ${VOICE_MODEL} at ${url}\n`);
}
