import { hash, randomBytes } from 'node:crypto';
import type { Static } from 'typebox';
import type { Database } from '../../db/database.ts';
import type { Db } from '../../db/tables.ts';
import { createBatcher } from '../../lib/batcher.ts';
import type { Clock } from '../../lib/clock.ts';
import { AppError, InvalidFields } from '../../lib/errors.ts';
import { isId, newId } from '../../lib/ids.ts';
import { type PageRequest, toPage } from '../../lib/page.ts';
import type { Actor, Principal, Role } from '../../lib/principal.ts';
import type { Audit } from '../audit/audit.ts';
import { createRecent } from './recent.ts';
import type { ApiKeyCreate } from './schema.ts';
import {
  type ApiKey,
  deleteKeysOf,
  findKeysByHash,
  insertKey,
  insertKeyOnce,
  isKeyInForce,
  listKeys,
  revokeKey,
} from './store.ts';

export type Keys = ReturnType<typeof createKeys>;

const PREFIX = 'sb_';
/** Prefix of a principal's name, before the key's id. */
const NAME = 'api_key/';
const COMMAND = { actor: 'command', user_id: null, ip: null };
/** `last_used_at` is written at most this often, to avoid a write per request. */
const TOUCH_MS = 60_000;
/** Keys per lookup statement, and keys that may queue. */
const LIMITS = { batch_size: 1000, queue_depth: 10_000, concurrency: 2 };

/** API keys. Only their SHA-256 is stored: 256 random bits need no slower hash. */
export function createKeys({ db, clock, audit }: { db: Database['db']; clock: Clock; audit: Audit }) {
  const find = createBatcher<string, Principal | null>({ runBatch: findEach, limits: LIMITS });
  const recent = createRecent(clock, (token) => find(digest(token)));

  /**
   * Creates a key; the response is the only place where it is shown. Throws `InvalidFields` if role and user do not
   * match.
   */
  async function create(input: Static<typeof ApiKeyCreate>, actor: Actor): Promise<ApiKey & { key: string }> {
    const user_id = input.user_id ?? null;
    if ((input.role === 'user') !== (user_id !== null)) {
      const msg = 'Input should name a user for the role user, and none for the others';
      throw new InvalidFields({ field: 'user_id', msg, type: user_id === null ? 'missing' : 'value_error' });
    }
    const expires_at = input.expires_at ? new Date(input.expires_at) : null;
    if (expires_at && expires_at <= clock.now()) {
      const msg = 'Input should be in the future';
      throw new InvalidFields({ field: 'expires_at', msg, type: 'datetime_future' });
    }
    const key = `${PREFIX}${randomBytes(32).toString('base64url')}`;
    const { name, role } = input;
    const row = rowOf(key, { name, role, user_id, expires_at });
    return db.transaction().execute(async (trx) => {
      await audit.record(trx, actor, 'key.created', `api_key/${row.id}`, role);
      return { ...(await insertKey(trx, row)), key };
    });
  }

  /**
   * Creates this key with the role service unless it exists. Safe to run on several replicas; a revoked key stays
   * revoked.
   */
  async function ensure(key: string, name: string): Promise<void> {
    const row = rowOf(key, { name, role: 'service', user_id: null, expires_at: null });
    await db.transaction().execute(async (trx) => {
      if (await insertKeyOnce(trx, row)) await audit.record(trx, COMMAND, 'key.created', `api_key/${row.id}`, row.role);
    });
  }

  function rowOf(key: string, fields: { name: string; role: Role; user_id: string | null; expires_at: Date | null }) {
    const unused = { last_used_at: null, revoked_at: null };
    return { id: newId(), ...fields, token_hash: digest(key), created_at: clock.now(), ...unused };
  }

  /** Throws `not_found` for an unknown id. */
  async function revoke(id: string, actor: Actor): Promise<ApiKey> {
    if (!isId(id)) throw new AppError('not_found');
    const revoked = await db.transaction().execute(async (trx) => {
      const key = await revokeKey(trx, id, clock.now());
      if (!key) throw new AppError('not_found');
      await audit.record(trx, actor, 'key.revoked', `api_key/${key.id}`);
      return key;
    });
    recent.forget(({ name }) => name === nameOf(revoked));
    return revoked;
  }

  async function findEach(digests: string[]): Promise<(Principal | null)[]> {
    const now = clock.now();
    const found = await findKeysByHash(db, [...new Set(digests)], now, new Date(now.getTime() - TOUCH_MS));
    const principals = new Map(
      found.map((key) => [
        key.token_hash,
        { name: nameOf(key), role: key.role, user_id: key.user_id, expires_at: key.expires_at },
      ]),
    );
    return digests.map((one) => principals.get(one) ?? null);
  }

  return {
    create,
    ensure,
    revoke,
    /**
     * The owner of the key; null if it is unknown, expired or revoked. A revocation by another process takes effect
     * within a second.
     */
    authenticate: recent.authenticate,
    /** Whether the key with this id is still accepted. */
    isInForce: (id: string) => isKeyInForce(db, id, clock.now()),
    /** Deletes the keys that are bound to a user. */
    deleteOf: async (trx: Db, user_id: string) => {
      await deleteKeysOf(trx, user_id);
      recent.forget((principal) => principal.user_id === user_id);
    },
    list: async (page: PageRequest) => toPage(await listKeys(db, page), page.limit, (key) => key.id),
  };
}

/** Whether a bearer token is an API key rather than a JWT. */
export function isApiKey(token: string): boolean {
  return token.startsWith(PREFIX);
}

/** The name of the principal whose key has this id. */
export function nameOf({ id }: { id: string }): string {
  return `${NAME}${id}`;
}

/** The id of the key that was sent; null for a token, and in open mode. */
export function keyIdOf(principal: Principal | null): string | null {
  return principal?.name.startsWith(NAME) ? principal.name.slice(NAME.length) : null;
}

function digest(token: string): string {
  return hash('sha256', token, 'hex');
}
