import { globSync } from 'node:fs';

/**
 * The environment of a process whose clock is wrong: by `by`, such as `+5s`, or by the current content of the file
 * `from`. Only the time of day is changed, as if an administrator had set the clock; measured durations
 * are not.
 */
export function wrongClock(which: { by: string } | { from: string }): Record<string, string> {
  const library = globSync('/usr/lib/*/faketime/libfaketimeMT.so.1')[0];
  if (!library) throw new Error('libfaketime is missing: apt-get install faketime');
  const fixed = { LD_PRELOAD: library, FAKETIME_DONT_FAKE_MONOTONIC: '1', NO_FAKE_STAT: '1' };
  if ('by' in which) return { ...fixed, FAKETIME: which.by };
  return { ...fixed, FAKETIME_TIMESTAMP_FILE: which.from, FAKETIME_NO_CACHE: '1' };
}
