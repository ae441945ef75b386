import { sql } from 'kysely';
import type { Db } from '../../db/tables.ts';
import type { Callback } from './store.ts';

/** A lane: one user's receivers at one host. */
export interface Lane {
  host: string;
  user_id: string;
}

/** Limits on the number of callbacks, and on the bytes of their bodies, which the last one may exceed. */
export interface Share {
  free: number;
  bytes: number;
}

/** The room left per lane, host and user; `first` applies to all others. */
export interface Room {
  all: Share;
  first: { lane: number; host: number; user: Share };
  /** Lanes whose last attempt got no response come after the others of their host. */
  lanes: (Lane & { free: number; has_failed: boolean })[];
  hosts: { host: string; free: number }[];
  users: (Share & { user_id: string })[];
}

const COLUMNS = ['id', 'session_id', 'user_id', 'url', 'type', 'payload', 'attempts', 'host', 'traceparent'] as const;
export type Due = Pick<Callback, (typeof COLUMNS)[number]> & { host: string; is_off: boolean };

/**
 * Claims due callbacks for `leaseMs`; after that another process may claim them. Per host and user, so that a lane
 * with thousands of them is not scanned beyond its room. Uses the database's clock, because the clocks of replicas
 * differ.
 */
export async function takeDue(db: Db, { all, first, lanes, hosts, users }: Room, leaseMs: number): Promise<Due[]> {
  const { rows } = await sql<Due>`
    with recursive waiting (host, user_id) as (
      (select host, user_id from callbacks where status = 'pending' and send_at is not null order by host, user_id limit 1)
      union all
      select next.host, next.user_id from waiting cross join lateral (
        select host, user_id from callbacks as after
        where status = 'pending' and send_at is not null and (after.host, after.user_id) > (waiting.host, waiting.user_id)
        order by after.host, after.user_id limit 1
      ) as next
    ), due as (
      select id, user_id, bytes, send_at, has_failed, free,
        row_number() over (partition by host order by has_failed, send_at) as place
      from (
        select callback.id, waiting.user_id, callback.bytes, callback.send_at, waiting.host, coalesce(host.free, ${first.host}::integer) as free,
          coalesce(lane.has_failed, false) as has_failed
        from waiting
        left join unnest(
          ${lanes.map(({ host }) => host)}::text[], ${lanes.map(({ user_id }) => user_id)}::text[],
          ${lanes.map(({ free }) => free)}::integer[], ${lanes.map(({ has_failed }) => has_failed)}::boolean[]
        ) as lane (host, user_id, free, has_failed) on lane.host = waiting.host and lane.user_id = waiting.user_id
        left join unnest(${hosts.map(({ host }) => host)}::text[], ${hosts.map(({ free }) => free)}::integer[]) as host (host, free)
          on host.host = waiting.host
        cross join lateral (
          select id, send_at, octet_length(payload) as bytes from callbacks
          where status = 'pending' and host = waiting.host and user_id = waiting.user_id and send_at <= now()
          order by send_at limit coalesce(lane.free, ${first.lane}::integer) for update skip locked
        ) as callback
        where coalesce(host.free, ${first.host}::integer) > 0
      ) as candidate
    ), due_of_user as (
      select id, due.bytes, send_at, has_failed, coalesce(share.free, ${first.user.free}::integer) as free,
        coalesce(share.bytes, ${first.user.bytes}::integer) as free_bytes,
        row_number() over (partition by due.user_id order by has_failed, send_at) as place,
        coalesce(sum(due.bytes) over (partition by due.user_id order by has_failed, send_at
          rows between unbounded preceding and 1 preceding), 0) as bytes_before
      from due left join unnest(
        ${users.map(({ user_id }) => user_id)}::text[], ${users.map(({ free }) => free)}::integer[],
        ${users.map(({ bytes }) => bytes)}::integer[]
      ) as share (user_id, free, bytes) on share.user_id = due.user_id
      where due.place <= due.free
    ), taken as (
      select id from (
        select id, send_at, has_failed, coalesce(sum(bytes) over (order by has_failed, send_at
          rows between unbounded preceding and 1 preceding), 0) as bytes_before
        from due_of_user where place <= free and bytes_before < free_bytes
      ) as possible where bytes_before < ${all.bytes}::integer order by has_failed, send_at limit ${all.free}
    )
    update callbacks set send_at = now() + ${leaseMs}::integer * interval '1 millisecond'
    from taken where callbacks.id = taken.id
    returning ${sql.join(COLUMNS.map((column) => sql.ref(`callbacks.${column}`)))}, coalesce((
      select true from callback_endpoints_off as off where off.user_id = callbacks.user_id and off.url_hash = md5(callbacks.url)
    ), false) as is_off`.execute(db);
  return rows;
}
