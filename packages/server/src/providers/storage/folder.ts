import { mkdir, open, rename, rm, rmdir, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { AppError } from '../../lib/errors.ts';
import type { Finding } from '../diagnosis.ts';
import { diagnoseStorage } from './diagnose.ts';
import type { Storage } from './storage.ts';

/** Objects as files in a folder of this machine, or one that several machines have mounted. */
export function createFolderStorage(dir: string): Storage {
  const root = path.resolve(dir);

  function at(key: string): string {
    const file = path.resolve(root, key);
    if (!file.startsWith(root + path.sep)) throw new Error(`"${key}" is outside of the storage`);
    return file;
  }

  async function put(key: string, bytes: Uint8Array): Promise<void> {
    const file = at(key);
    const part = `${file}.part`;
    await makeFolder(path.dirname(file), root);
    try {
      const handle = await open(part, 'w', 0o600);
      try {
        await handle.writeFile(bytes);
        await handle.sync();
      } finally {
        await handle.close();
      }
      const { size } = await stat(part);
      if (size !== bytes.length) throw new Error(`${size} of ${bytes.length} bytes were written`);
      await rename(part, file);
    } catch (error) {
      await rm(part, { force: true }).catch(() => {});
      throw error;
    }
    await flushFolder(path.dirname(file));
  }

  async function read(key: string, range?: { start: number; end: number }): Promise<Readable> {
    // Opened before anything is sent, so that a missing file is an error and no empty response.
    const handle = await open(at(key), 'r');
    return handle.createReadStream(range);
  }

  /** Moves the folder away first: whoever still adds to it finds none. One that a killed process has left goes, too. */
  async function removeAll(folder: string): Promise<void> {
    const moved = `${folder}.deleted`;
    await rm(moved, { recursive: true, force: true });
    await rename(folder, moved).catch(ignoreMissing);
    await rm(moved, { recursive: true, force: true });
  }

  const methods: Omit<Storage, 'diagnose'> = {
    name: `the folder ${root}`,
    put: (key, bytes) => orUnavailable(put(key, bytes)),
    read: (key, range) => orUnavailable(read(key, range)),
    removeAll: (folder) => orUnavailable(removeAll(at(folder))),
  };

  async function diagnose(): Promise<Finding> {
    const made = await mkdir(root, { recursive: true, mode: 0o700 }).catch(() => undefined);
    const finding = await diagnoseStorage(methods, 'Set RECORDINGS_DIR to a directory that the service can write to.');
    // The service may run as another user than the doctor, and could not write to a folder that was made here.
    if (made !== undefined) await removeEmpty(root, made).catch(() => {});
    return finding;
  }

  return { ...methods, diagnose };
}

/** Removes a folder and those around it, up to `top`; fails at the first one that is not empty. */
async function removeEmpty(dir: string, top: string): Promise<void> {
  await rmdir(dir);
  if (dir !== top) await removeEmpty(path.dirname(dir), top);
}

/** A new folder survives a power failure only if the one around it was flushed. */
async function makeFolder(dir: string, root: string): Promise<void> {
  const made = await mkdir(dir, { recursive: true, mode: 0o700 });
  if (made !== undefined && dir !== root) await flushFolder(path.dirname(dir));
}

async function flushFolder(dir: string): Promise<void> {
  const handle = await open(dir, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function orUnavailable<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    const code = (cause as { code?: string }).code ?? 'error';
    throw new AppError('provider_unavailable', { detail: `The storage of recordings failed (${code}).`, cause });
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}
