import { AppError } from './errors.ts';
import { textProblem } from './json.ts';

/** Longest id of a user. */
const MAX_USER_ID = 255;

/** Every role; docs/roles.md says what each is for. */
export const ROLES = ['viewer', 'supervisor', 'user', 'worker', 'service', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** Parts of the API that a key can be limited to: the tags of the operations. The console's own are in no scope. */
export const SCOPES = [
  'agents',
  'tests',
  'outreach',
  'calls',
  'sessions',
  'stats',
  'media',
  'telephony',
  'usage',
  'prices',
  'costs',
  'callbacks',
  'keys',
  'audit',
  'privacy',
  'service',
] as const;
export type Scope = (typeof SCOPES)[number];

/** The owner of a key or token. */
export interface Principal {
  /** `api_key/…`, or `token` for a JWT, whose user identifies it. */
  name: string;
  /** For people: the name of the key, or the user's address at the identity provider. */
  label?: string | null;
  role: Role;
  /** The user that the principal is bound to; null if it may act for all. */
  user_id: string | null;
  /** The person's `sub`, if somebody signed in at the OpenID provider. */
  subject?: string;
  /** Null: the whole API. */
  scopes: readonly Scope[] | null;
  /** The key and the sign-in that the token stems from; it is revoked with them. */
  via?: { key_id: string | null; sign_in: string | null };
  /** The call that a stream token is valid for; null for the stream over all calls of its user. */
  call_id?: string | null;
  /** The recording whose audio it is valid for, instead of streams. */
  recording_id?: string | null;
  /** Signed in to the console: its token is valid in a cookie only. */
  isConsole?: true;
  /** When the key or token expires; null if never. */
  expires_at: Date | null;
}

/** Whether a principal of this role is bound to a user: always, never, or as its maker chooses. */
export function bindingOf(role: Role): 'always' | 'never' | 'optional' {
  if (role === 'user') return 'always';
  return role === 'viewer' || role === 'supervisor' || role === 'worker' ? 'optional' : 'never';
}

/** Whether a JWT's subject is a valid user id: an external provider's JSON may contain anything. */
export function isUserId(sub: unknown): sub is string {
  return typeof sub === 'string' && sub !== '' && sub.length <= MAX_USER_ID && textProblem(sub) === null;
}

/** The user's address as an identity provider's token states it; the subject if it states none. */
export function addressIn({ email, sub }: { email?: unknown; sub?: unknown }): string | null {
  return isUserId(email) ? email : isUserId(sub) ? sub : null;
}

/**
 * The owner of the token; null if it is unknown, expired or revoked. With `outlivesDatabase`, a key that was accepted
 * shortly before is still accepted while the database is away.
 */
export type Authenticate = (token: string, outlivesDatabase?: boolean) => Promise<Principal | null>;

/** An actor in the audit log: the key, the user, and the address. */
export interface Actor {
  /**
   * A principal's name, `open` in open mode, `unauthenticated`, `command` for the command line, `repair` for the
   * cleanup after a dead process, `retention`, `opt_out` for words in a transcript,
   * `fallback` for an inbound call that no worker has taken.
   */
  actor: string;
  /** The name of the key, or the user's address at the identity provider. */
  actor_name?: string | null;
  /** The user whose own key or token it is. */
  actor_user_id?: string | null;
  /** The user whose data it concerns. */
  user_id: string | null;
  /** The client's address; null if there was no request. */
  ip: string | null;
}

/**
 * Returns what was found, if the caller may see it: a `caller` of null acts for all users. Throws `not_found`, also for
 * another user's, so that nobody learns what others have.
 */
export function owned<T extends { user_id: string }>(found: T | null | undefined, caller: string | null): T {
  if (!found || (caller !== null && found.user_id !== caller)) throw new AppError('not_found');
  return found;
}
