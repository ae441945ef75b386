import type { Database } from '../server/src/db/database.ts';
import { createAudit } from '../server/src/features/audit/audit.ts';
import { createKeys } from '../server/src/features/keys/keys.ts';
import { systemClock } from '../server/src/lib/clock.ts';

const ACTOR = { actor: 'command', user_id: null, ip: null };

/** Creates and revokes keys like `npm run keys`. */
export function keysOf({ db }: Database) {
  const base = { db, clock: systemClock };
  const keys = createKeys({ ...base, audit: createAudit(base) });
  return {
    create: (input: Parameters<typeof keys.create>[0]) => keys.create(input, ACTOR),
    revoke: (id: string) => keys.revoke(id, ACTOR),
  };
}

/** A valid SECRETS_KEY. */
export const SECRETS_KEY = Buffer.alloc(32, 7).toString('base64');
