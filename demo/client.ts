import { createSwitchboard, type Switchboard } from '@switchboard/client';
import { interruption } from './pace.ts';

const TIMEOUT_MS = 10_000;

/** Thrown if the demo cannot continue; the message is for the user. */
export class DemoError extends Error {
  override name = 'DemoError';
}

/** A request, and the status of its response. */
interface Exchange {
  method: string;
  path: string;
  status: number;
}

export interface Client {
  url: string;
  user_id: string;
  /** Acts in the name of the user. */
  sb: Switchboard;
  /** The last request that got a response. */
  last(): Exchange;
}

export function createClient(url: string, user_id: string): Client {
  let last: Exchange = { method: '', path: '', status: 0 };

  async function send(request: Request): Promise<Response> {
    const signal = AbortSignal.any([request.signal, interruption]);
    const response = await fetch(new Request(request, { signal }));
    last = { method: request.method, path: new URL(request.url).pathname, status: response.status };
    return response;
  }

  // A retry would delay Ctrl-C.
  const options = { timeoutMs: TIMEOUT_MS, maxRetries: 0, fetch: send };
  return { url, user_id, sb: createSwitchboard({ baseUrl: url, userId: user_id, ...options }), last: () => last };
}
