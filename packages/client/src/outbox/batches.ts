import { randomUUID } from 'node:crypto';
import type { UsageBatchCreate, UsageBatchEvent } from '../generated/schema.ts';
import { type Files, type Item, type ItemName, nameOf, type Place } from './files.ts';

/** Maximum events per request: the service's limit. */
const MAX_EVENTS = 1_000;

/**
 * Combines consecutive usage events into one request, which costs the service one commit. A file that holds several
 * names the others, so that a process that is killed before they are removed sends none of them twice.
 */
export function createBatches(files: Files) {
  /** Combines an item with the unsent events of its user behind it, which leave `names`. */
  async function gather(name: ItemName, item: Item, names: ItemName[]): Promise<Item> {
    const whole = item.gathered || name.sentAt !== null ? item : await combine(name, item, names);
    if (!isDivisible(whole)) return whole;
    for (const one of whole.gathered) await files.remove(nameOf(name.lane, one));
    await files.flush();
    const gone = new Set(whole.gathered.map(({ key }) => key));
    const left = names.filter(({ key }) => !gone.has(key));
    // Without spreading them: a hundred thousand may wait, and are more than a function takes as arguments.
    names.length = 0;
    for (const one of left) names.push(one);
    return whole;
  }

  async function combine(name: ItemName, item: Item, names: readonly ItemName[]): Promise<Item> {
    const first = eventOf(item);
    const [events, gathered]: [UsageBatchEvent[], Place[]] = [[], []];
    for (const one of first ? names.slice(0, MAX_EVENTS - 1) : []) {
      // One that may have arrived keeps its own key. An unreadable file is reported in its turn.
      const event = one.sentAt === null ? eventOf(await files.read(one).catch(() => null)) : null;
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

  /**
   * Splits a batch that has not arrived in two. The second half gets the name that its first event had; until the
   * first half is written it counts as a leftover of the whole.
   */
  async function halve(name: ItemName, { key: _, gathered = [], ...item }: Item): Promise<[ItemName, ItemName]> {
    const { events } = item.body as UsageBatchCreate;
    const middle = Math.ceil(events.length / 2);
    const second = nameOf(name.lane, gathered[middle - 1] ?? name);
    await files.put(second, { ...item, body: { events: events.slice(middle) }, gathered: gathered.slice(middle) });
    const first = { ...item, body: { events: events.slice(0, middle) }, gathered: gathered.slice(0, middle - 1) };
    return [await renew(name, first), second];
  }

  /** Gives an item that has not arrived a new key. */
  async function renew(name: ItemName, item: Item): Promise<ItemName> {
    await files.put(name, { ...item, key: randomUUID() });
    return files.mark(name, null);
  }

  return { gather, halve, renew };
}

/** Whether it holds several events, one of which may be at fault. */
export function isDivisible(item: Item): item is Item & { gathered: Place[] } {
  return (item.gathered ?? []).length > 0;
}

/** The same request without events: the service accepts it only if nothing arrived, or will arrive, under its key. */
export function withoutEvents(item: Item): Item | null {
  return item.operation === 'logUsageEvents' ? { ...item, body: { events: [] } } : null;
}

/** The usage event of an item that is not in a batch yet. */
function eventOf(item: Item | null): UsageBatchEvent | null {
  if (item?.operation !== 'logUsageEvents' || item.gathered) return null;
  const { events } = item.body as Partial<UsageBatchCreate>;
  return (Array.isArray(events) && events.length === 1 && events[0]) || null;
}
