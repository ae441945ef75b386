import { hash } from 'node:crypto';
import type { Clock } from './clock.ts';
import type { Authenticate, Principal } from './principal.ts';
import type { Revocations } from './revocations.ts';

/** How long an accepted token is cached: one that another process revokes is accepted for at most that long. */
export const TRUSTED_MS = 1000;
/** How long it is remembered for what must be answered although nobody can be asked whether it is still valid. */
export const REMEMBERED_MS = 15 * 60_000;
/** Maximum remembered tokens; the one that was accepted longest ago is evicted. */
const MAX_TOKENS = 10_000;

interface Known {
  principal: Principal;
  since: number;
}

interface Recent {
  authenticate: Authenticate;
  /** The owner of a token that was accepted within `REMEMBERED_MS`, has not expired, and was not refused since. */
  lastAccepted: (token: string) => Principal | null;
}

/**
 * Caches the owners of accepted tokens for about a second, so that not every request queries the database or verifies
 * a signature.
 */
export function createRecent(clock: Clock, authenticate: Authenticate, revocations: Revocations): Recent {
  /** Keyed by the SHA-256 of the token, which itself is not kept. */
  const known = new Map<string, Known>();
  let revoked = 0;

  revocations.listen((matches) => {
    revoked++;
    for (const [name, { principal }] of known) if (matches(principal)) known.delete(name);
  });

  function keep(name: string, principal: Principal, since: number): void {
    // Moves it to the end.
    known.delete(name);
    const [oldest] = known.size >= MAX_TOKENS ? known.keys() : [];
    if (oldest !== undefined) known.delete(oldest);
    known.set(name, { principal, since });
  }

  function acceptedWithin(name: string, ms: number): Principal | null {
    const found = known.get(name);
    const now = clock.now().getTime();
    // Setting the clock back must not extend the time.
    if (!found || now < found.since || now >= found.since + ms) return null;
    return now < (found.principal.expires_at?.getTime() ?? Number.POSITIVE_INFINITY) ? found.principal : null;
  }

  async function ask(token: string, name: string): Promise<Principal | null> {
    const asked = clock.now().getTime();
    const [before, revokedBefore] = [known.get(name), revoked];
    const principal = await authenticate(token);
    if (!principal) known.delete(name);
    // An answer that was on its way during a revocation, or while another one refused the token, may be out of date.
    else if (revoked === revokedBefore && known.get(name) === before) keep(name, principal, asked);
    return principal;
  }

  return {
    authenticate: async (token) => {
      const name = nameOf(token);
      return acceptedWithin(name, TRUSTED_MS) ?? ask(token, name);
    },
    lastAccepted: (token) => acceptedWithin(nameOf(token), REMEMBERED_MS),
  };
}

function nameOf(token: string): string {
  return hash('sha256', token, 'base64');
}
