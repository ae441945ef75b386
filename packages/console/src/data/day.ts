/**
 * The beginning of a day (`2026-01-15`), or of one some days later, in the viewer's time zone, as an ISO time. Null if
 * it is no day: a field of the browser accepts years of more than four digits, and neither `Date` nor the service does.
 */
export function startOfDay(day: string, later = 0): string | null {
  const date = new Date(`${day}T00:00:00`);
  date.setDate(date.getDate() + later);
  // A day on which summer time begins at midnight has no midnight, and the days after it would begin late too.
  date.setHours(0, 0, 0, 0);
  return Number.isNaN(date.getTime()) || date.getFullYear() > 9999 ? null : date.toISOString();
}

const DAY = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric' });

/** The day of a time in the viewer's time zone, in words. */
export const dayOf = (time: string | number) => DAY.format(new Date(time));
