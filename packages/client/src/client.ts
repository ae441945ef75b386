import createClient, { type Client } from 'openapi-fetch';
import type { CallEvent, UserEvent } from './call-event.ts';
import { type ChatEvent, streamAnswer } from './chat-stream.ts';
import { changeDraft, type DraftChange } from './draft-change.ts';
import { SwitchboardError } from './errors.ts';
import { followEvents } from './events.ts';
import { type Methods, OPERATIONS } from './generated/operations.ts';
import type { AgentDraft, ChatMessageCreate, paths } from './generated/schema.ts';
import { METHODS } from './methods.ts';
import type { RequestOptions, SwitchboardOptions, UserEventOptions } from './options.ts';
import { type Page, Pages } from './pages.ts';
import { createTransport, type Policy } from './transport.ts';
import { toHeader } from './user-header.ts';

/** A client with a method for each operation of the API. */
export interface Switchboard extends Methods {
  chats: Methods['chats'] & {
    /**
     * Sends a message to a chat, and yields the answer while it comes. The last event is `message` or `failed`. It is
     * not repeated: a stream that breaks off is a `SwitchboardError`, and the answer is in the transcript. The same
     * message under the same `idempotencyKey` is sent once, and gets the same answer.
     */
    stream(
      chat_id: string,
      body: ChatMessageCreate,
      options?: Pick<RequestOptions, 'userId' | 'signal' | 'idempotencyKey'>,
    ): AsyncGenerator<ChatEvent, void, undefined>;
  };
  drafts: Methods['drafts'] & {
    /**
     * Reads the draft of an agent, and saves it with the fields that `change` returns. If somebody else has saved
     * meanwhile, it is read again, and `change` called again, up to five times; then `changed_meanwhile`. So `change`
     * should go by the draft that it is given, which may have the change already if an answer was lost.
     */
    change(
      agent_id: string,
      change: DraftChange,
      options?: Omit<RequestOptions, 'ifMatch' | 'idempotencyKey'>,
    ): Promise<AgentDraft>;
  };
  /** An openapi-fetch client for any path, with the same key, timeout and retries. */
  api: Client<paths>;
  /** The same client for another user. */
  forUser(userId: string): Switchboard;
}

/** An operation as listed in `OPERATIONS`. */
interface Operation {
  method: string;
  path: string;
  takesKey?: true;
  /** Parts of the path that may be numbers. */
  numbers?: readonly string[];
  input?: 'body' | 'query';
  namesUser?: true;
  list?: string;
  answer?: 'none' | 'text' | 'blob';
}

/** Time for operations that the service itself lets wait for longer than the default, in milliseconds. */
const WAITING: { [id in keyof typeof OPERATIONS]?: number } = {
  eraseUser: 90_000,
  runDoctor: 90_000,
  checkProvider: 60_000,
  // A phone rings for 30 s, and a function has up to 60.
  transferCall: 60_000,
  checkFunction: 90_000,
  claimTasks: 60_000,
};

