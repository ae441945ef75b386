import { once } from 'node:events';
import net from 'node:net';

// Below those of outgoing connections (Linux: 32768 to 60999): one of them could take a port before the program that
// the port is for listens on it.
const FIRST = 10_000;
const COUNT = 10_000;
// Test files run at the same time: each begins somewhere else, and never returns a port twice.
let next = Math.floor(Math.random() * COUNT);

/** Distinct loopback ports that were free a moment ago. */
export async function freePorts(count: number): Promise<number[]> {
  const ports: number[] = [];
  for (let tries = 0; ports.length < count && tries < COUNT; tries++) {
    const port = FIRST + (next++ % COUNT);
    if (await isFree(port)) ports.push(port);
  }
  return ports;
}

async function isFree(port: number): Promise<boolean> {
  const server = net.createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  await new Promise((resolve) => server.close(resolve));
  return true;
}

/** A loopback port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const [port = 0] = await freePorts(1);
  return port;
}

/** Whether a server listens on this loopback port. */
export function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}
