import { textProblem } from './json.ts';

/** Longest id of a user. */
const MAX_USER_ID = 255;

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

/** Whether a subject that somebody else's server names can be a user: its JSON may hold anything. */
export function isUserId(sub: unknown): sub is string {
  return typeof sub === 'string' && sub !== '' && sub.length <= MAX_USER_ID && textProblem(sub) === null;
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
