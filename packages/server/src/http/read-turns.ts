import type { Socket } from 'node:net';
import type { LoopTurns } from '../lib/turns.ts';
import type { OpenConnections } from './open-connections.ts';

/**
 * Reads each connection in its turn. The kernel reports every readable connection at once, and Node would read all of
 * them before anything else.
 */
export function createReadTurns(connections: OpenConnections, turns: LoopTurns) {
  function suspendReading(): void {
    for (const connection of connections.all()) {
      const { socket, address } = connection;
      if (connection.isHeld || socket.isPaused()) continue;
      socket.pause();
      // A connection held since then has no parser, so its data would be lost.
      turns.resume(address, () => socket.destroyed || connection.isHeld || socket.resume());
    }
  }

  return {
    /** Notes that a connection is being read; once too many are in one turn, the others are read later. */
    note: (socket: Socket): void => {
      const connection = connections.get(socket);
      const turn = turns.current();
      if (!connection || connection.readIn === turn) return;
      connection.readIn = turn;
      if (turns.isFlood()) suspendReading();
    },
  };
}
