/** Options of a client. */
export interface SwitchboardOptions {
  /** Base URL of the service, such as `https://switchboard.example.com`. */
  baseUrl: string;
  /**
   * An API key, or a token of your identity provider. A function is called before each attempt, because tokens
   * expire; if it fails, the attempt fails with `network_error`, and its time counts towards the timeout.
   */
  apiKey?: string | (() => string | Promise<string>);
  /** The default user of requests: the header `x-user-id`. */
  userId?: string;
  /** Replaces the global `fetch`. */
  fetch?: (request: Request) => Promise<Response>;
  /** Timeout of each attempt in milliseconds, including the response body. 30,000 by default. */
  timeoutMs?: number;
  /** Retries of a request that failed and is safe to repeat. 3 by default. */
  maxRetries?: number;
  /** Delay before the first retry in milliseconds; doubled for each further one, up to 8 s. 500 by default. */
  retryDelayMs?: number;
}

/** Options of one request. */
export interface RequestOptions {
  userId?: string;
  /**
   * Makes retries idempotent, across processes too, of operations that take a key; others ignore it. Without it they
   * get a random one.
   */
  idempotencyKey?: string;
  /**
   * The state that a change is for: the `updated_at` of an agent, the `revision` of a draft, the `number` of a release;
   * 412 `changed_meanwhile` if it has another.
   */
  ifMatch?: string;
  signal?: AbortSignal;
  timeoutMs?: number;
  maxRetries?: number;
  /** Declares that sending the request twice is harmless: it is then retried even if its operation takes no key. */
  isRepeatable?: boolean;
}

/** Options of an event stream. */
export interface EventOptions {
  userId?: string;
  /** Resumes after this event. */
  lastEventId?: number;
  /** A stream token, for a page without a key. */
  token?: string;
  signal?: AbortSignal;
}

/** Options of the event stream over all calls of a user. */
export interface UserEventOptions extends Omit<EventOptions, 'lastEventId'> {
  /** Resumes after this event; without it the stream begins now. */
  lastEventId?: string;
  /** Adds the call's cost so far to each `cost` event. */
  include?: 'total_cost';
}

/** A body in which `user_id` may be omitted if the client has a user. */
export type OptionalUser<Body extends { user_id: string }> = Omit<Body, 'user_id'> & Partial<Pick<Body, 'user_id'>>;
