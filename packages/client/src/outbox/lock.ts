import type { DatabaseSync } from 'node:sqlite';

const SQLITE_BUSY = 5;

/**
 * Locks a file for this process, and returns a function that unlocks it; null while another process holds it. It is
 * SQLite's lock on an empty database, because the runtime has no other: the kernel keeps it while the process is paused
 * and releases it when the process ends, however it ends. Undefined without `node:sqlite` (Node.js before 22.13, Bun).
 */
export async function lockFile(file: string): Promise<(() => void) | null | undefined> {
  const sqlite = await import('node:sqlite').catch(() => undefined);
  if (!sqlite) return undefined;
  let lock: DatabaseSync | undefined;
  try {
    lock = new sqlite.DatabaseSync(file, { timeout: 0 });
    lock.exec('begin exclusive');
    return () => lock?.close();
  } catch (error) {
    lock?.close();
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return null;
    throw error;
  }
}
