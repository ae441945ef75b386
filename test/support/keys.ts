import { createAudit } from '../../src/audit/audit.ts';
import type { Database } from '../../src/db/database.ts';
import { createKeys } from '../../src/keys/keys.ts';
import { systemClock } from '../../src/lib/clock.ts';

const ACTOR = { actor: 'command', user_id: null, ip: null };

/** Makes and revokes keys as `npm run keys` does. */
export function keysOf({ db }: Database) {
  const base = { db, clock: systemClock };
  const keys = createKeys({ ...base, audit: createAudit(base) });
  return {
    create: (input: Parameters<typeof keys.create>[0]) => keys.create(input, ACTOR),
    revoke: (id: string) => keys.revoke(id, ACTOR),
  };
}

/** A key that seals secrets, as SECRETS_KEY takes it. */
export const SECRETS_KEY = Buffer.alloc(32, 7).toString('base64');
