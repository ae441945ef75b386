import { createReadStream } from 'node:fs';
import { createServer } from 'node:http';

const { SWITCHBOARD_URL = 'http://127.0.0.1:8000', SWITCHBOARD_API_KEY, USER_ID, AGENT_ID, PORT = 3000 } = process.env;
const FILES = {
  '/': ['text/html', 'index.html'],
  '/livekit-client.js': ['text/javascript', 'node_modules/livekit-client/dist/livekit-client.esm.mjs'],
};

/** The key stays here: the page is given nothing but the token of its own room. Put your own checks before this line. */
async function startCall(response) {
  const headers = { 'content-type': 'application/json', ...(USER_ID && { 'x-user-id': USER_ID }) };
  if (SWITCHBOARD_API_KEY) headers.authorization = `Bearer ${SWITCHBOARD_API_KEY}`;
  const body = JSON.stringify({ agent_id: AGENT_ID });
  const answer = await fetch(`${SWITCHBOARD_URL}/api/calls/web`, { method: 'POST', headers, body });
  const call = await answer.json();
  if (answer.ok) call.events_url = new URL(call.events_url, SWITCHBOARD_URL).href;
  response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(call));
}

createServer((request, response) => {
  if (request.method === 'POST' && request.url === '/call')
    return startCall(response).catch((error) => response.writeHead(502).end(JSON.stringify({ detail: error.message })));
  const [type, file] = FILES[request.url] ?? [];
  if (!file) return response.writeHead(404).end();
  response.writeHead(200, { 'content-type': `${type}; charset=utf-8` });
  createReadStream(new URL(file, import.meta.url)).pipe(response);
}).listen(PORT, () => console.log(`http://localhost:${PORT}`));
