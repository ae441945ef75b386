import { randomUUID } from 'node:crypto';
import type { UsageBatchCreate, UsageBatchEvent } from '../generated/schema.ts';
import { type Files, type Item, type ItemName, nameOf, type Place } from './files.ts';

/** Maximum events per request: the service's limit. */
const MAX_EVENTS = 1_000;

/**
 * Combines consecutive usage events into one request, which costs the service one commit. A file that holds several
 * names the others, so that a process that is killed before they are removed sends none of them twice.
 */
export function createBatches(files: Files, read: (name: ItemName) => Promise<Item | null>) {
  /** The first item, combined with the events behind it; null if it cannot be read. */
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
      // The disk is full: sending events one by one makes room. Not if the combined file was written after all.
      if ((await files.read(name)).gathered) throw error;
      return item;
    }
    return whole;
  }

  /** The event in a file that is not in a batch yet. An unreadable file is reported in its turn. */
  async function readEvent(name: ItemName): Promise<UsageBatchEvent | null> {
    const item = await files.read(name).catch(() => null);
    return item && !item.gathered ? eventOf(item) : null;
  }

  /** Removes the files of events that are part of a batch before it is sent. */
  async function removeGathered({ lane }: ItemName, { gathered = [] }: Item, names: ItemName[]): Promise<void> {
    if (gathered.length === 0) return;
    for (const one of gathered) await files.remove(nameOf(lane, one));
    await files.flush();
    drop(names, gathered);
  }

  /**
   * Splits a batch that failed and has not arrived, until the event at fault is alone. The second half gets the name
   * that its first event had; until the first half is written it counts as a leftover of the whole.
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

  /** Gives an item that has not arrived a new key. */
  async function renew(name: ItemName, item: Item): Promise<ItemName> {
    await files.put(name, { ...item, key: randomUUID() });
    return files.mark(name, null);
  }

  return { next, divide, renew };
}

/** Removes these items from a list. */
function drop(names: ItemName[], places: readonly Place[]): void {
  const gone = new Set(places.map(({ key }) => key));
  names.splice(0, names.length, ...names.filter(({ key }) => !gone.has(key)));
}

/** Whether it holds several events, one of which may be at fault. */
export function isDivisible({ gathered = [] }: Item): boolean {
  return gathered.length > 0;
}

/**
 * The same request without events: the service accepts it only if nothing arrived, or will ever arrive, under its
 * key.
 */
export function withoutEvents(item: Item): Item | null {
  return item.operation === 'logUsageEvents' ? { ...item, body: { events: [] } } : null;
}

/** The usage event of an item, if any. */
function eventOf({ operation, body }: Item): UsageBatchEvent | null {
  const events = operation === 'logUsageEvents' && (body as Partial<UsageBatchCreate> | undefined)?.events;
  return (Array.isArray(events) && events.length === 1 && events[0]) || null;
}
