import { createHash, randomBytes } from 'node:crypto';
import type { Keys } from '../../access/keys/keys.ts';
import type { Db } from '../../db/tables.ts';
import { createLookup } from '../../lib/batcher.ts';
import type { Clock } from '../../lib/clock.ts';
import { AppError } from '../../lib/errors.ts';
import type { Principal } from '../../lib/principal.ts';
import type { Calls } from '../calls/calls.ts';
import { deleteExpiredStreamTokens, deleteStreamTokensOf, findStreamTokens, insertStreamToken } from './store.ts';

export type StreamTokens = ReturnType<typeof createStreamTokens>;

const PREFIX = 'sbs_';
/**
 * Longer than most calls, unless the credentials behind it expire before. Pages of longer calls request another one.
 */
const STREAM_TOKEN_MS = 60 * 60 * 1000;
/** Tokens per lookup statement, and tokens that may queue: each open stream asks again every few seconds. */
const LIMITS = { batch_size: 1000, queue_depth: 100_000 };

/** Whether the text has the format of a stream token; it need not be valid. */
export function isStreamToken(token: string): boolean {
  return token.startsWith(PREFIX);
}

/**
 * Tokens for the event stream of one call or one user, or the audio of one recording, and nothing else: a browser's
 * `EventSource` and `<audio>` cannot send headers.
 */
export function createStreamTokens({ db, clock, keys, calls }: { db: Db; clock: Clock; keys: Keys; calls: Calls }) {
  const find = createLookup(
    (hashes) => findStreamTokens(db, hashes),
    ({ token_hash }) => token_hash,
    LIMITS,
  );

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

  /** For the audio of one recording of a call. */
  async function createForRecording(
    { session_id, user_id, recording_id }: { session_id: string; user_id: string; recording_id: string },
    principal: Principal | null,
  ) {
    return insert(session_id, user_id, principal, recording_id);
  }

  async function insert(
    session_id: string | null,
    user_id: string,
    principal: Principal | null,
    recording_id: string | null = null,
  ) {
    const token = `${PREFIX}${randomBytes(24).toString('base64url')}`;
    const end = clock.now().getTime() + STREAM_TOKEN_MS;
    const expires_at = new Date(Math.min(end, principal?.expires_at?.getTime() ?? end));
    const via = principal?.via ?? { key_id: null, sign_in: null };
    const row = { token_hash: hashOf(token), session_id, recording_id, user_id, ...via, expires_at };
    if (!(await insertStreamToken(db, row))) throw new AppError('unauthenticated');
    return { token, expires_at };
  }

  async function authenticate(token: string): Promise<Principal | null> {
    const found = await find(hashOf(token));
    if (!found || found.expires_at <= clock.now()) return null;
    const { user_id, session_id: call_id, recording_id, key_id, sign_in, expires_at } = found;
    if (key_id !== null && !(await keys.findInForce(key_id))) return null;
    const via = { key_id, sign_in };
    return { name: 'stream_token', role: 'user', user_id, scopes: null, via, call_id, recording_id, expires_at };
  }

  return {
    create,
    createForUser,
    createForRecording,
    authenticate,
    forgetExpired: () => deleteExpiredStreamTokens(db, clock.now()),
    erase: deleteStreamTokensOf,
  };
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('base64');
}
