import type { Audit } from '../../access/audit/audit.ts';
import type { Database } from '../../db/database.ts';
import type { Db } from '../../db/tables.ts';
import { type Clock, DAY_MS } from '../../lib/clock.ts';
import { newId } from '../../lib/ids.ts';
import { type PageRequest, toPage } from '../../lib/page.ts';
import type { Actor } from '../../lib/principal.ts';
import type { NewPrice } from './entries.ts';
import { lockPricing } from './ledger-store.ts';
import {
  findPrices,
  findVersions,
  insertPrices,
  listModelPrices,
  listPrices,
  lockPrices,
  type Match,
  type Price,
  type PriceFilter,
  type Usage,
} from './store.ts';

export { lockPricing };
export type Prices = ReturnType<typeof createPrices>;

/** Rows per batch of an export. */
const ROWS_AT_ONCE = 1_000;
/** Trailing digits of a number that no price depends on, and maximum digits that are stored. */
const [PERSONAL_DIGITS, KEPT_DIGITS] = [4, 6];

/** The price book: versions are added, and none is changed. */
export function createPrices({ db, clock, audit }: { db: Database['db']; clock: Clock; audit: Audit }) {
  /**
   * Records prices in one transaction, all or none. A price that is already in the book changes nothing; another
   * price of the same key and date supersedes it.
   */
  async function put(entries: NewPrice[], actor: Actor) {
    const rows = entries.map(toRow);
    return db.transaction().execute(async (trx) => {
      await lockPrices(trx);
      const versions = await findVersions(trx, rows);
      const changes = rows.map((_row, index) => {
        const version = versions.get(index);
        if (!version) return 'added';
        return version.is_same ? 'unchanged' : 'replaced';
      });
      const fresh = rows.filter((_row, index) => changes[index] !== 'unchanged');
      const superseded = rows.flatMap((row, index) =>
        changes[index] === 'replaced' ? [{ ...row, ...versions.get(index) }] : [],
      );
      const count = (change: string) => changes.filter((one) => one === change).length;
      const [added, replaced, unchanged] = [count('added'), count('replaced'), count('unchanged')];
      const last = fresh.at(-1);
      if (last) {
        await insertPrices(trx, fresh, superseded, clock.now());
        await audit.record(trx, actor, 'prices.changed', `price/${last.id}`, changeOf(superseded, fresh));
      }
      return { added, replaced, unchanged, entries: changes };
    });
  }

  async function page(filter: PriceFilter, { limit, after }: PageRequest) {
    return toPage(await listPrices(db, filter, limit + 1, after), limit, ({ id }) => id);
  }

  /** Passes all prices of one moment to `take` in batches: a price and its replacement are never both included. */
  function exportRows(filter: PriceFilter, take: (rows: Price[]) => Promise<void>): Promise<void> {
    const transaction = db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only');
    return transaction.execute(async (trx) => {
      for (let after: string | null = null; ; ) {
        const rows: Price[] = await listPrices(trx, filter, ROWS_AT_ONCE, after);
        await take(rows);
        const last = rows.at(-1);
        if (!last || rows.length < ROWS_AT_ONCE) return;
        after = last.id;
      }
    });
  }

  return { put, page, exportRows };
}

function toRow({ provider, event_type, model, prefix, direction, price, billing_increment, valid_from }: NewPrice) {
  return {
    id: newId(),
    provider,
    event_type,
    price: price ?? null,
    valid_from,
    billing_increment: billing_increment ?? null,
    model: model ?? '',
    prefix: prefix ?? '',
    direction: direction ?? ('' as const),
  };
}

/** A change of the book, as the audit log shows it. */
function changeOf(superseded: ReturnType<typeof toRow>[], fresh: ReturnType<typeof toRow>[]) {
  const detail = `${fresh.length - superseded.length} added, ${superseded.length} replaced`;
  return { detail, before: shown(superseded), after: shown(fresh) };
}

/** Prices by what they are for; null if there are none. */
function shown(rows: ReturnType<typeof toRow>[]): Record<string, unknown> | null {
  if (rows.length === 0) return null;
  return Object.fromEntries(
    rows.map(({ provider, event_type, model, prefix, direction, valid_from, price, billing_increment }) => {
      const of = [provider, event_type, model, prefix, direction, valid_from].filter((part) => part !== '');
      return [of.join(' '), { price, billing_increment }];
    }),
  );
}

/** The parts of an event that its price depends on. */
interface Priceable {
  provider: string;
  event_type: string;
  model?: string | null | undefined;
  direction?: string | null | undefined;
  quantity: string;
  unit_cost?: string | null | undefined;
  total_cost?: string | null | undefined;
  created_at: Date | string;
}

/**
 * Adds to events without a `unit_cost` the price that is valid on the day of `created_at` (UTC), and their total, by
 * the billing increments; events without a price in the book stay unchanged. Sends no statement if all have one. The
 * `model` of `telephony_minutes` is the destination.
 */
export async function priceEvents<E extends Priceable>(db: Db, events: E[]): Promise<E[]> {
  const wanted = events.filter(({ unit_cost }) => unit_cost == null);
  if (wanted.length === 0) return events;
  const { matches } = await findPrices(db, wanted.map(toUsage));
  const prices = new Map(wanted.map((event, index) => [event, matches[index]]));
  return events.map((event) => {
    const match = prices.get(event);
    if (!match) return event;
    return { ...event, unit_cost: match.price, total_cost: match.total_cost };
  });
}

/** Maximum kinds of usage whose prices are cached. */
const MAX_KNOWN = 10_000;

