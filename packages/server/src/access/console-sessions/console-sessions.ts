import { randomBytes } from 'node:crypto';
import type { Database } from '../../db/database.ts';
import type { Db } from '../../db/tables.ts';
import { createLookup } from '../../lib/batcher.ts';
import { sha256 } from '../../lib/canonical-json.ts';
import type { Clock } from '../../lib/clock.ts';
import { AppError } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import type { Actor, Principal, Role } from '../../lib/principal.ts';
import { createRecent } from '../../lib/recent.ts';
import type { Revocations } from '../../lib/revocations.ts';
import type { Audit } from '../audit/audit.ts';
import { isApiKey, type Keys, nameOf } from '../keys/keys.ts';
import {
  type ConsoleSession,
  deleteConsoleSession,
  deleteConsoleSessionsOf,
  deleteExpiredConsoleSessions,
  deleteSessionsByKey,
  deleteSessionsBySubject,
  findConsoleSessions,
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

/** A person who has signed in at the OpenID provider: its `sub`, and the role that its groups give. */
export interface OpenIdUser {
  subject: string;
  role: Role;
  /** The user that the role is bound to; null for all users. */
  user_id: string | null;
  /** The person's address, if the provider states it. */
  label: string | null;
}

interface Deps {
  db: Database['db'];
  clock: Clock;
  audit: Audit;
  keys: Keys;
  revocations: Revocations;
}

/** Console sign-ins: a key is exchanged for a token in a cookie, out of reach of scripts. */
export function createConsoleSessions({ db, clock, audit, keys, revocations }: Deps) {
  const find = createLookup(
    (digests) => findConsoleSessions(db, digests),
    ({ token_hash }) => token_hash,
  );

  /**
   * Opens a session with a key; null if the key is invalid. It lasts 12 hours, or until the key expires or is
   * revoked. Throws `role_not_allowed` for a worker's key.
   */
  async function signIn(key: string, ip: string) {
    const principal = isApiKey(key) ? await keys.authenticate(key) : null;
    const key_id = principal?.via?.key_id ?? null;
    if (!principal || key_id === null) return null;
    const { name: actor, label = null, role, user_id } = principal;
    if (role === 'worker')
      throw new AppError('role_not_allowed', { detail: 'A key of role worker cannot sign in to the console.' });
    const by = { actor, actor_name: label, actor_user_id: user_id, user_id, ip };
    const opened = await open({ key_id, subject: null, role, user_id, label: null }, by, principal.expires_at);
    return { token: opened.token, principal: { ...principal, expires_at: opened.expires_at } };
  }

  /** Opens a session for a person who has signed in at the OpenID provider; returns its token. */
  async function signInUser(person: OpenIdUser, ip: string): Promise<string> {
    const { subject, user_id, label } = person;
    const by = { actor: OPENID, actor_name: label, actor_user_id: subject, user_id, ip };
    const { token } = await open({ key_id: null, ...person }, by, null);
    return token;
  }

  async function open(
    owner: Pick<ConsoleSession, 'key_id' | 'subject' | 'role' | 'user_id' | 'label'>,
    actor: Actor,
    until: Date | null,
  ) {
    const created_at = clock.now();
    const end = created_at.getTime() + SESSION_MS;
    const expires_at = new Date(Math.min(end, until?.getTime() ?? end));
    const token = `${PREFIX}${randomBytes(32).toString('base64url')}`;
    await db.transaction().execute(async (trx) => {
      await insertConsoleSession(trx, { token_hash: sha256(token), ...owner, created_at, expires_at });
      await audit.record(trx, actor, 'console.signed_in', `console_session/${newId()}`, { detail: owner.role });
    });
    return { token, expires_at };
  }

  /** The owner of a session; null if it is unknown, expired or ended, or if its key was revoked. */
  async function look(token: string): Promise<Principal | null> {
    const found = await find(sha256(token));
    if (!found || found.expires_at <= clock.now()) return null;
    const { key_id, role, user_id, expires_at, token_hash, subject } = found;
    const key = key_id === null ? { name: found.label, scopes: null } : await keys.findInForce(key_id);
    if (!key) return null;
    const name = key_id === null ? OPENID : nameOf({ id: key_id });
    const via = { key_id, sign_in: token_hash };
    const { name: label, scopes } = key;
    return { name, label, role, user_id, ...(subject && { subject }), scopes, via, expires_at, isConsole: true };
  }

  /** Ends the session of a token; no effect if it is unknown. */
  async function signOut(token: string, actor: Actor): Promise<void> {
    const sign_in = sha256(token);
    await db.transaction().execute(async (trx) => {
      const isEnded = await deleteConsoleSession(trx, sign_in);
      if (isEnded) await audit.record(trx, actor, 'console.signed_out', 'console_session');
    });
    revocations.announce(({ via }) => via?.sign_in === sign_in);
  }

  /**
   * Ends every session that was opened with the caller's key, or by the same person at the OpenID provider; with
   * `subject`, those of that person. Returns their number.
   */
  async function signOutEverywhere(caller: Principal | null, subject: string | null, actor: Actor): Promise<number> {
    const ended = await db.transaction().execute(async (trx) => {
      const deleted = new Set(await deleteAll(trx, caller, subject));
      const detail = String(deleted.size);
      await audit.record(trx, actor, 'console.signed_out_everywhere', 'console_session', { detail });
      return deleted;
    });
    revocations.announce(({ via }) => typeof via?.sign_in === 'string' && ended.has(via.sign_in));
    return ended.size;
  }

  async function deleteAll(trx: Db, caller: Principal | null, subject: string | null): Promise<string[]> {
    const key_id = caller?.via?.key_id ?? null;
    if (subject === null && key_id !== null) return deleteSessionsByKey(trx, key_id);
    const person = subject ?? caller?.subject ?? caller?.user_id ?? null;
    return person === null ? [] : deleteSessionsBySubject(trx, person);
  }

  return {
    signIn,
    signInUser,
    authenticate: createRecent(clock, look, revocations).authenticate,
    signOut,
    signOutEverywhere,
    forgetExpired: () => deleteExpiredConsoleSessions(db, clock.now()),
    erase: async (trx: Db, user_id: string) => {
      await deleteConsoleSessionsOf(trx, user_id);
      revocations.announce((principal) => [principal.user_id, principal.subject].includes(user_id));
    },
  };
}
