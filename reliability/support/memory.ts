import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { ServiceProcess } from '@switchboard/testkit/service-process.ts';
import packageJson from '../../package.json' with { type: 'json' };

/** Settings of the C library in `npm start`: without them it keeps the memory of large bodies. */
export const MALLOC_SETTINGS: Record<string, string> = Object.fromEntries(
  packageJson.scripts.start.matchAll(/MALLOC_\w+=\d+/g).map(([one]) => one.split('=')),
);
/** Additional environment of the service, which `readMemory` needs. */
export const MEMORY_PROBED = { NODE_OPTIONS: `--import=${path.join(import.meta.dirname, 'memory-probe.ts')}` };

/** Memory of a process, in bytes. */
export interface Memory {
  rss: number;
  heapUsed: number;
  /** Committed by V8. */
  heapTotal: number;
  external: number;
  arrayBuffers: number;
  /** Allocated by V8 outside its heap. */
  malloced: number;
  /** The smallest heap after V8's own major collections since the previous query; null without one. */
  floor: number | null;
  /** Resident, of the C library's allocator: its main heap and the arenas of its threads. */
  mainHeap: number;
  arenas: number;
  /** Resident, of other memory without a file: V8's heap, and large blocks of the C library. */
  mapped: number;
}

/** The C library places the arenas of threads at multiples of this address (HEAP_MAX_SIZE of glibc). */
const ARENA_BYTES = 64 * 1024 * 1024;

/** Queries the service, one query at a time; with `collect`, after a garbage collection. */
export function readMemory({ child }: ServiceProcess, options: { collect: boolean }): Promise<Memory> {
  return new Promise((resolve) => {
    let text = '';
    const read = (chunk: Buffer) => {
      text += chunk;
      const line = /^\{"memory.*\}$/m.exec(text)?.[0];
      if (line === undefined) return;
      child.stderr?.off('data', read);
      resolve({ ...JSON.parse(line).memory, ...residentParts(child.pid) });
    };
    child.stderr?.on('data', read);
    child.stdin?.write(options.collect ? 'collect\n' : '\n');
  });
}

function residentParts(pid: number | undefined): Pick<Memory, 'mainHeap' | 'arenas' | 'mapped'> {
  const parts = { mainHeap: 0, arenas: 0, mapped: 0 };
  const maps = readFileSync(`/proc/${pid}/smaps`, 'latin1').matchAll(
    /^([0-9a-f]+)-[0-9a-f]+ \S+ \S+ \S+ \d+ *(.*)\n(?:.*\n)*?Rss: +(\d+) kB/gm,
  );
  for (const [, start = '', name, kilobytes] of maps) {
    if (name !== '' && name !== '[heap]') continue;
    const isArena = Number.parseInt(start, 16) % ARENA_BYTES === 0;
    const part = name === '[heap]' ? 'mainHeap' : isArena ? 'arenas' : 'mapped';
    parts[part] += Number(kilobytes) * 1024;
  }
  return parts;
}
