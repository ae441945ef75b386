import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { createOwnerLimit } from '../lib/owner-limit.ts';
import { networkOf } from './addresses.ts';

export interface Connection {
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

export interface AddressLimits {
  /** Maximum open connections per address other than a trusted proxy's. */
  perAddress: number;
  isTrustedProxy(address: string): boolean;
}

export type OpenConnections = ReturnType<typeof createOpenConnections>;

/** The open connections, a limited number from each address. */
export function createOpenConnections(limits: AddressLimits) {
  const connections = new Map<Socket, Connection>();
  const perAddress = createOwnerLimit();

  /** Null if the address has too many. */
  function add(server: Server, socket: Socket): Connection | null {
    const { remoteAddress = '' } = socket;
    const address = networkOf(remoteAddress);
    const limit = limits.isTrustedProxy(remoteAddress) ? Number.POSITIVE_INFINITY : limits.perAddress;
    if (!perAddress.take(address, 1, limit)) return null;
    const state = { request: null, isWaiting: false, isHeld: false, readIn: -1, unsent: 0, changedAt: 0 };
    const connection: Connection = { server, socket, address, answers: new Set(), ...state };
    connections.set(socket, connection);
    return connection;
  }

  function remove({ socket, address }: Connection): void {
    connections.delete(socket);
    perAddress.giveBack(address);
  }

  return {
    add,
    remove,
    get: (socket: Socket) => connections.get(socket),
    all: () => connections.values(),
  };
}
