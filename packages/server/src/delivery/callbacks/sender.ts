import { createGroupCommit } from '../../db/group-commit.ts';
import { isReadable } from '../../db/opening.ts';
import type { Db } from '../../db/tables.ts';
import { createFailureLog } from '../../lib/failure-log.ts';
import { newId } from '../../lib/ids.ts';
import type { Logger } from '../../lib/log.ts';
import { continueTrace, currentTraceparent, SpanKind, traced } from '../../lib/tracing.ts';
import type { Platform } from '../../platform.ts';
import type { Secrets } from '../secrets/secrets.ts';
import type { Deliver, Delivered } from './deliver.ts';
import { createHosts } from './hosts.ts';
import {
  type Claimed,
  countOverdue,
  type Due,
  failPending,
  giveUp,
  type Outcome,
  recordAttempts,
  switchOff,
  takeDue,
} from './queue-store.ts';
import { pauseAfter } from './schedule.ts';

/** Pause between two polls for due callbacks: while there are any, and otherwise. */
const NEXT_MS = 20;
const IDLE_MS = 200;
/** A poll costs more the more hosts are waiting; polling takes at most a fifth of the time. */
const REST = 4;
/** Results per transaction, and results that may queue. */
const RECORD_LIMITS = { batch_size: 200, queue_depth: 10_000 };
/** A claim lasts longer than any attempt, by the time to read and record it; then another process takes over. */
const GRACE_MS = 30_000;
const GONE = 410;
const LATE_MS = 60_000;

type Sign = Awaited<ReturnType<Secrets['signer']>>;
/** The response to an attempt, or that it could not be signed. */
type Attempted = Delivered | typeof NOT_SIGNED;

const NOT_SIGNED = { response_status: null, error: 'not_signed', retry_after: null } as const;

interface Deps extends Pick<Platform, 'db' | 'clock' | 'log' | 'metrics'> {
  secrets: Secrets;
  deliver: Deliver;
  /** The time that a receiver has. */
  timeoutMs: number;
}

export type Sender = ReturnType<typeof createSender>;

interface Result {
  callback: Due;
  outcome: Outcome;
}

/** Delivers queued callbacks at least once, in the Standard Webhooks format (https://www.standardwebhooks.com). */
export function createSender({ db, clock, log, metrics, secrets, deliver, timeoutMs }: Deps) {
  const hosts = createHosts();
  const failures = createFailureLog(log, 'claiming due callbacks');
  const inFlight = new Set<Promise<void>>();
  const stopping = new AbortController();
  let running = Promise.resolve();
  // From the start: a query for what was given up finds the first ones only as the growth of a number that was there.
  for (const outcome of Object.values(OUTCOMES)) metrics.callbacks.inc({ outcome }, 0);
  const recorded = createGroupCommit<Result, undefined>({
    runBatch: record,
    limits: RECORD_LIMITS,
  });

  /** Starts sending due callbacks as far as there is capacity; returns the milliseconds until the next poll. */
  async function sendDue(): Promise<number> {
    const capacity = hosts.capacity();
    if (capacity.all.free === 0) return NEXT_MS;
    const begun = performance.now();
    const taken = await takeDue(db, capacity, timeoutMs + GRACE_MS);
    const took = performance.now() - begun;
    const due = await giveUpSome(db, taken, clock.now());
    const sign = await secrets.signer(due.map(({ user_id }) => user_id));
    for (const callback of due) {
      const attempt = send(callback, sign).catch((err) =>
        log.error({ err, callback_id: callback.id }, 'attempting a callback, or recording the attempt, failed'),
      );
      inFlight.add(attempt);
      void attempt.finally(() => inFlight.delete(attempt));
    }
    return Math.max(taken.length > 0 ? NEXT_MS : IDLE_MS, REST * took);
  }

  /** One attempt. Throws when the database fails; the attempt is then repeated once the lease has expired. */
  async function send(callback: Due, sign: Sign): Promise<void> {
    const attempted_at = clock.now();
    const bytes = isReadable(callback, 'payload') ? Buffer.byteLength(callback.payload) : 0;
    hosts.begin(callback, bytes);
    const begun = performance.now();
    let result: Attempted | undefined;
    try {
      result = await deliverSigned(deliver, log, callback, attempted_at, sign);
    } finally {
      hosts.end(callback, bytes, result?.error === 'not_signed' ? null : result?.error === null);
    }
    // The duration of a lookup would reveal whether an internal name exists.
    const latency_ms = result.error === 'no_public_address' ? 0 : Math.round(performance.now() - begun);
    const outcome = outcomeOf(callback, result, clock.now());
    await recorded({ callback, outcome: { ...outcome, attempted_at, latency_ms } });
    // Separate from the batch: two results of one address would wait for each other's rows. Callbacks it misses find
    // the address switched off.
    if (result.response_status === GONE) await failPending(db, callback, clock.now());
    logOutcome(callback, outcome);
  }

  /** Records attempts and their consequences: delivered, another attempt, or giving up. */
  async function record(group: Result[]): Promise<undefined[]> {
    const now = clock.now();
    await db.transaction().execute(async (trx) => {
      // Callbacks that were erased meanwhile, or attempted by another process, are skipped.
      const counted = await recordAttempts(
        trx,
        group.map(({ outcome }) => outcome),
        now,
      );
      const gone = group.flatMap(({ callback, outcome }) =>
        outcome.response_status === GONE && counted.has(callback.id) ? [callback] : [],
      );
      // In one order, so that two processes do not deadlock.
      for (const callback of gone.sort(byAddress)) await switchOff(trx, callback, now);
    });
    return group.map(() => undefined);
  }

  function logOutcome({ id, session_id }: Due, { status, response_status, error }: ReturnType<typeof outcomeOf>): void {
    metrics.callbacks.inc({ outcome: OUTCOMES[status] });
    if (status === 'delivered') return;
    const text = status === 'failed' ? 'callback given up' : 'callback failed; it will be retried';
    log.warn({ callback_id: id, session_id, response_status, error }, text);
  }

  async function loop(): Promise<void> {
    while (!stopping.signal.aborted) {
      const pause = await claimed(sendDue());
      await clock.sleep(pause, stopping.signal).catch(() => {});
    }
  }

  /** During an outage of the database each poll fails, five times a second. */
  async function claimed(pause: Promise<number>): Promise<number> {
    try {
      const ms = await pause;
      failures.succeeded();
      return ms;
    } catch (err) {
      failures.failed(err);
      return IDLE_MS;
    }
  }

  function start(): void {
    running = loop();
  }

  /** Starts no more attempts, and waits for those in progress. */
  async function stop(): Promise<void> {
    stopping.abort();
    await running;
    await Promise.all(inFlight);
  }

  /** Sets the gauge of overdue callbacks. */
  async function measure(): Promise<void> {
    metrics.overdueCallbacks.set(await countOverdue(db, new Date(clock.now().getTime() - LATE_MS)));
  }

  return { start, stop, measure };
}

