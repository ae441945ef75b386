import { systemClock } from '../../src/lib/clock.ts';

// biome-ignore lint/suspicious/noExplicitAny: what a client reads has no type.
export type Json = Record<string, any>;

export interface Request {
  method?: string;
  path: string;
  user?: string | undefined;
  /** `Idempotency-Key` */
  key?: string | undefined;
  body?: object;
}

export interface Reply {
  /**
   * 0: the connection broke before the whole answer had come, so that nobody knows whether the request was carried out.
   */
  status: number;
  headers: Headers;
  body: Json;
  ms: number;
}

/** Above the service's own limits on connecting to the database (5 s) and asking it (10 s). */
const DEADLINE_MS = 16_000;

/** Sends a request and waits for the whole answer. Throws when none comes in time: a request must not hang. */
export async function send(url: string, { method = 'GET', path, user, key, body }: Request): Promise<Reply> {
  const begun = performance.now();
  const headers = {
    ...(user !== undefined && { 'x-user-id': user }),
    ...(key !== undefined && { 'idempotency-key': key }),
    ...(body && { 'content-type': 'application/json' }),
  };
  const reply = { status: 0, headers: new Headers(), body: {} as Json };
  try {
    const init = {
      method,
      headers,
      signal: AbortSignal.timeout(DEADLINE_MS),
      ...(body && { body: JSON.stringify(body) }),
    };
    const response = await fetch(`${url}${path}`, init);
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json');
    Object.assign(reply, {
      status: response.status,
      headers: response.headers,
      body: isJson ? JSON.parse(text) : { text },
    });
  } catch (error) {
    if (error instanceof Error && error.name === 'TimeoutError')
      throw new Error(`no answer in time: ${method} ${path}`);
  }
  return { ...reply, ms: performance.now() - begun };
}

/** The body of an answer that must be a success. */
export async function read(url: string, path: string, user?: string): Promise<Json> {
  const { status, body } = await send(url, { path, user });
  if (status !== 200) throw new Error(`GET ${path} was answered ${status} ${JSON.stringify(body)}`);
  return body;
}

/** The items of all pages. */
export async function readPages(url: string, path: string, user?: string): Promise<Json[]> {
  const items: Json[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query: string = `limit=100${cursor && `&cursor=${cursor}`}`;
    const page = await read(url, `${path}${path.includes('?') ? '&' : '?'}${query}`, user);
    items.push(...page.items);
    cursor = page.next_cursor;
  }
  return items;
}

/** Asks until `ready` holds of the answer, and gives it; throws with the last answer after `withinMs`. */
export async function until<T>(ask: () => Promise<T>, ready: (answer: T) => boolean, withinMs: number): Promise<T> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const answer = await ask();
    if (ready(answer)) return answer;
    if (performance.now() > deadline) throw new Error(`not within ${withinMs} ms; last: ${JSON.stringify(answer)}`);
    await systemClock.sleep(20);
  }
}
