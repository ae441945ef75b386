import { createHash, randomBytes } from 'node:crypto';
import type { Db } from '../../db/tables.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Principal } from '../../lib/principal.ts';
import type { Calls } from '../calls/calls.ts';
import { type Keys, keyIdOf } from '../keys/keys.ts';
import { deleteExpiredStreamTokens, deleteStreamTokensOf, findStreamToken, insertStreamToken } from './store.ts';

export type StreamTokens = ReturnType<typeof createStreamTokens>;

const PREFIX = 'sbs_';
/**
 * Longer than most calls, unless the credentials behind it expire before. Pages of longer calls request another one.
 */
const STREAM_TOKEN_MS = 60 * 60 * 1000;

/** Whether the text has the format of a stream token; it need not be valid. */
export function isStreamToken(token: string): boolean {
  return token.startsWith(PREFIX);
}

/**
 * Tokens for the event stream of one call or one user, and nothing else: a browser's `EventSource` cannot send
 * headers.
 */
export function createStreamTokens({ db, clock, keys, calls }: { db: Db; clock: Clock; keys: Keys; calls: Calls }) {
  /**
   * Expires with the key, JWT or sign-in of `principal`. Throws `not_found` for a call that is unknown or another
   * user's.
   */
  async function create(call_id: string, caller: string | null, principal: Principal | null) {
    const { id, user_id } = await calls.get(call_id, caller);
    const created = await insert(id, user_id, principal);
    return { ...created, events_url: `/api/calls/${id}/events?token=${created.token}` };
  }

  /** For the stream over all calls of a user. */
  async function createForUser(user_id: string, principal: Principal | null) {
    const created = await insert(null, user_id, principal);
    return { ...created, events_url: `/api/events?token=${created.token}` };
  }

  async function insert(session_id: string | null, user_id: string, principal: Principal | null) {
    const token = `${PREFIX}${randomBytes(24).toString('base64url')}`;
    const end = clock.now().getTime() + STREAM_TOKEN_MS;
    const expires_at = new Date(Math.min(end, principal?.expires_at?.getTime() ?? end));
    const key_id = keyIdOf(principal);
    await insertStreamToken(db, { token_hash: hashOf(token), session_id, user_id, key_id, expires_at });
    return { token, expires_at };
  }

  async function authenticate(token: string): Promise<Principal | null> {
    const found = await findStreamToken(db, hashOf(token));
    if (!found || found.expires_at <= clock.now()) return null;
    if (found.key_id !== null && !(await keys.isInForce(found.key_id))) return null;
    const { user_id, session_id: call_id, expires_at } = found;
    return { name: 'stream_token', role: 'user', user_id, call_id, expires_at };
  }

  return {
    create,
    createForUser,
    authenticate,
    forgetExpired: () => deleteExpiredStreamTokens(db, clock.now()),
    erase: deleteStreamTokensOf,
  };
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('base64');
}
