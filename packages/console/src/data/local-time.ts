/** A time by this machine's clock, as a `datetime-local` element takes it: `2026-01-15T09:30`. */
export function localTime(at: Date): string {
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** The instant of such a time; null for an empty or incomplete one. */
export function instantOf(local: string): string | null {
  const at = new Date(local);
  return Number.isNaN(at.getTime()) ? null : at.toISOString();
}
