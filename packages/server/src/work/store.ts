import { type Selectable, sql } from 'kysely';
import type { Db, Tables } from '../db/tables.ts';
import { idsFrom, newId } from '../lib/ids.ts';
import type { JsonObject } from '../lib/json.ts';

/** Work to add: one row for each kind and key. */
export interface NewWork {
  kind: string;
  key: string;
  payload: object;
  due_at: Date;
  /** The user whose task it is. */
  user_id: string | null;
}

/** Work that this process holds. */
export interface Held {
  id: string;
  kind: string;
  key: string;
  payload: JsonObject;
  /** Attempts since it was added or last succeeded, this one included. */
  attempts: number;
  last_error: string | null;
  lease_token: number;
  user_id: string | null;
}

/** How much of a kind may be taken, and for how long. */
export interface Wanted {
  kind: string;
  /**
   * Tasks of this user alone; without, all but those of users that are wanted by themselves, and those of these that
   * were tried before: their own worker may be the one that fails.
   */
  user_id?: string | null;
  room: number;
  leaseMs: number;
}

/** The outcome of held work. `due_at` null: it is done. */
export interface Settled extends Pick<Held, 'id' | 'lease_token' | 'attempts'> {
  due_at: Date | null;
  last_error: string | null;
}

export type WorkRow = Omit<Selectable<Tables['work']>, 'payload' | 'lease_token' | 'again_at' | 'user_id'>;

/** Nobody holds it, by the database's clock, which all replicas share. */
const FREE = sql<boolean>`(leased_until is null or leased_until <= now())`;
const HELD = sql`work.id, work.kind, work.key, work.payload, work.attempts, work.last_error, work.lease_token,
  work.user_id`;

/**
 * Adds work in the transaction of the change that asks for it. Of waiting work with the same key the earlier due time
 * stays, unless it `restarts`: then the new one counts, and attempts count anew. Held work is done again afterwards.
 */
export async function addWork(db: Db, work: NewWork[], restarts: boolean, now: Date): Promise<void> {
  // In the order of their keys: otherwise two transactions that add the same work could deadlock.
  await sql`
    -- prepared: add_work
    insert into work (id, kind, key, payload, due_at, user_id, created_at)
    select id, kind, key, payload, due_at, user_id, ${now.toISOString()}::timestamptz from unnest(
      ${work.map(() => newId())}::uuid[], ${work.map(({ kind }) => kind)}::text[], ${work.map(({ key }) => key)}::text[],
      ${work.map(({ payload }) => JSON.stringify(payload))}::jsonb[],
      ${work.map(({ due_at }) => due_at.toISOString())}::timestamptz[], ${work.map(({ user_id }) => user_id)}::text[]
    ) as added (id, kind, key, payload, due_at, user_id) order by kind, key
    on conflict (kind, key) do update set
      payload = excluded.payload,
      user_id = excluded.user_id,
      due_at = case
        when work.leased_until is not null then work.due_at
        when ${restarts}::boolean then excluded.due_at
        else least(work.due_at, excluded.due_at)
      end,
      again_at = case
        when work.leased_until is null then null
        when ${restarts}::boolean then excluded.due_at
        else least(work.again_at, excluded.due_at)
      end,
      attempts = case when ${restarts}::boolean and work.leased_until is null then 0 else work.attempts end,
      last_error = case when ${restarts}::boolean then null else work.last_error end`.execute(db);
}

/** Takes due work of these kinds, the longest due first; what another process holds or locks is skipped. */
export async function takeDue(db: Db, wanted: Wanted[], now: Date): Promise<Held[]> {
  const isDue = sql<boolean>`work.kind = wanted.kind and due_at <= ${now.toISOString()}::timestamptz and ${FREE}`;
  const apart = wanted.flatMap(({ kind, user_id }) => (user_id ? [`${kind} ${user_id}`] : []));
  const { rows } = await sql<Held>`
    -- prepared: take_due_work
    with wanted as (
      select * from unnest(
        ${wanted.map(({ kind }) => kind)}::text[], ${wanted.map(({ user_id = null }) => user_id)}::text[],
        ${wanted.map(({ room }) => room)}::integer[], ${wanted.map(({ leaseMs }) => leaseMs)}::integer[]
      ) as wanted (kind, user_id, room, lease_ms)
    ), of_all as (
      select due.id from wanted cross join lateral (
        select id from work where ${isDue} and (work.user_id is null or attempts > 0 or work.kind || ' ' || work.user_id <> all (${apart}::text[]))
        order by due_at limit wanted.room for update skip locked
      ) as due where wanted.user_id is null
    ), of_one as (
      select due.id from wanted cross join lateral (
        select id from work where ${isDue} and work.user_id = wanted.user_id
        order by due_at limit wanted.room for update skip locked
      ) as due where wanted.user_id is not null
    )
    update work set attempts = attempts + 1, lease_token = lease_token + 1, again_at = null,
      leased_until = now() + (select lease_ms from wanted where wanted.kind = work.kind limit 1) * interval '1 millisecond'
    where id = any (array(select id from of_all union all select id from of_one)) returning ${HELD}`.execute(db);
  return rows;
}

