import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** One request to Switchboard, kept until it is answered. */
export interface Item {
  path: string;
  /** JSON, or null for none. */
  body: unknown;
  /** The same for every attempt, so that the service can tell a repetition from a second event. */
  key: string;
}

export type Spool = Awaited<ReturnType<typeof openSpool>>;
export type Lane = ReturnType<Spool['lane']>;

const NAME = /^(.+)\.\d{9}\.json$/;

/**
 * Reports that are still to be sent to Switchboard, a file each. Calls write into it, each in a process of its own; the
 * worker alone reads and sends. So a conversation never waits for the network, and what is in here survives a call's
 * process that crashes, a worker that is killed and a service that is down.
 */
export async function openSpool(dir: string) {
  const refused = path.join(dir, 'refused');
  // Transcripts are nobody else's business.
  await mkdir(refused, { recursive: true, mode: 0o700 });

  return {
    /** A line of items that are sent one after another, in the order in which they were put in. */
    lane: (lane: string) => {
      let count = 0;
      let last = Promise.resolve();
      async function write(name: string, item: Item): Promise<void> {
        const file = path.join(dir, name);
        await writeFile(`${file}.part`, JSON.stringify(item), { mode: 0o600, flush: true });
        // The reader must not meet half a file.
        await rename(`${file}.part`, file);
      }
      return {
        put: (to: string, body: unknown): Promise<void> => {
          const name = `${lane}.${String(count++).padStart(9, '0')}.json`;
          const item = { path: to, body, key: randomUUID() };
          const written = last.then(() => write(name, item));
          last = written.catch(() => {});
          return written;
        },
        /** Resolves when everything put in so far is on the disk, or has failed to get there. */
        settled: () => last,
      };
    },
    /** The names of what is waiting, by lane, in order. */
    list: async (): Promise<Map<string, string[]>> => {
      const names = (await readdir(dir)).filter((name) => NAME.test(name)).sort();
      return Map.groupBy(names, (name) => NAME.exec(name)?.[1] ?? '');
    },
    read: async (name: string): Promise<Item> => JSON.parse(await readFile(path.join(dir, name), 'utf8')),
    remove: (name: string): Promise<void> => rm(path.join(dir, name), { force: true }),
    /** Puts aside what will never be taken, for a person to look at. */
    refuse: (name: string): Promise<void> => rename(path.join(dir, name), path.join(refused, name)),
  };
}
