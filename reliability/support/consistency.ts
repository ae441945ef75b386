import { verifyCallback } from '@switchboard/client';
import { type Json, read, readPages } from '@switchboard/testkit/client.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import type { Receiver } from '@switchboard/testkit/receiver.ts';
import { sql } from 'kysely';
import type { Db } from '../../packages/server/src/db/tables.ts';

const SETTLED_MS = 60_000;
/** Longer than a run: the age of signatures is irrelevant here. */
const DAY_S = 24 * 60 * 60;
/** A cold transfer whose process died is given up after two minutes, and its call only then. */
const ENDED_MS = 180_000;

/** Query for the phones of calls that have joined or left their rooms. */
function phones(change: 'joined' | 'left'): string {
  return `
    select room_name as room, attributes->>'sip.trunkID' as trunk, attributes->>'sip.callStatus' as state
    from media_events, lateral (select body::json->'participant'->'attributes' as attributes) participant
    where body::json->>'event' = 'participant_${change}' and body::json->'participant'->>'identity' = 'phone'`;
}

/** Queries for rows that must never exist once everything has settled. */
const NEVER: Record<string, string> = {
  'a call that is open forever': `select id from sessions where call_status in ('RINGING', 'ANSWERED')`,
  'a phone that was dialled twice over one trunk for one call': `
    select room, trunk from (${phones('joined')}) joined group by room, trunk having count(*) > 1`,
  'a phone that was dialled over another trunk although it may have rung': `
    select room from (${phones('joined')}) joined group by room
    having count(*) > 1 + (select count(*) from (${phones('left')}) gone where gone.room = joined.room and state = 'dialing')`,
  'a session that went through a state twice': `
    select session_id from session_events group by session_id, status, call_status having count(*) > 1`,
  'a state that is not the last of its timeline': `
    select id from sessions join lateral (
      select status, call_status from session_events where session_id = sessions.id order by seq desc limit 1) last on true
    where sessions.status <> last.status or sessions.call_status is distinct from last.call_status`,
  'a change of call_status without its one callback, an end without its one report, or either without its cause': `
    select session_id, type from (
      select session_id, 'call.' || lower(session_events.call_status) as type, 1 as change, 0 as callback
      from session_events join sessions on sessions.id = session_id
      where callback_url is not null and session_events.call_status <> 'RINGING'
      union all select id, 'call.report', 1, 0 from sessions
      where callback_url is not null and call_status in ('COMPLETED', 'FAILED', 'NO_ANSWER')
      union all select session_id, type, 0, 1 from callbacks
      -- Those of transfers, keys and recordings are about no change of the call.
      where session_id is not null and type not in ('call.transferred', 'call.transfer_failed', 'call.digits',
        'recording.stored', 'recording.failed')) both_sides
    group by session_id, type having sum(change) <> 1 or sum(callback) <> 1`,
  'a line that was answered and not billed once, or billed and not answered': `
    select id, started_at, phones, media, targets, dialled from (
      select sessions.*, (started_at is not null)::int as own,
        (select count(*) from usage_events where session_id = sessions.id::text and event_type = 'telephony_minutes') as phones,
        (select count(*) from usage_events where session_id = sessions.id::text and event_type = 'media_minutes') as media,
        (select count(*) from transfers where session_id = sessions.id and answered_at is not null) as targets,
        (select count(*) from transfers where session_id = sessions.id and answered_at is not null and transfer_type = 'WARM') as dialled
      from sessions where call_status is not null
    ) as call
    -- A phone whose answer came when the call had ended is billed, and the call was never answered.
    where phones - targets not between own and 1 or media - dialled <> phones - targets`,
  'the line of a target that is on forever': `
    select id from transfers where answered_at is not null and line_ended_at is null`,
  'a threshold of a budget without its one event': `
    select user_id, month, threshold from (
      select user_id, to_char(month, 'YYYY-MM') as month, percent as threshold, 1 as reached, 0 as told from budget_thresholds
      union all select user_id, payload::json->'data'->>'month', (payload::json->'data'->>'threshold')::int, 0, 1
      from callbacks where type = 'budget.threshold') both_sides
    group by 1, 2, 3 having sum(reached) <> 1 or sum(told) <> 1`,
  'an answer kept for an Idempotency-Key without its effect': `
    select key from idempotency_keys where coalesce(answer->>'call_id', answer->>'id')::uuid not in (
      select id from sessions union all select id from usage_events union all select id from transcripts)`,
  'a number that is left half done': `
    select phone_number from (select id, phone_number from agents where phone_number is not null) as agent
    full join number_assignments as assignment using (phone_number)
    where agent.id is distinct from agent_id or state is distinct from 'assigned'`,
};

