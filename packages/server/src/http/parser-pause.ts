import { IncomingMessage, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { LoopTurns } from '../lib/turns.ts';
import { networkOf } from './addresses.ts';
import { freeBuffer } from './body-reader.ts';

/** Node drops headers beyond this number, names and values counted, so such a request cannot be serialized again. */
const MAX_RAW_HEADERS = 2000;
/** Listeners that Node removes with its parser, but responses in progress still need. */
const KEPT_EVENTS = ['close', 'drain', 'error', 'timeout'] as const;

type Listener = (...args: unknown[]) => void;

export type ParserPause = ReturnType<typeof createParserPause>;

/**
 * Pauses Node's parser in the middle of a chunk. Node emits every request of a chunk before it applies backpressure,
 * some 1,700 in 64 KiB. A parser stops only for a protocol upgrade, so the request being held poses as one, is put
 * back into the socket, and is parsed again on `release`.
 */
export function createParserPause(
  mustHold: (socket: Socket) => boolean,
  onRead: (socket: Socket) => void,
  turns: LoopTurns,
) {
  const kept = new WeakMap<Socket, [string, Listener][]>();

  class Message extends IncomingMessage {
    #isHeld: boolean | undefined;
    #isAbandoned = false;

    // Node sets it for the `Upgrade` header, which this service does not support, and checks it before calling us.
    set upgrade(_value: unknown) {}

    get upgrade(): boolean {
      if (this.#isHeld === undefined && this.method !== null) {
        onRead(this.socket);
        this.#isHeld = mustHold(this.socket);
        if (this.#isHeld) kept.set(this.socket, listenersOf(this.socket));
      }
      return this.#isHeld === true || this.method === 'CONNECT';
    }

    /** Stops reading the body. */
    abandon(): void {
      this.#isAbandoned = true;
    }

    // Thousands of readable connections would be read in one turn of the event loop; each resumes in its turn
    // instead.
    override push(chunk: Buffer | null): boolean {
      if (chunk !== null) onRead(this.socket);
      if (!this.#isAbandoned || chunk === null) return super.push(chunk) && (chunk === null || turns.isFree());
      freeBuffer(chunk);
      return false;
    }

    override _read(size: number): void {
      if (this.#isAbandoned) return;
      if (this.complete || turns.isFree()) super._read(size);
      else turns.enqueueRead(networkOf(this.socket.remoteAddress ?? ''), () => this.#isAbandoned || super._read(size));
    }
  }

  function attach(server: Server, onHeld: (socket: Socket) => void): void {
    server.on('upgrade', (request: IncomingMessage, socket: Socket, rest: Buffer) => {
      // For `localhost` Fastify opens several servers and forwards their events to the first.
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

  /** Resumes reading where the connection was held. */
  function release(server: Server, socket: Socket): void {
    // A new parser adds its own listeners.
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
