/** Options of a client. */
export interface SwitchboardOptions {
  /** Address of the service, as in `https://switchboard.example.com`. */
  baseUrl: string;
  /** An API key, or a token of your identity provider. A function is asked before each attempt: tokens expire. */
  apiKey?: string | (() => string | Promise<string>);
  /** The user whom requests are for, unless one says otherwise: the header `x-user-id`. */
  userId?: string;
  /** In place of the global `fetch`. */
  fetch?: (request: Request) => Promise<Response>;
  /** Milliseconds that each attempt may take, the answer's body included. 30,000 by default. */
  timeoutMs?: number;
  /** Repetitions of a request that failed and is safe to repeat. 3 by default. */
  maxRetries?: number;
  /** Milliseconds before the first repetition; each further pause is twice as long, up to 8 s. 500 by default. */
  retryDelayMs?: number;
}

/** Options of one request. */
export interface RequestOptions {
  userId?: string;
  /**
   * Makes repetitions of the request, in other processes too, have one effect. Without it, operations that take a key
   * get a random one.
   */
  idempotencyKey?: string;
  signal?: AbortSignal;
  timeoutMs?: number;
  maxRetries?: number;
}

/** Options of an event stream. */
export interface EventOptions {
  userId?: string;
  /** Goes on after this event. */
  lastEventId?: number;
  /** A stream token, for a page that has no key. */
  token?: string;
  signal?: AbortSignal;
}

/** Options of the event stream over all calls of a user. */
export interface UserEventOptions extends Omit<EventOptions, 'lastEventId'> {
  /** Goes on after this event; without it the stream begins now. */
  lastEventId?: string;
  /** Each `cost` also says what its call has cost so far. */
  include?: 'total_cost';
}

/** A body whose `user_id` may be left to the client. */
export type OptionalUser<Body extends { user_id: string }> = Omit<Body, 'user_id'> & Partial<Pick<Body, 'user_id'>>;
