import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import { isHeld } from '../../db/legal-holds.ts';
import type { Batch } from '../../db/retention-batches.ts';
import type { Db, Tables } from '../../db/tables.ts';
import { timeOf } from '../../lib/ids.ts';
import type { PageRequest } from '../../lib/page.ts';
import { type AbandonRule, AFTER_S, type DayCount } from './state-schema.ts';

export type CampaignRow = Selectable<Tables['campaigns']>;
export type NewCampaign = Insertable<Tables['campaigns']>;
export type CampaignChange = Updateable<Tables['campaigns']>;

export async function insertCampaign(trx: Db, row: NewCampaign): Promise<CampaignRow> {
  return trx.insertInto('campaigns').values(row).returningAll().executeTakeFirstOrThrow();
}

export function findCampaign(db: Db, id: string): Promise<CampaignRow | undefined> {
  return db.selectFrom('campaigns').selectAll().where('id', '=', id).where('deleted_at', 'is', null).executeTakeFirst();
}

/**
 * Locks a campaign: waits for the turn that it may have, and until the transaction ends it gets none. Recipients can be
 * added meanwhile.
 */
export function lockCampaign(trx: Db, id: string): Promise<CampaignRow | undefined> {
  const query = trx.selectFrom('campaigns').selectAll().where('id', '=', id).where('deleted_at', 'is', null);
  return query.forNoKeyUpdate().executeTakeFirst();
}

/** Newest first; up to `limit` plus one. */
export function listCampaigns(db: Db, user_id: string, { limit, after }: PageRequest): Promise<CampaignRow[]> {
  let query = db.selectFrom('campaigns').selectAll().where('user_id', '=', user_id).where('deleted_at', 'is', null);
  if (after !== null) query = query.where('id', '<', after);
  return query
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
}

