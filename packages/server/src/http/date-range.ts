import { type Static, Type } from 'typebox';
import { InvalidRequest } from '../lib/invalid.ts';

/** The query parameters of a report on a range of days. */
export const dateRange = {
  start_date: Type.Optional(Type.String({ format: 'date', description: 'First day, UTC, inclusive.' })),
  end_date: Type.Optional(Type.String({ format: 'date', description: 'Last day, UTC, inclusive.' })),
};

/** Days (UTC), both inclusive; null is unbounded. */
export interface Days {
  from: string | null;
  to: string | null;
}

/** Reads `start_date` and `end_date`. Throws `InvalidRequest` if the end is before the start. */
export function daysOf({ start_date, end_date }: Static<ReturnType<typeof Type.Object<typeof dateRange>>>): Days {
  if (start_date !== undefined && end_date !== undefined && start_date > end_date) {
    throw new InvalidRequest([
      { loc: ['query', 'end_date'], msg: 'Input should not be before start_date', type: 'date_before_start' },
    ]);
  }
  return { from: start_date ?? null, to: end_date ?? null };
}
