import { AppError } from './errors.ts';

export interface Options<T, R> {
  /** Processes items together: a result or an error for each, in order. Throws if all of it failed. */
  runBatch(items: T[]): Promise<(R | Error)[]>;
  /**
   * Whether to retry the items one by one after `runBatch` threw this error. By default never: all of them get the
   * error.
   */
  isItemFault?(error: unknown): boolean;
  /** Weight of an item against `batch_size` and `queue_depth`; 1 by default. */
  sizeOf?(item: T): number;
  /** Maximum weight of a batch, maximum weight in the queue, and number of concurrent batches. */
  limits: { batch_size: number; queue_depth: number; concurrency: number };
}

interface Waiting<T, R> {
  item: T;
  size: number;
  resolve(result: R): void;
  reject(error: unknown): void;
}

/**
 * Batches concurrent requests: while one batch is running the next one fills up, so that an idle service adds no
 * delay. Rejects with the item's error, the error of its batch, or `overloaded`.
 */
export function createBatcher<T, R>(options: Options<T, R>): (item: T) => Promise<R> {
  const { runBatch, isItemFault = () => false, sizeOf = () => 1, limits } = options;
  /** Items of a batch that failed because of one of them; they go first. */
  const alone: Waiting<T, R>[] = [];
  const waiting: Waiting<T, R>[] = [];
  let size = 0;
  let inFlight = 0;

  function ask(item: T): Promise<R> {
    if (size >= limits.queue_depth) return Promise.reject(new AppError('overloaded'));
    return new Promise((resolve, reject) => {
      const one = { item, size: sizeOf(item), resolve, reject };
      waiting.push(one);
      size += one.size;
      if (inFlight < limits.concurrency) void run();
    });
  }

  async function run(): Promise<void> {
    inFlight++;
    // Requests that arrived together are parsed by the end of this turn of the event loop.
    await new Promise(setImmediate);
    for (let round = next(); round.length > 0; round = next()) await perform(round);
    inFlight--;
  }

  function next(): Waiting<T, R>[] {
    const one = alone.shift();
    if (one) return [one];
    let [count, sum] = [0, 0];
    // At least one item, however large.
    for (; count < waiting.length && (count === 0 || sum < limits.batch_size); count++)
      sum += waiting[count]?.size ?? 0;
    size -= sum;
    return waiting.splice(0, count);
  }

  async function perform(round: Waiting<T, R>[]): Promise<void> {
    try {
      const results = await runBatch(round.map(({ item }) => item));
      for (const [index, { resolve, reject }] of round.entries()) {
        const result = results[index];
        if (result instanceof Error) reject(result);
        else resolve(result as R);
      }
    } catch (error) {
      // One bad item must not fail the others; if the whole system is down, the others must not wait for retries.
      if (!isItemFault(error)) refuse([...round, ...alone.splice(0), ...waiting.splice(0)], error);
      else if (round.length === 1) refuse(round, error);
      else alone.push(...round);
    }
  }

  function refuse(all: Waiting<T, R>[], error: unknown): void {
    if (waiting.length === 0) size = 0;
    for (const { reject } of all) reject(error);
  }

  return ask;
}

/** Several concurrent batches, so that a dead connection only delays the lookups on it. */
const LOOKUPS = { batch_size: 500, queue_depth: 10_000, concurrency: 2 };

/** Finds one row by its key, together with concurrent lookups; undefined if there is none. */
export function createLookup<T>(
  find: (keys: string[]) => Promise<T[]>,
  keyOf: (row: T) => string,
  limits: Partial<typeof LOOKUPS> = {},
): (key: string) => Promise<T | undefined> {
  return createBatcher({
    limits: { ...LOOKUPS, ...limits },
    runBatch: async (keys: string[]) => {
      const rows = await find([...new Set(keys)]);
      const found = new Map(rows.map((row) => [keyOf(row), row]));
      return keys.map((key) => found.get(key));
    },
  });
}
