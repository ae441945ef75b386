import { useEffect, useState } from 'react';

const DAY = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });
const DAY_OF_YEAR = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric' });
const CLOCK = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });
const SECONDS = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit' });

const UTC_DAY = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' });
const UTC_MONTH = new Intl.DateTimeFormat(undefined, { month: 'short', year: 'numeric', timeZone: 'UTC' });

/** A day of a report, `2026-01-15`, formatted for display. Reports are in UTC. */
export const formatDay = (day: string) => UTC_DAY.format(Date.parse(day));

/** The month of such a day. */
export const formatMonth = (day: string) => UTC_MONTH.format(Date.parse(day));

/** A time in the viewer's time zone, with UTC on hover. */
export function Time({ at, precise = false }: { at: string | null; precise?: boolean }) {
  if (!at) return <span className="muted">–</span>;
  return (
    <time dateTime={at} title={`${at} (UTC)`} className="nowrap">
      {show(new Date(at), precise)}
    </time>
  );
}

function show(date: Date, precise: boolean): string {
  const now = new Date();
  const clock = precise ? SECONDS.format(date) : CLOCK.format(date);
  if (date.toDateString() === now.toDateString()) return clock;
  const day = date.getFullYear() === now.getFullYear() ? DAY : DAY_OF_YEAR;
  return `${day.format(date)}, ${clock}`;
}

/** The duration of a call as `1:05`, `1:02:03`, or `0.4 s` for less than a second. */
export function formatSeconds(seconds: number): string {
  if (seconds > 0 && seconds < 1) return `${Math.round(seconds * 10) / 10 || 0.1} s`;
  const whole = Math.floor(seconds);
  const [h, m, s] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const two = (value: number) => String(value).padStart(2, '0');
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

/** A duration; it counts up until the end. */
export function Duration({ seconds, since }: { seconds: number | null; since?: string | null }) {
  if (seconds !== null) return <span className="number">{formatSeconds(seconds)}</span>;
  if (!since) return <span className="muted">–</span>;
  return <Ticking since={since} />;
}

function Ticking({ since }: { since: string }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  // The service's clock may be ahead of this machine's.
  return <span className="number">{formatSeconds(Math.max(0, Math.floor((now - Date.parse(since)) / 1000)))}</span>;
}
