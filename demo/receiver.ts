import { text } from 'node:stream/consumers';
import { verifyCallback } from '@switchboard/client';
import { serveHttp } from '@switchboard/testkit/http-server.ts';
import { DemoError } from './client.ts';
import { poll } from './pace.ts';

const WAIT_MS = 8_000;

export interface Receiver {
  url: string;
  /**
   * Resolves when this callback has arrived. Throws `DemoError` if it does not arrive in time, or if its signature is
   * wrong.
   */
  received(type: string): Promise<void>;
  close(): Promise<void>;
}

/** Receives callbacks on a local port and verifies their signatures, like a customer's application. */
export async function startReceiver(secret: string, onCallback: (type: string) => void): Promise<Receiver> {
  const types = new Map<string, string>();
  let forged: string | undefined;

  const server = await serveHttp(async (request, response) => {
    try {
      const { id, type } = await verifyCallback({ body: await text(request), headers: request.headers, secret });
      // A callback may arrive twice, with the same id.
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
