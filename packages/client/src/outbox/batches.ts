import type { UsageBatchCreate, UsageBatchEvent } from '../generated/schema.ts';
import { type Files, type Item, type ItemName, nameOf, type Place } from './files.ts';

/** Events of one request: the limit of the service. */
const MAX_EVENTS = 1_000;

/** Whether an item of a lane waits for no other. */
type MaySend = (name: ItemName) => boolean;

/**
 * Gathers usage events that wait behind one another into one request, which costs the service one commit. A file that
 * holds several names the others, so that a process that is killed before they are removed sends none of them twice.
 */
export function createBatches(files: Files, read: (name: ItemName) => Promise<Item | null>) {
  /** The first item that may be sent, with the events that wait behind it; null for one that cannot be read. */
  async function next(names: ItemName[], maySend: MaySend): Promise<{ name: ItemName; item: Item } | null> {
    const [name] = names.splice(names.findIndex(maySend), 1);
    const item = name && (await read(name));
    if (!name || !item) return null;
    const whole = item.gathered || name.sentAt !== null ? item : await gather(name, item, names.filter(maySend));
    await removeGathered(name, whole, names);
    return { name, item: whole };
  }

  async function gather(name: ItemName, item: Item, names: readonly ItemName[]): Promise<Item> {
    const first = eventOf(item);
    const [events, gathered]: [UsageBatchEvent[], Item['gathered'] & object] = [[], []];
    for (const one of first ? names.slice(0, MAX_EVENTS - 1) : []) {
      // One that may have arrived keeps its own key.
      const event = one.sentAt === null ? await readEvent(one) : null;
      if (!first || event?.user_id !== first.user_id) break;
      events.push(event);
      gathered.push({ place: one.place, key: one.key });
    }
    if (!first || events.length === 0) return item;
    const whole = { ...item, body: { events: [first, ...events] }, gathered };
    try {
      await files.put(name, whole);
    } catch (error) {
      // A full disk: each event that is sent alone makes room. It may not be sent if the whole is there after all.
      if ((await files.read(name)).gathered) throw error;
      return item;
    }
    return whole;
  }

  /** The event in a file that is in no batch yet. A file that cannot be read is reported when it is its turn. */
  async function readEvent(name: ItemName): Promise<UsageBatchEvent | null> {
    const item = await files.read(name).catch(() => null);
    return item && !item.gathered ? eventOf(item) : null;
  }

  /** Removes the files of those that are in a batch before it is sent. */
  async function removeGathered({ lane }: ItemName, { gathered = [] }: Item, names: ItemName[]): Promise<void> {
    if (gathered.length === 0) return;
    for (const one of gathered) await files.remove(nameOf(lane, one));
    await files.flush();
    drop(names, gathered);
  }

  /**
   * Makes two batches of one that failed: in the end the event that is at fault is alone. The second half gets the name
   * that its first event had; until the first half is written it is a leftover of the whole. Where the whole may have
   * arrived, the first half says so, and so do the parts that are made of it: they have the same key, which the service
   * accepts only if no larger part has arrived.
   */
  async function divide(name: ItemName, item: Item): Promise<[ItemName, ItemName]> {
    const { gathered = [], halves = [], ...whole } = item;
    const { events } = whole.body as UsageBatchCreate;
    const middle = Math.ceil(events.length / 2);
    const { place, key } = gathered[middle - 1] ?? name;
    const second = nameOf(name.lane, { place, key });
    await files.put(second, { ...whole, body: { events: events.slice(middle) }, gathered: gathered.slice(middle) });
    const first = { ...whole, body: { events: events.slice(0, middle) }, gathered: gathered.slice(0, middle - 1) };
    await files.put(name, { ...first, ...(name.sentAt !== null && { halves: [...halves, { place, key }] }) });
    return [name, second];
  }

  /**
   * Settles the first part of a divided batch whose key the service refuses: it has a larger part under this key. If
   * that can be the whole alone, all is settled. Otherwise the next larger part is made again: the service accepts the
   * key for that, or the same is done once more. Returns null if no half is left that could be it.
   */
  async function settleUsedKey(name: ItemName, item: Item): Promise<'settled' | 'joined' | null> {
    const { halves = [], ...part } = item;
    const smallest = halves.at(-1);
    if (!smallest) return null;
    const second = await find(smallest);
    if (halves.length === 1) {
      if (second) await files.remove(second);
      // A half that comes back without the first would be sent.
      await files.flush();
      await files.remove(name);
      return 'settled';
    }
    const half = second && (await read(second));
    if (!half) return null;
    const events = [item, half].flatMap(({ body }) => (body as UsageBatchCreate).events);
    const gathered = [...(part.gathered ?? []), smallest, ...(half.gathered ?? [])];
    await files.put(name, { ...part, body: { events }, gathered, halves: halves.slice(0, -1) });
    return 'joined';
  }

  /** The name that a half has now. */
  async function find({ key }: Place): Promise<ItemName | undefined> {
    return (await files.list()).find((one) => one.key === key);
  }

  return { next, divide, settleUsedKey, find };
}

/** Takes these items out of a list. */
export function drop(names: ItemName[], places: readonly Place[]): void {
  const gone = new Set(places.map(({ key }) => key));
  names.splice(0, names.length, ...names.filter(({ key }) => !gone.has(key)));
}

/** Whether it holds several events, so that one of them may be at fault. */
export function isDivisible({ gathered = [] }: Item): boolean {
  return gathered.length > 0;
}

/** The usage event of an item that has one. */
function eventOf({ operation, body }: Item): UsageBatchEvent | null {
  const events = operation === 'logUsageEvents' && (body as Partial<UsageBatchCreate> | undefined)?.events;
  return (Array.isArray(events) && events.length === 1 && events[0]) || null;
}
