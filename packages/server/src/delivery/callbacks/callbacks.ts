import type { Content } from '../../access/data-keys/content.ts';
import { directionOf, isFinal, type Session, type Transition } from '../../conversations/sessions/sessions.ts';
import type { Pressed } from '../../conversations/turns/turns.ts';
import type { Batch } from '../../db/retention-batches.ts';
import type { Db, TransferType } from '../../db/tables.ts';
import { AppError } from '../../lib/errors.ts';
import { isId, newId } from '../../lib/ids.ts';
import { type PageRequest, toPage } from '../../lib/page.ts';
import { currentTraceparent } from '../../lib/tracing.ts';
import type { Platform } from '../../platform.ts';
import { deleteEndpointsOf } from './queue-store.ts';
import { createRedelivery, redeliver } from './redelivery.ts';
import { lockCallbacks } from './redelivery-store.ts';
import {
  completeReport,
  type DueReport,
  deleteOldReports,
  listDueReports,
  postponeReport,
  type ReportType,
} from './report-store.ts';
import type { EventType } from './schema.ts';
import {
  type CallbackEvent,
  type CallbackFilter,
  deleteCallbacksOf,
  deleteCallbacksOfUser,
  deleteOldCallbacks,
  deleteReportsOf,
  insertCallbacks,
  listAttempts,
  listCallbacks,
  type ShownCallback,
} from './store.ts';
import { createUserEvents } from './user-events.ts';

export type { DueReport };
export type Callbacks = ReturnType<typeof createCallbacks>;

/** Fields of the call in a callback's body, besides its id. */
const CALL_FIELDS = [
  'status',
  'room_name',
  'call_status',
  'call_direction',
  'outbound_phone_number',
  'started_at',
  'ended_at',
  'duration',
  'end_reason',
  'sip_status_code',
  'answered_by',
  'disposition',
  'agent_id',
  'agent_version',
  'caller_number',
] as const;

/** Fields of a transfer in a callback's body. */
interface TransferFields {
  transfer_type: TransferType;
  transferred_to: string;
  fallback?: true;
  attended?: true;
  reason?: string;
  sip_status_code?: number | null;
}

interface Deps extends Pick<Platform, 'db' | 'clock'> {
  content: Content;
  /** Delay between the end of a call, or chat, and its report. */
  reportDelayMs: number;
}

/**
 * Callbacks to a call's `callback_url` and to the user's endpoints: queued in the transaction of the change, listed,
 * redelivered. `sender.ts` delivers them.
 */
