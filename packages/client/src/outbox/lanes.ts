import { createBatches, isDivisible, withoutEvents } from './batches.ts';
import { type Aside, type Files, type Item, type ItemName, isSingleItemLane } from './files.ts';
import { isKeyed, type Outcome, SUSPECTED } from './send.ts';

/** Compatible with pino and similar loggers. */
export interface OutboxLog {
  warn(about: object, text: string): void;
  error(about: object, text: string): void;
}

/** An unsettled item after an attempt. */
export interface Failed {
  name: ItemName;
  item: Item;
  outcome: Outcome;
}

interface Deps {
  files: Files;
  /**
   * Waits until there may be one more request, and attempts an item. Once the delivery is stopped it attempts none:
   * thousands of lanes may be waiting, and the disk is slow.
   */
  inTurn: (name: ItemName, item: Item, attempt: () => Promise<Failed | null>) => Promise<Failed | null>;
  send: (item: Item, key: string) => Promise<Outcome>;
  log: OutboxLog;
}

/** The service keeps keys for 24 hours; an hour is reserved for clock skew and the request itself. */
const KEY_KEPT_MS = 23 * 60 * 60_000;

/**
 * Sends the items of a lane in order. One that fails is waited for, in order, because nearly all failures pass. A
 * suspected one may fail by its own fault, and would block the lane forever: a batch is split, and behind a single item
 * others are tried. If one of its kind is accepted between two of its failures, it is at fault and leaves the lane.
 */
export function createLanes({ files, inTurn, send, log }: Deps) {
  const batches = createBatches(files);
  /** When an item of an operation was last accepted, in any lane, by `performance.now()`. */
  const acceptedAt = new Map<string, number>();
  /** The failures of items, by the key in their name. */
  const failures = new Map<string, { points: number; lastAt: number }>();

  /** Sends items until one has to be waited for. Returns those that failed; none if one behind them left the lane. */
  async function run(names: ItemName[]): Promise<Failed[]> {
    const failed: Failed[] = [];
    let most = 1;
    for (let name = names.shift(); name; name = names.shift()) {
      const result = await attempt(name, names);
      // Items that failed before have precedence again.
      if (!result && failed.length > 0) return [];
      if (!result) continue;
      failed.push(result);
      most = failed.length === 1 ? 1 + Math.max(0, pointsOf(result.name) - SUSPECTED) : most;
      if (result.outcome.points === 0 || failed.length >= most) break;
    }
    return failed;
  }

  /** Sends an item in its turn: one that waits has not arrived. Returns its failure; null if it is settled or split. */
  async function attempt(found: ItemName, names: ItemName[]): Promise<Failed | null> {
    const item = await read(found);
    return item && inTurn(found, item, () => attemptNow(found, item, names));
  }

  async function attemptNow(found: ItemName, before: Item, names: ItemName[]): Promise<Failed | null> {
    if (found.sentAt !== null && isKeyed(before) && Date.now() - found.sentAt > KEY_KEPT_MS)
      return setAside(found, 'uncertain', 'an item may have arrived a day ago; it was put aside in uncertain/');
    const item = await batches.gather(found, before, names);
    // Before the attempt: after a kill or a power failure during it, nobody could know whether the item has arrived.
    const name = await files.mark(found, found.sentAt ?? Date.now());
    const startedAt = performance.now();
    const outcome = await send(item, item.key ?? name.key);
    if (outcome.kind === 'delivered') {
      acceptedAt.set(item.operation, performance.now());
      return remove(name);
    }
    const left = found.sentAt === null && !outcome.hasArrived ? await files.mark(name, null) : name;
    return judge({ name: left, item, outcome }, startedAt, names);
  }

  /** Decides after a failure whether the item stays in its lane. */
  async function judge(one: Failed, startedAt: number, names: ItemName[]): Promise<Failed | null> {
    const { name, item, outcome } = one;
    const lastAt = failures.get(name.key)?.lastAt ?? Number.POSITIVE_INFINITY;
    const points = pointsOf(name) + (pointsOf(name) < SUSPECTED ? outcome.points : Math.min(outcome.points, 1));
    failures.set(name.key, { points, lastAt: performance.now() });
    const isFinal = outcome.kind === 'refused';
    const isSuspected = isFinal || (outcome.points > 0 && points > SUSPECTED);
    if (outcome.kind === 'key_used' || (isSuspected && isDivisible(item))) return split(one, names);
    const accepted = acceptedAt.get(item.operation) ?? 0;
    const isAtFault = isFinal || (isSuspected && lastAt < accepted && accepted < startedAt);
    if (!isAtFault) return one;
    const { why } = outcome;
    if (outcome.kind === 'failed') return moveBeside(one);
    // A body that is refused for good was not accepted earlier either.
    const left = isFinal ? await files.mark(name, null) : name;
    return setAside(left, 'refused', 'Switchboard refused an item; it was put aside in refused/', { why });
  }

  /** Splits a batch, or gives an item whose key is used a new one, unless it has arrived. */
  async function split(one: Failed, names: ItemName[]): Promise<Failed | null> {
    const { name, item, outcome } = one;
    const empty = withoutEvents(item);
    // Uses up the key, so that the batch cannot arrive any more.
    const answer = name.sentAt === null ? null : empty && (await send(empty, item.key ?? name.key));
    const isUsed = name.sentAt !== null && (!answer || answer.kind === 'key_used');
    if (isUsed && outcome.kind !== 'key_used') return remove(name);
    if (isUsed)
      return setAside(name, 'uncertain', 'the key of an item was used for another; it was put aside in uncertain/');
    // Older services refuse batches without events: those behind it need not wait for that.
    if (answer && answer.kind !== 'delivered') return answer.kind === 'refused' ? one : { ...one, outcome: answer };
    const parts = outcome.kind === 'key_used' ? [await batches.renew(name, item)] : await batches.halve(name, item);
    const lastAt = performance.now();
    for (const { key } of parts) failures.set(key, { points: pointsOf(name), lastAt });
    names.unshift(...parts);
    return null;
  }

  /** The item; null for one that cannot be read, which is put aside. */
  async function read(name: ItemName): Promise<Item | null> {
    try {
      return await files.read(name);
    } catch (err) {
      if (!(err instanceof SyntaxError)) throw err;
      return setAside(name, 'refused', 'an item cannot be read; it was put aside in refused/', { err });
    }
  }

  async function remove(name: ItemName): Promise<null> {
    await files.remove(name);
    failures.delete(name.key);
    return null;
  }

  async function setAside(name: ItemName, folder: Aside, text: string, about: object = {}): Promise<null> {
    log.error({ file: name.file, ...about }, text);
    await files.putAside(name, folder);
    failures.delete(name.key);
    return null;
  }

  async function moveBeside(one: Failed): Promise<Failed | null> {
    const { name, outcome } = one;
    if (isSingleItemLane(name.lane)) return one;
    log.error({ file: name.file, why: outcome.why }, 'Switchboard fails at an item; it is repeated beside its lane');
    await files.moveBeside(name);
    failures.delete(name.key);
    return null;
  }

  const pointsOf = ({ key }: ItemName): number => failures.get(key)?.points ?? 0;

  return { run };
}
