import { AppError } from './errors.ts';
import { createSemaphore } from './semaphore.ts';
import { createSpooledText, RETRY_LATER_S, type SpooledText } from './spooled-text.ts';

/** Disk space of all unread texts of a process. */
export const MAX_SPOOLED_BYTES = 512 * 1024 * 1024;
/** Concurrent writers: each holds a database connection. */
export const MAX_CONCURRENT_WRITERS = 2;

/** Writes a text in any number of parts; `push` rejects once nobody reads it. */
type Write = (push: (text: string | Buffer) => Promise<void>) => Promise<void>;
/** Ends the text when its reader is `gone`; the generator ends after its writer. */
type Spool = (write: Write, gone: AbortSignal) => AsyncGenerator<Buffer>;

/**
 * Decouples a fast writer from a slow reader: unread data is spooled to a file, so that the writer need not hold a
 * database snapshot. A text beyond `maxBytes` fails with `too_many_exports`, one that exceeds the disk with
 * `no_temporary_space`.
 */
export function createSpool(maxBytes = MAX_SPOOLED_BYTES, maxWriters = MAX_CONCURRENT_WRITERS): Spool {
  const writers = createSemaphore(maxWriters);
  let spooled = 0;

  function reserve(bytes: number): void {
    if (spooled + bytes > maxBytes) throw new AppError('too_many_exports', { retry_after_s: RETRY_LATER_S });
    spooled += bytes;
  }

  return async function* spool(write, gone) {
    const text = createSpooledText(reserve);
    const pipe = createPipe(text, gone);
    const done = writers.run(() => write(pipe.push), gone).then(() => pipe.end(), pipe.end);
    try {
      yield* pipe.read();
    } finally {
      pipe.leave();
      await done;
      spooled -= text.reserved();
      await text.close();
    }
  };
}

/** Connects the writer of a text with its reader, who waits for what is not written yet. */
function createPipe(text: SpooledText, gone: AbortSignal) {
  let isLeft = false;
  let isEnded = false;
  let failure: unknown;
  let wake = () => {};
  gone.addEventListener('abort', () => wake());

  async function push(part: string | Buffer): Promise<void> {
    if (isLeft || gone.aborted) throw new Error('nobody reads this text any more');
    await text.append(typeof part === 'string' ? Buffer.from(part) : part);
    wake();
  }

  /** The writer has written everything, or has failed. */
  function end(error?: unknown): void {
    failure = error;
    isEnded = true;
    wake();
  }

  async function* read(): AsyncGenerator<Buffer> {
    while (!gone.aborted) {
      if (text.hasNext()) yield await text.next();
      else if (isEnded) break;
      else
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    }
    if (failure && !gone.aborted) throw failure;
  }

  return {
    push,
    end,
    read,
    /** The reader reads no more. */
    leave: () => {
      isLeft = true;
    },
  };
}
