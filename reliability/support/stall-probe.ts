// Loaded into the service (`--import`): tells, for each line of its standard input, the longest turn of its event loop
// since the line before, in milliseconds, and what has been added to Object.prototype. And nothing it does leaves the
// machine.
import net from 'node:net';

const EVERY_MS = 2;
let worst = 0;
let before = process.threadCpuUsage();

// The processor time of the main thread: on a machine shared with others, time on the wall counts their work too.
function turn(): void {
  const { user, system } = process.threadCpuUsage(before);
  worst = Math.max(worst, (user + system) / 1000);
  before = process.threadCpuUsage();
}

setInterval(turn, EVERY_MS).unref();
process.stdin.on('data', () => {
  turn();
  process.stderr.write(`${JSON.stringify({ stall: worst, polluted: Reflect.ownKeys(Object.prototype).length })}\n`);
  worst = 0;
});
process.stdin.unref();

// Callbacks go wherever a request asks for: here, to a port of this machine where nobody listens.
const connect = net.Socket.prototype.connect;
net.Socket.prototype.connect = function (this: net.Socket, ...args: unknown[]) {
  const [options] = (Array.isArray(args[0]) ? args[0] : args) as [{ host?: string; port?: number }];
  const isLocal = ['127.0.0.1', 'localhost', undefined].includes(options.host);
  if (!isLocal) Object.assign(options, { host: '127.0.0.1', port: 1 });
  return Reflect.apply(connect, this, args);
} as typeof connect;
