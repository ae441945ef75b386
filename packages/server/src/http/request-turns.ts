import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { LoopTurns } from '../lib/turns.ts';
import { freeBuffer, LARGE_BODY } from './body-reader.ts';
import { refuseOverload } from './broken-requests.ts';
import type { Connection, OpenConnections } from './open-connections.ts';
import type { ParserPause } from './parser-pause.ts';
import { createShares } from './shares.ts';

/** Pipelined requests of one connection in progress; more are read once these are answered. */
export const MAX_IN_FLIGHT = 20;
/**
 * Large bodies in progress, and connections held with unread requests, above which each address gets an equal share.
 */
export const MAX_HEAVY = 512;
/** Answered immediately under any load: it shows whether the process is alive. */
const URGENT = '/healthz';

interface Deps {
  connections: OpenConnections;
  held: ParserPause;
  turns: LoopTurns;
  /** Called whenever a response has ended and its connection has no other in progress. */
  onIdle: (socket: Socket) => void;
}

/** Passes the requests of all connections on in turn, and holds connections that send too many. */
export function createRequestTurns({ connections, held, turns, onIdle }: Deps) {
  const heavy = createShares(MAX_HEAVY);

  /** Passes a request on when it is its turn. */
  function begin(request: IncomingMessage, response: ServerResponse, handle: RequestListener): void {
    const connection = connections.get(request.socket);
    // Nothing can follow the last response.
    if (connection && request.socket.writableEnded) return;
    if (connection && !add(connection, request, response)) {
      refuseOverload(response);
      return;
    }
    if (turns.isFree() || request.url === URGENT) {
      handle(request, response);
      return;
    }
    if (connection) connection.isWaiting = true;
    turns.enqueue(connection?.address ?? '', () => {
      if (connection) connection.isWaiting = false;
      if (!response.closed) handle(request, response);
      else if (connection) readOn(connection);
    });
  }

  /** Adds a request to those in progress on its connection; false if there are too many with large bodies. */
  function add(connection: Connection, request: IncomingMessage, response: ServerResponse): boolean {
    connection.request = request;
    connection.answers.add(response);
    const { address } = connection;
    const takes = isHeavy(request);
    const isTaken = takes && heavy.take(address);
    response.on('close', () => {
      end(connection, request, response);
      if (isTaken) heavy.giveBack(address);
    });
    return isTaken || !takes;
  }

  function end(connection: Connection, request: IncomingMessage, response: ServerResponse): void {
    connection.answers.delete(response);
    // Bytes that follow the answer are discarded.
    if (!request.complete || request.readableLength > 0) request.on('data', freeBuffer);
    readOn(connection);
    if (connection.answers.size === 0) onIdle(connection.socket);
  }

  function hold(socket: Socket): void {
    const connection = connections.get(socket);
    if (!connection) return;
    if (heavy.take(connection.address)) connection.isHeld = true;
    else socket.destroy();
  }

  function readOn(connection: Connection): void {
    const { server, socket, answers } = connection;
    if (!connection.isHeld || answers.size > 0) return;
    connection.isHeld = false;
    heavy.giveBack(connection.address);
    // The last response may have closed it.
    if (!socket.destroyed && !socket.writableEnded) held.release(server, socket);
  }

  return {
    begin,
    hold,
    /** Must be called when a connection has closed. */
    forget: ({ isHeld, address }: Connection): void => {
      if (isHeld) heavy.giveBack(address);
    },
  };
}

/** Whether the connection must be held: no more of its requests are read before these are answered. */
export function mustHold(connection: Connection | undefined): boolean {
  return connection !== undefined && (connection.isWaiting || connection.answers.size >= MAX_IN_FLIGHT);
}

/** Whether the request's body is large, or may be. */
function isHeavy({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > LARGE_BODY;
}
