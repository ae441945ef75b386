import http, { type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { LoopTurns } from '../lib/turns.ts';
import { linger } from './linger.ts';
import { type AddressLimits, createOpenConnections } from './open-connections.ts';
import { createParserPause } from './parser-pause.ts';
import { createReadTurns } from './read-turns.ts';
import { createRequestTurns, mustHold } from './request-turns.ts';
import { limitUnread, unsentOf } from './unread-responses.ts';

/** Buffered of a connection, in each direction; what is there beyond it, 64 KiB at most, was read at once. Bytes. */
const BUFFERED = 16 * 1024;

export interface ConnectionLimits extends AddressLimits {
  /** Maximum open connections in total. */
  total: number;
  /** Milliseconds without progress after which a response that is not read is abandoned. */
  answerTimeoutMs: number;
}

export type Connections = ReturnType<typeof createConnections>;

/** The connections of a server, each with limits on concurrent requests and unread responses. */
export function createConnections(limits: ConnectionLimits, turns: LoopTurns) {
  let isClosing = false;
  const connections = createOpenConnections(limits);
  const reads = createReadTurns(connections, turns);
  const held = createParserPause((socket) => mustHold(connections.get(socket)), reads.note, turns);
  const requests = createRequestTurns({
    connections,
    held,
    turns,
    // Its headers may have been sent, without `connection: close`, before the server began to close.
    onIdle: (socket) => isClosing && socket.destroySoon(),
  });

  /** Creates a server that passes requests to `handler` in turn. */
  function createServer(handler: RequestListener, options: http.ServerOptions): Server {
    const server = http.createServer(
      { ...options, highWaterMark: BUFFERED, IncomingMessage: held.Message },
      (request, response) => {
        if (isClosing) response.shouldKeepAlive = false;
        requests.begin(request, response, handler);
      },
    );
    server.maxConnections = limits.total;
    destroyStalled(server);
    readInTurn(server);
    held.attach(server, requests.hold);
    limitUnread(server, connections);
    return server;
  }

  function destroyStalled(server: Server): void {
    // Node checks progress only when the timeout fires, so a stall lasts one to two timeouts.
    const stalledMs = Math.ceil(limits.answerTimeoutMs / 2);
    server.setTimeout(stalledMs, (socket: Socket) => {
      const connection = connections.get(socket);
      const isIdle = !connection?.answers.size && socket.timeout !== stalledMs;
      if (isIdle || (connection && unsentOf(connection) > 0)) socket.destroy();
    });
  }

  /** Accepts connections without a parser and unread: accepting is fast, and the data stays in the kernel. */
  function readInTurn(server: Server): void {
    const [read] = server.listeners('connection');
    server.removeAllListeners('connection');
    Object.assign(server, { pauseOnConnect: true });
    server.on('connection', (socket: Socket) => {
      // Its requests were held and are read on.
      if (connections.get(socket)) {
        read?.call(server, socket);
        return;
      }
      accept(server, socket, () => {
        if (socket.destroyed) return;
        read?.call(server, socket);
        socket.resume();
      });
    });
  }

  function accept(server: Server, socket: Socket, read: () => void): void {
    const connection = connections.add(server, socket);
    if (!connection) {
      socket.destroy();
      return;
    }
    socket.destroySoon = () => linger(connection, held.abandon);
    socket.on('close', () => {
      requests.forget(connection);
      connections.remove(connection);
    });
    turns.arrive(connection.address, read);
  }

  return {
    createServer,
    begin: requests.begin,
    /**
     * Lets a closing server end with its last response: closes connections without a request in progress, of which
     * Node's idle ones are a part, and the others after their responses.
     */
    close: () => {
      isClosing = true;
      for (const { socket, answers } of connections.all()) {
        if (answers.size === 0) socket.destroy();
        for (const answer of answers) answer.shouldKeepAlive = false;
      }
    },
  };
}
