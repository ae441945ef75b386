import { type QueryExecutorProvider, sql } from 'kysely';

/** The names of all tables, without the partitions of others. */
export async function tablesOf(db: QueryExecutorProvider): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relkind in ('r', 'p') and not relispartition and relnamespace = 'public'::regnamespace
    order by relname`.execute(db);
  return rows.map(({ name }) => name);
}

/** The tables with a row whose text contains one of these, as `table: text`. */
export async function findStored(db: QueryExecutorProvider, secrets: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const table of await tablesOf(db)) {
    const { rows } = await sql<{ row: string }>`select t::text as row from ${sql.table(table)} as t`.execute(db);
    const text = rows.map(({ row }) => row).join('\n');
    found.push(...secrets.filter((secret) => text.includes(secret)).map((secret) => `${table}: ${secret}`));
  }
  return found;
}
