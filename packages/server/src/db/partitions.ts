import { type Kysely, type RawBuilder, sql } from 'kysely';
import { idsFrom } from '../lib/ids.ts';
import type { Db, Tables } from './tables.ts';

/** Tables that are partitioned by month, by their UUIDv7 ids. */
const TABLES = ['usage_events', 'transcripts'] as const;
/** Months of lead time to notice that the schedule fails in a process that is never restarted. */
const MONTHS_AHEAD = 3;
/** An arbitrary advisory lock number that nothing else uses. */
const LOCK = 7_203_001;

/** Later statements queue behind one that waits for a table lock, so the wait is kept short. Retried hourly. */
const LOCK_TIMEOUT_MS = 1_000;

export const PARTITIONS_FAILED =
  'the partitions of the next months could not all be made; it is tried again every hour';

/** `invalid_object_definition`, of a partition that would overlap another. */
const OVERLAPS = '42P17';

type Sql = RawBuilder<unknown>;

interface Partition {
  table: string;
  month: Date;
  name: string;
}

/**
 * Creates the missing partitions of this month and the coming ones. Old partitions can be detached at any time:
 * reports do not read them. Throws the first failure after all were tried; until then the rows are kept in the
 * default partition.
 */
export async function ensurePartitions(db: Kysely<Tables>, now: Date): Promise<void> {
  const months = Array.from({ length: MONTHS_AHEAD + 1 }, (_, ahead) => monthOf(now, ahead));
  const wanted = TABLES.flatMap((table) => months.map((month) => ({ table, month, name: nameOf(table, month) })));
  const failures: unknown[] = [];
  for (const partition of await withoutExisting(db, wanted))
    await make(db, partition).catch((error: unknown) => isCovered(error) || failures.push(error));
  if (failures.length > 0) throw failures[0];
}

/**
 * The default partition may already hold rows of the month, from a wrong clock or a process that failed here. They
 * are moved first, because they would prevent the attachment.
 */
function make(db: Kysely<Tables>, { table, month, name }: Partition): Promise<void> {
  return db.transaction().execute(async (trx) => {
    // Replicas that start together must not create the same table concurrently.
    await sql`select pg_advisory_xact_lock(${LOCK})`.execute(trx);
    if ((await withoutExisting(trx, [{ name }])).length === 0) return;
    await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT_MS)}`.execute(trx);
    const [parent, other, made] = [table, `${table}_other`, name].map((one) => sql.table(one)) as [Sql, Sql, Sql];
    const [from, to] = [sql.lit(idsFrom(month)), sql.lit(idsFrom(monthOf(month, 1)))];
    // Taken before the other locks, in the order in which transcripts are written: creating the partition adds a
    // foreign key to sessions.
    await sql`lock table sessions in share row exclusive mode`.execute(trx);
    await sql`lock table ${other} in access exclusive mode`.execute(trx);
    await sql`create table ${made} (like ${parent} including defaults including constraints)`.execute(trx);
    await sql`
      with moved as (delete from ${other} where id >= ${from}::uuid and id < ${to}::uuid returning *)
      insert into ${made} select * from moved`.execute(trx);
    await sql`alter table ${parent} attach partition ${made} for values from (${from}) to (${to})`.execute(trx);
  });
}

/**
 * Whether another partition has the month already: the first one has all before it, and began later where the clock was
 * ahead when the database was created.
 */
function isCovered(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === OVERLAPS;
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