/** Throws `TypeError` for an invalid base URL. */
export function createSwitchboard(options: SwitchboardOptions): Switchboard {
  const baseUrl = checkBaseUrl(options.baseUrl);
  const send = createTransport(options);
  // Requests through `api` carry no policy: the methods set one.
  const api = createClient<paths>({ baseUrl, fetch: (request) => send(withUser(request, options.userId)) });
  const raw = api as unknown as { request(method: string, path: string, init: object): Promise<{ data?: unknown }> };

  async function call(operation: Operation, path: string, input: object | undefined, given: RequestOptions) {
    const { idempotencyKey, ifMatch, signal, timeoutMs, maxRetries, isRepeatable } = given;
    const named = operation.namesUser && (input as { user_id?: string } | undefined)?.user_id;
    const userId = given.userId ?? named ?? options.userId;
    // Where the service knows no key, one would make requests repeated that are not safe to repeat.
    const key = operation.takesKey ? (idempotencyKey ?? randomKey()) : undefined;
    const policy: Policy = { timeoutMs, maxRetries, isRepeatable };
    const body = operation.namesUser && userId !== undefined ? { user_id: userId, ...input } : input;
    const init = {
      ...(operation.input === 'body' && { body }),
      ...(operation.input === 'query' && { params: { query: input } }),
      ...((operation.answer === 'text' || operation.answer === 'blob') && { parseAs: operation.answer }),
      headers: { ...headersOf(userId, key), ...(ifMatch !== undefined && { 'if-match': `"${ifMatch}"` }) },
      ...(signal && { signal }),
      fetch: (request: Request) => send(request, policy),
    };
    const { data } = await raw.request(operation.method, path, init).catch((cause: unknown) => {
      throw cause instanceof SyntaxError ? notOurs(operation, path, cause) : cause;
    });
    // A proxy may answer for the service without a body.
    if (data === undefined && !operation.answer) throw notOurs(operation, path, new SyntaxError('it is empty'));
    return data;
  }

  function run(id: keyof typeof OPERATIONS, args: unknown[]): unknown {
    const operation: Operation = OPERATIONS[id];
    const rest = [...args];
    const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      const part = rest.shift();
      return pathPart(name, operation.numbers?.includes(name) && Number.isInteger(part) ? String(part) : part);
    });
    const input = operation.input && (rest.shift() as object | undefined);
    const waits = options.timeoutMs === undefined && WAITING[id];
    const given: RequestOptions = { ...(waits && { timeoutMs: waits }), ...(rest.shift() as RequestOptions) };
    if (rest.length > 0) throw new TypeError(`${id} takes fewer arguments`);
    if (id === 'streamCallEvents') return follow<number, CallEvent>(path, { lastEventId: 0, ...given }, Number);
    if (id === 'streamEvents') return follow<string, UserEvent>(path, given as UserEventOptions, String);
    const { list } = operation;
    if (!list) return call(operation, path, input, given);
    const read = (cursor: string | null) => call(operation, path, { ...input, ...(cursor && { cursor }) }, given);
    return new Pages(read as (cursor: string | null) => Promise<Page & Record<string, unknown[]>>, list);
  }

  function follow<Id extends number | string, Event>(
    path: string,
    { userId = options.userId, token, include, lastEventId, signal }: StreamOptions<Id>,
    readId: (text: string) => Id,
  ) {
    const query = new URLSearchParams({ ...(token !== undefined && { token }), ...(include && { include }) });
    const url = `${baseUrl}${path}${query.size > 0 ? `?${query}` : ''}`;
    const sendNamed = (request: Request) => send(withUser(request, userId), STREAM);
    return followEvents<Id, Event>(url, { lastEventId, readId, signal, send: sendNamed });
  }

  const stream: Switchboard['chats']['stream'] = (chat_id, body, { userId = options.userId, ...given } = {}) => {
    const url = `${baseUrl}/api/chats/${pathPart('chat_id', chat_id)}/messages`;
    return streamAnswer(url, body, { ...given, send: (request) => send(withUser(request, userId), STREAM) });
  };

  const groups = Object.entries(METHODS).map(([group, ids]) => {
    const methods = Object.entries(ids).map(([name, id]) => [name, (...args: unknown[]) => run(id, args)] as const);
    return [group, Object.fromEntries(methods)] as const;
  });
  const forUser = (userId: string) => createSwitchboard({ ...options, userId });
  const methods = Object.fromEntries(groups) as unknown as Methods;
  const change: Switchboard['drafts']['change'] = (...args) => changeDraft(methods.drafts, ...args);
  return { ...methods, chats: { ...methods.chats, stream }, drafts: { ...methods.drafts, change }, api, forUser };
}

type StreamOptions<Id> = Omit<UserEventOptions, 'lastEventId'> & { lastEventId?: Id | undefined };

const STREAM: Policy = { maxRetries: 0, isStream: true };

function headersOf(userId: string | undefined, idempotencyKey: string | undefined): Record<string, string> {
  return {
    ...(userId !== undefined && { 'x-user-id': toHeader(userId) }),
    ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
  };
}

function withUser(request: Request, userId: string | undefined): Request {
  if (userId !== undefined && !request.headers.has('x-user-id')) request.headers.set('x-user-id', toHeader(userId));
  return request;
}

/** The error of an answer that is not JSON. */
function notOurs({ method }: Operation, path: string, cause: SyntaxError): SwitchboardError {
  const text = `${method} ${path}: the answer is not JSON: ${cause.message}`;
  return new SwitchboardError('unexpected_response', text, { cause });
}

function checkBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  // Without the text, which may contain a password: `fetch` refuses such a URL with a message that has all of it.
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username || url.password)
    throw new TypeError('baseUrl must be an http or https URL without a query, a user name or a password');
  return url.href.replace(/\/+$/, '');
}

/** One path segment. An empty one, or dots, would lead to another operation. */
function pathPart(name: string, value: unknown): string {
  if (typeof value !== 'string' || /^\.{0,2}$/.test(value))
    throw new TypeError(`${name} must be an id, not "${value}"`);
  return encodeURIComponent(value);
}

/** 128 random bits. `crypto.randomUUID` is missing on pages without TLS. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
