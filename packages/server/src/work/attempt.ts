import type { Db } from '../db/tables.ts';
import { createBatcher } from '../lib/batcher.ts';
import type { Clock } from '../lib/clock.ts';
import type { Logger } from '../lib/log.ts';
import type { Metrics } from '../lib/metrics.ts';
import { maskPhoneNumbers } from '../lib/phone.ts';
import { type Kind, leaseOf, parsePayload } from './kinds.ts';
import { type Held, renewLeases, type Settled, settleWork } from './store.ts';

interface Deps {
  db: Db;
  clock: Clock;
  log: Logger;
  metrics: Metrics;
  /** Fires when the process stops: work lets go when it renews its lease. */
  stopping: AbortSignal;
}

const FIRST_PAUSE_MS = 5_000;
const MAX_PAUSE_MS = 10 * 60_000;
/** Characters of an error that are stored. */
const MAX_ERROR = 500;
const LIMITS = { batch_size: 500, queue_depth: 1_000_000, concurrency: 1 };

/** Another process may have the lease, or this one is stopping. */
const INTERRUPTED = new Error('the lease on this work was lost, or the process is stopping');

/** One attempt at held work: does it, and records the outcome together with those of others. */
export function createAttempt({ db, clock, log, metrics, stopping }: Deps) {
  const settle = createBatcher<Settled, void>({
    runBatch: async (settled) => {
      await settleWork(db, settled);
      return settled.map(() => undefined);
    },
    limits: LIMITS,
  });
  const later = (ms: number) => new Date(clock.now().getTime() + ms);

  /** Throws the error of the work once the outcome is recorded. */
  async function attempt(held: Held, kind: Kind): Promise<void> {
    const { key, attempts } = held;
    const lease = { ...held, leaseMs: leaseOf(kind) };
    const renew = async () => {
      if (stopping.aborted || (await renewLeases(db, [lease])).length === 0) throw INTERRUPTED;
    };
    try {
      const payload = kind.payload ? parsePayload(kind.payload, held.payload) : held.payload;
      const again = await kind.run({ key, payload, attempts, renew });
      const due_at = kind.everyMs === undefined ? again : later(kind.everyMs);
      metrics.workAttempts.inc({ kind: held.kind, outcome: 'done' });
      await record(held, { attempts: 0, due_at, last_error: null });
    } catch (error) {
      if (error === INTERRUPTED) return letGo(held);
      await retryLater(held, error);
      throw error;
    }
  }

  /** Lets another process go on. Changes nothing if one already does. */
  function letGo(held: Held): Promise<void> {
    return record(held, { attempts: held.attempts - 1, due_at: clock.now(), last_error: held.last_error });
  }

  async function retryLater(held: Held, err: unknown): Promise<void> {
    const { kind, key, attempts } = held;
    metrics.workAttempts.inc({ kind, outcome: 'failed' });
    log.error({ err, kind, key, attempts }, 'work failed; it will be retried');
    const due_at = later(Math.min(FIRST_PAUSE_MS * 2 ** (attempts - 1), MAX_PAUSE_MS));
    await record(held, { attempts, due_at, last_error: textOf(err) });
  }

  /** An outcome that cannot be recorded is lost: once the lease has expired, the work is done again. */
  async function record({ id, kind, key, lease_token }: Held, outcome: Omit<Settled, 'id' | 'lease_token'>) {
    await settle({ id, lease_token, ...outcome }).catch((err: unknown) =>
      log.error({ err, kind, key }, 'the outcome of work was not recorded; it will be repeated'),
    );
  }

  return attempt;
}

/** The message of an error as it is stored: shortened, and without phone numbers. */
export function textOf(error: unknown): string {
  return maskPhoneNumbers(error instanceof Error ? error.message : String(error)).slice(0, MAX_ERROR);
}
