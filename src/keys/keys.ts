import { createHash, randomBytes } from 'node:crypto';
import type { Static } from 'typebox';
import type { Audit } from '../audit/audit.ts';
import type { Database } from '../db/database.ts';
import type { Clock } from '../lib/clock.ts';
import { AppError, InvalidRequest } from '../lib/errors.ts';
import { isId, newId } from '../lib/ids.ts';
import { type PageRequest, toPage } from '../lib/page.ts';
import type { Actor, Principal, Role } from '../lib/principal.ts';
import type { ApiKeyCreate } from './schema.ts';
import {
  type ApiKey,
  deleteKeysOf,
  findKeyByHash,
  insertKey,
  insertKeyOnce,
  listKeys,
  revokeKey,
  touchKey,
} from './store.ts';

export type Keys = ReturnType<typeof createKeys>;

const PREFIX = 'sb_';
const COMMAND = { actor: 'command', user_id: null, ip: null };
/** `last_used_at` is written at most this often: a key in use must not cost a write a request. */
const TOUCH_MS = 60_000;

/** API keys. Only their SHA-256 is kept: 256 random bits need no slower hash. */
export function createKeys({ db, clock, audit }: { db: Database['db']; clock: Clock; audit: Audit }) {
  /** Makes a key; the answer is the only place where it is shown. Throws `InvalidRequest` when role and user do not fit. */
  async function create(input: Static<typeof ApiKeyCreate>, actor: Actor): Promise<ApiKey & { key: string }> {
    const user_id = input.user_id ?? null;
    if ((input.role === 'user') !== (user_id !== null)) {
      const msg = 'Input should name a user for the role user, and none for the others';
      throw new InvalidRequest([{ loc: ['body', 'user_id'], msg, type: user_id === null ? 'missing' : 'value_error' }]);
    }
    const key = `${PREFIX}${randomBytes(32).toString('base64url')}`;
    const { name, role } = input;
    const row = rowOf(key, { name, role, user_id });
    return db.transaction().execute(async (trx) => {
      await audit.record(trx, actor, 'key.created', `api_key/${row.id}`, role);
      return { ...(await insertKey(trx, row)), key };
    });
  }

  /** Makes sure that this key of role service was once made. Replicas may do so together; a revoked one stays revoked. */
  async function ensure(key: string, name: string): Promise<void> {
    const row = rowOf(key, { name, role: 'service', user_id: null });
    await db.transaction().execute(async (trx) => {
      if (await insertKeyOnce(trx, row)) await audit.record(trx, COMMAND, 'key.created', `api_key/${row.id}`, row.role);
    });
  }

  function rowOf(key: string, fields: { name: string; role: Role; user_id: string | null }) {
    const unused = { last_used_at: null, revoked_at: null };
    return { id: newId(), ...fields, token_hash: hash(key), created_at: clock.now(), ...unused };
  }

  /** Throws `not_found` for an id that is no key's. */
  async function revoke(id: string, actor: Actor): Promise<ApiKey> {
    if (!isId(id)) throw new AppError('not_found');
    return db.transaction().execute(async (trx) => {
      const key = await revokeKey(trx, id, clock.now());
      if (!key) throw new AppError('not_found');
      await audit.record(trx, actor, 'key.revoked', `api_key/${key.id}`);
      return key;
    });
  }

  /** Whose key this is, or null when it is nobody's or revoked. */
  async function authenticate(token: string): Promise<Principal | null> {
    const key = await findKeyByHash(db, hash(token));
    if (!key) return null;
    const now = clock.now();
    if (now.getTime() - (key.last_used_at?.getTime() ?? 0) > TOUCH_MS) await touchKey(db, key.id, now);
    return { name: `api_key/${key.id}`, role: key.role, user_id: key.user_id };
  }

  return {
    create,
    ensure,
    revoke,
    authenticate,
    /** Deletes the keys that are bound to a user. */
    deleteOf: deleteKeysOf,
    list: async (page: PageRequest) => toPage(await listKeys(db, page), page.limit, (key) => key.id),
  };
}

/** Whether a bearer token is one of our keys, and not somebody's JWT. */
export function isApiKey(token: string): boolean {
  return token.startsWith(PREFIX);
}

function hash(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
