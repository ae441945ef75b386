import { DAY_MS } from '../../lib/clock.ts';
import { type FieldProblem, InvalidFields } from '../../lib/invalid.ts';
import { instantsOf, isTimeZone } from '../policies/policies.ts';

/** Days ahead of now for which calls are scheduled. */
export const MAX_DAYS_AHEAD = 90;
/** An instant counts as missed after this time. */
const GRACE_MS = 3_600_000;

/** Fields of a request that say when to call. */
export interface When {
  at?: string | null | undefined;
  window?: { earliest: string; latest: string; time_zone?: string | null | undefined } | null | undefined;
  if_missed?: 'expire' | 'next_window' | null | undefined;
  if_not_now?: 'schedule' | null | undefined;
}

/** Local hours of one day, `YYYY-MM-DDTHH:MM`; with `next_window` the same hours of the following days as well. */
export interface Hours {
  earliest: string;
  latest: string;
  time_zone: string;
  if_missed: 'expire' | 'next_window';
}

/** When a call is placed: between `due_at` and `latest_at`, or in a later window before `expires_at`. */
export interface Plan {
  due_at: Date;
  latest_at: Date;
  expires_at: Date;
  hours: Hours | null;
}

const problem = (field: FieldProblem['field'], what: string, input?: unknown): FieldProblem => ({
  field,
  msg: `Input should be ${what}`,
  type: 'value_error',
  input,
});

/** Whether a request asks for a call at another time than now. */
export const isForLater = ({ at, window }: When): boolean => Boolean(at || window);

/**
 * The plan for a request that is for later. `zones` are those of the person, of which a window needs exactly one unless
 * it names another. Throws `InvalidFields`: for the past, for more than 90 days ahead, and for hours that never come.
 */
export function planOf(when: When, zones: readonly string[], now: Date): Plan {
  const { at, window, if_missed } = when;
  if (at && window) throw new InvalidFields(problem('window', 'absent beside `at`', window));
  const last = now.getTime() + MAX_DAYS_AHEAD * DAY_MS;
  if (window) return planOfWindow({ ...window, if_missed: if_missed ?? 'expire' }, zones, now.getTime(), last);
  if (if_missed) throw new InvalidFields(problem('if_missed', 'absent without `window`', if_missed));
  if (!at) throw new InvalidFields(problem('at', 'given, or `window`', at));
  const time = Date.parse(at);
  const wrong = beyond('at', time, now.getTime(), last, at);
  if (wrong) throw new InvalidFields(wrong);
  return planOfInstant(new Date(time), when.if_not_now === 'schedule', new Date(last));
}

/** The plan for one instant; `isOpen` if any later time that is allowed will do. */
export function planOfInstant(due_at: Date, isOpen: boolean, expires_at: Date): Plan {
  return { due_at, latest_at: isOpen ? expires_at : new Date(due_at.getTime() + GRACE_MS), expires_at, hours: null };
}

function beyond(field: FieldProblem['field'], time: number, now: number, last: number, input: unknown) {
  if (time <= now) return problem(field, 'in the future', input);
  return time > last ? problem(field, `within ${MAX_DAYS_AHEAD} days`, input) : null;
}

type Given = Omit<Hours, 'time_zone'> & { time_zone?: string | null | undefined };

function planOfWindow(given: Given, zones: readonly string[], now: number, last: number): Plan {
  const time_zone = zoneOf(given, zones);
  const [earliest, latest] = [localOf('earliest', given), localOf('latest', given)];
  if (latest <= earliest) throw new InvalidFields(problem(['window', 'latest'], 'later than `earliest`', given.latest));
  if (given.if_missed === 'next_window' && latest - earliest >= DAY_MS)
    throw new InvalidFields(problem('if_missed', '`expire` for a window of a day and more', given.if_missed));
  const hours = { ...given, time_zone };
  const span = spanOf(hours, 0);
  if (!span) throw new InvalidFields(problem('window', 'a time that clocks there show', given.earliest));
  const wrong =
    beyond(['window', 'latest'], span.to, now, Number.POSITIVE_INFINITY, given.latest) ??
    beyond(['window', 'earliest'], Math.max(span.from, now + 1), now, last, given.earliest);
  if (wrong) throw new InvalidFields(wrong);
  const expires_at = new Date(Math.max(last, span.to));
  return { due_at: new Date(Math.max(span.from, now)), latest_at: new Date(span.to), expires_at, hours };
}

function zoneOf({ time_zone }: Given, zones: readonly string[]): string {
  if (time_zone && !isTimeZone(time_zone))
    throw new InvalidFields(problem(['window', 'time_zone'], 'an IANA time zone', time_zone));
  const [only, ...others] = time_zone ? [time_zone] : zones;
  if (only === undefined || others.length > 0)
    throw new InvalidFields(problem(['window', 'time_zone'], 'given: that of the number is not certain'));
  return only;
}

function localOf(name: 'earliest' | 'latest', given: Given): number {
  const local = localTimeOf(given[name]);
  if (local === null) throw new InvalidFields(problem(['window', name], 'a date and a time of it', given[name]));
  return local;
}

/** A local time `YYYY-MM-DDTHH:MM` as if it were UTC, in milliseconds; null if there is no such time. */
export function localTimeOf(text: string): number | null {
  const local = Date.parse(`${text}Z`);
  return Number.isFinite(local) && new Date(local).toISOString().startsWith(text) ? local : null;
}

/** The window, `days` later than the first; null if clocks skip it. */
function spanOf({ earliest, latest, time_zone }: Hours, days: number): { from: number; to: number } | null {
  const shift = days * DAY_MS;
  const from = instantsOf(time_zone, Date.parse(`${earliest}Z`) + shift).first;
  const to = instantsOf(time_zone, Date.parse(`${latest}Z`) + shift).last;
  return from < to ? { from, to } : null;
}

/** The plan for a call that is not to be placed before `time`; null if that is too late. */
export function moveTo(plan: Plan, time: Date): Plan | null {
  if (time <= plan.latest_at) return { ...plan, due_at: time };
  const { hours, expires_at } = plan;
  if (hours?.if_missed !== 'next_window') return null;
  // Clocks are changed by a day at most.
  const first = Math.floor((time.getTime() - Date.parse(`${hours.latest}Z`)) / DAY_MS) - 2;
  for (let days = Math.max(0, first); days < first + 7 || days < 7; days++) {
    const span = spanOf(hours, days);
    if (!span || span.to < time.getTime()) continue;
    if (span.from > expires_at.getTime()) return null;
    return { ...plan, due_at: new Date(Math.max(span.from, time.getTime())), latest_at: new Date(span.to) };
  }
  return null;
}
