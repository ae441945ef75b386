import { once } from 'node:events';
import { createServer } from 'node:http';
import { PORTS } from './network.ts';

interface Event {
  event: string;
  room?: { name: string };
  participant?: { identity: string; disconnectReason?: string };
}

/** Between the media server and the service: keeps webhooks back, so that they arrive late or in another order. */
export interface Relay {
  /** Keeps back the next such event about this participant: the phones of other calls have the same identity. */
  keep(event: string, room_name: string, identity: string): { arrived: Promise<Event>; release(): Promise<void> };
  close(): Promise<void>;
}

interface Kept {
  event: string;
  room_name: string;
  identity: string;
  arrive(event: Event): void;
  deliver: (() => Promise<unknown>) | undefined;
}

export async function startRelay(serviceUrl: string): Promise<Relay> {
  const waiting: Kept[] = [];
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray());
    const headers = {
      'content-type': request.headers['content-type'] ?? '',
      authorization: request.headers.authorization ?? '',
    };
    const deliver = () => fetch(new URL(request.url ?? '', serviceUrl), { method: 'POST', headers, body });
    const event: Event = JSON.parse(body.toString());
    const kept = waiting.findIndex((one) => isFor(one, event));
    if (kept === -1) {
      // The service may have ended: the media server goes on for a moment.
      const status = await deliver().then(
        (answer) => answer.status,
        () => 502,
      );
      response.writeHead(status).end();
      return;
    }
    const [one] = waiting.splice(kept, 1);
    if (one) one.deliver = deliver;
    one?.arrive(event);
    response.writeHead(200).end();
  });
  await once(server.listen(PORTS.service, '127.0.0.1'), 'listening');
  return {
    keep: (event, room_name, identity) => {
      const { promise, resolve } = Promise.withResolvers<Event>();
      const kept: Kept = { event, room_name, identity, arrive: resolve, deliver: undefined };
      waiting.push(kept);
      return { arrived: promise, release: async () => void (await kept.deliver?.()) };
    },
    close: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function isFor(kept: Kept, { event, room, participant }: Event): boolean {
  return kept.event === event && kept.room_name === room?.name && kept.identity === participant?.identity;
}
