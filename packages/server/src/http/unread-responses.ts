import type { Server } from 'node:http';
import type { Connection, OpenConnections } from './open-connections.ts';

/** Unread response bytes of all connections together. */
export const MAX_UNSENT_BYTES = 64 * 1024 * 1024;
const POLL_INTERVAL_MS = 250;

/** Limits the unread responses of all connections, until the server closes. */
export function limitUnread(server: Server, connections: OpenConnections): void {
  const looking = setInterval(() => cutUnread(connections), POLL_INTERVAL_MS).unref();
  server.on('close', () => clearInterval(looking));
}

/**
 * Closes the connections whose clients have read nothing for the longest time, while too many bytes wait to be
 * read.
 */
function cutUnread(connections: OpenConnections): void {
  const now = performance.now();
  let total = 0;
  const unread: Connection[] = [];
  for (const connection of connections.all()) {
    const unsent = unsentOf(connection);
    if (unsent !== connection.unsent) Object.assign(connection, { unsent, changedAt: now });
    if (unsent === 0) continue;
    total += unsent;
    unread.push(connection);
  }
  if (total <= MAX_UNSENT_BYTES) return;
  unread.sort((a, b) => a.changedAt - b.changedAt || b.unsent - a.unsent);
  for (const { socket, unsent } of unread) {
    if (total <= MAX_UNSENT_BYTES) return;
    total -= unsent;
    socket.destroy();
  }
}

/** Response bytes that the client has not read, including queued responses. */
export function unsentOf({ socket, answers }: Connection): number {
  let unsent = socket.writableLength;
  for (const answer of answers) if (answer.socket === null) unsent += answer.writableLength;
  return unsent;
}
