import { sql } from 'kysely';
import type { Db } from '../../db/tables.ts';

/** An address of a user. */
export interface Endpoint {
  user_id: string;
  url: string;
}

export async function switchOff(db: Db, { user_id, url }: Endpoint, switched_off_at: Date): Promise<void> {
  await db
    .insertInto('callback_endpoints_off')
    .values({ user_id, url_hash: sql`md5(${url})`, switched_off_at })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function switchOn(db: Db, { user_id, url }: Endpoint): Promise<void> {
  await db
    .deleteFrom('callback_endpoints_off')
    .where('user_id', '=', user_id)
    .where('url_hash', '=', sql<string>`md5(${url})`)
    .execute();
}

/** Forgets which addresses of a user are switched off. */
export async function deleteEndpointsOf(db: Db, user_id: string): Promise<void> {
  await db.deleteFrom('callback_endpoints_off').where('user_id', '=', user_id).execute();
}
