import { readFileSync } from 'node:fs';

/** Resident memory of a process: VmRSS of proc(5)'s status. */
export function residentMiB(pid: number | undefined): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}
