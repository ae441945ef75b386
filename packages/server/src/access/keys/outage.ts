import { isDatabaseUnavailable } from '../../db/database.ts';
import { conflictOf } from '../../db/retry.ts';
import { AppError } from '../../lib/errors.ts';
import type { Principal } from '../../lib/principal.ts';

/** How long a lookup may take: monitoring does not wait for the ten seconds and more after which a query fails. */
const PATIENCE_MS = 2_000;

/**
 * Returns what the lookup of a key finds; who was accepted last, if the database is unavailable, overloaded or takes
 * too long. Rejects like the lookup if nobody was.
 */
export async function orLastAccepted(
  lookup: Promise<Principal | null>,
  lastAccepted: () => Principal | null,
): Promise<Principal | null> {
  const late = new Promise<'late'>((resolve) => setTimeout(resolve, PATIENCE_MS, 'late').unref());
  try {
    const found = await Promise.race([lookup, late]);
    return found === 'late' ? (lastAccepted() ?? (await lookup)) : found;
  } catch (error) {
    const last = isAway(error) ? lastAccepted() : null;
    if (last === null) throw error;
    return last;
  }
}

function isAway(error: unknown): boolean {
  const isOverloaded = error instanceof AppError && error.code === 'overloaded';
  return isOverloaded || isDatabaseUnavailable(error) || conflictOf(error) !== null;
}
