import { type Selectable, sql } from 'kysely';
import type { CallStatus, Db, FailedOver, SessionStatus, Tables } from '../../db/tables.ts';

/** A session's progress: the number of its newest entry, and whether it has ended. */
export interface Head {
  id: string;
  last_event: number;
  status: SessionStatus;
  erased_at: Date | null;
}

/** One entry of a session: a change of its state, a model that took over, or a transcript. */
export type FeedEntry = { seq: number; at: Date } & (
  | { id: null; status: SessionStatus; call_status: CallStatus | null; failed_over: FailedOver | null }
  | Pick<Selectable<Tables['transcripts']>, 'id' | 'speaker' | 'content'>
);

export async function findHeads(db: Db, ids: string[]): Promise<Head[]> {
  const { rows } = await sql<Head>`
    select id, last_event, status, erased_at from sessions where id = any(${ids}::uuid[])`.execute(db);
  return rows;
}

/** The next entries of a session, and whether there are more. */
export interface FeedPage {
  entries: FeedEntry[];
  isFull: boolean;
}

/**
 * Entries of each session after a number, in the order of the request: at most `limit` each, ending with the one
 * whose texts exceed `bytes`. Later texts are not read.
 */
export async function listFeedEntries(
  db: Db,
  asked: { session_id: string; after: number }[],
  { limit, bytes }: { limit: number; bytes: number },
): Promise<FeedPage[]> {
  const { rows } = await sql<FeedEntry & { place: number; found: number }>`
    select asked.place, entries.*
    from unnest(${asked.map(({ session_id }) => session_id)}::uuid[], ${asked.map(({ after }) => after)}::bigint[])
      with ordinality as asked (session_id, after, place)
    cross join lateral (
      select seq, id, status, call_status, failed_over, speaker, content, at, found from (
        select page.*, count(*) over () as found, coalesce(sum(octet_length(content))
          over (order by seq rows between unbounded preceding and 1 preceding), 0) as bytes_before
        from (
          (select seq, null::uuid as id, status, call_status, failed_over, null as speaker, null as content, created_at as at
           from session_events where session_id = asked.session_id and seq > asked.after)
          union all
          (select seq, id, null, null, null, speaker, content, timestamp
           from transcripts where session_id = asked.session_id and seq > asked.after and seq > 0
           order by seq limit ${sql.lit(limit)})
          order by seq limit ${sql.lit(limit)}
        ) as page
      ) as measured where bytes_before < ${sql.lit(bytes)}
    ) as entries
    order by place, seq`.execute(db);
  const byPlace = Map.groupBy(rows, ({ place }) => place - 1);
  return asked.map((_one, index) => {
    const entries = byPlace.get(index) ?? [];
    return { entries, isFull: entries.length === limit || entries.length < Number(entries[0]?.found ?? 0) };
  });
}
