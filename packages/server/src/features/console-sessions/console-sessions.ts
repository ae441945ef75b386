import { hash, randomBytes } from 'node:crypto';
import type { Database } from '../../db/database.ts';
import type { Db } from '../../db/tables.ts';
import type { Clock } from '../../lib/clock.ts';
import { AppError } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import type { Actor, Principal } from '../../lib/principal.ts';
import type { Audit } from '../audit/audit.ts';
import { isApiKey, type Keys, keyIdOf, nameOf } from '../keys/keys.ts';
import {
  deleteConsoleSession,
  deleteConsoleSessionsOf,
  deleteExpiredConsoleSessions,
  findConsoleSession,
  insertConsoleSession,
} from './store.ts';

export type ConsoleSessions = ReturnType<typeof createConsoleSessions>;

const PREFIX = 'sbc_';
/** The name of principals who signed in at the OpenID provider, without a key. */
const OPENID = 'openid';
/** Lifetime of a sign-in: a working day. */
export const SESSION_MS = 12 * 60 * 60 * 1000;

/** Whether the text has the format of a session token; it need not be valid. */
export function isConsoleToken(token: string): boolean {
  return token.startsWith(PREFIX);
}

interface Deps {
  db: Database['db'];
  clock: Clock;
  audit: Audit;
  keys: Keys;
}

/** Console sign-ins: a key is exchanged for a token in a cookie, out of reach of scripts. */
export function createConsoleSessions({ db, clock, audit, keys }: Deps) {
  /**
   * Opens a session with a key; null if the key is invalid. It lasts 12 hours, or until the key expires or is
   * revoked. Throws `role_not_allowed` for a worker's key.
   */
  async function signIn(key: string, ip: string) {
    const principal = isApiKey(key) ? await keys.authenticate(key) : null;
    const key_id = keyIdOf(principal);
    if (!principal || key_id === null) return null;
    const { name: actor, role, user_id } = principal;
    if (role === 'worker')
      throw new AppError('role_not_allowed', { detail: 'The console needs a key of role service or user.' });
    const opened = await open({ key_id, role, user_id }, { actor, user_id, ip }, principal.expires_at);
    return { token: opened.token, principal: { ...principal, expires_at: opened.expires_at } };
  }

  /** Opens a session for a user who has signed in at the OpenID provider; returns its token. */
  async function signInUser(user_id: string, ip: string): Promise<string> {
    const { token } = await open({ key_id: null, role: 'user', user_id }, { actor: OPENID, user_id, ip }, null);
    return token;
  }

  async function open(
    owner: { key_id: string | null; role: 'service' | 'user'; user_id: string | null },
    actor: Actor,
    until: Date | null,
  ) {
    const created_at = clock.now();
    const end = created_at.getTime() + SESSION_MS;
    const expires_at = new Date(Math.min(end, until?.getTime() ?? end));
    const token = `${PREFIX}${randomBytes(32).toString('base64url')}`;
    await db.transaction().execute(async (trx) => {
      await insertConsoleSession(trx, { token_hash: digest(token), ...owner, created_at, expires_at });
      await audit.record(trx, actor, 'console.signed_in', `console_session/${newId()}`, owner.role);
    });
    return { token, expires_at };
  }

  /** The owner of a session; null if it is unknown, expired or ended, or if its key was revoked. */
  async function authenticate(token: string): Promise<Principal | null> {
    const found = await findConsoleSession(db, digest(token));
    if (!found || found.expires_at <= clock.now()) return null;
    const { key_id, role, user_id, expires_at } = found;
    if (key_id !== null && !(await keys.isInForce(key_id))) return null;
    const name = key_id === null ? OPENID : nameOf({ id: key_id });
    return { name, role, user_id, expires_at, isConsole: true };
  }

  return {
    signIn,
    signInUser,
    authenticate,
    /** Ends the session of a token; no effect if it is unknown. */
    signOut: (token: string) => deleteConsoleSession(db, digest(token)),
    forgetExpired: () => deleteExpiredConsoleSessions(db, clock.now()),
    erase: (trx: Db, user_id: string) => deleteConsoleSessionsOf(trx, user_id),
  };
}

function digest(token: string): string {
  return hash('sha256', token, 'hex');
}
