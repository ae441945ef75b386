/**
 * Observations of the calls' processes, which the worker's process exports as metrics: datagrams on the loopback
 * interface, because a call must not wait for them, and one that is lost does not matter.
 */
import { randomUUID } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { Observation } from './metrics.ts';

/** Port and secret for the calls' processes, which inherit the environment. */
const VARIABLE = 'WORKER_OBSERVATIONS';

/** Receives the observations of all processes that this one starts from now on. */
export async function receiveObservations(receive: (observation: Observation) => void): Promise<void> {
  const secret = randomUUID();
  const socket = createSocket('udp4');
  socket.on('message', (message) => {
    const text = message.toString();
    // Nobody else on this machine may invent figures.
    if (text.startsWith(secret)) receive(JSON.parse(text.slice(secret.length)) as Observation);
  });
  socket.unref();
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  process.env[VARIABLE] = `${socket.address().port} ${secret}`;
}

/** Sends observations to the worker's process; does nothing in a process that no worker has started. */
export function createObserver(): (observation: Observation) => void {
  const [port, secret] = (process.env[VARIABLE] ?? '').split(' ');
  if (!port || !secret) return () => {};
  const socket = createSocket('udp4').unref();
  socket.on('error', () => {});
  return (observation) => socket.send(`${secret}${JSON.stringify(observation)}`, Number(port), '127.0.0.1');
}
