import { randomFillSync } from 'node:crypto';
import { v7, validate } from 'uuid';

const DAY_MS = 24 * 60 * 60 * 1000;
const BYTES = 16;
// Filled for many ids at once: asking for the random bytes of one takes longer than all else about it.
const pool = new Uint8Array(256 * BYTES);
let used = pool.length;
let last = { msecs: 0, seq: 0 };
let now = Date.now;
/** Ids do not follow a clock that is set back by less, so that they sort; by more, it was wrong before. */
const MAX_BEHIND_MS = 60_000;

/**
 * Has ids made at the time that `clock` tells, in milliseconds, instead of at that of this machine: what is kept by the
 * month is kept by its id.
 */
export function timeIds(clock: () => number): void {
  now = clock;
}

/** A new UUIDv7: ids of one process sort by the time they were made (RFC 9562, 6.2, method 1). */
export function newId(): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const random = pool.subarray(used, used + BYTES);
  used += BYTES;
  last = after(last, Math.floor(now()), random);
  return v7({ ...last, random });
}

/** A later millisecond begins anywhere in the lower half of the counter's 32 bits; one that is not later counts on. */
function after(before: typeof last, now: number, random: Uint8Array): typeof last {
  if (now > before.msecs || now < before.msecs - MAX_BEHIND_MS)
    return { msecs: now, seq: new DataView(random.buffer, random.byteOffset).getUint32(0) >>> 1 };
  const seq = (before.seq + 1) >>> 0;
  return { msecs: seq === 0 ? before.msecs + 1 : before.msecs, seq };
}

/** The least id that can have been made at this time: what was made before is less, what was made after is more. */
export function idsFrom(time: Date): string {
  return v7({ msecs: time.getTime(), seq: 0, random: new Uint8Array(16) });
}

/** Less than any id made after this one, by whatever process: their clocks differ by less than a day. */
export function idsSince(id: string): string {
  return idsFrom(new Date(Math.max(0, timeOf(id).getTime() - DAY_MS)));
}

/** When an id was made. */
export function timeOf(id: string): Date {
  return new Date(Number.parseInt(id.replace('-', '').slice(0, 12), 16));
}

/** Whether PostgreSQL's `uuid` type would take it; anything else cannot name a resource of ours. */
export function isId(value: string): boolean {
  return validate(value);
}
