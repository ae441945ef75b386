import { globSync } from 'node:fs';

/**
 * The environment of a process that takes another time for the machine's: `by` so much, as `+5s`, or by what the file
 * `from` says at the moment. Only the time of day is made up, as when somebody sets a clock; how long something takes
 * is not.
 */
export function wrongClock(which: { by: string } | { from: string }): Record<string, string> {
  const library = globSync('/usr/lib/*/faketime/libfaketimeMT.so.1')[0];
  if (!library) throw new Error('libfaketime is missing: apt-get install faketime');
  const fixed = { LD_PRELOAD: library, FAKETIME_DONT_FAKE_MONOTONIC: '1', NO_FAKE_STAT: '1' };
  if ('by' in which) return { ...fixed, FAKETIME: which.by };
  return { ...fixed, FAKETIME_TIMESTAMP_FILE: which.from, FAKETIME_NO_CACHE: '1' };
}
