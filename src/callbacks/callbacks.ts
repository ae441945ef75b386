import { randomBytes } from 'node:crypto';
import { fromKysely, type PgBoss } from 'pg-boss';
import { Webhook } from 'standardwebhooks';
import type { Db, TransferType } from '../db/tables.ts';
import type { Clock } from '../lib/clock.ts';
import { newId } from '../lib/ids.ts';
import type { Logger } from '../lib/log.ts';
import type { Metrics } from '../lib/metrics.ts';
import type { Session } from '../sessions/sessions.ts';
import type { Deliver } from './deliver.ts';
import { type Callback, ensureSecret, findCallback, insertCallback, updateCallback } from './store.ts';

export type Callbacks = ReturnType<typeof createCallbacks>;

const QUEUE = 'callbacks';
// After 5 to 10 s, 10 to 20 s, … and at most three hours: the last of the tries is more than a day after the first.
const RETRIES = { retryLimit: 19, retryDelay: 5, retryDelayMax: 3 * 60 * 60, retryBackoff: true };
const EXPIRE_S = 120;
const GONE = 410;
/** Batches are sent at once, and a full one is followed by the next without a pause. */
const WORKERS = { localConcurrency: 8, batchSize: 10, burstWhenBatchFull: true, localGroupConcurrency: 4 };

/** What a callback tells of the call, beside its id. */
const TOLD = [
  ...(['status', 'room_name', 'call_status', 'call_direction', 'outbound_phone_number'] as const),
  ...(['started_at', 'ended_at', 'duration', 'end_reason', 'sip_status_code'] as const),
] as const;

/** What a callback tells of a transfer, beside the call. */
interface TransferTold {
  transfer_type: TransferType;
  transferred_to: string;
  reason?: string;
  sip_status_code?: number | null;
}

interface Deps {
  db: Db;
  jobs: PgBoss;
  clock: Clock;
  log: Logger;
  metrics: Metrics;
  deliver: Deliver;
}

/** Tells a call's `callback_url` what happened, in the Standard Webhooks format, at least once. */
export function createCallbacks({ db, jobs, clock, log, metrics, deliver }: Deps) {
  /** Queues a callback in the transaction of the change it tells; its body is frozen here. Sessions without a `callback_url` have none. */
  async function enqueue(trx: Db, type: string, session: Session, transfer?: TransferTold): Promise<void> {
    if (session.callback_url === null) return;
    const id = newId();
    const now = clock.now();
    await insertCallback(trx, {
      ...{ id, session_id: session.id, user_id: session.user_id, url: session.callback_url, type },
      payload: JSON.stringify({
        type,
        timestamp: now,
        data: { ...callbackData(session), ...(transfer && { transfer }) },
      }),
      ...{ status: 'pending', attempts: 0, created_at: now, updated_at: now },
    });
    // One receiver that hangs must not hold up the others: so many at a time for each host.
    await jobs.send(QUEUE, { id }, { db: fromKysely(trx), group: { id: new URL(session.callback_url).host } });
  }

  /** Queues the callback of a change of `call_status`. */
  function announce(trx: Db, session: Session): Promise<void> {
    return enqueue(trx, `call.${session.call_status?.toLowerCase()}`, session);
  }

  /** The user's signing secret, `whsec_…`; made at first use. */
  function secretOf(user_id: string): Promise<string> {
    return ensureSecret(db, user_id, `whsec_${randomBytes(32).toString('base64')}`, clock.now());
  }

  async function attempt(callback: Callback): Promise<{ response_status: number | null; error: string | null }> {
    const signer = new Webhook(await secretOf(callback.user_id));
    const now = clock.now();
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'Switchboard',
      'webhook-id': callback.id,
      'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
      'webhook-signature': signer.sign(callback.id, now, callback.payload),
    };
    try {
      return { response_status: await deliver(callback.url, headers, callback.payload), error: null };
    } catch (error) {
      return { response_status: null, error: error instanceof Error ? error.message : String(error) };
    }
  }

  /** One attempt. Throws when it is to be tried again. */
  async function work(id: string, isLastTry: boolean): Promise<void> {
    const callback = await findCallback(db, id);
    if (callback?.status !== 'pending') return;
    const result = await attempt(callback);
    const delivered = result.response_status !== null && result.response_status >= 200 && result.response_status < 300;
    const givenUp = !delivered && (isLastTry || result.response_status === GONE);
    const status = delivered ? 'delivered' : givenUp ? 'failed' : 'pending';
    metrics.callbacks.inc({ outcome: delivered ? 'delivered' : givenUp ? 'given_up' : 'failed' });
    await updateCallback(db, id, { status, attempts: callback.attempts + 1, ...result, updated_at: clock.now() });
    if (delivered) return;
    log.warn(
      { callback_id: id, session_id: callback.session_id, ...result },
      givenUp ? 'callback given up' : 'callback failed, will be retried',
    );
    if (!givenUp) throw new Error(`callback ${id} was not delivered`);
  }

  /** Starts delivering; ends with the job queue. */
  async function start(): Promise<void> {
    await jobs.createQueue(QUEUE, { ...RETRIES, expireInSeconds: EXPIRE_S });
    const options = { includeMetadata: true, pollingIntervalSeconds: 0.5, ...WORKERS, perJobResults: true } as const;
    await jobs.work<{ id: string }, void, typeof options>(QUEUE, options, (batch) =>
      Promise.all(
        batch.map(async ({ id, data, retryCount, retryLimit }) => {
          const failure = await work(data.id, retryCount >= retryLimit).then(
            () => null,
            (error: Error) => error,
          );
          return failure
            ? { id, status: 'failed' as const, output: { message: failure.message } }
            : { id, status: 'completed' as const };
        }),
      ),
    );
  }

  return { enqueue, announce, secretOf, start };
}

/** Operation 7's body, and why the call ended. */
function callbackData(session: Session) {
  return { call_id: session.id, ...Object.fromEntries(TOLD.map((field) => [field, session[field]])) };
}
