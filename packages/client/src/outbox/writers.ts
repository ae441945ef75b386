import { randomUUID } from 'node:crypto';
import { sleep } from '../retry.ts';
import { type Files, type Item, type ItemName, nameOf } from './files.ts';
import type { OutboxLog } from './lanes.ts';

/** Bytes of all reports that wait in memory for a disk that fails, such as a full one; then the oldest are given up. */
const MAX_WAITING = 4 * 1024 * 1024;
/** Pause after a write that failed. */
const PAUSE_MS = 500;
/** Time when somebody waits for the end: a process of a call that is asked to end has five seconds for everything. */
export const LAST_MS = 3_000;

export interface WriterOptions {
  maxWaiting?: number;
  pauseMs?: number;
  lastMs?: number;
}

export interface Writer {
  /**
   * Resolves once the item is on disk. Rejects when it is given up: if a write fails later than `keptMs` from now, or
   * than a while after `settled` was called, or if too much waits.
   */
  put(item: Item, keptMs?: number): Promise<void>;
  /** Resolves when everything added so far is on disk or given up: if the disk fails, within seconds. */
  settled(): Promise<void>;
}

export type Writers = ReturnType<typeof createWriters>;

interface Waiting {
  text: string;
  bytes: number;
  /** The same for every attempt. */
  name: ItemName | null;
  /** Whether the file has its name, and only the folder still has to be synced. */
  isStored: boolean;
  /** When it is given up, by `performance.now()`. */
  endsAt: number;
  resolve(): void;
  reject(error: unknown): void;
}

/** State that the writers of a process share. */
interface Shared extends Required<WriterOptions> {
  files: Pick<Files, 'list' | 'store' | 'flush'>;
  /** The bytes of everything that is not written yet. */
  bytes: number;
  /** The writers that have something to write. */
  busy: Set<Writer>;
}

/** Writes requests into lanes, those of a lane one after another. What cannot be written is tried again. */
export function createWriters(files: Shared['files'], options: WriterOptions = {}) {
  const defaults = { maxWaiting: MAX_WAITING, pauseMs: PAUSE_MS, lastMs: LAST_MS };
  const shared: Shared = { ...defaults, ...options, files, bytes: 0, busy: new Set() };
  return {
    open: (lane: string, log?: Pick<OutboxLog, 'warn'>): Writer => createWriter(shared, lane, log),
    /** Resolves when everything added so far, to any lane, is on disk or given up. */
    settled: (): Promise<void> => Promise.all([...shared.busy].map((one) => one.settled())).then(() => {}),
  };
}

function createWriter(shared: Shared, lane: string, log?: Pick<OutboxLog, 'warn'>): Writer {
  const { files, pauseMs, lastMs } = shared;
  let queue: Waiting[] = [];
  let last = Promise.resolve();
  let next: number | null = null;

  async function write(one: Waiting): Promise<void> {
    // After the leftovers of an earlier process with the same name. The list is sorted.
    next ??= ((await files.list()).filter((other) => other.lane === lane).at(-1)?.place ?? -1) + 1;
    one.name ??= nameOf(lane, { place: next++, key: randomUUID() });
    // Once: from then on it is sent and removed at any moment, and a second file would be booked again.
    if (!one.isStored) await files.store(one.name, one.text);
    one.isStored = true;
    await files.flush();
  }

  /** Writes until nothing waits. */
  async function run(): Promise<void> {
    shared.busy.add(writer);
    let isFailing = false;
    for (let one = queue[0]; one; one = queue[0]) {
      try {
        await write(one);
        isFailing = false;
        queue.shift();
        shared.bytes -= one.bytes;
        one.resolve();
      } catch (err) {
        queue = queue.filter((other) => !isGivenUp(shared, other, err));
        if (queue.length === 0) break;
        if (!isFailing) log?.warn({ err, lane }, 'writing to the outbox failed; it is tried again');
        isFailing = true;
        await sleep(pauseMs);
      }
    }
    shared.busy.delete(writer);
  }

  const writer: Writer = {
    put(item, keptMs = Number.POSITIVE_INFINITY) {
      const written = new Promise<void>((resolve, reject) => {
        // Here, because another attempt cannot mend an item that is no JSON.
        const text = JSON.stringify(item);
        const bytes = Buffer.byteLength(text);
        const endsAt = performance.now() + keptMs;
        queue.push({ text, bytes, name: null, isStored: false, endsAt, resolve, reject });
        shared.bytes += bytes;
        if (!shared.busy.has(writer)) void run();
      });
      // All of them: one that is kept for less time is given up before those ahead of it.
      last = Promise.all([last, written.catch(() => {})]).then(() => {});
      return written;
    },
    settled() {
      const endsAt = performance.now() + lastMs;
      for (const one of queue) one.endsAt = Math.min(one.endsAt, endsAt);
      return last;
    },
  };
  return writer;
}

/** Whether an item is given up after a failure, which its promise then says. */
function isGivenUp(shared: Shared, { bytes, endsAt, reject }: Waiting, error: unknown): boolean {
  if (performance.now() < endsAt && shared.bytes <= shared.maxWaiting) return false;
  shared.bytes -= bytes;
  reject(error);
  return true;
}
