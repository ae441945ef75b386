import { type Selectable, sql } from 'kysely';
import type { CallStatus, Db, SessionStatus, Tables } from '../../db/tables.ts';

/** How far a session has come: the number of its newest entry, and whether no more are to be expected. */
export interface Head {
  id: string;
  last_event: number;
  status: SessionStatus;
  erased_at: Date | null;
}

/** One thing that happened in a session: a change of its state, or something said. */
export type FeedEntry = { seq: number; at: Date } & (
  | { id: null; status: SessionStatus; call_status: CallStatus | null }
  | Pick<Selectable<Tables['transcripts']>, 'id' | 'speaker' | 'content'>
);

export async function findHeads(db: Db, ids: string[]): Promise<Head[]> {
  const { rows } = await sql<Head>`
    select id, last_event, status, erased_at from sessions where id = any(${ids}::uuid[])`.execute(db);
  return rows;
}

/** Entries of each session after a number, at most `limit` each, in the order of the request. */
export async function listFeedEntries(
  db: Db,
  asked: { session_id: string; after: number }[],
  limit: number,
): Promise<Map<number, FeedEntry[]>> {
  const { rows } = await sql<FeedEntry & { place: number }>`
    select asked.place, entries.*
    from unnest(${asked.map(({ session_id }) => session_id)}::uuid[], ${asked.map(({ after }) => after)}::bigint[])
      with ordinality as asked (session_id, after, place)
    cross join lateral (
      (select seq, null::uuid as id, status, call_status, null as speaker, null as content, created_at as at
       from session_events where session_id = asked.session_id and seq > asked.after)
      union all
      (select seq, id, null, null, speaker, content, timestamp
       from transcripts where session_id = asked.session_id and seq > asked.after and seq > 0
       order by seq limit ${sql.lit(limit)})
      order by seq limit ${sql.lit(limit)}
    ) as entries
    order by place, seq`.execute(db);
  return Map.groupBy(rows, ({ place }) => place - 1);
}
