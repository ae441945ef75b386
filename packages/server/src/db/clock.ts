import { sql } from 'kysely';
import { type Clock, systemClock } from '../lib/clock.ts';
import { repeat } from '../lib/repeat.ts';
import type { Db } from './tables.ts';

/** Oscillators of two machines drift apart by far less than a millisecond meanwhile. */
const ASK_EVERY_MS = 5_000;
/** The quickest of these is the most accurate. */
const FIRST_QUESTIONS = 5;

/** Asks now and then until `stop`. */
export interface DatabaseClock extends Clock {
  /** How far this machine's clock is ahead of the database's. Milliseconds. */
  aheadMs(): number;
  stop(): Promise<void>;
}

/** The time by the database's clock. */
export async function readTime(db: Db): Promise<Date> {
  return new Date(await readMs(db));
}

/** The database's clock, which all replicas share. */
export function openDatabaseClock(db: Db): Promise<DatabaseClock> {
  return followClock(() => readMs(db), ASK_EVERY_MS);
}

/**
 * A clock that polls a source: the last time it gave, plus the time since then by this process's monotonic clock.
 * Reading it needs no query, and setting this machine's clock does not move it. It keeps running while the source gives
 * no answer.
 */
export async function followClock(ask: () => Promise<number>, everyMs: number): Promise<DatabaseClock> {
  let offset = 0;

  // The time was read between the query and its response: a slow response leaves open when, and corrects little.
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
  // A database that is away is noticed elsewhere.
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
