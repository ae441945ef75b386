import { randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { AppError } from './errors.ts';

/** Disk space of all unread texts of a process. */
export const MAX_SPOOLED_BYTES = 512 * 1024 * 1024;
/** Concurrent writers: each holds a database connection. */
export const MAX_CONCURRENT_WRITERS = 2;
/** Texts up to this size stay in memory. */
const IN_MEMORY_BYTES = 1024 * 1024;
const READ_BYTES = 256 * 1024;
/** Seconds for `Retry-After`: some of the texts may have been read by then. */
const RETRY_LATER_S = 5;

/** Writes a text in any number of parts; `push` rejects once nobody reads it. */
type Write = (push: (text: string) => Promise<void>) => Promise<void>;
/** Ends the text when its reader is `gone`; the generator ends after its writer. */
type Spool = (write: Write, gone: AbortSignal) => AsyncGenerator<Buffer>;

/**
 * Decouples a fast writer from a slow reader: unread data is spooled to a file, so that the writer need not hold a
 * database snapshot. The file is unlinked once it is open, so it disappears with the process. A text beyond
 * `maxBytes` fails with `too_many_exports`, one that exceeds the disk with `no_temporary_space`.
 */
export function createSpool(maxBytes = MAX_SPOOLED_BYTES): Spool {
  const waiting = new Set<() => void>();
  let writing = 0;
  let spooled = 0;

  /** Rejects while waiting if the reader is gone. */
  async function inTurn(write: () => Promise<void>, gone: AbortSignal): Promise<void> {
    gone.throwIfAborted();
    if (writing === MAX_CONCURRENT_WRITERS) await ownTurn(gone);
    else writing += 1;
    try {
      gone.throwIfAborted();
      await write();
    } finally {
      const [next] = waiting;
      if (next) next();
      else writing -= 1;
    }
  }

  function ownTurn(gone: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = () => {
        waiting.delete(begin);
        resolve();
      };
      waiting.add(begin);
      gone.addEventListener('abort', () => {
        if (waiting.delete(begin)) reject(gone.reason);
      });
    });
  }

  function reserve(bytes: number): void {
    if (spooled + bytes > maxBytes) throw new AppError('too_many_exports', { retry_after_s: RETRY_LATER_S });
    spooled += bytes;
  }

  return async function* spool(write, gone) {
    const memory: Buffer[] = [];
    const state = { inMemory: 0, reserved: 0, written: 0, isLeft: false, isEnded: false };
    let file: FileHandle | undefined;
    let failure: unknown;
    let wake = () => {};

    async function push(text: string): Promise<void> {
      if (state.isLeft || gone.aborted) throw new Error('nobody reads this text any more');
      const bytes = Buffer.from(text);
      if (!file && state.inMemory + bytes.length <= IN_MEMORY_BYTES) {
        memory.push(bytes);
        state.inMemory += bytes.length;
      } else {
        reserve(bytes.length);
        state.reserved += bytes.length;
        file ??= await openNameless();
        state.written += await writeAll(file, bytes, state.written);
      }
      wake();
    }

    gone.addEventListener('abort', () => wake());
    const done = inTurn(() => write(push), gone)
      .catch((error: unknown) => {
        failure = error;
      })
      .finally(() => {
        state.isEnded = true;
        wake();
      });
    try {
      for (let read = 0; !gone.aborted; ) {
        const part = memory.shift();
        if (part) {
          state.inMemory -= part.length;
          yield part;
        } else if (file && read < state.written) {
          const { bytesRead, buffer } = await file.read(Buffer.alloc(READ_BYTES), 0, READ_BYTES, read);
          if (bytesRead === 0) throw new Error(`the file of a text ends at ${read} of ${state.written} bytes`);
          read += bytesRead;
          yield buffer.subarray(0, bytesRead);
        } else if (state.isEnded) break;
        else
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
      }
      if (failure && !gone.aborted) throw failure;
    } finally {
      state.isLeft = true;
      await done;
      spooled -= state.reserved;
      await file?.close();
    }
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