/** Serializes the creation of a user's campaigns, and returns how many there are. */
export async function countCampaigns(trx: Db, user_id: string): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`campaigns of ${user_id}`}, 0))`.execute(trx);
  const query = trx.selectFrom('campaigns').where('user_id', '=', user_id).where('deleted_at', 'is', null);
  return Number((await query.select((row) => row.fn.countAll().as('count')).executeTakeFirstOrThrow()).count);
}

/** Changes a campaign, and has event streams tell of it unless nobody could see a difference. */
export async function updateCampaign(
  trx: Db,
  id: string,
  change: CampaignChange,
  isShown = true,
): Promise<CampaignRow> {
  const all = isShown ? { ...change, tx: sql<string>`txid_current()` } : change;
  return trx.updateTable('campaigns').set(all).where('id', '=', id).returningAll().executeTakeFirstOrThrow();
}

export interface Count {
  campaign_id: string;
  kind: 'recipients' | 'attempts';
  name: string;
  count: number;
}

export async function countsOf(db: Db, ids: string[]): Promise<Count[]> {
  if (ids.length === 0) return [];
  const rows = await db.selectFrom('campaign_counts').selectAll().where('campaign_id', 'in', ids).execute();
  return rows.map((row) => ({ ...row, count: Number(row.count) }));
}

/** A campaign that has its turn, and what its pacing depends on. */
export interface Turn extends CampaignRow {
  /** Running campaigns of its user. */
  running: number;
  has_recipients: boolean;
  /**
   * The limit of its policy, or its agent's, or the user's default; null if that has none. The strictest one where
   * versions of a split name different policies.
   */
  abandon_rule: AbandonRule | null;
  /** Calls that people answered, within the days of the rule. */
  taken: DayCount[];
}

/** Days over which abandoned calls are counted where the policy says nothing else, and the longest. */
const DAYS = 30;

/** Ended calls from which the cost of one is estimated; before, or if none has cost anything, as many may be open. */
const CALLS_FOR_MEAN = 10;

/**
 * Locks the campaign that has waited longest for its turn; undefined if none is due. Others that have theirs now are
 * skipped. Until the transaction ends nobody else dials for it, and its state stays.
 */
export async function lockDue(trx: Db, now: Date): Promise<Turn | undefined> {
  const { rows } = await sql<Turn>`
    -- prepared: lock_due_campaign
    with due as (
      select id, user_id, name, agent_id, agent_version, state, settings, budget, expires_at, blocked, blocked_until, turn_at,
        next_slot_at, filling_until, abandonment, spent, created_at, updated_at, started_at, ended_at, deleted_at, tx
      from campaigns where turn_at <= ${now.toISOString()}::timestamptz order by turn_at limit 1
      for no key update skip locked
    )
    select due.*, (
        select count(*)::integer from campaigns as other
        where other.user_id = due.user_id and other.deleted_at is null and other.state = 'running'
      ) as running, exists (
        select from campaign_counts where campaign_id = due.id and kind = 'recipients' and count > 0
      ) as has_recipients, rule.abandon_rule, coalesce((
        select json_agg(json_build_object('day', day, 'answered', answered, 'abandoned', abandoned))
        from campaign_days where campaign_id = due.id
          and day > (${now.toISOString()}::timestamptz at time zone 'UTC')::date - (rule.abandon_rule ->> 'days')::integer
      ), '[]') as taken
    from due left join lateral (
      select json_build_object('max_rate', max_rate, 'after_s', after_s, 'days', days) as abandon_rule from (
        select (rules ->> 'max_abandoned_rate')::float8 as max_rate,
          coalesce((rules ->> 'abandoned_after_s')::integer, ${AFTER_S}::integer) as after_s,
          coalesce((rules ->> 'abandoned_days')::integer, ${DAYS}::integer) as days
        from (
          select version.rules::json as rules from (
            -- A name for each version that its calls may get: those of a split name different ones, maybe.
            select coalesce(due.settings::json ->> 'policy', coalesce(kept.config, agent.config) -> 'compliance' ->> 'policy') as name
            from agents as agent left join lateral (
              select (arm ->> 'version')::integer as number from jsonb_array_elements(agent.arms) as arm
              where due.agent_version is null
            ) as arm on true
            left join agent_versions as kept on kept.agent_id = agent.id and kept.number = coalesce(due.agent_version, arm.number)
            where agent.id = due.agent_id
          ) as named
          join dial_policies as policy on policy.user_id = due.user_id
            and case when named.name is null then policy.is_default else policy.name = named.name end
          join dial_policy_versions as version on version.policy_id = policy.id and version.version = policy.version
        ) as policy
      ) as policy where max_rate is not null order by max_rate, after_s, days desc limit 1
    ) as rule on true`.execute(trx);
  return rows[0];
}

/** Calls that the budget of a campaign is good for, open ones included, by what the ended ones have cost. */
export async function affordableBy(trx: Db, id: string): Promise<{ calls: number; isSpent: boolean }> {
  const { rows } = await sql<{ calls: number; is_spent: boolean }>`
    -- prepared: affordable_campaign_calls
    select spent >= budget as is_spent, case when spent >= budget then 0
      when ended < ${CALLS_FOR_MEAN}::integer or spent <= 0 then ${CALLS_FOR_MEAN}::integer
      else least(floor((budget - spent) / (spent / ended)), 1000000)::integer end as calls
    from campaigns cross join lateral (
      select coalesce(sum(count), 0) as ended from campaign_counts
      where campaign_id = campaigns.id and kind = 'attempts' and name <> 'open'
    ) as known where id = ${id}::uuid`.execute(trx);
  const { calls = 0, is_spent: isSpent = true } = rows[0] ?? {};
  return { calls, isSpent };
}

/** When the next turn of any campaign is due; null if there is none. */
export async function nextTurn(db: Db): Promise<Date | null> {
  const query = db
    .selectFrom('campaigns')
    .select('turn_at')
    .where('turn_at', 'is not', null)
    .orderBy('turn_at')
    .limit(1);
  return (await query.executeTakeFirst())?.turn_at ?? null;
}

/** Has campaigns of a user deleted: by the next turns, in parts. */
export async function markDeleted(trx: Db, user_id: string, now: Date): Promise<void> {
  const change = { deleted_at: now, turn_at: now, state: 'canceled' as const };
  await trx
    .updateTable('campaigns')
    .set(change)
    .where('user_id', '=', user_id)
    .where('deleted_at', 'is', null)
    .execute();
}

/** Campaigns of a user, those that are being deleted included; locked until the transaction ends. */
export async function lockAllOf(trx: Db, user_id: string): Promise<string[]> {
  const query = trx.selectFrom('campaigns').select('id').where('user_id', '=', user_id).orderBy('id').forUpdate();
  return (await query.execute()).map(({ id }) => id);
}

/**
 * Has the oldest of those that have ended deleted, by the next turns: from here on nobody adds recipients to them, who
 * would be called again once theirs are gone. Leaves those that are locked to another time; returns how many it marked.
 */
export async function markOlder(trx: Db, { before, limit }: Batch, now: Date): Promise<number> {
  const old = trx
    .selectFrom('campaigns')
    .select('id')
    .where('id', '<', before)
    .where('ended_at', '<', timeOf(before))
    .where('state', 'in', ['completed', 'canceled'])
    .where('deleted_at', 'is', null)
    .where(({ not }) => not(isHeld('campaigns.user_id', 'campaigns.agent_id')))
    .orderBy('id')
    .limit(limit)
    .forNoKeyUpdate()
    .skipLocked();
  const marking = trx
    .with('old', () => old)
    .updateTable('campaigns')
    .set({ deleted_at: now, turn_at: now, tx: sql<string>`txid_current()` });
  const { numUpdatedRows } = await marking
    .where('id', 'in', (row) => row.selectFrom('old').select('id'))
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

export async function deleteCampaigns(trx: Db, ids: string[]): Promise<void> {
  if (ids.length > 0) await trx.deleteFrom('campaigns').where('id', 'in', ids).execute();
}
