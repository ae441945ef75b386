import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import type { Db, Tables } from '../../db/tables.ts';
import type { PageRequest } from '../../lib/page.ts';

type Row = Selectable<Tables['webhook_endpoints']>;

/** An endpoint, and since when its address has been switched off. */
export type WebhookEndpoint = Row & { disabled_at: Date | null };

/** Blocks other additions to the user's endpoints until the transaction ends. */
export async function lockEndpoints(trx: Db, user_id: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`webhook endpoints of ${user_id}`}, 0))`.execute(trx);
}

export async function countEndpoints(db: Db, user_id: string): Promise<number> {
  const { count } = await db
    .selectFrom('webhook_endpoints')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('user_id', '=', user_id)
    .executeTakeFirstOrThrow();
  return count;
}

export async function listUrls(db: Db, user_id: string): Promise<string[]> {
  const rows = await db.selectFrom('webhook_endpoints').select('url').where('user_id', '=', user_id).execute();
  return rows.map(({ url }) => url);
}

export async function insertEndpoint(db: Db, endpoint: Insertable<Tables['webhook_endpoints']>): Promise<void> {
  await db.insertInto('webhook_endpoints').values(endpoint).execute();
}

function endpoints(db: Db) {
  return db
    .selectFrom('webhook_endpoints as endpoint')
    .leftJoin('callback_endpoints_off as off', (join) =>
      join.onRef('off.user_id', '=', 'endpoint.user_id').on('off.url_hash', '=', sql<string>`md5(endpoint.url)`),
    )
    .selectAll('endpoint')
    .select('off.switched_off_at as disabled_at');
}

export function findEndpoint(db: Db, id: string): Promise<WebhookEndpoint | undefined> {
  return endpoints(db).where('endpoint.id', '=', id).executeTakeFirst();
}

/** Locked until the transaction ends. */
export function lockEndpoint(trx: Db, id: string): Promise<Row | undefined> {
  return trx.selectFrom('webhook_endpoints').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

/** Newest first; up to `limit` plus one. */
export function listEndpoints(db: Db, user_id: string, page: PageRequest): Promise<WebhookEndpoint[]> {
  const query = endpoints(db).where('endpoint.user_id', '=', user_id);
  const rest = page.after === null ? query : query.where('endpoint.id', '<', page.after);
  return rest
    .orderBy('endpoint.id', 'desc')
    .limit(page.limit + 1)
    .execute();
}

export async function updateEndpoint(
  db: Db,
  id: string,
  change: Updateable<Tables['webhook_endpoints']>,
): Promise<void> {
  await db.updateTable('webhook_endpoints').set(change).where('id', '=', id).execute();
}

export async function deleteEndpoint(db: Db, id: string): Promise<void> {
  await db.deleteFrom('webhook_endpoints').where('id', '=', id).execute();
}

export async function deleteEndpointsOfUser(db: Db, user_id: string): Promise<void> {
  await db.deleteFrom('webhook_endpoints').where('user_id', '=', user_id).execute();
}
