import { createAudit } from '../server/src/access/audit/audit.ts';
import { createKeys } from '../server/src/access/keys/keys.ts';
import type { Database } from '../server/src/db/database.ts';
import { systemClock } from '../server/src/lib/clock.ts';
import { createRevocations } from '../server/src/lib/revocations.ts';

const ACTOR = { actor: 'command', user_id: null, ip: null };

/** Creates and revokes keys like `npm run keys`. */
export function keysOf({ db }: Database) {
  const base = { db, clock: systemClock };
  const keys = createKeys({ ...base, audit: createAudit(base), revocations: createRevocations() });
  return {
    create: (input: Parameters<typeof keys.create>[0]) => keys.create(input, ACTOR, null),
    revoke: (id: string) => keys.revoke(id, ACTOR, null),
  };
}

/** A valid SECRETS_KEY. */
export const SECRETS_KEY = Buffer.alloc(32, 7).toString('base64');