/** Takes this work although it may not be due; undefined if there is none, or somebody holds it. */
export async function takeOne(db: Db, kind: string, key: string, leaseMs: number): Promise<Held | undefined> {
  const { rows } = await sql<Held>`
    update work set attempts = attempts + 1, lease_token = lease_token + 1, again_at = null,
      leased_until = now() + ${leaseMs}::integer * interval '1 millisecond'
    where kind = ${kind} and key = ${key} and ${FREE} returning ${HELD}`.execute(db);
  return rows[0];
}

/** Extends leases for as long as they were taken for; returns the ids of those that are still this process's. */
export async function renewLeases(
  db: Db,
  leases: (Pick<Held, 'id' | 'lease_token'> & { leaseMs: number })[],
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update work set leased_until = now() + lease.ms * interval '1 millisecond'
    from unnest(
      ${leases.map(({ id }) => id)}::uuid[], ${leases.map(({ lease_token }) => lease_token)}::bigint[],
      ${leases.map(({ leaseMs }) => leaseMs)}::integer[]
    ) as lease (id, token, ms)
    where work.id = lease.id and work.lease_token = lease.token and work.leased_until is not null
    returning work.id`.execute(db);
  return rows.map(({ id }) => id);
}

/** Records outcomes; those of holders that have lost their lease change nothing. Work that is done is deleted. */
export async function settleWork(db: Db, settled: Settled[]): Promise<void> {
  await sql`
    -- prepared: settle_work
    with settled as (
      select * from unnest(
        ${settled.map(({ id }) => id)}::uuid[], ${settled.map(({ lease_token }) => lease_token)}::bigint[],
        ${settled.map(({ attempts }) => attempts)}::integer[],
        ${settled.map(({ due_at }) => due_at?.toISOString() ?? null)}::timestamptz[],
        ${settled.map(({ last_error }) => last_error)}::text[]
      ) as settled (id, token, attempts, due_at, last_error)
    ), held as (
      select work.id, settled.attempts, settled.last_error, least(settled.due_at, work.again_at) as due_at
      from work join settled on settled.id = work.id and settled.token = work.lease_token
      where work.leased_until is not null
      order by work.id for update of work
    ), done as (
      delete from work using held where work.id = held.id and held.due_at is null
    )
    update work set due_at = held.due_at, attempts = held.attempts, last_error = held.last_error,
      leased_until = null, again_at = null
    from held where work.id = held.id and held.due_at is not null`.execute(db);
}

/** Makes work due at once; undefined if there is none. What somebody holds is done again afterwards. */
export async function retryWork(db: Db, id: string, now: Date): Promise<WorkRow | undefined> {
  const due_at = now.toISOString();
  const { rows } = await sql<WorkRow>`
    update work set
      due_at = case when leased_until is null then ${due_at}::timestamptz else due_at end,
      again_at = case when leased_until is not null then ${due_at}::timestamptz end
    where id = ${id}::uuid
    returning id, kind, key, due_at, attempts, last_error, leased_until, created_at`.execute(db);
  return rows[0];
}

/** The payload of work that is not done yet; null if there is none. */
export async function findPayload(db: Db, kind: string, key: string): Promise<JsonObject | null> {
  const query = db.selectFrom('work').select('payload').where('kind', '=', kind).where('key', '=', key);
  return (await query.executeTakeFirst())?.payload ?? null;
}

/** How far work of one kind is, by key: another text once it was taken, extended, ended or added anew. */
export async function readProgress(db: Db, kind: string, keys: string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ key: string; version: string | null }>`
    -- prepared: read_progress
    select asked.key, work.xmin::text as version from unnest(${keys}::text[]) as asked (key)
    left join work on work.kind = ${kind} and work.key = asked.key`.execute(db);
  return new Map(rows.map(({ key, version }) => [key, version ?? '']));
}

/** Counts of the work of one kind. */
export interface KindCounts {
  kind: string;
  /** Work that nobody holds, whether it is due or not. */
  waiting: number;
  running: number;
  /** Work whose last attempt has failed. */
  failing: number;
  /** Since when the longest due work has been due; null if none is. */
  oldest_due_at: Date | null;
}

/** Counts work by kind. Done work is not stored, so that the table is as small as what is left to do. */
export async function countWork(db: Db, now: Date): Promise<KindCounts[]> {
  const at = now.toISOString();
  const { rows } = await sql<KindCounts>`
    select kind, count(*) filter (where ${FREE})::integer as waiting, count(*) filter (where not ${FREE})::integer as running,
      count(last_error)::integer as failing,
      min(due_at) filter (where ${FREE} and due_at <= ${at}::timestamptz) as oldest_due_at
    from work group by kind order by kind`.execute(db);
  return rows;
}

/** Those of these kinds of which there is work, held or not. */
export async function kindsWithWork(db: Db, kinds: string[]): Promise<Set<string>> {
  if (kinds.length === 0) return new Set();
  const { rows } = await sql<{ kind: string }>`
    select kind from unnest(${kinds}::text[]) as asked (kind)
    where exists (select from work where work.kind = asked.kind)`.execute(db);
  return new Set(rows.map(({ kind }) => kind));
}

/** Work whose last attempt has failed, in the order in which it was added. */
export function listFailing(db: Db, kind: string | undefined, limit: number): Promise<WorkRow[]> {
  const query = db
    .selectFrom('work')
    .select(['id', 'kind', 'key', 'due_at', 'attempts', 'last_error', 'leased_until', 'created_at'])
    .where('last_error', 'is not', null)
    .orderBy('id')
    .limit(limit);
  return (kind === undefined ? query : query.where('kind', '=', kind)).execute();
}

/** The name of work, which does not change; undefined once it is done. */
export function findNamed(trx: Db, id: string): Promise<Pick<Held, 'kind' | 'key'> | undefined> {
  return trx.selectFrom('work').select(['kind', 'key']).where('id', '=', id).executeTakeFirst();
}

/** Locks held work until the transaction ends; undefined once its holder has lost the lease. */
export async function lockHeld(trx: Db, id: string, lease_token: number): Promise<Held | undefined> {
  const { rows } = await sql<Held>`
    select ${HELD} from work
    where id = ${id}::uuid and lease_token = ${lease_token}::bigint and leased_until is not null for update`.execute(
    trx,
  );
  return rows[0];
}

/** Deletes the tasks of a user, whoever holds them. */
export async function deleteTasksOf(trx: Db, user_id: string): Promise<void> {
  await trx.deleteFrom('work').where('user_id', '=', user_id).execute();
}

/** Keeps work from being taken and from ending until the transaction ends. */
export async function lockWork(trx: Db, kind: string, keys: string[]): Promise<void> {
  if (keys.length === 0) return;
  const rows = trx.selectFrom('work').select('key').where('kind', '=', kind).where('key', 'in', keys);
  await rows.orderBy('key').forUpdate().execute();
}

/** Deletes work, whoever holds it; returns the keys of what there was. */
export async function deleteWork(db: Db, kind: string, keys: string[]): Promise<string[]> {
  if (keys.length === 0) return [];
  const deleted = db.deleteFrom('work').where('kind', '=', kind).where('key', 'in', keys).returning('key');
  return (await deleted.execute()).map(({ key }) => key);
}

/** Time for which a worker counts that was heard from, and after which it is forgotten. */
const [HEARD, FORGOTTEN] = [sql.lit('90 seconds'), sql.lit('1 day')];
/** Calls that began earlier are not counted: none lasts as long. */
const LONGEST_MS = 24 * 60 * 60_000;

/** Notes how many calls a worker takes at the same time, by the database's clock. */
export async function noteCallWorker(db: Db, id: string, max_calls: number): Promise<void> {
  await sql`
    -- prepared: note_call_worker
    with gone as (delete from call_workers where seen_at < now() - ${FORGOTTEN}::interval and id <> ${id})
    insert into call_workers (id, max_calls, seen_at) values (${id}, ${max_calls}, now())
    on conflict (id) do update set max_calls = excluded.max_calls, seen_at = excluded.seen_at`.execute(db);
}

/** How many calls the workers take together, and how many calls of all users need one; null if none has said so. */
export async function readCallWorkers(db: Db, now: Date): Promise<{ max_calls: number; open: number } | null> {
  const { rows } = await sql<{ max_calls: number; open: number }>`
    -- prepared: read_call_workers
    select max_calls, (
      select count(*)::integer from sessions
      where status in ('CREATED', 'ACTIVE') and call_status is not null
        and id >= ${idsFrom(new Date(now.getTime() - LONGEST_MS))}::uuid
        -- Two people who were put through to each other talk on without a worker.
        and transferred_to is null
    ) as open
    from (
      select coalesce(sum(max_calls) filter (where seen_at > now() - ${HEARD}::interval), 0)::integer as max_calls
      from call_workers where seen_at > now() - ${FORGOTTEN}::interval having count(*) > 0
    ) as known`.execute(db);
  return rows[0] ?? null;
}
