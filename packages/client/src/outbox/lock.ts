import type { DatabaseSync } from 'node:sqlite';

const SQLITE_BUSY = 5;

/**
 * Locks a file for this process and returns a function that unlocks it; `held` while another process holds the lock,
 * `unsupported` without `node:sqlite` (Node.js before 22.13, Bun). Throws on a file system without locks. It is
 * SQLite's lock on an empty database, as on the service's data directory: the kernel keeps it while the process is
 * paused and releases it when the process ends, however it ends.
 */
export async function lockFile(file: string): Promise<(() => void) | 'held' | 'unsupported'> {
  const sqlite = await import('node:sqlite').catch(() => null);
  if (!sqlite) return 'unsupported';
  let lock: DatabaseSync | undefined;
  try {
    lock = new sqlite.DatabaseSync(file, { timeout: 0 });
    lock.exec('begin exclusive');
    return () => lock?.close();
  } catch (error) {
    lock?.close();
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return 'held';
    throw error;
  }
}
