import { text } from 'node:stream/consumers';
import { verifyCallback } from '@switchboard/client';
import { serveHttp } from '@switchboard/testkit/http-server.ts';
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
  const types = new Map<string, string>();
  let forged: string | undefined;

  const server = await serveHttp(async (request, response) => {
    try {
      const { id, type } = await verifyCallback({ body: await text(request), headers: request.headers, secret });
      // A callback may come twice; the id is the same then.
      if (!types.has(id)) onCallback(type);
      types.set(id, type);
      response.writeHead(204).end();
    } catch (error) {
      forged = (error as Error).message;
      response.writeHead(400).end();
    }
  });

  async function received(type: string): Promise<void> {
    const found = await poll(async () => forged ?? [...types.values()].find((one) => one === type), WAIT_MS);
    if (forged) throw new DemoError(`A callback could not be verified: ${forged}`);
    if (!found) throw new DemoError(`The callback ${type} did not come within ${WAIT_MS / 1000} seconds.`);
  }

  return { url: `${server.url}/callbacks`, received, close: server.close };
}
