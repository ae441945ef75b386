import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { DemoError } from './client.ts';
import { poll } from './pace.ts';

const WAIT_MS = 8_000;

export interface Receiver {
  url: string;
  /**
   * Resolves when this callback has come. Throws `DemoError` when it does not come in time, or is not signed rightly.
   */
  received(type: string): Promise<void>;
  close(): Promise<void>;
}

/** Takes callbacks on a port of this machine and checks their signatures, as the application of a customer would. */
export async function startReceiver(secret: string, onCallback: (type: string) => void): Promise<Receiver> {
  const webhook = new Webhook(secret);
  const types = new Map<string, string>();
  let forged: string | undefined;

  const server = createServer(async (request, response) => {
    try {
      const payload = webhook.verify(await text(request), request.headers as Record<string, string>);
      const id = String(request.headers['webhook-id']);
      const { type } = payload as { type: string };
      // A callback may come twice; the id is the same then.
      if (!types.has(id)) onCallback(type);
      types.set(id, type);
      response.writeHead(204).end();
    } catch (error) {
      forged = (error as Error).message;
      response.writeHead(400).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  async function received(type: string): Promise<void> {
    const found = await poll(async () => forged ?? [...types.values()].find((one) => one === type), WAIT_MS);
    if (forged) throw new DemoError(`A callback could not be verified: ${forged}`);
    if (!found) throw new DemoError(`The callback ${type} did not come within ${WAIT_MS / 1000} seconds.`);
  }

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callbacks`,
    received,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
