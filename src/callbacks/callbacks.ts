import type { Database } from '../db/database.ts';
import type { Db, TransferType } from '../db/tables.ts';
import type { Clock } from '../lib/clock.ts';
import { AppError } from '../lib/errors.ts';
import { isId, newId } from '../lib/ids.ts';
import { type PageRequest, toPage } from '../lib/page.ts';
import { currentTraceparent } from '../lib/tracing.ts';
import type { Session, Transition } from '../sessions/sessions.ts';
import { deleteEndpointsOf, switchOn } from './endpoint-store.ts';
import {
  type Callback,
  type CallbackFilter,
  deleteCallbacksOf,
  deleteOldCallbacks,
  insertCallback,
  listAttempts,
  listCallbacks,
  lockCallback,
  sendNow,
  updateCallback,
} from './store.ts';

export type Callbacks = ReturnType<typeof createCallbacks>;

/** Fields of the call in the body of a callback, beside its id. */
const TOLD = [
  ...(['status', 'room_name', 'call_status', 'call_direction', 'outbound_phone_number'] as const),
  ...(['started_at', 'ended_at', 'duration', 'end_reason', 'sip_status_code'] as const),
] as const;

/** Fields of a transfer in the body of a callback. */
interface TransferTold {
  transfer_type: TransferType;
  transferred_to: string;
  reason?: string;
  sip_status_code?: number | null;
}

/**
 * Callbacks to a call's `callback_url`: queued in the transaction of the change, listed, redelivered. `sender.ts` sends
 * them.
 */
export function createCallbacks({ db, clock }: { db: Database['db']; clock: Clock }) {
  /**
   * Queues a callback in the transaction of the change it tells; its body is frozen here. Sessions without a
   * `callback_url` have none.
   */
  async function enqueue(trx: Db, type: string, session: Session, transfer?: TransferTold): Promise<void> {
    if (session.callback_url === null) return;
    const now = clock.now();
    const data = { ...callbackData(session), ...(transfer && { transfer }) };
    await insertCallback(trx, {
      ...{ id: newId(), session_id: session.id, user_id: session.user_id, type, status: 'pending', attempts: 0 },
      url: session.callback_url,
      payload: JSON.stringify({ type, timestamp: now, data }),
      traceparent: currentTraceparent(),
      ...{ next_attempt_at: now, created_at: now, updated_at: now },
    });
  }

  /** Queues a callback for each change of `call_status`. */
  async function announce(trx: Db, transitions: Transition[]): Promise<void> {
    for (const { before, after } of transitions) {
      if (after.call_status === null || after.call_status === before.call_status) continue;
      await enqueue(trx, `call.${after.call_status.toLowerCase()}`, after);
    }
  }

  /** Newest first, with their attempts. */
  async function list(
    { call_id, ...filter }: Omit<CallbackFilter, 'session_id'> & { call_id?: string | undefined },
    page: PageRequest,
  ) {
    if (call_id !== undefined && !isId(call_id)) return { items: [], next_cursor: null };
    // One snapshot: a callback must not be shown with an attempt that came after it was read.
    return db
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute(async (trx) => {
        const rows = await listCallbacks(trx, { ...filter, session_id: call_id }, page);
        const { items, next_cursor } = toPage(rows, page.limit, (row) => row.id);
        return { items: await views(trx, items), next_cursor };
      });
  }

  async function views(within: Db, callbacks: Callback[]) {
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
   * Sends a callback once more, at once, whatever has become of it: the same id and body. An address that was switched
   * off is on again. Throws `not_found`.
   */
  async function redeliver(id: string, caller: string | null) {
    const callback = await db.transaction().execute(async (trx) => {
      const found = isId(id) ? await lockCallback(trx, id) : undefined;
      if (!found || (caller !== null && found.user_id !== caller)) throw new AppError('not_found');
      await switchOn(trx, found);
      const now = clock.now();
      const change = { status: 'pending', next_attempt_at: now, delivered_at: null, updated_at: now } as const;
      const again = await updateCallback(trx, id, change);
      await sendNow(trx, [again]);
      return again;
    });
    const [view] = await views(db, [callback]);
    return view as NonNullable<typeof view>;
  }

  return {
    enqueue,
    announce,
    list,
    redeliver,
    erase: deleteCallbacksOf,
    eraseEndpoints: deleteEndpointsOf,
    /** Deletes up to `limit` of those made before the id `before` that wait for nothing; tells how many. */
    deleteOlder: (before: string, limit: number) => deleteOldCallbacks(db, before, limit),
  };
}

/** The body of `GET /api/calls/{call_id}/status`, and why the call ended. */
function callbackData(session: Session) {
  return { call_id: session.id, ...Object.fromEntries(TOLD.map((field) => [field, session[field]])) };
}
