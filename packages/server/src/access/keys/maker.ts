import type { Db } from '../../db/tables.ts';
import { AppError } from '../../lib/errors.ts';
import { InvalidFields } from '../../lib/invalid.ts';
import type { Principal, Role, Scope } from '../../lib/principal.ts';
import { lockKey } from './store.ts';

interface Rights {
  role: Role;
  scopes: Scope[] | null;
  expires_at: Date | null;
}

/**
 * The rights of a new key, which has at most those of its maker: otherwise a key that expires would create one that
 * does not. Null is the command line, which is not limited.
 */
export async function limitToMaker(trx: Db, wanted: Rights, maker: Principal | null, now: Date): Promise<Rights> {
  if (!maker) return wanted;
  assertOverAdmins(wanted.role, maker, 'Creating a key of role admin');
  const key_id = maker.via?.key_id ?? null;
  // A person who has signed in at the OpenID provider: the sign-in ends, the person's authority does not.
  if (key_id === null) return wanted;
  const key = await lockKey(trx, key_id);
  if (!key || key.revoked_at || (key.expires_at && key.expires_at <= now)) throw new AppError('unauthenticated');
  return {
    role: wanted.role,
    scopes: limitScopes(wanted.scopes, key.scopes),
    expires_at: limitExpiry(wanted.expires_at, key.expires_at),
  };
}

/** Only an `admin` manages keys of role `admin`; null is the command line. Throws `role_not_allowed`. */
export function assertOverAdmins(role: Role, by: Principal | null, what: string): void {
  if (role === 'admin' && by && by.role !== 'admin')
    throw new AppError('role_not_allowed', { detail: `${what} needs the role admin.` });
}

function limitScopes(wanted: Scope[] | null, own: Scope[] | null): Scope[] | null {
  const beyond = own === null ? [] : (wanted?.filter((scope) => !own.includes(scope)) ?? []);
  if (beyond.length === 0) return wanted ?? own;
  const detail = `A key cannot create one with the scope ${beyond.join(', ')}, which it lacks.`;
  throw new AppError('scope_not_allowed', { detail });
}

function limitExpiry(wanted: Date | null, own: Date | null): Date | null {
  if (own === null || (wanted && wanted <= own)) return wanted;
  if (wanted === null) return own;
  const msg = `Input should be at most ${own.toISOString()}, when the key that creates this one expires`;
  throw new InvalidFields({ field: 'expires_at', msg, type: 'less_than_equal', ctx: { le: own.toISOString() } });
}
