import { setTimeout as sleep } from 'node:timers/promises';

// biome-ignore lint/suspicious/noExplicitAny: what a client reads has no type.
export type Json = Record<string, any>;

export interface Request {
  method?: string;
  path: string;
  user?: string | undefined;
  /** `Idempotency-Key` */
  key?: string | undefined;
  headers?: Record<string, string>;
  /** Sent as JSON; a string as it is. */
  body?: unknown;
}

export interface Answer {
  status: number;
  headers: Headers;
  /** Text, where the answer is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: the API description is checked instead.
  body: any;
}

/**
 * Sends a raw request and waits for the complete response. Throws if the connection breaks before, or when `signal`
 * fires. Tests need malformed bodies, custom headers, every status, and no retries: `@switchboard/client` hides all
 * of that.
 */
export async function request(url: string, wanted: Request, signal?: AbortSignal): Promise<Answer> {
  const { method = 'GET', path, user, key, headers, body } = wanted;
  const response = await fetch(`${url}${path}`, {
    method,
    redirect: 'manual',
    headers: {
      ...(user !== undefined && { 'x-user-id': user }),
      ...(key !== undefined && { 'idempotency-key': key }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    ...(signal && { signal }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json');
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
}

/**
 * A response, if there was one. Status 0: the connection broke before it was complete, so whether the request was
 * processed is unknown.
 */
export interface Reply extends Answer {
  ms: number;
}

/** Above the service's own timeouts for connecting to the database (5 s) and for queries (10 s). */
const DEADLINE_MS = 16_000;
/** How long a request is sent again that is refused for the moment. */
const PATIENCE_MS = 60_000;

/**
 * Sends a request to a service that may die meanwhile. Throws if there is no response in time: a request must not
 * hang.
 */
export async function send(url: string, wanted: Request): Promise<Reply> {
  const begun = performance.now();
  const answer = await request(url, wanted, AbortSignal.timeout(DEADLINE_MS)).catch((error: Error) => {
    if (error.name === 'TimeoutError') throw new Error(`no answer in time: ${wanted.method ?? 'GET'} ${wanted.path}`);
    return { status: 0, headers: new Headers(), body: {} };
  });
  return { ...answer, ms: performance.now() - begun };
}

/** Whether an answer asks for the same request again later: 503 with `Retry-After`. */
export function asksToRetryLater({ status, headers }: Reply): boolean {
  return status === 503 && Number(headers.get('retry-after')) > 0;
}

/**
 * Sends a request, and again after `Retry-After` as long as the answer asks for that, as any client does. The effect
 * of the first one is not known: only for what reads, or has an `Idempotency-Key`.
 */
export async function sendPatiently(url: string, wanted: Request): Promise<Reply> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const reply = await send(url, wanted);
    if (!asksToRetryLater(reply) || performance.now() > deadline) return reply;
    await sleep(Number(reply.headers.get('retry-after')) * 1000);
  }
}

/** The body of a response that must be a success. */
export async function read(url: string, path: string, user?: string): Promise<Json> {
  const { status, body } = await sendPatiently(url, { path, user });
  if (status !== 200) throw new Error(`GET ${path} was answered ${status} ${JSON.stringify(body)}`);
  return body;
}

/** The items of all pages, which responses contain under the name `list`. */
export async function readPages(url: string, path: string, user?: string, list = 'items'): Promise<Json[]> {
  const items: Json[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query: string = `limit=100${cursor && `&cursor=${cursor}`}`;
    const page = await read(url, `${path}${path.includes('?') ? '&' : '?'}${query}`, user);
    items.push(...page[list]);
    cursor = page.next_cursor;
  }
  return items;
}
