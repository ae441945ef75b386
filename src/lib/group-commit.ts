/** What is added together is written together, and each is told once the write that holds it is done. */
export interface GroupCommit<T, R> {
  /** Rejects with what `write` gives or throws for the item, or what `full` makes when too much waits. */
  add(item: T): Promise<R>;
  /** Resolves when nothing waits any more. */
  settled(): Promise<void>;
}

interface Options<T, R> {
  /** Writes the items in one transaction: a result or an error for each, in their order. Throws when all of it failed. */
  write(items: T[]): Promise<(R | Error)[]>;
  /** Whether trying the items one by one is of use after `write` threw this. */
  isOfOne(error: unknown): boolean;
  full(): Error;
  /** Items in one write, and items that may wait. */
  most: { at_once: number; waiting: number };
}

interface Waiting<T, R> {
  item: T;
  resolve(result: R): void;
  reject(error: unknown): void;
}

/** One write at a time: while it is under way the next one gathers, so that an idle service waits for nothing. */
export function createGroupCommit<T, R>({ write, isOfOne, full, most }: Options<T, R>): GroupCommit<T, R> {
  const waiting: Waiting<T, R>[] = [];
  let running: Promise<void> | null = null;

  function add(item: T): Promise<R> {
    if (waiting.length >= most.waiting) return Promise.reject(full());
    return new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      running ??= run();
    });
  }

  async function run(): Promise<void> {
    // What has arrived together is read by the end of this turn of the event loop.
    await new Promise(setImmediate);
    while (waiting.length > 0) await commit(waiting.splice(0, most.at_once));
    running = null;
  }

  async function commit(group: Waiting<T, R>[]): Promise<void> {
    try {
      const results = await write(group.map(({ item }) => item));
      for (const [index, { resolve, reject }] of group.entries()) {
        const result = results[index];
        if (result instanceof Error) reject(result);
        else resolve(result as R);
      }
    } catch (error) {
      // One that cannot be written must not take the others with it.
      if (group.length > 1 && isOfOne(error)) for (const one of group) await commit([one]);
      // Those that have waited for this write must not wait for the next one to fail as well.
      else for (const { reject } of isOfOne(error) ? group : [...group, ...waiting.splice(0)]) reject(error);
    }
  }

  return {
    add,
    settled: async () => {
      while (running) await running;
    },
  };
}
