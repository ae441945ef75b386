import { createReadStream } from 'node:fs';
import { createServer } from 'node:http';

const { SWITCHBOARD_URL = 'http://127.0.0.1:8000', SWITCHBOARD_API_KEY, USER_ID, AGENT_ID } = process.env;
const { HOST = '127.0.0.1', PORT = 3000 } = process.env;
const LIVEKIT = 'node_modules/livekit-client/dist/livekit-client.esm.mjs';
const FILES = { '/': ['text/html', 'index.html'], '/livekit-client.js': ['text/javascript', LIVEKIT] };
const credentials = { 'x-user-id': USER_ID, authorization: `Bearer ${SWITCHBOARD_API_KEY}` };

createServer(async ({ method, url }, response) => {
  const [type, file] = FILES[url] ?? [];
  if (file) return createReadStream(new URL(file, import.meta.url)).pipe(response.setHeader('content-type', type));
  if (`${method} ${url}` !== 'POST /call') return response.writeHead(404).end();
  // Put your own checks here: whoever passes them starts a call. The key stays on this side.
  const headers = { ...credentials, 'content-type': 'application/json' };
  const request = { method: 'POST', headers, body: JSON.stringify({ agent_id: AGENT_ID }) };
  const away = () => Response.json({ detail: 'Switchboard does not answer.' }, { status: 502 });
  const answer = await fetch(`${SWITCHBOARD_URL}/api/calls/web`, request).catch(away);
  response.writeHead(answer.status, { 'x-service': SWITCHBOARD_URL }).end(await answer.text());
}).listen(PORT, HOST, () => console.log(`http://localhost:${PORT}`));
