import { hash } from 'node:crypto';
import type { Clock } from './clock.ts';
import type { Authenticate, Principal } from './principal.ts';
import type { Revocations } from './revocations.ts';

/** How long an accepted token is cached: one that another process revokes is accepted for at most that long. */
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
export function createRecent(clock: Clock, authenticate: Authenticate, revocations: Revocations): Authenticate {
  /** Keyed by the SHA-256 of the token, which itself is not kept. */
  const known = new Map<string, Known>();
  let revoked = 0;

  revocations.listen((matches) => {
    revoked++;
    for (const [name, { principal }] of known) if (matches(principal)) known.delete(name);
  });

  function keep(name: string, principal: Principal, now: number): void {
    const [oldest] = known.size >= MAX_TOKENS ? known.keys() : [];
    if (oldest !== undefined) known.delete(oldest);
    const until = Math.min(now + TRUSTED_MS, principal.expires_at?.getTime() ?? Number.POSITIVE_INFINITY);
    known.set(name, { principal, since: now, until });
  }

  return async (token) => {
    const name = hash('sha256', token, 'base64');
    const found = known.get(name);
    const asked = clock.now().getTime();
    // Setting the clock back must not extend the time.
    if (found && asked >= found.since && asked < found.until) return found.principal;
    known.delete(name);
    const revokedBefore = revoked;
    const principal = await authenticate(token);
    // An answer that was on its way during a revocation may be out of date.
    if (principal && revoked === revokedBefore) keep(name, principal, asked);
    return principal;
  };
}
