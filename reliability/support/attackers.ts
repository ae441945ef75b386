// A separate process: connections from many addresses that send the most expensive requests, until it is killed.
// Arguments: the service's URL, the kind of attack, the number of connections, the key that half of them use, and the
// users whose lists are long, with a key for all of them.
import net from 'node:net';
import { type Document, operationsOf } from './operations.ts';
import { rawRequest } from './raw.ts';

/** The largest body that any operation accepts, in bytes. */
const MAX_BODY = 1024 * 1024;
/** One level less than a body may have before it is refused without parsing. */
const MAX_LEVELS = 999;
const ADDRESSES = 60;
const ID = '00000000-0000-7000-8000-000000000000';
/** Connections opened in one turn of the loop. */
const WAVE = 100;
/** Pause before a closed connection is opened again. */
const REOPEN_MS = 200;
/** Connections that request long lists in a loop; the others are open, and idle. */
const ASKING = 60;
/** Pause between two requests of such a connection. */
const ASK_AGAIN_MS = 200;
/** Pause between reports of the number of opened connections, one per line. */
const REPORT_MS = 50;

const [url = '', kind = '', count = '0', key = '', longLists = '', everyUsers = ''] = process.argv.slice(2);
const users = longLists.split(',');
const connections = Number(count);
const document = (await (await fetch(`${url}/openapi.json`)).json()) as Document;
const operations = operationsOf(document).map((one) => ({ ...one, target: one.template.replace(/\{\w+\}/g, ID) }));
const page = await (await fetch(`${url}/docs`)).text();
const largest = /\/console\/assets\/scalar-\w+\.js/.exec(page)?.[0] ?? '/nowhere';
const reading = ['/docs', largest, '/openapi.json', '/nowhere'];
const gets = operations.filter(({ method, target }) => method === 'GET' && !target.endsWith('/events'));
const posts = operations.filter(({ fields }) => fields !== null);

function headersOf(index: number): [string, string][] {
  const headers: [string, string][] = [['content-type', 'application/json']];
  if (index % 2 === 0) headers.push(['authorization', `Bearer ${key}`]);
  return headers;
}

/** Ten requests for every readable path: some 64 KiB. */
function pipeline(index: number): Buffer {
  const targets = [...reading, ...gets.map(({ target }) => target)];
  const all = targets.map((target) => rawRequest('GET', target, headersOf(index)));
  return Buffer.concat(Array.from({ length: 10 }, () => all).flat());
}

function askForList(index: number): Buffer {
  const user = users[index % users.length] ?? '';
  return rawRequest('GET', '/api/agents/', [
    ['authorization', `Bearer ${everyUsers}`],
    ['x-user-id', user],
  ]);
}

function post(index: number, make: (example: Record<string, unknown>) => string): Buffer {
  const { method = '', target = '', example = {} } = posts[index % posts.length] ?? {};
  return rawRequest(method, target, headersOf(index), make(example));
}

const filled = (example: Record<string, unknown>) => {
  const [first = '', rest = ''] = [JSON.stringify({ ...example, filler: '' }).slice(0, -2), '"}'];
  return first + 'x'.repeat(MAX_BODY - first.length - rest.length) + rest;
};
const nested = (example: Record<string, unknown>) =>
  JSON.stringify({ ...example, config: 0, metadata: 0 }).replace(
    /:0/g,
    `:${'[{"a":'.repeat(MAX_LEVELS / 2)}1${'}]'.repeat(MAX_LEVELS / 2)}`,
  );

const PAYLOADS: Record<string, (index: number) => Buffer> = {
  pipelining: pipeline,
  'not reading': pipeline,
  'long lists': askForList,
  'long lists, not read': askForList,
  'maximum bodies': (index) => post(index, filled),
  'maximum depth': (index) => post(index, nested),
  'half a body': (index) => post(index, filled).subarray(0, MAX_BODY / 2),
  'half a head': () => Buffer.from('GET /openapi.json HTTP/1.1\r\nhost: loc'),
};
const isPartial = kind.startsWith('half');
const asksAgain = kind.startsWith('long lists');
const made = new Map<number, Buffer>();
const payload = (index: number): Buffer => {
  // One for each operation, with and without a key.
  const which = index % (posts.length * 2);
  const bytes = made.get(which) ?? PAYLOADS[kind]?.(which) ?? Buffer.alloc(0);
  made.set(which, bytes);
  return bytes;
};

const isIdle = (index: number) => asksAgain && index >= ASKING;
let opened = 0;
const all = new Set<() => void>();

function open(index: number): void {
  const { port, hostname } = new URL(url);
  const localAddress = `127.0.1.${1 + (index % ADDRESSES)}`;
  const socket = net.connect({ port: Number(port), host: hostname, localAddress });
  if (kind.endsWith('not reading') || kind.endsWith('not read')) socket.pause();
  else socket.resume();
  const send = () => isIdle(index) || socket.write(payload(index));
  let asking: NodeJS.Timeout | undefined;
  socket.on('connect', () => {
    if (++opened < connections) all.add(send);
    else send();
    if (opened === connections) for (const begin of all) begin();
    if (!isPartial && !asksAgain) socket.on('drain', send);
    if (asksAgain) asking = setInterval(send, ASK_AGAIN_MS);
  });
  socket.on('error', () => {});
  socket.on('close', () => {
    all.delete(send);
    clearInterval(asking);
    setTimeout(open, REOPEN_MS, index);
  });
}

// All connections are opened before the first one sends, so that they start at the same time.
for (let index = 0; index < connections; index++) {
  open(index);
  if (index % WAVE === WAVE - 1) await new Promise(setImmediate);
}
setInterval(() => process.stdout.write(`${opened}\n`), REPORT_MS);
