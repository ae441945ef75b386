import { sql } from 'kysely';
import { type Clock, systemClock } from '../lib/clock.ts';
import { repeat } from '../lib/repeat.ts';
import type { Db } from './tables.ts';

/** Clock drift between two polls is far below a millisecond. */
const ASK_EVERY_MS = 5_000;
/** The fastest response of these is the most accurate. */
const FIRST_QUESTIONS = 5;

/** Polls the source periodically until `stop`. */
export interface DatabaseClock extends Clock {
  /** Milliseconds by which this machine's clock is ahead of the database's. */
  aheadMs(): number;
  stop(): Promise<void>;
}

/** Reads the time from the database's clock. */
export async function readTime(db: Db): Promise<Date> {
  return new Date(await readMs(db));
}

/** The database's clock, shared by all replicas. */
export function openDatabaseClock(db: Db): Promise<DatabaseClock> {
  return followClock(() => readMs(db), ASK_EVERY_MS);
}

/**
 * A clock that polls a source: the last time it returned, plus the time elapsed on this process's monotonic clock.
 * Reading it needs no query, and changing this machine's clock does not affect it. It keeps running while the source
 * is unavailable.
 */
export async function followClock(ask: () => Promise<number>, everyMs: number): Promise<DatabaseClock> {
  let offset = 0;

  // The source read its clock at some point between query and response, so slow responses correct little.
  async function bounds() {
    const asked = performance.now();
    const databaseMs = await ask();
    return { min: databaseMs - performance.now(), max: databaseMs - asked };
  }

  async function correct(): Promise<void> {
    const { min, max } = await bounds();
    offset = Math.min(Math.max(offset, min), max);
  }

  const first = await bounds();
  offset = (first.min + first.max) / 2;
  for (let times = 1; times < FIRST_QUESTIONS; times++) await correct();
  // Other code reports that the database is unavailable.
  const corrections = repeat(() => correct().catch(() => {}), everyMs, systemClock);
  corrections.start();
  const now = () => new Date(offset + performance.now());
  return {
    now,
    sleep: systemClock.sleep,
    aheadMs: () => Math.round(Date.now() - now().getTime()),
    stop: corrections.stop,
  };
}

async function readMs(db: Db): Promise<number> {
  const { rows } = await sql<{ ms: number }>`
    select (extract(epoch from clock_timestamp()) * 1000)::double precision as ms`.execute(db);
  return (rows[0] as { ms: number }).ms;
}
