import { DAY_MS } from '../../lib/clock.ts';

/** A span of a local day, in minutes after midnight: `from` belongs to it, `to` does not. */
export interface Span {
  from: number;
  to: number;
}

/** The spans in which phones may ring on a local day, in any order. `date` is `YYYY-MM-DD`, `weekday` 0 for Sunday. */
export type Hours = (date: string, weekday: number) => readonly Span[];

const MINUTE_MS = 60_000;
/** Longest wait that is looked for: hours that do not open until then are taken for hours that never open. */
export const HORIZON_MS = 62 * DAY_MS;

/** By the name in lower case: users choose it, and the runtime takes any. */
const formats = new Map<string, Intl.DateTimeFormat>();
/** The last answer for each zone: calls that are placed together ask for the same minute. */
const latest = new Map<string, { minute: number; offset: number }>();

/** Whether the runtime's IANA data has this zone. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    formatOf(name);
    return true;
  } catch {
    return false;
  }
}

function formatOf(zone: string): Intl.DateTimeFormat {
  const name = zone.toLowerCase();
  const known = formats.get(name);
  if (known) return known;
  const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
  if (formats.size < 2_000) formats.set(name, format);
  return format;
}

/** Milliseconds that local time is ahead of UTC at this instant. */
function offsetAt(zone: string, at: number): number {
  const minute = Math.floor(at / MINUTE_MS);
  const name = zone.toLowerCase();
  const last = latest.get(name);
  if (last?.minute === minute) return last.offset;
  // "11/25/2026, GMT-03:30"; "GMT" alone for zero.
  const [, sign = '+', hours = '0', minutes = '0', seconds = '0'] =
    /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(formatOf(zone).format(at)) ?? [];
  const size = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000;
  const offset = sign === '-' ? -size : size;
  if (latest.size < 2_000 || last) latest.set(name, { minute, offset });
  return offset;
}

/** The local date and time at an instant, and minutes after midnight. */
export function localTime(zone: string, at: number) {
  const local = at + offsetAt(zone, at);
  const day = Math.floor(local / DAY_MS);
  const minute = (local - day * DAY_MS) / MINUTE_MS;
  return { ...dayOf(day), minute, text: new Date(local).toISOString().slice(11, 16) };
}

// 1970-01-01 was a Thursday.
const dayOf = (day: number) => ({
  day,
  date: new Date(day * DAY_MS).toISOString().slice(0, 10),
  weekday: (((day + 4) % 7) + 7) % 7,
});

/** Whether phones in this zone may ring at an instant. */
export function isOpen(zone: string, hours: Hours, at: number): boolean {
  const { date, weekday, minute } = localTime(zone, at);
  return hours(date, weekday).some(({ from, to }) => minute >= from && minute < to);
}

/**
 * The first instant, at or after `at`, at which phones in this zone may ring; null if there is none until `until`. Goes
 * by what clocks there show: a span that begins in the hour that a change of clocks skips begins with the change, and
 * one in the hour that is repeated is open twice.
 */
export function nextOpen(zone: string, hours: Hours, at: number, until: number): number | null {
  for (let now = at; now <= until; ) {
    const offset = offsetAt(zone, now);
    const { day, date, weekday, minute } = localTime(zone, now);
    const ahead = hours(date, weekday).filter(({ to }) => minute < to);
    const from = Math.min(...ahead.map((span) => span.from));
    if (from <= minute) return now;
    const next = (from === Number.POSITIVE_INFINITY ? (day + 1) * DAY_MS : day * DAY_MS + from * MINUTE_MS) - offset;
    now = offsetAt(zone, next) === offset ? next : changeBetween(zone, now, next);
  }
  return null;
}

/** The instant of the change of clocks between two, of which the later one is after it. */
function changeBetween(zone: string, before: number, after: number): number {
  const offset = offsetAt(zone, before);
  let [low, high] = [before, after];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetAt(zone, middle) === offset) low = middle;
    else high = middle;
  }
  return high;
}

/** Changes of clocks are further apart. */
const AROUND_MS = 2 * DAY_MS;

/**
 * The instants at which clocks in this zone show a local time, which is given as if it were UTC: the first and the
 * last, apart in an hour that is repeated. In one that is skipped both are the change of clocks.
 */
export function instantsOf(zone: string, local: number): { first: number; last: number } {
  const [before, after] = [local - AROUND_MS, local + AROUND_MS];
  const shown = [offsetAt(zone, before), offsetAt(zone, after)]
    .map((offset) => local - offset)
    .filter((at) => at + offsetAt(zone, at) === local);
  const all = shown.length > 0 ? shown : [changeBetween(zone, before, after)];
  return { first: Math.min(...all), last: Math.max(...all) };
}
