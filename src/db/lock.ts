import { linkSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync, utimes, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Another live process works on this directory. */
export class DirectoryLockedError extends Error {
  constructor(dir: string, pid: number) {
    super(`${path.resolve(dir)} is in use by process ${pid}. Stop that process, or set DATA_DIR to another directory.`);
    this.name = 'DirectoryLockedError';
  }
}

interface Holder {
  generation: number;
  pid: number;
  started: string | null;
  /** Process numbers mean something inside one PID namespace (a container) only. */
  namespace: string | null;
}

/** A living holder touches its lock this often; where its process cannot be seen, that is what tells it from a dead one. */
const HEARTBEAT_MS = 2_000;
const SILENT_AFTER_MS = 15_000;

/**
 * Locks `dir` for this process and returns how to unlock it. Throws `DirectoryLockedError` while a live process holds it.
 *
 * The lock is the file `lock.<n>` with the highest n. A dead holder's lock is never removed before its successor stands:
 * whoever finds lock n dead creates lock n+1 exclusively, so that of two that find it only one succeeds.
 */
export function lockDirectory(dir: string): () => void {
  const draft = path.join(dir, `lock-draft.${process.pid}`);
  writeFileSync(draft, JSON.stringify({ pid: process.pid, started: startOf(process.pid), namespace: pidNamespace() }));
  try {
    for (;;) {
      const [newest] = holders(dir);
      if (newest && isAlive(dir, newest)) throw new DirectoryLockedError(dir, newest.pid);
      const generation = (newest?.generation ?? 0) + 1;
      if (!createExclusively(draft, lockFile(dir, generation))) continue;
      const [first, ...older] = holders(dir);
      if (first?.generation !== generation || older.some((old) => isAlive(dir, old))) {
        // Slow to create, we took the number of a lock that had come and gone; somebody else holds the directory.
        rmSync(lockFile(dir, generation), { force: true });
        continue;
      }
      for (const old of older) rmSync(lockFile(dir, old.generation), { force: true });
      return hold(lockFile(dir, generation));
    }
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Keeps the lock fresh until it is given up. */
function hold(file: string): () => void {
  const heartbeat = setInterval(() => utimes(file, new Date(), new Date(), () => {}), HEARTBEAT_MS).unref();
  return () => {
    clearInterval(heartbeat);
    rmSync(file, { force: true });
  };
}

function lockFile(dir: string, generation: number): string {
  return path.join(dir, `lock.${generation}`);
}

// A link, unlike an exclusive open, appears together with its content, so no reader ever meets an empty lock.
function createExclusively(draft: string, file: string): boolean {
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** All locks of the directory, the newest first. */
function holders(dir: string): Holder[] {
  return readdirSync(dir)
    .flatMap((name) => /^lock\.(\d+)$/.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => b - a)
    .flatMap((generation) => {
      try {
        const { pid, started, namespace } = JSON.parse(readFileSync(lockFile(dir, generation), 'utf8'));
        return [{ generation, pid, started, namespace }];
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
        throw error;
      }
    });
}

// The start time tells a live holder from a process that was given a dead holder's number, as happens in containers.
function isAlive(dir: string, { generation, pid, started, namespace }: Holder): boolean {
  if (namespace !== pidNamespace()) return isFresh(lockFile(dir, generation));
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  return started === null || started === startOf(pid);
}

/** When a process started, in clock ticks since boot (proc(5), field 22), or null where there is no /proc. */
function startOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    return null;
  }
}

function isFresh(file: string): boolean {
  const { mtimeMs } = statSync(file, { throwIfNoEntry: false }) ?? { mtimeMs: 0 };
  return Date.now() - mtimeMs < SILENT_AFTER_MS;
}

/** Linux's name for the PID namespace of this process, or null where there is none. */
function pidNamespace(): string | null {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return null;
  }
}
