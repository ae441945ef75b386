import http, { type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { freeBuffer } from '../lib/free-buffer.ts';
import type { Turns } from '../lib/turns.ts';
import { networkOf } from './addresses.ts';
import { LARGE_BODY } from './body-reader.ts';
import { refuseOverload } from './broken-requests.ts';
import { createHeldRequests } from './held-requests.ts';
import { createShares } from './shares.ts';

/** Pipelined requests of one connection in progress; more are read once these are answered. */
export const MAX_UNDER_WAY = 20;
/** Unread response bytes of all connections together. */
export const MAX_UNSENT_BYTES = 64 * 1024 * 1024;
const LOOK_EVERY_MS = 250;
/**
 * Large bodies in progress, and connections held with unread requests, above which each address gets an equal share.
 */
export const MAX_HEAVY = 512;
/** A status, that of a refusal because there is too much to do. */
const OVERLOADED = 503;
/** Buffered of a connection, in each direction; what is there beyond it, 64 KiB at most, was read at once. Bytes. */
const BUFFERED = 16 * 1024;
/** Maximum time to read and discard the rest of a body after the last response on a connection. */
export const LINGER_MS = 5_000;
/** Answered immediately under any load: it shows whether the process is alive. */
const URGENT = '/healthz';

export interface ConnectionLimits {
  /** Maximum open connections in total, and per address other than a trusted proxy's. */
  total: number;
  perAddress: number;
  /** Milliseconds without progress after which a response that is not read is abandoned. */
  answerTimeoutMs: number;
  isTrustedProxy(address: string): boolean;
}

interface Connection {
  server: Server;
  socket: Socket;
  /** The client's address, or its network (`networkOf`). */
  address: string;
  /** Responses in progress, in the order of their requests. */
  answers: Set<ServerResponse>;
  /** The newest of its requests. */
  request: IncomingMessage | null;
  /** Whether one of its requests waits for its turn. */
  isWaiting: boolean;
  isHeld: boolean;
  /** The event loop turn in which it was last read. */
  readIn: number;
  unsent: number;
  /** When the unsent bytes last changed. */
  changedAt: number;
}

export type Connections = ReturnType<typeof createConnections>;

/** The connections of a server, each with limits on concurrent requests and unread responses. */
export function createConnections(limits: ConnectionLimits, turns: Turns) {
  const connections = new Map<Socket, Connection>();
  const perAddress = new Map<string, number>();
  const held = createHeldRequests(
    (socket) => {
      const connection = connections.get(socket);
      return connection !== undefined && (connection.isWaiting || connection.answers.size >= MAX_UNDER_WAY);
    },
    noteRead,
    turns,
  );
  const heavy = createShares(MAX_HEAVY);
  let isClosing = false;

  /** Creates a server that passes requests to `handler` in turn. */
  function createServer(handler: RequestListener, options: http.ServerOptions): Server {
    const server = http.createServer(
      { ...options, highWaterMark: BUFFERED, IncomingMessage: held.Message },
      (request, response) => begin(request, response, handler),
    );
    server.maxConnections = limits.total;
    // Node checks progress only when the timeout fires, so a stall lasts one to two timeouts.
    const stalledMs = Math.ceil(limits.answerTimeoutMs / 2);
    server.setTimeout(stalledMs, (socket: Socket) => {
      const connection = connections.get(socket);
      const isIdle = !connection?.answers.size && socket.timeout !== stalledMs;
      if (isIdle || (connection && unsentOf(connection) > 0)) socket.destroy();
    });
    readInTurn(server);
    held.attach(server, (socket) => {
      const connection = connections.get(socket);
      if (connection) hold(connection);
    });
    const looking = setInterval(cutUnread, LOOK_EVERY_MS).unref();
    server.on('close', () => clearInterval(looking));
    return server;
  }

  /** Accepts connections without a parser and unread: accepting is fast, and the data stays in the kernel. */
  function readInTurn(server: Server): void {
    const [read] = server.listeners('connection');
    server.removeAllListeners('connection');
    Object.assign(server, { pauseOnConnect: true });
    server.on('connection', (socket: Socket) => {
      // Its requests were held and are read on.
      if (connections.has(socket)) {
        read?.call(server, socket);
        return;
      }
      open(server, socket, () => {
        if (socket.destroyed) return;
        read?.call(server, socket);
        socket.resume();
      });
    });
  }

  function open(server: Server, socket: Socket, read: () => void): void {
    const { remoteAddress = '' } = socket;
    const address = networkOf(remoteAddress);
    const count = (perAddress.get(address) ?? 0) + 1;
    if (count > limits.perAddress && !limits.isTrustedProxy(remoteAddress)) {
      socket.destroy();
      return;
    }
    perAddress.set(address, count);
    const state = { request: null, isWaiting: false, isHeld: false, readIn: -1, unsent: 0, changedAt: 0 };
    const connection: Connection = { server, socket, address, answers: new Set(), ...state };
    connections.set(socket, connection);
    socket.destroySoon = () => linger(connection);
    socket.on('close', () => {
      if (connection.isHeld) heavy.giveBack(address);
      connections.delete(socket);
      const left = (perAddress.get(address) ?? 1) - 1;
      if (left === 0) perAddress.delete(address);
      else perAddress.set(address, left);
    });
    turns.arrive(address, read);
  }

  function noteRead(socket: Socket): void {
    const connection = connections.get(socket);
    const turn = turns.current();
    if (!connection || connection.readIn === turn) return;
    connection.readIn = turn;
    if (turns.isFlood()) suspendReading();
  }

  /**
   * Reads each connection in its turn. The kernel reports every readable connection at once, and Node would read all
   * of them before anything else.
   */
  function suspendReading(): void {
    for (const connection of connections.values()) {
      const { socket, address } = connection;
      if (connection.isHeld || socket.isPaused()) continue;
      socket.pause();
      // A connection held since then has no parser, so its data would be lost.
      turns.resume(address, () => socket.destroyed || connection.isHeld || socket.resume());
    }
  }

  function hold(connection: Connection): void {
    if (heavy.take(connection.address)) connection.isHeld = true;
    else connection.socket.destroy();
  }

  /** Passes a request on when it is its turn. */
  function begin(request: IncomingMessage, response: ServerResponse, handle: RequestListener): void {
    const connection = connections.get(request.socket);
    if (connection) {
      // Nothing can follow the last response.
      if (request.socket.writableEnded) return;
      connection.request = request;
      connection.answers.add(response);
      const { address } = connection;
      const takes = isHeavy(request);
      const isTaken = takes && heavy.take(address);
      response.on('close', () => {
        end(connection, request, response);
        if (isTaken) heavy.giveBack(address);
      });
      if (takes && !isTaken) {
        refuseOverload(response);
        return;
      }
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

  function end(connection: Connection, request: IncomingMessage, response: ServerResponse): void {
    connection.answers.delete(response);
    // Bytes that follow the answer are discarded.
    if (!request.complete || request.readableLength > 0) request.on('data', freeBuffer);
    readOn(connection);
    // Its headers may have been sent, without `connection: close`, before the server began to close.
    if (isClosing && connection.answers.size === 0) connection.socket.destroySoon();
  }

  function readOn(connection: Connection): void {
    const { server, socket, answers } = connection;
    if (!connection.isHeld || answers.size > 0) return;
    connection.isHeld = false;
    heavy.giveBack(connection.address);
    // The last response may have closed it.
    if (!socket.destroyed && !socket.writableEnded) held.release(server, socket);
  }

  /**
   * Closes the connections whose clients have read nothing for the longest time, while too many bytes wait to be
   * read.
   */
  function cutUnread(): void {
    const now = performance.now();
    let total = 0;
    const unread: Connection[] = [];
    for (const connection of connections.values()) {
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

  /**
   * Closes after the last response. Closing while a body arrives would reset the connection, and the client would see
   * an error instead of the response.
   */
  function linger({ socket, request, answers }: Connection): void {
    const close = () => Socket.prototype.destroySoon.call(socket);
    if (!request || request.complete) {
      close();
      return;
    }
    socket.end();
    // Reading and discarding the rest would add load.
    if ([...answers].at(-1)?.statusCode === OVERLOADED) held.abandon(request);
    else request.once('close', close).resume();
    const late = setTimeout(() => socket.destroy(), LINGER_MS).unref();
    socket.once('close', () => clearTimeout(late));
  }

  return {
    createServer,
    begin,
    isClosing: () => isClosing,
    /**
     * Closes connections without a request in progress. Node's idle connections exclude those that never sent a
     * request.
     */
    close: () => {
      isClosing = true;
      for (const { socket, answers } of connections.values()) if (answers.size === 0) socket.destroy();
    },
  };
}

/** Whether the request's body is large, or may be. */
function isHeavy({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > LARGE_BODY;
}

/** Response bytes that the client has not read, including queued responses. */
function unsentOf({ socket, answers }: Connection): number {
  let unsent = socket.writableLength;
  for (const answer of answers) if (answer.socket === null) unsent += answer.writableLength;
  return unsent;
}
