// Loaded into the service (`--import`): for each line on standard input, prints the longest turn of its event loop
// since the previous line, in milliseconds, and the additions to Object.prototype. The line `reference` prints how long
// this machine takes now for a known piece of work. It also keeps all connections on this machine.
import net from 'node:net';

const EVERY_MS = 2;
const REFERENCE_KEYS = 20_000;
/** The kernel may count processor time in steps of 4 ms. */
const REFERENCE_TIMES = 10;
let worst = 0;
let before = process.threadCpuUsage();

// CPU time of the main thread: on a shared machine, wall time would include the work of others.
function turn(): void {
  const { user, system } = process.threadCpuUsage(before);
  worst = Math.max(worst, (user + system) / 1000);
  before = process.threadCpuUsage();
}

/** Milliseconds of processor time that parsing and serializing an object of 20,000 keys takes, on average. */
function reference(): number {
  const text = JSON.stringify(Object.fromEntries(Array.from({ length: REFERENCE_KEYS }, (_, n) => [`key-${n}`, n])));
  const start = process.threadCpuUsage();
  for (let times = 0; times < REFERENCE_TIMES; times++) JSON.stringify(JSON.parse(text));
  const { user, system } = process.threadCpuUsage(start);
  return (user + system) / 1000 / REFERENCE_TIMES;
}

setInterval(turn, EVERY_MS).unref();
process.stdin.on('data', (line) => {
  turn();
  const polluted = Reflect.ownKeys(Object.prototype).length;
  const measured = String(line).startsWith('reference') ? { reference: reference() } : {};
  process.stderr.write(`${JSON.stringify({ stall: worst, polluted, ...measured })}\n`);
  before = process.threadCpuUsage();
  worst = 0;
});
process.stdin.unref();

// Callbacks go to any requested address: here, to a local port where nothing listens.
const connect = net.Socket.prototype.connect;
net.Socket.prototype.connect = function (this: net.Socket, ...args: unknown[]) {
  const [options] = (Array.isArray(args[0]) ? args[0] : args) as [{ host?: string; port?: number }];
  const isLocal = ['127.0.0.1', 'localhost', undefined].includes(options.host);
  if (!isLocal) Object.assign(options, { host: '127.0.0.1', port: 1 });
  return Reflect.apply(connect, this, args);
} as typeof connect;
