import { createHash } from 'node:crypto';
import type { ReportGroup } from './report-schema.ts';
import { isPeriod, type ReportFilter } from './report-store.ts';

/**
 * A position between two groups of a report, with the sums of its first page, which later pages do not compute again.
 */
export interface Place {
  total_cost: string;
  events: number;
  after: string[];
}

/** The cursor key of a position. */
export function placeKey({ total_cost, events, after }: Place, filter: ReportFilter, groups: ReportGroup[]): string {
  return JSON.stringify([fingerprint(filter, groups), total_cost, events, after]);
}

/** Whether a cursor belongs to this report: the sums of another one would be wrong. */
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

/** A day in the years that PostgreSQL and ISO 8601 both write with four digits. */
function isDay(text: string): boolean {
  return /^(?!0000)\d{4}-\d\d-\d\d$/.test(text) && new Date(text).toISOString().startsWith(text);
}

/** The position of a key that `isPlaceOf` has accepted. */
export function readPlace(key: string): Place {
  const [, total_cost, events, after] = JSON.parse(key);
  return { total_cost, events, after };
}

function fingerprint(filter: ReportFilter, groups: ReportGroup[]): string {
  const { user_id, days, as_of, agent_id, agent_version, provider, model, event_type, direction, purpose } = filter;
  const of = [user_id, days.from, days.to, as_of, agent_id, provider, model, event_type, direction];
  // Left out where it does not filter, so that cursors of before stay valid.
  const all = [
    groups,
    ...of,
    ...(agent_version === null ? [] : [agent_version]),
    ...(purpose === 'call' ? [] : [purpose]),
  ];
  return createHash('sha256').update(JSON.stringify(all)).digest('base64url').slice(0, 16);
}
