/**
 * `service`: everything, for any user it names; `worker`: what an agent's worker needs; `user`: one user's own things.
 */
export type Role = 'service' | 'worker' | 'user';

/** The owner of a key or token. `user_id` is the user that role `user` is bound to; null for the others. */
export interface Principal {
  /** `api_key/…`, or `token` for a JWT, whose user says who it is. */
  name: string;
  role: Role;
  user_id: string | null;
  /** The call that a stream token is good for; null for the stream over all calls of its user. */
  call_id?: string | null;
  /** It signed in to the console: its token is good in a cookie alone. */
  isConsole?: true;
  /** When the key or token ceases to be accepted; null when it never does. */
  expires_at: Date | null;
}

/** The owner of the token; null when it is unknown, expired or revoked. */
export type Authenticate = (token: string) => Promise<Principal | null>;

/** An actor in the audit log: by which key, for which user, from which address. */
export interface Actor {
  /**
   * A principal's name, `open` where nobody needs one, `command` for the command line, `repair` for what a dead process
   * left.
   */
  actor: string;
  user_id: string | null;
  /** The address that the request came from; null where there was none. */
  ip: string | null;
}
