import type { AnalysisBackfillCreate } from '@switchboard/client';

/** Calls to be analysed, as typed; '' for any. Days are of the viewer's time zone, and both are included. */
export interface BackfillChoice {
  extractor: string;
  agent_id: string;
  agent_version: string;
  direction: string;
  from: string;
  to: string;
}

/** The request, or the reason why there is none. */
export function toBackfill(choice: BackfillChoice): { wanted: AnalysisBackfillCreate | null; problem: string | null } {
  const { extractor, agent_id, agent_version, direction, from, to } = choice;
  const version = Number(agent_version);
  if (agent_version !== '' && (!Number.isInteger(version) || version < 1))
    return { wanted: null, problem: 'A version is a whole number from 1.' };
  if (from !== '' && to !== '' && from > to)
    return { wanted: null, problem: 'The first day is after the last: no call matches.' };
  const filter = {
    ...(agent_id && { agent_id }),
    ...(agent_version && { agent_version: version }),
    ...(direction && { direction: direction as 'INBOUND' }),
    ...(from && { from: midnight(from, 0) }),
    ...(to && { to: midnight(to, 1) }),
  };
  return { wanted: extractor ? { extractor, filter } : null, problem: null };
}

const DAY = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric' });

/** The first, or the last, day of a filter. */
export const firstDay = (from: string) => DAY.format(new Date(from));
export const lastDay = (to: string) => DAY.format(new Date(Date.parse(to) - 1));

/** The beginning of a day, or of one some days later, in the viewer's time zone. */
function midnight(day: string, later: number): string {
  const date = new Date(`${day}T00:00:00`);
  date.setDate(date.getDate() + later);
  return date.toISOString();
}
