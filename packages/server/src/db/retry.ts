import { setTimeout as sleep } from 'node:timers/promises';
import { type AccessMode, Kysely, type KyselyConfig, type TransactionBuilder } from 'kysely';
import { runTransaction } from './after-commit.ts';
import type { Tables } from './tables.ts';

/**
 * PostgreSQL has rolled back the work because of a concurrent transaction, or because a busy machine has paused in it
 * for longer than is allowed; the same work succeeds when repeated.
 */
const CONFLICTS = { '40P01': 'deadlock', '40001': 'serialization_failure', '25P03': 'pause_timeout' } as const;
export type Conflict = (typeof CONFLICTS)[keyof typeof CONFLICTS];

/** Attempts before the error is passed on. */
export const ATTEMPTS = 8;
/** The pause before the second attempt is up to this long; before each further one up to twice as long. */
const FIRST_PAUSE_MS = 10;

/** Conflicts so far, by kind, and how many of them were passed on because no attempt succeeded. */
export type ConflictCounts = Record<Conflict, { repeated: number; given_up: number }>;

/** Repeats work that PostgreSQL has rolled back because of a conflict. */
export interface Retry {
  <T>(work: () => Promise<T>): Promise<T>;
  counts(): ConflictCounts;
}

export function createRetry(): Retry {
  const counts: ConflictCounts = {
    deadlock: { repeated: 0, given_up: 0 },
    serialization_failure: { repeated: 0, given_up: 0 },
    pause_timeout: { repeated: 0, given_up: 0 },
  };

  async function retry<T>(work: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await work();
      } catch (error) {
        const conflict = conflictOf(error);
        if (conflict === null) throw error;
        if (attempt === ATTEMPTS) {
          counts[conflict].given_up++;
          throw error;
        }
        counts[conflict].repeated++;
        // Random, or the same transactions would meet again.
        await sleep(Math.random() * FIRST_PAUSE_MS * 2 ** (attempt - 1));
      }
    }
  }

  return Object.assign(retry, { counts: () => counts });
}

/** The conflict because of which PostgreSQL has rolled back the work; null for any other error. */
export function conflictOf(error: unknown): Conflict | null {
  const code = error instanceof Error && 'code' in error ? (error.code as keyof typeof CONFLICTS) : null;
  return code === null ? null : (CONFLICTS[code] ?? null);
}

/**
 * Repeats a transaction from its start after a conflict. Its function must therefore have no lasting effect outside the
 * database, and must not depend on what an earlier attempt has left in variables around it.
 */
export class RetryingKysely extends Kysely<Tables> {
  readonly #retry: Retry;

  constructor(config: KyselyConfig, retry: Retry) {
    super(config);
    this.#retry = retry;
  }

  override transaction(): TransactionBuilder<Tables> {
    return repeatable(super.transaction(), this.#retry);
  }
}

function repeatable(builder: TransactionBuilder<Tables>, retry: Retry): TransactionBuilder<Tables> {
  const [execute, setIsolationLevel, setAccessMode] = [
    builder.execute.bind(builder),
    builder.setIsolationLevel.bind(builder),
    builder.setAccessMode.bind(builder),
  ];
  return Object.assign(builder, {
    execute: ((work) => retry(() => runTransaction(execute, work))) as typeof execute,
    setIsolationLevel: ((level) => repeatable(setIsolationLevel(level), retry)) as typeof setIsolationLevel,
    // Read-only transactions are exports, which have sent their first rows by the time they fail.
    setAccessMode: (mode: AccessMode) => {
      const changed = setAccessMode(mode);
      return mode === 'read only' ? changed : repeatable(changed, retry);
    },
  });
}