/** The prices of kinds of usage, by key; null for those without. */
type Matches = Map<string, Match | null>;

/** Prices events before they are written, from a cache that is valid for one version of the book. */
export function createPricing() {
  let known: { version: number; prices: Matches } = { version: -1, prices: new Map() };

  async function learn(db: Db, kinds: Map<string, Usage>): Promise<typeof known> {
    const { version, matches } = await findPrices(db, [...kinds.values()]);
    const found = new Map([...kinds.keys()].map((key, index) => [key, matches[index] ?? null]));
    const isFull = known.prices.size + found.size > MAX_KNOWN;
    if (version > known.version || (version === known.version && isFull)) known = { version, prices: found };
    else if (version === known.version) for (const [key, match] of found) known.prices.set(key, match);
    return { version, prices: found };
  }

  /**
   * Prices events without a `unit_cost` as on the day of `created_at` (UTC), and writes them. `insert` writes only if
   * the book still has the given version (null: just looked up), and returns null otherwise: a recorded price applies
   * at once, without a statement that checks for it.
   */
  return async <E extends Priceable, R>(
    db: Db,
    events: E[],
    insert: (events: E[], version: number | null) => Promise<R | null>,
  ): Promise<R | null> => {
    const { keys, kinds } = kindsOf(events);
    if (kinds.size === 0) return insert(events, null);
    const price = (prices: Matches) => withPrices(events, keys, prices);
    const isBilled = (prices: Matches) => keys.some((key) => key && prices.get(key)?.billing_increment);
    const { version, prices } = known;
    if ([...kinds.keys()].every((key) => prices.has(key)) && !isBilled(prices)) {
      const written = await insert(price(prices), version);
      if (written !== null) return written;
    }
    const learnt = await learn(db, kinds);
    return insert(isBilled(learnt.prices) ? await priceEvents(db, events) : price(learnt.prices), null);
  };
}

/** The kinds of the events that have no `unit_cost`, by key, and each event's key; null for one with a `unit_cost`. */
function kindsOf(events: Priceable[]) {
  const kinds = new Map<string, Usage>();
  const keys = events.map((event) => {
    if (event.unit_cost != null) return null;
    const key = kindOf(event);
    if (!kinds.has(key)) kinds.set(key, { ...toUsage(event), quantity: null });
    return key;
  });
  return { keys, kinds };
}

function withPrices<E extends Priceable>(events: E[], keys: (string | null)[], prices: Matches): E[] {
  return events.map((event, index) => {
    const match = prices.get(keys[index] ?? '');
    return match ? { ...event, unit_cost: match.price } : event;
  });
}

/** Everything that the price of an event depends on. */
function kindOf({ provider, event_type, model, direction, created_at }: Priceable): string {
  const day = Math.floor(new Date(created_at).getTime() / DAY_MS);
  return `${provider}\0${event_type}\0${model ?? ''}\0${direction ?? ''}\0${day}`;
}

function toUsage({ provider, event_type, model, direction, quantity, created_at }: Priceable): Usage {
  const isLine = event_type === 'telephony_minutes';
  return {
    provider,
    event_type,
    model: isLine ? '' : (model ?? ''),
    destination: isLine ? (model ?? '') : '',
    direction: direction ?? '',
    day: dayOf(created_at),
    quantity,
  };
}

/** The day of a time, UTC. */
const dayOf = (at: Date | string) => new Date(at).toISOString().slice(0, 10);

/** The prices by which `priceEvents` would price the usage of models at a time; those of the model itself go first. */
export const modelPricesAt = <Type extends string>(db: Db, event_types: readonly Type[], at: Date) =>
  listModelPrices(db, event_types, dayOf(at));

/** The parts of a line that its price depends on. */
export interface Line {
  provider: string;
  event_type: 'telephony_minutes' | 'media_minutes';
  direction: 'INBOUND' | 'OUTBOUND' | 'WEB';
  /** The called number in E.164; null if there is none, or if it is unknown. */
  phone_number: string | null;
  at: Date;
}

/** The prices of lines, in order; null for those without. One statement. */
export async function lookUpPrices(db: Db, lines: Line[]): Promise<(Match | null)[]> {
  if (lines.length === 0) return [];
  const { matches } = await findPrices(
    db,
    lines.map(({ provider, event_type, direction, phone_number, at }) => ({
      provider,
      event_type,
      direction,
      model: '',
      quantity: null,
      destination: phone_number?.replace(/\D/g, '') ?? '',
      day: dayOf(at),
    })),
  );
  return matches;
}

/**
 * The `model` of a line's `telephony_minutes`: the prefix it was priced by; without a price the leading digits of the
 * number, by which it can be priced later. They identify a region, not a person.
 */
export function destinationOf(phone_number: string | null, match: Match | null): string | null {
  if (match) return match.prefix;
  return phone_number?.replace(/\D/g, '').slice(0, -PERSONAL_DIGITS).slice(0, KEPT_DIGITS) || null;
}

/**
 * Billed minutes of a duration, as a decimal with up to six places: the first increment in any case, then every
 * started second increment. Without increments, every started second.
 */
export function billedMinutes(duration_ms: number, billing_increment: Match['billing_increment']): string {
  const [initial = 1, step = 1] = (billing_increment ?? '1/1').split('/').map(Number);
  const seconds = initial + Math.ceil(Math.max(0, Math.ceil(duration_ms) / 1000 - initial) / step) * step;
  const millionths = Math.round((seconds * 1_000_000) / 60);
  return (millionths / 1_000_000).toFixed(6).replace(/\.?0+$/, '');
}
