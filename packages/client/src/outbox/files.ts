import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { lockFile } from './lock.ts';

/** A request. Its file is named by its key. */
export interface Item {
  operation: string;
  args: string[];
  body?: unknown;
  /** Items whose events this one includes: leftover files of theirs are not sent. Not combined again, even if empty. */
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

/** Folders of items that are not sent until a person decides: the service refused them, or may have received them. */
export type Aside = 'refused' | 'uncertain';

export type Files = Awaited<ReturnType<typeof openFiles>>;

/** Separates the lane from the item's place in the names of lanes for a single item. */
const BESIDE = '~';
const NAME = /^(.+)\.(\d{12})\.([\w-]{36})(?:\.(\d+))?\.json$/;
/** Files abandoned by killed processes; a younger one may still be being written. */
const ABANDONED_MS = 60 * 60_000;

/** A folder of requests to send, one file each. A change is a rename or a removal, which no death leaves half done. */
export async function openFiles(dir: string) {
  const at = (file: string) => path.join(dir, file);
  const move = (from: string, to: string): Promise<void> => rename(at(from), at(to));
  // Transcripts are confidential.
  for (const aside of ['refused', 'uncertain']) await mkdir(at(aside), { recursive: true, mode: 0o700 });

  const namesIn = async (folder: string) => (await readdir(folder)).sort().flatMap((file) => parseName(file) ?? []);
  const modifiedAt = (file: string, otherwise: number): Promise<number> =>
    stat(at(file)).then(
      ({ mtimeMs }) => mtimeMs,
      () => otherwise,
    );

  /** Writes a file with this name, or replaces it; one that fails changes nothing. It is durable after a flush. */
  async function store({ file }: Pick<ItemName, 'file'>, text: string): Promise<void> {
    const part = `${file}.part`;
    try {
      await writeFile(at(part), text, { mode: 0o600, flush: true });
      await move(part, file);
    } catch (error) {
      // Frees the space on a full disk.
      await rm(at(part), { force: true });
      throw error;
    }
  }

  /** Resolves when the item is durably stored under this name; replaces an existing one. */
  async function put(name: Pick<ItemName, 'file'>, item: Item): Promise<void> {
    await store(name, JSON.stringify(item));
    await flushFolder(dir);
  }

  return {
    list: (): Promise<ItemName[]> => namesIn(dir),
    /** Keeps other processes from delivering, see `lockFile`. */
    lock: () => lockFile(at('lock')),
    /** When the oldest item was written. One that is sent or removed meanwhile does not count. */
    oldest: async (): Promise<number | null> => {
      const times = await Promise.all(
        (await namesIn(dir)).map(({ file }) => modifiedAt(file, Number.POSITIVE_INFINITY)),
      );
      const first = times.reduce((earliest, time) => Math.min(earliest, time), Number.POSITIVE_INFINITY);
      return Number.isFinite(first) ? first : null;
    },
    store,
    put,
    read: async ({ file }: ItemName): Promise<Item> => JSON.parse(await readFile(at(file), 'utf8')),
    remove: ({ file }: ItemName): Promise<void> => rm(at(file), { force: true }),
    /** Resolves when new names and removals survive a power failure. */
    flush: (): Promise<void> => flushFolder(dir),
    /** Records in the name since when the item may have arrived, so that it survives a power failure. */
    mark: async (name: ItemName, sentAt: number | null): Promise<ItemName> => {
      if (name.sentAt === sentAt) return name;
      const base = name.file.replace(/(?:\.\d+)?\.json$/, '');
      const file = sentAt === null ? `${base}.json` : `${base}.${sentAt}.json`;
      await move(name.file, file);
      if (sentAt !== null) await flushFolder(dir);
      return { ...name, file, sentAt };
    },
    putAside: ({ file }: ItemName, folder: Aside): Promise<void> => move(file, path.join(folder, file)),
    aside: (folder: Aside): Promise<ItemName[]> => namesIn(at(folder)),
    /** Moves an item back into its lane: with its key, and the time since when it may have arrived. */
    putBack: ({ file }: ItemName, folder: Aside): Promise<void> => move(path.join(folder, file), file),
    /** Moves an item out of its lane into one of its own. */
    moveBeside: ({ file, lane, place }: ItemName): Promise<void> =>
      move(file, `${lane}${BESIDE}${place}${file.slice(lane.length)}`),
    removeAbandoned: async (): Promise<void> => {
      const parts = (await readdir(dir)).filter((file) => file.endsWith('.json.part'));
      for (const file of parts)
        if (Date.now() - (await modifiedAt(file, Date.now())) > ABANDONED_MS) await rm(at(file), { force: true });
    },
  };
}

/** Whether the lane is for a single item that must not block others. */
export function isSingleItemLane(lane: string): boolean {
  return lane.includes(BESIDE);
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
