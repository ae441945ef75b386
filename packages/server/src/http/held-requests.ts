import { IncomingMessage, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { freeBuffer } from '../lib/free-buffer.ts';
import type { Turns } from '../lib/turns.ts';

/** Node leaves out headers beyond these, names and values counted, so that a request cannot be written down again. */
const MAX_RAW_HEADERS = 2000;
/** Events whose listeners Node takes away with its parser; the answers under way still need them. */
const KEPT_EVENTS = ['close', 'drain', 'error', 'timeout'] as const;

type Listener = (...args: unknown[]) => void;

/**
 * Stops Node's parser in the middle of what has arrived. Node hands over every request of a chunk before it reads the
 * answers' backpressure, some 1,700 of them in 64 KiB. A parser stops for a protocol upgrade only: what is held back
 * poses as one, goes back into the socket, and is parsed again on `release`.
 */
export function createHeldRequests(
  mustHold: (socket: Socket) => boolean,
  onRead: (socket: Socket) => void,
  turns: Turns,
) {
  const kept = new WeakMap<Socket, [string, Listener][]>();

  class Message extends IncomingMessage {
    #isHeld: boolean | undefined;
    #isAbandoned = false;

    // Node sets it for the `Upgrade` header, which this service does not know, and asks for it before it calls us.
    set upgrade(_value: unknown) {}

    get upgrade(): boolean {
      if (this.#isHeld === undefined && this.method !== null) {
        onRead(this.socket);
        this.#isHeld = mustHold(this.socket);
        if (this.#isHeld) kept.set(this.socket, listenersOf(this.socket));
      }
      return this.#isHeld === true || this.method === 'CONNECT';
    }

    /** Has no more read of its body. */
    abandon(): void {
      this.#isAbandoned = true;
    }

    // Thousands of connections that always have more would be read in one turn of the loop: each reads on when it is
    // its turn.
    override push(chunk: Buffer | null): boolean {
      if (chunk !== null) onRead(this.socket);
      if (!this.#isAbandoned || chunk === null) return super.push(chunk) && (chunk === null || turns.isFree());
      freeBuffer(chunk);
      return false;
    }

    override _read(size: number): void {
      if (this.#isAbandoned) return;
      if (this.complete || turns.isFree()) super._read(size);
      else turns.enqueueRead(this.socket.remoteAddress ?? '', () => this.#isAbandoned || super._read(size));
    }
  }

  function attach(server: Server, onHeld: (socket: Socket) => void): void {
    server.on('upgrade', (request: IncomingMessage, socket: Socket, rest: Buffer) => {
      // Fastify passes on to its first server what the others of the same name, `localhost`, get.
      if ((socket as Socket & { server?: Server }).server !== server) return;
      if (request.rawHeaders.length >= MAX_RAW_HEADERS) {
        socket.destroy();
        return;
      }
      const taken = (kept.get(socket) ?? []).filter(([event, listener]) => !socket.listeners(event).includes(listener));
      for (const [event, listener] of taken) socket.on(event, listener);
      kept.set(socket, taken);
      if (rest.length > 0) socket.unshift(rest);
      socket.unshift(headOf(request));
      onHeld(socket);
    });
  }

  /** Reads on where the connection was held. */
  function release(server: Server, socket: Socket): void {
    // A new parser brings listeners of its own.
    for (const [event, listener] of kept.get(socket) ?? []) socket.removeListener(event, listener);
    kept.delete(socket);
    server.emit('connection', socket);
  }

  return { Message, attach, release, abandon: (request: IncomingMessage) => (request as Message).abandon() };
}

function listenersOf(socket: Socket): [string, Listener][] {
  return KEPT_EVENTS.flatMap((event) =>
    socket.listeners(event).map((listener): [string, Listener] => [event, listener as Listener]),
  );
}

function headOf({ method, url, httpVersion, rawHeaders }: IncomingMessage): Buffer {
  let head = `${method} ${url} HTTP/${httpVersion}\r\n`;
  for (let index = 0; index < rawHeaders.length; index += 2)
    head += `${rawHeaders[index]}: ${rawHeaders[index + 1]}\r\n`;
  return Buffer.from(`${head}\r\n`, 'latin1');
}