export function createCallbacks({ db, clock, content, reportDelayMs }: Deps) {
  /** Queues an event of a session in the transaction of the change it reports; fixes its body. */
  async function enqueue(trx: Db, type: EventType, session: Session, transfer?: TransferFields): Promise<void> {
    const now = clock.now();
    await insertCallbacks(trx, [eventOf(type, session, now, transfer)], now, currentTraceparent());
  }

  /** Queues an event of a session with a body of its own. */
  async function enqueueData(trx: Db, type: EventType, session: Session, data: object): Promise<void> {
    const { id: session_id, user_id, callback_url: url } = session;
    const due_at = clock.now();
    const { text: payload } = await content.close(session, JSON.stringify({ type, timestamp: due_at, data }), trx);
    const event = { id: newId(), session_id, user_id, type, url, payload, due_at };
    await insertCallbacks(trx, [event], due_at, currentTraceparent());
  }

  /**
   * Queues an event for each change of `call_status`, and the report with the final one, in one statement, if there
   * is any destination.
   */
  async function announce(trx: Db, transitions: Transition[]): Promise<void> {
    const now = clock.now();
    const events = transitions.flatMap(({ before, after, has_endpoints }) => {
      const { call_status, callback_url } = after;
      if (call_status === null || call_status === before.call_status || !(callback_url ?? has_endpoints)) return [];
      const event = eventOf(`call.${call_status.toLowerCase()}` as EventType, after, now);
      return isFinal(after) ? [event, reportOf('call.report', after, new Date(now.getTime() + reportDelayMs))] : event;
    });
    if (events.length > 0) await insertCallbacks(trx, events, now, currentTraceparent());
  }

  /** Newest first, with their attempts. */
  async function list(
    { call_id, ...filter }: Omit<CallbackFilter, 'session_id'> & { call_id?: string | undefined },
    page: PageRequest,
  ) {
    if ([call_id, filter.endpoint_id].some((id) => id !== undefined && !isId(id)))
      return { items: [], next_cursor: null };
    // One snapshot: a callback must not be shown with a newer attempt.
    return db
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute(async (trx) => {
        const rows = await listCallbacks(trx, { ...filter, session_id: call_id }, page);
        const { items, next_cursor } = toPage(rows, page.limit, (row) => row.id);
        return { items: await views(trx, items), next_cursor };
      });
  }

  async function views(within: Db, callbacks: ShownCallback[]) {
    const attempts = await listAttempts(
      within,
      callbacks.map(({ id }) => id),
    );
    const byCallback = Map.groupBy(attempts, ({ callback_id }) => callback_id);
    return callbacks.map((callback) => ({
      ...callback,
      call_id: callback.session_id,
      attempts: byCallback.get(callback.id) ?? [],
    }));
  }

  /**
   * Delivers a callback again, at once and whatever its status, with the same id and body. Reactivates an address
   * that was switched off. Throws `not_found`, also if its endpoint is deleted or inactive.
   */
  async function redeliverOne(id: string, caller: string | null) {
    const callback = await db.transaction().execute(async (trx) => {
      const found = isId(id) ? await lockCallbacks(trx, caller, [id]) : [];
      const [again] = await redeliver(trx, found, clock.now());
      if (again === undefined) throw new AppError('not_found');
      return again;
    });
    const [view] = await views(db, [callback]);
    return view as NonNullable<typeof view>;
  }

  return {
    enqueue,
    enqueueData,
    ...createUserEvents({ clock, content }),
    enqueueDigits: (trx: Db, session: Session, pressed: Pressed) => enqueueData(trx, 'call.digits', session, pressed),
    announce,
    enqueueReports: createReportQueue({ clock, reportDelayMs }),
    list,
    redeliver: redeliverOne,
    redeliverMany: createRedelivery({ db, clock }),
    erase: deleteCallbacksOf,
    /** Deletes the reports of these sessions that are finished. */
    eraseReports: (trx: Db, ids: string[]) => deleteReportsOf(trx, ids),
    /** The same for their analyses alone. */
    eraseAnalyses: (trx: Db, ids: string[]) => deleteReportsOf(trx, ids, ['call.analyzed']),
    eraseEndpoints: deleteEndpointsOf,
    eraseUser: deleteCallbacksOfUser,
    /** Sessions whose reports are due, longest waiting first. */
    dueReports: (limit: number) => listDueReports(db, clock.now(), limit),
    completeReport: createReportWriter({ db, clock, content }),
    postponeReport: (session_id: string, until: Date) => postponeReport(db, session_id, until),
    deleteOlderReports: (batch: Batch) => deleteOldReports(db, batch),
    deleteOlder: (batch: Batch) => deleteOldCallbacks(db, batch),
  };
}

/** Queues events of sessions that have ended, in the transaction of the end, each with a body that is written later. */
function createReportQueue({ clock, reportDelayMs }: Pick<Deps, 'clock' | 'reportDelayMs'>) {
  return async (trx: Db, type: ReportType, sessions: Session[]): Promise<void> => {
    if (sessions.length === 0) return;
    const now = clock.now();
    const due_at = new Date(now.getTime() + reportDelayMs);
    const events = sessions.map((session) => reportOf(type, session, due_at));
    await insertCallbacks(trx, events, now, currentTraceparent());
  };
}

/** Writes the body of a report and queues it. */
function createReportWriter({ db, clock, content }: Pick<Deps, 'db' | 'clock' | 'content'>) {
  return async (session: Pick<Session, 'id' | 'user_id'>, payload: string): Promise<void> => {
    if (!content.isOn) return completeReport(db, session.id, payload, clock.now());
    await db.transaction().execute(async (trx) => {
      const { text } = await content.close(session, payload, trx);
      await completeReport(trx, session.id, text, clock.now());
    });
  };
}

/** Its `data` is the body of `GET /api/calls/{call_id}/status`, with the end reason. */
function eventOf(type: EventType, session: Session, timestamp: Date, transfer?: TransferFields): CallbackEvent {
  const fields = Object.fromEntries(CALL_FIELDS.map((field) => [field, session[field]]));
  const data = { call_id: session.id, ...fields, direction: directionOf(session), ...(transfer && { transfer }) };
  return {
    id: newId(),
    session_id: session.id,
    user_id: session.user_id,
    type,
    url: session.callback_url,
    payload: JSON.stringify({ type, timestamp, data }),
    due_at: timestamp,
  };
}

function reportOf(
  type: ReportType,
  { id: session_id, user_id, callback_url: url }: Session,
  due_at: Date,
): CallbackEvent {
  return { id: newId(), session_id, user_id, type, payload: null, url, due_at };
}
