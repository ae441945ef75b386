import { sql } from 'kysely';
import type { Db } from '../../db/tables.ts';

export interface StoredEvent {
  id: string;
  body: string;
  room_name: string | null;
  received_at: Date;
  /** When it was handled; null until then. */
  handled_at: Date | null;
}

/** Stores events under ids of their own; returns the ids of those that were not stored before. */
export async function insertMediaEvents(db: Db, events: StoredEvent[]): Promise<Set<string>> {
  const column = (name: 'id' | 'body' | 'room_name') => events.map((event) => event[name]);
  // In the order of their ids: otherwise two processes that receive the same events could deadlock.
  const { rows } = await sql<{ id: string }>`
    -- prepared: insert_media_events
    insert into media_events (id, body, room_name, received_at, handled_at)
    select * from unnest(
      ${column('id')}::text[], ${column('body')}::text[], ${column('room_name')}::text[],
      ${events.map(({ received_at }) => received_at.toISOString())}::timestamptz[],
      ${events.map(({ handled_at }) => handled_at?.toISOString() ?? null)}::timestamptz[]
    ) as event (id, body, room_name, received_at, handled_at) order by id
    on conflict (id) do nothing returning id`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/**
 * Marks events as handled. Only those whose room has a session keep their bodies, until an erasure of its user; of
 * others only the id is kept, for deduplication, and the room's name: bodies contain personal data. Rows locked by
 * others are skipped: they are being deleted, or handled again.
 */
export async function markHandled(db: Db, ids: string[], handled_at: Date): Promise<void> {
  // As a value, for which each room is looked up: "exists" may read all sessions.
  await sql`
    -- prepared: mark_media_events_handled
    update media_events
    set handled_at = ${handled_at.toISOString()}::timestamptz, body = case when (
      select true from sessions where sessions.room_name = media_events.room_name
    ) then body else '' end
    where ${unlocked(ids)}`.execute(db);
}

/** The same for events that keep nothing. */
export async function forgetEvents(db: Db, ids: string[], handled_at: Date): Promise<void> {
  await sql`
    update media_events set handled_at = ${handled_at.toISOString()}::timestamptz, body = ''
    where ${unlocked(ids)}`.execute(db);
}

const unlocked = (ids: string[]) =>
  sql`id in (select id from media_events where id = any(${ids}::text[]) for update skip locked)`;

/** Events stored before `before` and not handled, oldest first. */
export function listUnhandled(
  db: Db,
  before: Date,
  limit: number,
): Promise<{ id: string; body: string; received_at: Date }[]> {
  return db
    .selectFrom('media_events')
    .select(['id', 'body', 'received_at'])
    .where('handled_at', 'is', null)
    .where('received_at', '<', before)
    .orderBy('received_at')
    .limit(limit)
    .execute();
}

/** The events of a room whose bodies are kept, in the order of their receipt. */
export function listOfRoom(db: Db, room_name: string): Promise<{ body: string; received_at: Date }[]> {
  return db
    .selectFrom('media_events')
    .select(['body', 'received_at'])
    .where('room_name', '=', room_name)
    .where('body', '<>', '')
    .orderBy('received_at')
    .execute();
}

/** The events of those rooms that have an unhandled one; `is_waiting` marks the unhandled ones. */
export async function listOfUnhandledRooms(
  db: Db,
  room_names: string[],
): Promise<{ room_name: string; body: string; received_at: Date; is_waiting: boolean }[]> {
  const { rows } = await sql<{ room_name: string; body: string; received_at: Date; is_waiting: boolean }>`
    -- prepared: list_of_unhandled_rooms
    select room_name, body, received_at, handled_at is null as is_waiting from media_events as event
    where room_name = any(${room_names}::text[]) and body <> '' and exists (
      select from media_events as waiting where waiting.room_name = event.room_name and waiting.handled_at is null
    )
    order by received_at`.execute(db);
  return rows;
}

export async function countUnhandled(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('media_events')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('handled_at', 'is', null)
    .executeTakeFirstOrThrow();
  return count;
}

/** Deletes the events of these rooms. */
export async function deleteOfRooms(db: Db, room_names: string[]): Promise<void> {
  if (room_names.length > 0) await db.deleteFrom('media_events').where('room_name', 'in', room_names).execute();
}

/** Deletes events handled before `before`; duplicates of them are no longer recognized. */
export async function deleteHandled(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('media_events').where('handled_at', '<', before).execute();
}
