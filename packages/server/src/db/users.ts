import { sql } from 'kysely';
import type { Db } from './tables.ts';

/** Every user with rows in one of these tables: each is found in their indexes, and no table is read as a whole. */
export async function* usersOf(db: Db, tables: string[]): AsyncGenerator<string> {
  for (let after = ''; ; ) {
    const next = tables.map(
      (table) => sql`(select user_id from ${sql.table(table)} where user_id > ${after} order by user_id limit 1)`,
    );
    const { rows } = await sql<{ user_id: string | null }>`
      select min(user_id) as user_id from (${sql.join(next, sql` union all `)}) as users`.execute(db);
    const found = rows[0]?.user_id ?? null;
    if (found === null) return;
    yield found;
    after = found;
  }
}
