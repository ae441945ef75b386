// Models that take no time, behind OpenAI's protocol: words for any sound, an answer to any words, and a tone as the
// voice. The same for every agent that `npm run bench -- turns capacity` compares.
import { createServer, type ServerResponse } from 'node:http';

const HEARD = 'Where can I park?';
const ANSWER = 'Behind the library.';
/** The voice: of 24,000 samples a second, as the protocol has them. */
const [RATE, SECONDS, HZ, LOUD] = [24_000, 0.4, 440, 8_000];
const VOICE = Buffer.from(
  Int16Array.from({ length: RATE * SECONDS }, (_, at) => LOUD * Math.sin((2 * Math.PI * HZ * at) / RATE)).buffer,
);

function complete(response: ServerResponse): void {
  const head = { id: 'chatcmpl-1', created: 1, model: 'model', object: 'chat.completion.chunk' };
  const usage = { prompt_tokens: 10, completion_tokens: 4, total_tokens: 14 };
  const chunks = [
    { ...head, choices: [{ index: 0, delta: { role: 'assistant', content: ANSWER }, finish_reason: null }] },
    { ...head, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
    { ...head, choices: [], usage },
  ];
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end(`${chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('')}data: [DONE]\n\n`);
}

const server = createServer(async (request, response) => {
  await request.resume().toArray();
  if (request.url?.endsWith('/chat/completions')) return complete(response);
  if (request.url?.endsWith('/audio/speech'))
    return void response.writeHead(200, { 'content-type': 'audio/pcm' }).end(VOICE);
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ text: HEARD }));
});
server.listen(Number(process.env.PORT), '127.0.0.1');
