import type { AnalysisBackfillCreate } from '@switchboard/client';
import { dayOf, startOfDay } from './day.ts';

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
  const start = from === '' ? '' : startOfDay(from);
  const end = to === '' ? '' : startOfDay(to, 1);
  if (start === null || end === null) return { wanted: null, problem: 'The year of a day has four digits.' };
  const filter = {
    ...(agent_id && { agent_id }),
    ...(agent_version && { agent_version: version }),
    ...(direction && { direction: direction as 'INBOUND' }),
    ...(start && { from: start }),
    ...(end && { to: end }),
  };
  return { wanted: extractor ? { extractor, filter } : null, problem: null };
}

/** The first, or the last, day of a filter. */
export const firstDay = (from: string) => dayOf(from);
export const lastDay = (to: string) => dayOf(Date.parse(to) - 1);
