import type { LogEvent } from 'kysely';

/** Kysely's log event: the query's text with placeholders, its duration, and its error. */
export type OnQuery = (event: LogEvent) => void;

/**
 * Two segments of the log: with less left, the embedded database could stop for good in the middle of a transaction.
 */
const RESERVE_BYTES = 32e6;
const LOOK_EVERY_MS = 1_000;
/** After a refusal, the disk counts as full this long: what is refused next proves that it still is. */
const REMEMBERED_MS = 30_000;

/** Whether the database refused to write because its disk is full. */
export function isDiskFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '53100';
}

/** Knows from the queries that fail, and from the free space where that can be asked for, whether the disk is full. */
export function watchDisk(freeBytes?: () => Promise<number | null>, onQuery?: OnQuery) {
  let refusedAt = Number.NEGATIVE_INFINITY;
  let isLow = false;
  const look = async () => {
    const free = (await freeBytes?.()) ?? Number.POSITIVE_INFINITY;
    isLow = free < RESERVE_BYTES;
  };
  const looking = freeBytes && setInterval(() => void look(), LOOK_EVERY_MS).unref();
  return {
    /** Hears of all queries, as Kysely's log, and passes them on to `onQuery`. */
    log(event: LogEvent): void {
      if (event.level === 'error' && isDiskFull(event.error)) refusedAt = performance.now();
      onQuery?.(event);
    },
    isFull: () => isLow || performance.now() - refusedAt < REMEMBERED_MS,
    stop: () => clearInterval(looking),
  };
}
