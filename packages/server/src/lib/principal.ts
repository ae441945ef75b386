import { textProblem } from './json.ts';

/** Longest id of a user. */
const MAX_USER_ID = 255;

/**
 * `service`: everything, for any user; `worker`: the operations of an agent worker; `user`: one user's own resources.
 */
export type Role = 'service' | 'worker' | 'user';

/** The owner of a key or token. `user_id` is the user that the role `user` is bound to; null for the others. */
export interface Principal {
  /** `api_key/…`, or `token` for a JWT, whose user identifies it. */
  name: string;
  role: Role;
  user_id: string | null;
  /** The call that a stream token is valid for; null for the stream over all calls of its user. */
  call_id?: string | null;
  /** Signed in to the console: its token is valid in a cookie only. */
  isConsole?: true;
  /** When the key or token expires; null if never. */
  expires_at: Date | null;
}

/** Whether a JWT's subject is a valid user id: an external provider's JSON may contain anything. */
export function isUserId(sub: unknown): sub is string {
  return typeof sub === 'string' && sub !== '' && sub.length <= MAX_USER_ID && textProblem(sub) === null;
}

/** The owner of the token; null if it is unknown, expired or revoked. */
export type Authenticate = (token: string) => Promise<Principal | null>;

/** An actor in the audit log: the key, the user, and the address. */
export interface Actor {
  /**
   * A principal's name, `open` in open mode, `command` for the command line, `repair` for the cleanup after a dead
   * process.
   */
  actor: string;
  user_id: string | null;
  /** The client's address; null if there was no request. */
  ip: string | null;
}
