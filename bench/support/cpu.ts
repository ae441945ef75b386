import { readdirSync, readFileSync } from 'node:fs';
import { query } from '@switchboard/testkit/postgres.ts';

/** proc(5)'s stat counts in hundredths of a second. */
const TICK_MS = 10;

interface Stat {
  parent: number;
  /** Processor time in user and system mode, in milliseconds, and that of its children that have ended. */
  own: number;
  ended: number;
}

/** Null for a process that has ended. */
function statOf(pid: number): Stat | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const ms = (first: number) => ((fields[first] ?? 0) + (fields[first + 1] ?? 0)) * TICK_MS;
    return { parent: fields[1] ?? 0, own: ms(11), ended: ms(13) };
  } catch {
    return null;
  }
}

/** Processor time of a process, in milliseconds. */
export function cpuMs(pid: number): number {
  return statOf(pid)?.own ?? 0;
}

/** A process and all that it has started, and they. */
export function familyOf(pid: number): number[] {
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && statOf(Number(name))?.parent === pid)
    .map(Number);
  return [pid, ...children.flatMap(familyOf)];
}

/** Processor time of all processes of the PostgreSQL server at `url`, in milliseconds. */
export async function postgresCpuMs(url: string): Promise<number> {
  // One of the processes that the server itself keeps.
  const [one] = await query<{ pid: number }>(
    url,
    "select pid from pg_stat_activity where backend_type = 'checkpointer'",
  );
  const server = statOf(one?.pid ?? 0)?.parent ?? 0;
  const { own = 0, ended = 0 } = statOf(server) ?? {};
  return readdirSync('/proc').reduce((sum, name) => {
    const process = /^\d+$/.test(name) ? statOf(Number(name)) : null;
    return process?.parent === server ? sum + process.own : sum;
  }, own + ended);
}
