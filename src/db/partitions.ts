import { type Kysely, sql } from 'kysely';
import { idsFrom } from '../lib/ids.ts';
import type { Db, Tables } from './tables.ts';

/** Tables that are kept by the month, in partitions by their UUIDv7 ids. */
const TABLES = ['usage_events', 'transcripts'] as const;
/** A process that is not restarted, and whose schedule fails, has that many months to be noticed. */
const MONTHS_AHEAD = 3;
/** Any number that nobody else locks. */
const LOCK = 7_203_001;

/** Makes the partitions of this month and the next ones, where they are missing. An old one can be detached at any time: reports do not read it. */
export async function ensurePartitions(db: Kysely<Tables>, now: Date): Promise<void> {
  const months = Array.from({ length: MONTHS_AHEAD + 1 }, (_, ahead) => monthOf(now, ahead));
  const wanted = TABLES.flatMap((table) => months.map((month) => ({ table, month, name: nameOf(table, month) })));
  if ((await withoutExisting(db, wanted)).length === 0) return;
  await db.transaction().execute(async (trx) => {
    // Replicas that start together must not make the same table together.
    await sql`select pg_advisory_xact_lock(${LOCK})`.execute(trx);
    for (const { table, month, name } of await withoutExisting(trx, wanted)) {
      const [from, to] = [idsFrom(month), idsFrom(monthOf(month, 1))];
      await sql`create table ${sql.table(name)} partition of ${sql.table(table)}
        for values from (${sql.lit(from)}) to (${sql.lit(to)})`.execute(trx);
    }
  });
}

async function withoutExisting<T extends { name: string }>(db: Db, wanted: T[]): Promise<T[]> {
  const { rows } = await sql<{ relname: string }>`
    select relname from pg_class where relname in (${sql.join(wanted.map(({ name }) => name))})`.execute(db);
  const existing = new Set(rows.map(({ relname }) => relname));
  return wanted.filter(({ name }) => !existing.has(name));
}

function nameOf(table: string, month: Date): string {
  return `${table}_${month.toISOString().slice(0, 7).replace('-', '_')}`;
}

function monthOf(date: Date, after: number): Date {
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + after));
}
