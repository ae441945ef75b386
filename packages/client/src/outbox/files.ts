import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** A request. Its file is named by its key. */
export interface Item {
  operation: string;
  args: string[];
  body?: unknown;
  /**
   * Items that this request includes after its own. Their leftover files are not sent. An item with this field, even
   * if empty, is not combined again.
   */
  gathered?: Place[];
  /** Its idempotency key, if the one in its name was used up. */
  key?: string;
}

/** A parsed file name: `<lane>.<place>.<key>[.<milliseconds of the first attempt>].json`. */
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

/**
 * Folders of items that are not sent: those the service refused, and those it may have received. They need a person's
 * attention.
 */
const ASIDE = ['refused', 'uncertain'] as const;
export type Aside = (typeof ASIDE)[number];

export type Files = Awaited<ReturnType<typeof openFiles>>;

/** Separates the lane from the item's place in the names of lanes for a single item. */
const BESIDE = '~';
const NAME = /^(.+)\.(\d{12})\.([\w-]{36})(?:\.(\d+))?\.json$/;
/** Files abandoned by killed processes; a younger one may still be being written. */
const ABANDONED_MS = 60 * 60_000;

/** A folder of requests to send, one file each. */
export async function openFiles(dir: string) {
  // Transcripts are confidential.
  for (const aside of ASIDE) await mkdir(path.join(dir, aside), { recursive: true, mode: 0o700 });

  async function list(): Promise<ItemName[]> {
    return namesIn(dir);
  }

  async function move(from: string, to: string): Promise<void> {
    await rename(path.join(dir, from), path.join(dir, to));
  }

  /** Resolves when the item is durably stored under this name; replaces an existing one. */
  async function put({ file }: Pick<ItemName, 'file'>, item: Item): Promise<void> {
    const part = `${file}.part`;
    try {
      await writeFile(path.join(dir, part), JSON.stringify(item), { mode: 0o600, flush: true });
      // Renamed into place, so that nobody reads a partial file.
      await move(part, file);
    } catch (error) {
      // Frees the space on a full disk.
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
    /** Resolves when removals survive a power failure. */
    flush: (): Promise<void> => flushFolder(dir),
    /** Records in the name since when the item may have arrived. */
    mark: async (name: ItemName, sentAt: number | null): Promise<ItemName> => {
      if (name.sentAt === sentAt) return name;
      const base = name.file.replace(/(?:\.\d+)?\.json$/, '');
      const file = sentAt === null ? `${base}.json` : `${base}.${sentAt}.json`;
      await move(name.file, file);
      return { ...name, file, sentAt };
    },
    /** Moves an item to a folder from which nothing is sent. */
    putAside: ({ file }: ItemName, folder: Aside): Promise<void> => move(file, path.join(folder, file)),
    /** Items in such a folder. */
    aside: (folder: Aside): Promise<ItemName[]> => namesIn(path.join(dir, folder)),
    /**
     * Moves an item back into its lane. It keeps its name, and with it its key and the time since when it may have
     * arrived.
     */
    putBack: ({ file }: ItemName, folder: Aside): Promise<void> => move(path.join(folder, file), file),
    /** Moves an item out of its lane into one of its own. */
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

/** Whether the lane is for a single item that must not block others. */
export function isSingleItemLane(lane: string): boolean {
  return lane.includes(BESIDE);
}

async function namesIn(folder: string): Promise<ItemName[]> {
  return (await readdir(folder)).sort().flatMap((file) => parseName(file) ?? []);
}

/** The name of an unsent item. */
export function nameOf(lane: string, { place, key }: Place): ItemName {
  return { file: `${lane}.${String(place).padStart(12, '0')}.${key}.json`, lane, place, key, sentAt: null };
}

function parseName(file: string): ItemName | undefined {
  const match = NAME.exec(file);
  if (!match) return undefined;
  const [, lane = '', place, key = '', sentAt] = match;
  return { file, lane, place: Number(place), key, sentAt: sentAt === undefined ? null : Number(sentAt) };
}

/** A new name is durable only after its folder is synced. Windows cannot open folders, and syncs by itself. */
async function flushFolder(dir: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(dir);
  await folder.sync().finally(() => folder.close());
}
