import { randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { AppError } from './errors.ts';

/** Texts up to this size stay in memory. */
const IN_MEMORY_BYTES = 1024 * 1024;
const READ_BYTES = 256 * 1024;
/** Seconds for `Retry-After`: some of the texts may have been read by then. */
export const RETRY_LATER_S = 5;

export type SpooledText = ReturnType<typeof createSpooledText>;

/**
 * A text that is read while it is written. Beyond a limit it is in a file, for which `reserve` may refuse the bytes.
 * The file is unlinked once it is open, so it disappears with the process. Fails with `no_temporary_space`.
 */
export function createSpooledText(reserve: (bytes: number) => void) {
  const memory: Buffer[] = [];
  const bytes = { inMemory: 0, reserved: 0, written: 0, read: 0 };
  let file: FileHandle | undefined;

  async function append(part: Buffer): Promise<void> {
    if (!file && bytes.inMemory + part.length <= IN_MEMORY_BYTES) {
      memory.push(part);
      bytes.inMemory += part.length;
      return;
    }
    reserve(part.length);
    bytes.reserved += part.length;
    file ??= await openNameless();
    bytes.written += await writeAll(file, part, bytes.written);
  }

  /** The next part. There must be one. */
  async function next(): Promise<Buffer> {
    const part = memory.shift();
    if (part) {
      bytes.inMemory -= part.length;
      return part;
    }
    const { bytesRead, buffer } = await (file as FileHandle).read(Buffer.alloc(READ_BYTES), 0, READ_BYTES, bytes.read);
    if (bytesRead === 0) throw new Error(`the file of a text ends at ${bytes.read} of ${bytes.written} bytes`);
    bytes.read += bytesRead;
    return buffer.subarray(0, bytesRead);
  }

  return {
    append,
    next,
    /** Whether there is a part to read at the moment. */
    hasNext: () => memory.length > 0 || bytes.read < bytes.written,
    /** The bytes that were reserved for it. */
    reserved: () => bytes.reserved,
    close: async () => file?.close(),
  };
}

async function openNameless(): Promise<FileHandle> {
  const name = path.join(tmpdir(), `switchboard-${randomUUID()}`);
  const file = await open(name, 'wx+', 0o600).catch(noRoom);
  await unlink(name);
  return file;
}

/** Writes all bytes and returns their number. A full disk writes the first part and rejects the rest. */
async function writeAll(file: FileHandle, bytes: Buffer, position: number): Promise<number> {
  let count = 0;
  while (count < bytes.length) {
    const { bytesWritten } = await file.write(bytes, count, bytes.length - count, position + count).catch(noRoom);
    if (bytesWritten === 0) noRoom(new Error(`the file of a text takes no more than ${position + count} bytes`));
    count += bytesWritten;
  }
  return count;
}

function noRoom(cause: unknown): never {
  throw new AppError('no_temporary_space', { cause, retry_after_s: RETRY_LATER_S });
}
