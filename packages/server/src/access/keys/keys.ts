import { randomBytes } from 'node:crypto';
import type { Static } from 'typebox';
import type { Database } from '../../db/database.ts';
import type { Db } from '../../db/tables.ts';
import { createBatcher, createLookup } from '../../lib/batcher.ts';
import { sha256 } from '../../lib/canonical-json.ts';
import type { Clock } from '../../lib/clock.ts';
import { AppError } from '../../lib/errors.ts';
import { isId, newId } from '../../lib/ids.ts';
import { InvalidFields } from '../../lib/invalid.ts';
import { type PageRequest, toPage } from '../../lib/page.ts';
import { type Actor, type Authenticate, bindingOf, type Principal, type Role } from '../../lib/principal.ts';
import { createRecent } from '../../lib/recent.ts';
import type { Revocations } from '../../lib/revocations.ts';
import type { Audit } from '../audit/audit.ts';
import { assertOverAdmins, limitToMaker } from './maker.ts';
import { orLastAccepted } from './outage.ts';
import type { ApiKeyCreate } from './schema.ts';
import {
  type ApiKey,
  countOpenModeKeys,
  deleteKeysOf,
  findKeysByHash,
  findKeysInForce,
  insertKey,
  insertKeyOnce,
  listKeys,
  lockKey,
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

interface Deps {
  db: Database['db'];
  clock: Clock;
  audit: Audit;
  revocations: Revocations;
}

/** API keys. Only their SHA-256 is stored: 256 random bits need no slower hash. */
export function createKeys({ db, clock, audit, revocations }: Deps) {
  const find = createBatcher<string, Principal | null>({ runBatch: findEach, limits: LIMITS });
  const findInForce = createLookup(
    (ids) => findKeysInForce(db, ids, clock.now()),
    ({ id }) => id,
  );
  const recent = createRecent(clock, (token) => find(sha256(token)), revocations);
  const authenticate: Authenticate = (token, outlivesDatabase = false) => {
    const found = recent.authenticate(token);
    return outlivesDatabase ? orLastAccepted(found, () => recent.lastAccepted(token)) : found;
  };

  /**
   * Creates a key; the response is the only place where it is shown. `maker` is null on the command line; otherwise
   * the key can do no more, and lives no longer, than the maker's. Throws `InvalidFields`, `role_not_allowed` or
   * `scope_not_allowed`.
   */
  async function create(
    input: Static<typeof ApiKeyCreate>,
    actor: Actor,
    maker: Principal | null,
  ): Promise<ApiKey & { key: string }> {
    const user_id = input.user_id ?? null;
    assertBinding(input.role, user_id);
    const expires_at = readExpiry(input.expires_at, clock.now());
    const key = `${PREFIX}${randomBytes(32).toString('base64url')}`;
    const { name, role } = input;
    const scopes = input.scopes ? [...new Set(input.scopes)] : null;
    return db.transaction().execute(async (trx) => {
      const limited = await limitToMaker(trx, { role, scopes, expires_at }, maker, clock.now());
      const row = rowOf(key, { name, user_id, ...limited });
      await audit.record(trx, actor, 'key.created', `api_key/${row.id}`, {
        detail: role,
        after: { name, user_id, ...limited },
        user_id: user_id ?? actor.user_id,
      });
      return { ...(await insertKey(trx, row)), key };
    });
  }

  /**
   * Creates this key with the role service unless it exists. Safe to run on several replicas; a revoked key stays
   * revoked.
   */
  async function ensure(key: string, name: string): Promise<void> {
    const row = rowOf(key, { name, role: 'service', user_id: null, scopes: null, expires_at: null });
    await db.transaction().execute(async (trx) => {
      if (await insertKeyOnce(trx, row))
        await audit.record(trx, COMMAND, 'key.created', `api_key/${row.id}`, { detail: row.role });
    });
  }

  function rowOf(key: string, fields: Pick<ApiKey, 'name' | 'role' | 'user_id' | 'scopes' | 'expires_at'>) {
    const unused = { last_used_at: null, revoked_at: null };
    return { id: newId(), ...fields, token_hash: sha256(key), created_at: clock.now(), ...unused };
  }

  /** Throws `not_found` for an unknown id, and `role_not_allowed` unless an `admin` revokes the key of an `admin`. */
  async function revoke(id: string, actor: Actor, by: Principal | null): Promise<ApiKey> {
    if (!isId(id)) throw new AppError('not_found');
    const revoked = await db.transaction().execute(async (trx) => {
      const key = await lockKey(trx, id);
      if (!key) throw new AppError('not_found');
      assertOverAdmins(key.role, by, 'Revoking a key of role admin');
      await audit.record(trx, actor, 'key.revoked', `api_key/${key.id}`, { detail: key.name });
      return revokeKey(trx, id, clock.now());
    });
    revocations.announce(({ via }) => via?.key_id === revoked.id);
    return revoked;
  }

  async function findEach(digests: string[]): Promise<(Principal | null)[]> {
    const now = clock.now();
    const found = await findKeysByHash(db, [...new Set(digests)], now, new Date(now.getTime() - TOUCH_MS));
    const principals = new Map(
      found.map((key) => [
        key.token_hash,
        {
          name: nameOf(key),
          label: key.name,
          role: key.role,
          user_id: key.user_id,
          scopes: key.scopes,
          via: { key_id: key.id, sign_in: null },
          expires_at: key.expires_at,
        },
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
     * within a second, one by this process immediately. With `outlivesDatabase` also who was accepted last, while the
     * database is away.
     */
    authenticate,
    /** The name and the scopes of the key with this id; null if it is no longer accepted. */
    findInForce,
    /** How many accepted keys anybody may have created, in open mode. */
    countOpenModeKeys: () => countOpenModeKeys(db, clock.now()),
    /** Deletes the keys that are bound to a user. */
    deleteOf: async (trx: Db, user_id: string) => {
      await deleteKeysOf(trx, user_id);
      revocations.announce((principal) => principal.user_id === user_id);
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

/** Throws `InvalidFields` if role and user do not match. */
function assertBinding(role: Role, user_id: string | null): void {
  const binding = bindingOf(role);
  if (binding === 'optional' || (binding === 'always') === (user_id !== null)) return;
  const msg =
    'Input should name a user for the role user, may for viewer, supervisor and worker, and none for the others';
  throw new InvalidFields({ field: 'user_id', msg, type: user_id === null ? 'missing' : 'value_error' });
}

/** Throws `InvalidFields` for a time that has passed. */
function readExpiry(text: string | null | undefined, now: Date): Date | null {
  const expires_at = text ? new Date(text) : null;
  if (expires_at === null || expires_at > now) return expires_at;
  const msg = 'Input should be in the future';
  throw new InvalidFields({ field: 'expires_at', msg, type: 'datetime_future' });
}