const OUTCOMES = { delivered: 'delivered', failed: 'given_up', pending: 'failed' } as const;

/** Gives up those whose address is switched off, or whose endpoint is deleted or inactive; returns the others. */
async function giveUpSome(db: Db, taken: Claimed[], now: Date): Promise<Due[]> {
  // As they are: a copy would read their bodies, and throw for one that cannot be decrypted.
  const due = taken.filter(hasAddress).filter(({ is_off }) => !is_off);
  for (const callback of taken) {
    if (hasAddress(callback) && callback.is_off) await failPending(db, callback, now);
    // Its own address may be another one: a transaction may have queued it while the endpoint was being changed.
    if (!hasAddress(callback) || callback.is_off) await giveUp(db, callback.id, now);
  }
  return due;
}

function hasAddress(callback: Claimed): callback is Claimed & Due {
  return callback.url !== null;
}

function byAddress(one: Due, other: Due): number {
  return one.user_id.localeCompare(other.user_id) || one.url.localeCompare(other.url);
}

/** The state of a callback after its receiver's response. */
function outcomeOf(callback: Due, { retry_after, ...answer }: Attempted, now: Date) {
  const { id: callback_id, attempts: before, earlier_attempts: earlier } = callback;
  const { response_status } = answer;
  const isTaken = response_status !== null && response_status >= 200 && response_status < 300;
  const pause_s = isTaken || response_status === GONE ? null : pauseAfter(before + 1 - earlier, retry_after, now);
  const status = isTaken ? ('delivered' as const) : pause_s === null ? ('failed' as const) : ('pending' as const);
  return { id: newId(), callback_id, before, earlier, ...answer, status, pause_s };
}

/**
 * Signs a callback and sends it, in the Standard Webhooks format (https://www.standardwebhooks.com). Attempts that
 * cannot be signed, or whose body cannot be read, count like any others; otherwise a lost key would cause endless
 * retries.
 */
async function deliverSigned(deliver: Deliver, log: Logger, callback: Due, at: Date, sign: Sign): Promise<Attempted> {
  let headers: Record<string, string>;
  try {
    headers = await headersOf(callback, at, sign);
  } catch (err) {
    const { id: callback_id, user_id } = callback;
    log.error({ err, callback_id, user_id }, 'no key of SECRETS_KEY decrypts a callback, or the secret that signs it');
    return NOT_SIGNED;
  }
  // A span below the request that caused the callback; the receiver gets its `traceparent`.
  return continueTrace(callback.traceparent, () =>
    traced(`callback ${callback.type}`, SpanKind.CLIENT, {}, () => {
      const traceparent = currentTraceparent();
      return deliver(callback.url, { ...headers, ...(traceparent !== null && { traceparent }) }, callback.payload);
    }),
  );
}

async function headersOf({ id, user_id, payload }: Due, at: Date, sign: Sign): Promise<Record<string, string>> {
  return {
    'content-type': 'application/json',
    'user-agent': 'Switchboard',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': await sign(user_id, id, at, payload),
  };
}
