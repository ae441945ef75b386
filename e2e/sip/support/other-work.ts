import { readdirSync, readFileSync } from 'node:fs';
import { cpus } from 'node:os';

/** Clock ticks in proc(5)'s stat: 100 a second on every architecture that we know. */
const TICK_MS = 10;

/**
 * Starts to measure; returns what tells the part of all processors' time, from 0 to 1, that went to processes outside
 * the suite's process namespace since.
 */
export function measureOtherWork(): () => number {
  const begun = { ...machineMs(), own: ownMs() };
  return () => {
    const now = { ...machineMs(), own: ownMs() };
    const other = now.busy - begun.busy - (now.own - begun.own);
    return Math.max(0, other / (now.all - begun.all));
  };
}

function machineMs(): { busy: number; all: number } {
  const all = cpus().map(({ times: { user, nice, sys, irq, idle } }) => ({ busy: user + nice + sys + irq, idle }));
  const sum = (values: number[]) => values.reduce((one, other) => one + other, 0);
  const busy = sum(all.map((times) => times.busy));
  return { busy, all: busy + sum(all.map(({ idle }) => idle)) };
}

/** Milliseconds that all processes here have used, with their children that have ended. */
function ownMs(): number {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.reduce((sum, pid) => sum + usedTicks(pid), 0) * TICK_MS;
}

/** Fields 14 to 17 of proc(5)'s stat; 0 when the process has gone. */
function usedTicks(pid: string): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0);
  } catch {
    return 0;
  }
}
