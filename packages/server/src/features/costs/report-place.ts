import { createHash } from 'node:crypto';
import type { ReportGroup } from './report-schema.ts';
import { isPeriod, type ReportFilter } from './report-store.ts';

/** A place between two groups of a report, with the sums that its first page gave: no other page adds them up. */
export interface Place {
  total_cost: string;
  events: number;
  after: string[];
}

/** The key of a place, from which a cursor is made. */
export function placeKey({ total_cost, events, after }: Place, filter: ReportFilter, groups: ReportGroup[]): string {
  return JSON.stringify([fingerprint(filter, groups), total_cost, events, after]);
}

/** Whether a cursor names a place in this report: the sums of another one would be wrong in it. */
export function isPlaceOf(key: string, filter: ReportFilter, groups: ReportGroup[]): boolean {
  try {
    const parts: unknown = JSON.parse(key);
    if (!Array.isArray(parts) || parts.length !== 4 || parts[0] !== fingerprint(filter, groups)) return false;
    const [, total_cost, events, after] = parts;
    const isText = (text: unknown, index: number) =>
      typeof text === 'string' &&
      text.isWellFormed() &&
      !text.includes('\0') &&
      (!isPeriod(groups[index]) || isDay(text));
    const isSums = /^-?\d+(\.\d+)?$/.test(total_cost) && Number.isSafeInteger(events);
    return isSums && Array.isArray(after) && after.length === groups.length && after.every(isText);
  } catch {
    return false;
  }
}

/** A day of the years that PostgreSQL and ISO 8601 both write with four digits. */
function isDay(text: string): boolean {
  return /^(?!0000)\d{4}-\d\d-\d\d$/.test(text) && new Date(text).toISOString().startsWith(text);
}

/** The place that a key names, after `isPlaceOf` has found it good. */
export function readPlace(key: string): Place {
  const [, total_cost, events, after] = JSON.parse(key);
  return { total_cost, events, after };
}

function fingerprint(filter: ReportFilter, groups: ReportGroup[]): string {
  const { user_id, days, as_of, agent_id, provider, model, event_type, direction } = filter;
  const all = [groups, user_id, days.from, days.to, as_of, agent_id, provider, model, event_type, direction];
  return createHash('sha256').update(JSON.stringify(all)).digest('base64url').slice(0, 16);
}
