import type { CallVariables, Db } from '../../db/tables.ts';
import type { Callbacks } from '../../delivery/callbacks/callbacks.ts';
import { AppError } from '../../lib/errors.ts';
import { isId } from '../../lib/ids.ts';
import type { JsonObject } from '../../lib/json.ts';
import type { Platform } from '../../platform.ts';
import type { OutboundCall } from '../outbound/placing.ts';
import { type ScheduledRow, updateScheduled } from './store.ts';
import type { Hours, Plan } from './times.ts';

/** The kind of work that places a scheduled call, under its id. */
export const SCHEDULED_CALL = 'scheduled_call';

/** An end of a scheduled call, and why. */
interface End {
  status: 'PLACED' | 'CANCELED' | 'EXPIRED' | 'REFUSED';
  reason: string | null;
  detail: string | null;
  call_id?: string;
}

export type Records = ReturnType<typeof createRecords>;

/** Changes of scheduled calls that are locked, each with its event. */
export function createRecords({ clock, work, callbacks }: Pick<Platform, 'clock' | 'work'> & { callbacks: Callbacks }) {
  /** Says nothing of what was asked for: an event is kept longer than that. */
  async function announce(trx: Db, row: ScheduledRow): Promise<ScheduledRow> {
    const to = { user_id: row.user_id, url: row.callback_url };
    const { variables: _, metadata: __, ...data } = view(row);
    await callbacks.enqueueForUser(trx, 'scheduled_call.changed', to, data);
    return row;
  }

  return {
    announce,
    /** It is over: what was asked for is forgotten, as the call itself has it. */
    end: async (trx: Db, { id }: Pick<ScheduledRow, 'id'>, end: End): Promise<ScheduledRow> => {
      const row = await updateScheduled(trx, id, { ...end, request: '{}', updated_at: clock.now() });
      if (end.status === 'CANCELED') await work.withdraw(trx, SCHEDULED_CALL, [id]);
      return announce(trx, row);
    },
    /** It goes on waiting, for this reason. */
    note: async (trx: Db, { id }: Pick<ScheduledRow, 'id'>, why: Pick<End, 'reason' | 'detail'>) =>
      announce(trx, await updateScheduled(trx, id, { ...why, updated_at: clock.now() })),
    /** It has another time. */
    move: async (
      trx: Db,
      { id }: Pick<ScheduledRow, 'id'>,
      plan: Plan,
      why: Pick<End, 'reason' | 'detail'> = { reason: null, detail: null },
    ): Promise<ScheduledRow> => {
      const row = await updateScheduled(trx, id, { ...columnsOf(plan), ...why, updated_at: clock.now() });
      await work.restart(trx, [{ kind: SCHEDULED_CALL, key: id, due_at: plan.due_at }]);
      return announce(trx, row);
    },
  };
}

export const columnsOf = ({ due_at, latest_at, expires_at, hours }: Plan) => ({
  due_at,
  latest_at,
  expires_at,
  hours: hours && JSON.stringify(hours),
});

export const requestOf = ({ request }: ScheduledRow): OutboundCall => JSON.parse(request) as OutboundCall;

export function planIn({ due_at, latest_at, expires_at, hours }: ScheduledRow): Plan {
  return { due_at, latest_at, expires_at, hours: hours === null ? null : (JSON.parse(hours) as Hours) };
}

/** Throws `not_found` for one that is unknown, only proposed, or another user's. */
export function owned(row: ScheduledRow | undefined, user_id: string): ScheduledRow {
  if (!row || row.user_id !== user_id || row.status === 'PROPOSED') throw new AppError('not_found');
  return row;
}

/** Throws `not_found` for an id that is malformed. */
export function idOf(text: string): string {
  if (!isId(text)) throw new AppError('not_found');
  return text;
}

/** The first moment at which a deferred call is allowed. */
export function notBefore({ decision }: AppError): Date | null {
  return (decision as { not_before?: Date | null } | undefined)?.not_before ?? null;
}

/** A scheduled call in responses. */
export function view(row: ScheduledRow) {
  const { id, status, request, hours, user_id: _, room_name: _room, expires_at: _end, ...shown } = row;
  const { variables, metadata } = JSON.parse(request) as Partial<OutboundCall>;
  return {
    scheduled_call_id: id,
    // Proposals are shown nowhere.
    status: status as Exclude<typeof status, 'PROPOSED'>,
    ...shown,
    window: hours === null ? null : (JSON.parse(hours) as Hours),
    variables: (variables ?? {}) as CallVariables,
    metadata: (metadata ?? {}) as JsonObject,
  };
}
