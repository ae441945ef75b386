import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';

const { SWITCHBOARD_URL = 'http://127.0.0.1:8000', SWITCHBOARD_API_KEY: key, USER_ID, AGENT_ID } = process.env;
const { HOST = '127.0.0.1', PORT = 3000 } = process.env;
const FILES = { '/': 'index.html', '/livekit-client.js': 'node_modules/livekit-client/dist/livekit-client.esm.mjs' };
if (!USER_ID || !AGENT_ID) throw new Error('Set USER_ID and AGENT_ID.');
const user = Buffer.from(USER_ID).toString('latin1'); // Headers are bytes: those of UTF-8.
const headers = { 'content-type': 'application/json', 'x-user-id': user, authorization: `Bearer ${key}` };
const request = { method: 'POST', headers, body: JSON.stringify({ agent_id: AGENT_ID }) };
createServer(async ({ method, url }, response) => {
  const file = FILES[url] && (await readFile(new URL(FILES[url], import.meta.url)).catch(() => null));
  if (file) return response.setHeader('content-type', url === '/' ? 'text/html' : 'text/javascript').end(file);
  if (`${method} ${url}` !== 'POST /call') return response.writeHead(404).end();
  // Put your own checks here: whoever passes them starts a call. The key stays on this side.
  const [status, text] = await fetch(`${SWITCHBOARD_URL}/api/calls/web`, request)
    .then(async (answer) => [answer.status, await answer.text()])
    .catch(() => [502, '{"detail": "Switchboard does not answer."}']);
  response.writeHead(status, { 'x-service': SWITCHBOARD_URL }).end(text);
}).listen(PORT, HOST, () => console.log(`http://localhost:${PORT}`));
