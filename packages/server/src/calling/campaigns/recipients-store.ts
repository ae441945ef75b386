import { type Selectable, sql } from 'kysely';
import type { Db, Tables } from '../../db/tables.ts';
import type { PageRequest } from '../../lib/page.ts';
import type { RecipientState } from './state-schema.ts';

export type RecipientRow = Selectable<Tables['campaign_recipients']>;

/** A recipient to add. `variables` and `metadata` are JSON. */
export interface NewRecipient {
  id: string;
  external_id: string;
  phone_number: string;
  variables: string | null;
  metadata: string | null;
  time_zone: string | null;
  region: string | null;
}

interface Into {
  campaign_id: string;
  user_id: string;
  now: Date;
}

/** Adds those whose external id the campaign does not have yet; returns their ids. */
export async function addRecipients(
  trx: Db,
  { campaign_id, user_id, now }: Into,
  rows: NewRecipient[],
): Promise<Set<string>> {
  const { rows: added } = await sql<{ id: string }>`
    insert into campaign_recipients (id, campaign_id, user_id, external_id, phone_number, variables, metadata, time_zone, region,
      state, next_at, created_at)
    select id, ${campaign_id}::uuid, ${user_id}::text, external_id, phone_number, variables, metadata, time_zone, region, 'waiting',
      ${now.toISOString()}::timestamptz, ${now.toISOString()}::timestamptz
    from json_to_recordset(${JSON.stringify(rows)}::text::json) as added (id uuid, external_id text, phone_number text,
      variables text, metadata text, time_zone text, region text)
    on conflict (campaign_id, external_id) do nothing
    returning id`.execute(trx);
  return new Set(added.map(({ id }) => id));
}

/** Locks those to be dialled, the longest waiting first. */
export async function claimRecipients(trx: Db, campaign_id: string, now: Date, limit: number): Promise<RecipientRow[]> {
  const { rows } = await sql<RecipientRow>`
    -- prepared: claim_recipients
    select id, campaign_id, user_id, external_id, phone_number, variables, metadata, time_zone, region, state, reason, attempts,
      decision_id, next_at, created_at, finished_at
    from campaign_recipients
    where campaign_id = ${campaign_id}::uuid and state in ('waiting', 'deferred') and next_at <= ${now.toISOString()}::timestamptz
    order by next_at limit ${limit}::integer for update skip locked`.execute(trx);
  return rows;
}

/** The one that is to be dialled next; undefined if nobody waits. */
export async function nextWaiting(
  trx: Db,
  campaign_id: string,
): Promise<Pick<RecipientRow, 'next_at' | 'state'> | undefined> {
  const { rows } = await sql<Pick<RecipientRow, 'next_at' | 'state'>>`
    -- prepared: next_waiting_recipient
    select next_at, state from campaign_recipients
    where campaign_id = ${campaign_id}::uuid and state in ('waiting', 'deferred') order by next_at limit 1`.execute(
    trx,
  );
  return rows[0];
}

/** A recipient after a step. */
export interface Change {
  id: string;
  state: RecipientState;
  reason: string | null;
  next_at: Date | null;
  attempts: number;
  decision_id: string | null;
  finished_at: Date | null;
}

export async function changeRecipients(trx: Db, changes: Change[]): Promise<void> {
  if (changes.length === 0) return;
  await sql`
    -- prepared: change_recipients
    update campaign_recipients as recipient set state = next.state, reason = next.reason, next_at = next.next_at,
      attempts = next.attempts, decision_id = coalesce(next.decision_id, recipient.decision_id), finished_at = next.finished_at
    from json_to_recordset(${JSON.stringify(changes)}::text::json) as next (id uuid, state text, reason text,
      next_at timestamptz, attempts integer, decision_id uuid, finished_at timestamptz)
    where recipient.id = next.id`.execute(trx);
}

/** Somebody with whom a campaign is done without a further call. */
type LeftOver = Pick<RecipientRow, 'id' | 'external_id' | 'phone_number' | 'reason' | 'attempts'> & {
  state: 'canceled' | 'expired';
};

/** Ends up to `limit` of those that wait; returns them. */
export async function endWaiting(
  trx: Db,
  campaign_id: string,
  state: 'canceled' | 'expired',
  now: Date,
  limit: number,
): Promise<LeftOver[]> {
  const { rows } = await sql<LeftOver>`
    with left_over as (
      select id from campaign_recipients where campaign_id = ${campaign_id}::uuid and state in ('waiting', 'deferred')
      order by next_at limit ${limit}::integer for update
    )
    update campaign_recipients as recipient set state = ${state}::text, reason = ${state}::text, next_at = null,
      finished_at = ${now.toISOString()}::timestamptz
    from left_over where recipient.id = left_over.id
    returning recipient.id, external_id, phone_number, state, reason, attempts`.execute(trx);
  return rows;
}

export interface RecipientFilter {
  campaign_id: string;
  state?: string | undefined;
}

/** In the order in which they were added; up to `limit` plus one. */
export function listRecipients(db: Db, { campaign_id, state }: RecipientFilter, { limit, after }: PageRequest) {
  let query = db.selectFrom('campaign_recipients').selectAll().where('campaign_id', '=', campaign_id);
  if (state !== undefined) query = query.where('state', '=', state);
  if (after !== null) query = query.where('id', '>', after);
  return query
    .orderBy('id')
    .limit(limit + 1)
    .execute();
}

export function findRecipient(db: Db, campaign_id: string, id: string): Promise<RecipientRow | undefined> {
  const query = db.selectFrom('campaign_recipients').selectAll().where('id', '=', id);
  return query.where('campaign_id', '=', campaign_id).executeTakeFirst();
}

/** Those that would be dialled first, for a preview. */
export async function listWaiting(db: Db, campaign_id: string, limit: number): Promise<RecipientRow[]> {
  const { rows } = await sql<RecipientRow>`
    select * from campaign_recipients where campaign_id = ${campaign_id}::uuid and state in ('waiting', 'deferred')
    order by next_at limit ${limit}::integer`.execute(db);
  return rows;
}

/** Deletes up to `limit` recipients with their attempts; returns their number. */
export async function deleteSomeRecipients(trx: Db, campaign_id: string, limit: number): Promise<number> {
  const query = trx.selectFrom('campaign_recipients').select('id').where('campaign_id', '=', campaign_id);
  const some = query.orderBy('id').limit(limit);
  const result = await trx.deleteFrom('campaign_recipients').where('id', 'in', some).executeTakeFirst();
  return Number(result.numDeletedRows);
}
