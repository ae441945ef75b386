// A language model behind OpenAI's protocol, by rules: the same for everything that `npm run bench -- scenarios`
// compares. Prints its address; `GET /asked` says how often it was asked.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { complete } from '../local/completions.ts';

let asked = 0;
const server = createServer(async (request, response) => {
  if (request.method === 'GET') return void response.end(String(asked));
  const text = Buffer.concat(await request.toArray()).toString();
  asked++;
  complete(JSON.parse(text), response);
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  console.log(`http://127.0.0.1:${port}/v1`);
});
