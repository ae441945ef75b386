import { randomFillSync } from 'node:crypto';
import { v7, validate } from 'uuid';
import { DAY_MS } from './clock.ts';

const BYTES = 16;
// Filled for many ids at once: requesting random bytes for each id would dominate its cost.
const pool = new Uint8Array(256 * BYTES);
let used = pool.length;
let last = { msecs: 0, seq: 0 };
let now = Date.now;
/** Ids stay ascending if the clock is set back by less than this; beyond it, the earlier time was wrong. */
const MAX_BEHIND_MS = 60_000;
/** The month before an id's own is read too, in case the clock was ahead when the id was created. */
const MAX_AHEAD_MS = 31 * DAY_MS;

/** Sets the clock for the time in ids, in milliseconds: tables partitioned by month rely on it. */
export function timeIds(clock: () => number): void {
  now = clock;
}

/** A new UUIDv7: ids of one process sort by creation time (RFC 9562, 6.2, method 1). */
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

/** A later millisecond starts anywhere in the lower half of the 32-bit counter; otherwise the counter increments. */
function after(before: typeof last, now: number, random: Uint8Array): typeof last {
  if (now > before.msecs || now < before.msecs - MAX_BEHIND_MS)
    return { msecs: now, seq: new DataView(random.buffer, random.byteOffset).getUint32(0) >>> 1 };
  const seq = (before.seq + 1) >>> 0;
  return { msecs: seq === 0 ? before.msecs + 1 : before.msecs, seq };
}

/** The lowest id for this time: earlier ids are less, later ones greater. Before 1970 there are none. */
export function idsFrom(time: Date): string {
  return v7({ msecs: Math.max(0, time.getTime()), seq: 0, random: new Uint8Array(16) });
}

/** The lowest id on the day (UTC) that is `after` days after `day`. */
export function idsOfDay(day: string, after: number): string {
  return idsFrom(new Date(Date.parse(day) + after * DAY_MS));
}

/**
 * Less than any id created after this one, as far as is known at `now`. An id of a clock that was ahead is greater than
 * those that were created once the clock was set right.
 */
export function idsSince(id: string, now: Date): string {
  const time = Math.min(timeOf(id).getTime(), now.getTime());
  return idsFrom(new Date(time - MAX_AHEAD_MS));
}

/** The time at which an id was created. */
export function timeOf(id: string): Date {
  return new Date(Number.parseInt(id.replace('-', '').slice(0, 12), 16));
}

/** An id as its 16 bytes. */
export function bytesOf(id: string): Buffer {
  return Buffer.from(id.replaceAll('-', ''), 'hex');
}

/** The id of these 16 bytes. */
export function idOfBytes(bytes: Buffer): string {
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** Whether PostgreSQL's `uuid` type accepts it; anything else cannot be the id of a resource. */
export const isId: (value: string) => boolean = validate;

/** An id in lower case, as it is stored as text, so that both cases are one id; any other text as it is. */
export const toStored = (text: string): string => (isId(text) ? text.toLowerCase() : text);
