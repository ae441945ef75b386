import { once } from 'node:events';
import net, { type AddressInfo, type Socket } from 'node:net';
import { after } from 'node:test';

/**
 * A network fault. `hole`: connections are accepted, but nothing passes in either direction, not even their
 * ends. Afterwards the held data is delivered, unless its sender has given up; with `forgets` the connections
 * stay dead instead, as behind a firewall that has lost their state. `cut`: a connection ends after this many bytes of
 * responses.
 */
export type Fault =
  | { kind: 'pass' | 'reset' | 'refuse' }
  | { kind: 'latency'; ms: number }
  | { kind: 'hole'; forgets?: boolean }
  | { kind: 'cut'; bytes: number };

/** Connections by number, counted from the moment the fault is set. Earlier connections are not included. */
interface Only {
  from: number;
  to?: number;
}

export interface TcpProxy {
  port: number;
  /**
   * Replaces the current fault: for open and future connections, or only for some of
   * the future ones.
   */
  set(fault: Fault, only?: Only): Promise<void>;
}

const PASS: Fault = { kind: 'pass' };

/** A TCP proxy on 127.0.0.1 in front of a port there, closed when the test file ends. */
export async function startTcpProxy(target: number): Promise<TcpProxy> {
  const connections = new Set<Connection>();
  let [fault, only, taken] = [PASS, { from: 1 } as Only, 0];
  const faultOf = (nth: number) => (nth >= only.from && nth <= (only.to ?? nth) ? fault : PASS);
  const server = net.createServer((client) => {
    taken += 1;
    const connection = new Connection(client, target, faultOf(taken));
    connections.add(connection);
    client.once('close', () => connection.isStuck || connections.delete(connection));
    if (faultOf(taken + 1).kind === 'refuse') server.close();
  });
  const listen = (port: number) => once(server.listen(port, '127.0.0.1'), 'listening');
  await listen(0);
  const { port } = server.address() as AddressInfo;
  after(() => {
    server.close();
    for (const connection of connections) connection.reset();
  });
  return {
    port,
    async set(next, which) {
      [fault, only, taken] = [next, which ?? { from: 1 }, 0];
      if (!which) for (const connection of connections) connection.set(next);
      if (faultOf(1).kind === 'refuse') server.close();
      else if (!server.listening) await listen(port);
    },
  };
}

/** Both halves of one connection, with the data in transit in either direction. */
class Connection {
  readonly #client: Socket;
  readonly #target: number;
  #upstream: Socket | undefined;
  #fault: Fault = PASS;
  #answered = 0;
  readonly #requests = new Queue(() => this.#fault);
  readonly #answers = new Queue(() => this.#fault);

  constructor(client: Socket, target: number, fault: Fault) {
    this.#client = client;
    this.#target = target;
    this.#answers.deliver = (chunk) => this.#answer(chunk);
    client.on('data', (chunk) => this.#requests.push(chunk)).on('error', () => {});
    client.once('close', () => this.#requests.end(true));
    this.set(fault);
  }

  get isStuck(): boolean {
    return this.#fault.kind === 'hole';
  }

  set(fault: Fault): void {
    if (this.#fault.kind === 'hole' && this.#fault.forgets) return;
    this.#fault = fault;
    this.#answered = 0;
    if (fault.kind === 'hole') return;
    if (fault.kind === 'reset' || fault.kind === 'refuse') this.reset();
    if (!this.#upstream && !this.#client.destroyed) this.#connect();
    this.#requests.flow();
    this.#answers.flow();
  }

  reset(): void {
    this.#client.resetAndDestroy();
    this.#upstream?.resetAndDestroy();
  }

  #connect(): void {
    const upstream = net.connect(this.#target, '127.0.0.1');
    this.#upstream = upstream;
    this.#requests.deliver = (chunk) => (chunk ? upstream.write(chunk) : upstream.destroySoon());
    upstream.on('data', (chunk) => this.#answers.push(chunk)).on('error', () => {});
    upstream.once('close', () => this.#answers.end(false));
  }

  #answer(chunk: Buffer | null): void {
    if (!chunk) {
      this.#client.destroySoon();
      return;
    }
    const left = this.#fault.kind === 'cut' ? this.#fault.bytes - this.#answered : chunk.length;
    this.#answered += chunk.length;
    this.#client.write(chunk.subarray(0, left));
    if (left >= chunk.length) return;
    this.#client.destroySoon();
    this.#upstream?.destroy();
  }
}

/** One direction: chunks in order, held for as long as the fault lasts; `null` is the end. */
class Queue {
  deliver: (chunk: Buffer | null) => void = () => {};
  readonly #fault: () => Fault;
  #held: { chunk: Buffer | null; at: number }[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(fault: () => Fault) {
    this.#fault = fault;
  }

  push(chunk: Buffer | null): void {
    this.#held.push({ chunk, at: performance.now() });
    this.flow();
  }

  /** A sender that has given up discards its undelivered data. */
  end(givenUp: boolean): void {
    if (givenUp) this.#held = [];
    this.push(null);
  }

  flow(): void {
    clearTimeout(this.#timer);
    for (let next = this.#held[0]; next; next = this.#held[0]) {
      const fault = this.#fault();
      if (fault.kind === 'hole') return;
      const wait = fault.kind === 'latency' ? next.at + fault.ms - performance.now() : 0;
      if (wait > 0) {
        this.#timer = setTimeout(() => this.flow(), wait);
        return;
      }
      this.#held.shift();
      this.deliver(next.chunk);
    }
  }
}
