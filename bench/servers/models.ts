// Models that take no time, behind OpenAI's protocol: words for any sound, an answer to any words, and a tone as the
// voice. The same for every agent that `npm run bench -- turns capacity failover` measures.
import { createServer, type ServerResponse } from 'node:http';

const HEARD = 'Where can I park?';
const ANSWER = 'Behind the library.';
/** The voice: of 24,000 samples a second, as the protocol has them. */
const [RATE, SECONDS, HZ, LOUD] = [24_000, 0.4, 440, 8_000];
const VOICE = Buffer.from(
  Int16Array.from({ length: RATE * SECONDS }, (_, at) => LOUD * Math.sin((2 * Math.PI * HZ * at) / RATE)).buffer,
);
/** An answer of two sentences, in the parts in which it is cut. */
const [BEGUN, REST] = ['Behind the old library. The entrance ', 'is on the left.'];

interface Asked {
  model?: string;
  messages?: { role: string }[];
}

/** Failures of language models by their names, and the question in whose place each happens. */
const FAILS_AT = 4;
const FAILURES: Record<string, (response: ServerResponse) => void> = {
  stalls: () => {},
  'is-busy': (response) =>
    response.writeHead(429, { 'content-type': 'application/json' }).end('{"error":{"message":"Rate limit reached"}}'),
  'breaks-off': (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(lines([chunk(BEGUN)]), () => response.socket?.destroy());
  },
};

function complete({ model = '', messages = [] }: Asked, response: ServerResponse): void {
  const fails = FAILURES[model];
  if (fails && messages.filter(({ role }) => role === 'user').length === FAILS_AT) return void fails(response);
  // The last of several messages tells a model to continue the answer of another one.
  const isContinuing = messages.length > 1 && messages.at(-1)?.role === 'system';
  const answer = model === 'breaks-off' ? BEGUN + REST : isContinuing ? REST : ANSWER;
  const usage = { prompt_tokens: 10, completion_tokens: 4, total_tokens: 14 };
  const chunks = [chunk(answer), { ...chunk(), choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }];
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end(`${lines([...chunks, { ...chunk(), choices: [], usage }])}data: [DONE]\n\n`);
}

function chunk(content = ''): object {
  const head = { id: 'chatcmpl-1', created: 1, model: 'model', object: 'chat.completion.chunk' };
  return { ...head, choices: [{ index: 0, delta: { role: 'assistant', content }, finish_reason: null }] };
}

const lines = (chunks: object[]): string => chunks.map((one) => `data: ${JSON.stringify(one)}\n\n`).join('');

const server = createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray());
  if (request.url?.endsWith('/chat/completions')) return complete(JSON.parse(body.toString()) as Asked, response);
  if (request.url?.endsWith('/audio/speech'))
    return void response.writeHead(200, { 'content-type': 'audio/pcm' }).end(VOICE);
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ text: HEARD }));
});
server.listen(Number(process.env.PORT), '127.0.0.1');
