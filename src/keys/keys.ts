import { createHash, randomBytes } from 'node:crypto';
import type { Static } from 'typebox';
import type { Db } from '../db/tables.ts';
import type { Clock } from '../lib/clock.ts';
import { AppError, InvalidRequest } from '../lib/errors.ts';
import { isId, newId } from '../lib/ids.ts';
import { type PageRequest, toPage } from '../lib/page.ts';
import type { Principal } from '../lib/principal.ts';
import type { ApiKeyCreate } from './schema.ts';
import { type ApiKey, findKeyByHash, insertKey, listKeys, revokeKey, touchKey } from './store.ts';

export type Keys = ReturnType<typeof createKeys>;

const PREFIX = 'sb_';
/** `last_used_at` is written at most this often: a key in use must not cost a write a request. */
const TOUCH_MS = 60_000;

/** API keys. Only their SHA-256 is kept: 256 random bits need no slower hash. */
export function createKeys({ db, clock }: { db: Db; clock: Clock }) {
  /** Makes a key; the answer is the only place where it is shown. Throws `InvalidRequest` when role and user do not fit. */
  async function create(input: Static<typeof ApiKeyCreate>): Promise<ApiKey & { key: string }> {
    const user_id = input.user_id ?? null;
    if ((input.role === 'user') !== (user_id !== null)) {
      const msg = 'Input should name a user for the role user, and none for the others';
      throw new InvalidRequest([{ loc: ['body', 'user_id'], msg, type: user_id === null ? 'missing' : 'value_error' }]);
    }
    const key = `${PREFIX}${randomBytes(32).toString('base64url')}`;
    const { name, role } = input;
    const row = {
      id: newId(),
      name,
      role,
      user_id,
      token_hash: hash(key),
      created_at: clock.now(),
      last_used_at: null,
      revoked_at: null,
    };
    return { ...(await insertKey(db, row)), key };
  }

  /** Throws `not_found` for an id that is no key's. */
  async function revoke(id: string): Promise<ApiKey> {
    const key = isId(id) ? await revokeKey(db, id, clock.now()) : undefined;
    if (!key) throw new AppError('not_found');
    return key;
  }

  /** Whose key this is, or null when it is nobody's or revoked. */
  async function authenticate(token: string): Promise<Principal | null> {
    const key = await findKeyByHash(db, hash(token));
    if (!key) return null;
    const now = clock.now();
    if (now.getTime() - (key.last_used_at?.getTime() ?? 0) > TOUCH_MS) await touchKey(db, key.id, now);
    return { role: key.role, user_id: key.user_id };
  }

  return {
    create,
    revoke,
    authenticate,
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
