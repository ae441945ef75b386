import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { Connection } from './open-connections.ts';

/** Maximum time to read and discard the rest of a body after the last response on a connection. */
export const LINGER_MS = 5_000;
/** A status, that of a refusal because there is too much to do. */
const OVERLOADED = 503;

/**
 * Closes after the last response; `abandon` stops reading a request. Closing while a body arrives would reset the
 * connection, and the client would see an error instead of the response.
 */
export function linger({ socket, request, answers }: Connection, abandon: (request: IncomingMessage) => void): void {
  const close = () => Socket.prototype.destroySoon.call(socket);
  if (!request || request.complete) {
    close();
    return;
  }
  socket.end();
  // Reading and discarding the rest would add load.
  if ([...answers].at(-1)?.statusCode === OVERLOADED) abandon(request);
  else request.once('close', close).resume();
  const late = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.once('close', () => clearTimeout(late));
}
