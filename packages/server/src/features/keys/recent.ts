import { hash } from 'node:crypto';
import type { Clock } from '../../lib/clock.ts';
import type { Authenticate, Principal } from '../../lib/principal.ts';

/** How long an accepted token is not looked at again: a token revoked elsewhere is accepted for that long at most. */
export const TRUSTED_MS = 1000;
/** Tokens remembered at once; the one remembered longest makes room. */
const MAX_TOKENS = 10_000;

interface Known {
  principal: Principal;
  since: number;
  until: number;
}

/**
 * Remembers for about a second whose an accepted token is, so that not every request asks the database or checks a
 * signature.
 */
export function createRecent(clock: Clock, authenticate: Authenticate) {
  /** By the SHA-256 of the token, which is nowhere kept itself. */
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
      // A clock that was set back must not lengthen the time.
      if (found && asked >= found.since && asked < found.until) return found.principal;
      known.delete(name);
      const principal = await authenticate(token);
      if (principal) keep(name, principal, asked);
      return principal;
    },
    /** Forgets at once the tokens of these principals, in this process. */
    forget: (matches: (principal: Principal) => boolean): void => {
      for (const [name, { principal }] of known) if (matches(principal)) known.delete(name);
    },
  };
}
