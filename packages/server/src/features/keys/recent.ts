import { hash } from 'node:crypto';
import type { Clock } from '../../lib/clock.ts';
import type { Authenticate, Principal } from '../../lib/principal.ts';

/** How long an accepted token is cached: a token revoked elsewhere is accepted for at most that long. */
export const TRUSTED_MS = 1000;
/** Maximum cached tokens; the oldest is evicted. */
const MAX_TOKENS = 10_000;

interface Known {
  principal: Principal;
  since: number;
  until: number;
}

/**
 * Caches the owners of accepted tokens for about a second, so that not every request queries the database or verifies
 * a signature.
 */
export function createRecent(clock: Clock, authenticate: Authenticate) {
  /** Keyed by the SHA-256 of the token, which itself is not kept. */
  const known = new Map<string, Known>();

  function keep(name: string, principal: Principal, now: number): void {
    const [oldest] = known.size >= MAX_TOKENS ? known.keys() : [];
    if (oldest !== undefined) known.delete(oldest);
    const until = Math.min(now + TRUSTED_MS, principal.expires_at?.getTime() ?? Number.POSITIVE_INFINITY);
    known.set(name, { principal, since: now, until });
  }

  return {
    authenticate: async (token: string): Promise<Principal | null> => {
      const name = hash('sha256', token, 'base64');
      const found = known.get(name);
      const asked = clock.now().getTime();
      // Setting the clock back must not extend the time.
      if (found && asked >= found.since && asked < found.until) return found.principal;
      known.delete(name);
      const principal = await authenticate(token);
      if (principal) keep(name, principal, asked);
      return principal;
    },
    /** Evicts the tokens of these principals from this process's cache. */
    forget: (matches: (principal: Principal) => boolean): void => {
      for (const [name, { principal }] of known) if (matches(principal)) known.delete(name);
    },
  };
}
