import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** A request. Its file is named by its key. */
export interface Item {
  operation: string;
  args: string[];
  body?: unknown;
  /**
   * Items whose requests are in this one as well, behind its own. Their files are left over from before, and are not
   * sent. An item that has this, even if empty, is not gathered with others again.
   */
  gathered?: Place[];
  /** Its idempotency key, where that of its name was used up. */
  key?: string;
}

/** The name of an item's file, taken apart: `<lane>.<place>.<key>[.<milliseconds of the first attempt>].json`. */
export interface ItemName {
  file: string;
  lane: string;
  place: number;
  /** The idempotency key, unless the item has another: the same for every attempt. */
  key: string;
  /** When it was first sent, if it may have arrived. */
  sentAt: number | null;
}

/** An item within its lane. */
export type Place = Pick<ItemName, 'place' | 'key'>;

/** Folders of items that are not sent: what the service refused, and what it may have. A person looks at them. */
const ASIDE = ['refused', 'uncertain'] as const;
export type Aside = (typeof ASIDE)[number];

export type Files = Awaited<ReturnType<typeof openFiles>>;

/** Stands in the names of lanes that hold one item of another lane, between that lane and the item's place. */
const BESIDE = '~';
const NAME = /^(.+)\.(\d{12})\.([\w-]{36})(?:\.(\d+))?\.json$/;
/** Half-written files of processes that were killed; a younger one may still be written to. */
const ABANDONED_MS = 60 * 60_000;

/** A folder of requests that are to be sent, a file each. */
export async function openFiles(dir: string) {
  // Transcripts are nobody else's business.
  for (const aside of ASIDE) await mkdir(path.join(dir, aside), { recursive: true, mode: 0o700 });

  async function list(): Promise<ItemName[]> {
    return namesIn(dir);
  }

  async function move(from: string, to: string): Promise<void> {
    await rename(path.join(dir, from), path.join(dir, to));
  }

  /** Resolves when the item is on the disk under this name, also if the power fails; replaces one that is there. */
  async function put({ file }: Pick<ItemName, 'file'>, item: Item): Promise<void> {
    const part = `${file}.part`;
    try {
      await writeFile(path.join(dir, part), JSON.stringify(item), { mode: 0o600, flush: true });
      // Nobody meets half a file.
      await move(part, file);
    } catch (error) {
      // A full disk needs the room.
      await rm(path.join(dir, part), { force: true });
      throw error;
    }
    await flushFolder(dir);
  }

  return {
    list,
    put,
    write: (lane: string, place: number, item: Item): Promise<void> =>
      put(nameOf(lane, { place, key: randomUUID() }), item),
    read: async ({ file }: ItemName): Promise<Item> => JSON.parse(await readFile(path.join(dir, file), 'utf8')),
    remove: ({ file }: ItemName): Promise<void> => rm(path.join(dir, file), { force: true }),
    /** Resolves when no power failure can bring back what was removed. */
    flush: (): Promise<void> => flushFolder(dir),
    /** Writes into the name since when the item may have arrived. */
    mark: async (name: ItemName, sentAt: number | null): Promise<ItemName> => {
      if (name.sentAt === sentAt) return name;
      const base = name.file.replace(/(?:\.\d+)?\.json$/, '');
      const file = sentAt === null ? `${base}.json` : `${base}.${sentAt}.json`;
      await move(name.file, file);
      return { ...name, file, sentAt };
    },
    /** Puts an item where nothing is sent from. */
    putAside: ({ file }: ItemName, folder: Aside): Promise<void> => move(file, path.join(folder, file)),
    /** Items in such a folder. */
    aside: (folder: Aside): Promise<ItemName[]> => namesIn(path.join(dir, folder)),
    /** Puts one back into its lane. Its name stays: its key, and since when it may have arrived. */
    putBack: ({ file }: ItemName, folder: Aside): Promise<void> => move(path.join(folder, file), file),
    /** Moves an item out of its lane, into one of its own. */
    moveBeside: ({ file, lane, place }: ItemName): Promise<void> =>
      move(file, `${lane}${BESIDE}${place}${file.slice(lane.length)}`),
    removeAbandoned: async (): Promise<void> => {
      for (const file of await readdir(dir)) {
        if (!file.endsWith('.json.part')) continue;
        const { mtimeMs } = await stat(path.join(dir, file)).catch(() => ({ mtimeMs: Date.now() }));
        if (Date.now() - mtimeMs > ABANDONED_MS) await rm(path.join(dir, file), { force: true });
      }
    },
  };
}

/** Whether the lane is that of one item, which is to hold up nothing else. */
export function isBeside(lane: string): boolean {
  return lane.includes(BESIDE);
}

async function namesIn(folder: string): Promise<ItemName[]> {
  return (await readdir(folder)).sort().flatMap((file) => parseName(file) ?? []);
}

/** The name of an item that was not sent yet. */
export function nameOf(lane: string, { place, key }: Place): ItemName {
  return { file: `${lane}.${String(place).padStart(12, '0')}.${key}.json`, lane, place, key, sentAt: null };
}

function parseName(file: string): ItemName | undefined {
  const match = NAME.exec(file);
  if (!match) return undefined;
  const [, lane = '', place, key = '', sentAt] = match;
  return { file, lane, place: Number(place), key, sentAt: sentAt === undefined ? null : Number(sentAt) };
}

/** A new name is on the disk only with its folder. Windows cannot open one, and does it by itself. */
async function flushFolder(dir: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(dir);
  await folder.sync().finally(() => folder.close());
}
