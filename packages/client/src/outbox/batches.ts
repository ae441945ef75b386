import { randomUUID } from 'node:crypto';
import type { UsageBatchCreate, UsageBatchEvent } from '../generated/schema.ts';
import { type Files, type Item, type ItemName, nameOf, type Place } from './files.ts';

/** Events of one request: the limit of the service. */
const MAX_EVENTS = 1_000;

/**
 * Gathers usage events that wait behind one another into one request, which costs the service one commit. A file that
 * holds several names the others, so that a process that is killed before they are removed sends none of them twice.
 */
export function createBatches(files: Files, read: (name: ItemName) => Promise<Item | null>) {
  /** The first item, with the events that wait behind it; null for one that cannot be read. */
  async function next(names: ItemName[]): Promise<{ name: ItemName; item: Item } | null> {
    const name = names.shift();
    const item = name && (await read(name));
    if (!name || !item) return null;
    const whole = item.gathered || name.sentAt !== null ? item : await gather(name, item, names);
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
   * Makes two batches of one that failed and has not arrived: in the end the event that is at fault is alone. The
   * second half gets the name that its first event had; until the first half is written it is a leftover of the whole.
   */
  async function divide(name: ItemName, item: Item): Promise<[ItemName, ItemName]> {
    const { gathered = [], key: _, ...whole } = item;
    const { events } = whole.body as UsageBatchCreate;
    const middle = Math.ceil(events.length / 2);
    const { place, key } = gathered[middle - 1] ?? name;
    const second = nameOf(name.lane, { place, key });
    await files.put(second, { ...whole, body: { events: events.slice(middle) }, gathered: gathered.slice(middle) });
    const first = { ...whole, body: { events: events.slice(0, middle) }, gathered: gathered.slice(0, middle - 1) };
    return [await renew(name, first), second];
  }

  /** Gives an item that has not arrived a key that was never used. */
  async function renew(name: ItemName, item: Item): Promise<ItemName> {
    await files.put(name, { ...item, key: randomUUID() });
    return files.mark(name, null);
  }

  return { next, divide, renew };
}

/** Takes these items out of a list. */
function drop(names: ItemName[], places: readonly Place[]): void {
  const gone = new Set(places.map(({ key }) => key));
  names.splice(0, names.length, ...names.filter(({ key }) => !gone.has(key)));
}

/** Whether it holds several events, so that one of them may be at fault. */
export function isDivisible({ gathered = [] }: Item): boolean {
  return gathered.length > 0;
}

/** The same request with no events: the service takes it only if nothing came, or will ever come, under its key. */
export function withoutEvents(item: Item): Item | null {
  return item.operation === 'logUsageEvents' ? { ...item, body: { events: [] } } : null;
}

/** The usage event of an item that has one. */
function eventOf({ operation, body }: Item): UsageBatchEvent | null {
  const events = operation === 'logUsageEvents' && (body as Partial<UsageBatchCreate> | undefined)?.events;
  return (Array.isArray(events) && events.length === 1 && events[0]) || null;
}
