import { sql } from 'kysely';
import type { Db } from './tables.ts';

/** A lease that ends later was taken while the database's clock was wrong, and would bar everybody until then. */
const FAR_AHEAD = sql<Date>`now() + interval '1 day'`;

/**
 * Acquires or renews the lease `name` for `ttlMs` milliseconds, hours at most; false while another holder's has not
 * expired. A row rather than a lock, because the work outlasts a transaction; the database's clock, because the clocks
 * of replicas differ.
 */
export async function takeLease(db: Db, name: string, holder: string, ttlMs: number): Promise<boolean> {
  const expires_at = sql<Date>`now() + ${ttlMs}::integer * interval '1 millisecond'`;
  const taken = await db
    .insertInto('leases')
    .values({ name, holder, expires_at })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet({ holder, expires_at })
        .where((row) =>
          row.or([
            row('leases.holder', '=', holder),
            row('leases.expires_at', '<', sql<Date>`now()`),
            row('leases.expires_at', '>', FAR_AHEAD),
          ]),
        ),
    )
    .returning('name')
    .executeTakeFirst();
  return taken !== undefined;
}

/** Gives up a lease that this holder may have. */
export async function endLease(db: Db, name: string, holder: string): Promise<void> {
  await db.deleteFrom('leases').where('name', '=', name).where('holder', '=', holder).execute();
}

/** Which of these leases somebody holds. */
export async function heldLeases(db: Db, names: string[]): Promise<Set<string>> {
  if (names.length === 0) return new Set();
  const query = db.selectFrom('leases').select('name').where('name', 'in', names);
  const rows = await query.where('expires_at', '>', sql<Date>`now()`).execute();
  return new Set(rows.map(({ name }) => name));
}
