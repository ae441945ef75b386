import { type Kysely, type RawBuilder, sql } from 'kysely';
import { idsFrom } from '../lib/ids.ts';
import type { Db, Tables } from './tables.ts';

/** Tables that are kept by the month, in partitions by their UUIDv7 ids. */
const TABLES = ['usage_events', 'transcripts'] as const;
/** A process that is not restarted, and whose schedule fails, has that many months to be noticed. */
const MONTHS_AHEAD = 3;
/** Any number that nobody else locks. */
const LOCK = 7_203_001;

/** Everybody waits for whoever waits for a table: not longer than a request may. It is tried again in the next hour. */
const LOCK_TIMEOUT_MS = 1_000;

export const PARTITIONS_FAILED =
  'the partitions of the next months could not all be made; it is tried again every hour';

type Sql = RawBuilder<unknown>;

interface Partition {
  table: string;
  month: Date;
  name: string;
}

/**
 * Makes the partitions of this month and the next ones, where they are missing. An old one can be detached at any time:
 * reports do not read it. Throws the first failure once all have been tried; until then their rows are kept in the
 * partition for all other months.
 */
export async function ensurePartitions(db: Kysely<Tables>, now: Date): Promise<void> {
  const months = Array.from({ length: MONTHS_AHEAD + 1 }, (_, ahead) => monthOf(now, ahead));
  const wanted = TABLES.flatMap((table) => months.map((month) => ({ table, month, name: nameOf(table, month) })));
  const failures: unknown[] = [];
  for (const partition of await withoutExisting(db, wanted))
    await make(db, partition).catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}

/**
 * Rows of the month may be there already, in the partition for all other months: of a clock that was wrong, or of a
 * process that could not make this one. They are moved before it is attached, which they would keep from being.
 */
function make(db: Kysely<Tables>, { table, month, name }: Partition): Promise<void> {
  return db.transaction().execute(async (trx) => {
    // Replicas that start together must not make the same table together.
    await sql`select pg_advisory_xact_lock(${LOCK})`.execute(trx);
    if ((await withoutExisting(trx, [{ name }])).length === 0) return;
    await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT_MS)}`.execute(trx);
    const [parent, other, made] = [table, `${table}_other`, name].map((one) => sql.table(one)) as [Sql, Sql, Sql];
    const [from, to] = [sql.lit(idsFrom(month)), sql.lit(idsFrom(monthOf(month, 1)))];
    // Before the other locks, in the order of those who write transcripts: a reference to sessions is made with the
    // partition.
    await sql`lock table sessions in share row exclusive mode`.execute(trx);
    await sql`lock table ${other} in access exclusive mode`.execute(trx);
    await sql`create table ${made} (like ${parent} including defaults including constraints)`.execute(trx);
    await sql`
      with moved as (delete from ${other} where id >= ${from}::uuid and id < ${to}::uuid returning *)
      insert into ${made} select * from moved`.execute(trx);
    await sql`alter table ${parent} attach partition ${made} for values from (${from}) to (${to})`.execute(trx);
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