/** Rows that must never exist; empty if there are none. */
export async function findNever(db: Db): Promise<string[]> {
  const found: string[] = [];
  for (const [what, query] of Object.entries(NEVER)) {
    const { rows } = await sql.raw(query).execute(db);
    if (rows.length > 0) found.push(`${what}: ${rows.length}, as ${JSON.stringify(rows[0])}`);
  }
  return found;
}

/**
 * Makes everything due that the test would otherwise wait for: callbacks whose process died, retries, call reports, and
 * unfinished number changes (60 s).
 */
export async function makeDue(db: Db): Promise<void> {
  await sql`update callbacks set next_attempt_at = now() where payload is null`.execute(db);
  await sql`update callbacks set send_at = now() where send_at is not null`.execute(db);
  await db
    .updateTable('number_assignments')
    .set({ updated_at: new Date(Date.now() - 3_600_000) })
    .where('state', '<>', 'assigned')
    .execute();
}

/** The ids of callbacks that are undelivered, or whose delivery is unknown. */
export async function pendingCallbacks(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('callbacks').select('id').where('status', '=', 'pending').execute();
  return rows.map(({ id }) => id);
}

/** Callbacks that never arrived, are not recorded as delivered, or arrived with a body other than the first. */
export async function undelivered(db: Db, receiver: Receiver): Promise<string[]> {
  const rows = await db.selectFrom('callbacks').select(['id', 'status', 'payload']).execute();
  const isDelivered = ({ id, status, payload }: (typeof rows)[number]) =>
    status === 'delivered' && (receiver.bodies.get(id)?.every((body) => body === payload) ?? false);
  return rows.filter((row) => !isDelivered(row)).map(({ id, status }) => `callback ${id} (${status})`);
}

/** The callback secrets of users. */
export async function secretsOf(url: string, users: string[]): Promise<string[]> {
  const answers = await Promise.all(users.map((user) => read(url, '/api/callbacks/secret', user)));
  return answers.map(({ secret }) => secret);
}

/** The deliveries that are not signed with any of these secrets. */
export async function wronglySigned(receiver: Receiver, secret: string[]): Promise<string[]> {
  const checks = receiver.received.map(async ({ body, headers }) => {
    const problem = await verifyCallback({ body, headers, secret, toleranceS: DAY_S }).then(() => null, String);
    return problem ? [`${headers['webhook-id']}: ${problem}`] : [];
  });
  return (await Promise.all(checks)).flat();
}

/**
 * Waits until the open calls that must end by themselves have ended: those of a dead process end after they have been
 * missing for 5 s, one after the other.
 */
export async function untilCallsEnd(url: string, mustEnd: (call: Json) => boolean = () => true): Promise<void> {
  const open = async () => [
    ...(await readPages(url, '/api/calls/?status=CREATED')),
    ...(await readPages(url, '/api/calls/?status=ACTIVE')),
  ];
  await eventually(
    async () => (await open()).filter(mustEnd).length,
    (count) => count === 0,
    ENDED_MS,
  );
}

/** Waits until each of these callbacks has arrived once more than before. */
export async function untilReceived(receiver: Receiver, ids: string[]): Promise<void> {
  const times = (id: string) => receiver.bodies.get(id)?.length ?? 0;
  const before = new Map(ids.map((id) => [id, times(id)]));
  const missing = async () => ids.filter((id) => times(id) === before.get(id));
  await eventually(missing, ({ length }) => length === 0, SETTLED_MS);
}

/** Number of billed lines, and number of reported budget thresholds. */
export async function countMoney(db: Db): Promise<{ lines: number; thresholds: number }> {
  const { rows } = await sql<{ lines: number; thresholds: number }>`
    select (select count(*) from usage_events where event_type = 'telephony_minutes') as lines,
      (select count(*) from budget_thresholds) as thresholds`.execute(db);
  return rows[0] ?? { lines: 0, thresholds: 0 };
}
