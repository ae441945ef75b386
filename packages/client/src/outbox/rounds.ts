import { createBatches, isDivisible, withoutEvents } from './batches.ts';
import type { OutboxLog } from './delivery.ts';
import type { Files, Item, ItemName } from './files.ts';
import { type Failure, isKeyed, type Outcome } from './send.ts';

/**
 * Rounds in which a lane's first item fails before those behind it are tried: most failures pass. A missing or
 * foreign response says little about the item.
 */
const PATIENCE = { doubtful: 3, unclear: 30 };
/** The service keeps keys for 24 hours; an hour is reserved for clock skew and the request itself. */
const KEY_KEPT_MS = 23 * 60 * 60_000;

type Doubt = keyof typeof PATIENCE;
export type Send = (item: Item, key: string) => Promise<Outcome>;

/** An unsettled item, with its name after the last attempt. */
interface Unsettled {
  name: ItemName;
  item: Item;
  failure: Failure;
}

/** Consecutive rounds with the same suspicion. */
export interface Doubts {
  kind: Doubt | null;
  count: number;
  /** When the first of them ended, by `performance.now()`. */
  since: number;
}
export const NO_DOUBTS: Doubts = { kind: null, count: 0, since: 0 };

export interface Round {
  /** Whether the round made progress, so that the next one need not wait. */
  isProgress: boolean;
  /** The failure of the first item that may be at fault itself; null if there is none. */
  doubt: Doubt | null;
  /** The unsettled failures, in the order of the lane. */
  failed: Unsettled[];
}

/**
 * Sends the items of a lane in rounds. A round begins at the head of the lane, and most end there: while the service
 * is down, nothing is reordered. A failure that may be the item's own fault is different, because it would block the
 * lane forever. After some rounds a failing batch is split, and those behind the head are tried as well, one more in
 * each round. If an item of the same kind is accepted between two failures of others, those are at fault: they leave
 * the lane.
 */
export function createRounds(files: Files, send: Send, log: OutboxLog) {
  const batches = createBatches(files, read);
  /** When an item of an operation was last accepted, in any lane, by `performance.now()`. */
  const takenAt = new Map<string, number>();

  /** Runs a round. Removes settled items from `names` and adds new ones. */
  async function run(names: ItemName[], doubts: Doubts): Promise<Round> {
    const startedAt = performance.now();
    const failed: Unsettled[] = [];
    let doubt: Doubt | null = null;
    const end = (isProgress: boolean): Round => {
      if (isProgress) names.unshift(...failed.map(({ name }) => name));
      return { isProgress, doubt, failed };
    };
    while (failed.length < Math.max(1, 2 + overdue(failed[0]?.failure, doubts)) && names.length > 0) {
      // If the service recovers within the round, the next item must not overtake this one.
      const [head] = failed;
      if (head && failed.length > 1) {
        const again = await attempt(head.name, head.item, names);
        failed.splice(0, 1, ...(typeof again === 'string' ? [] : [again]));
        if (typeof again === 'string') return end(true);
        if (again.failure.kind === 'later') break;
      }
      const next = await batches.next(names);
      if (!next || (await isTooLate(next.name, next.item))) continue;
      const result = await attempt(next.name, next.item, names);
      if (result === 'delivered') failed.push(...(await judge(failed.splice(0), next.item.operation, names, doubts)));
      if (typeof result === 'string') return end(true);
      const { kind } = result.failure;
      doubt ??= kind === 'later' ? null : kind;
      const isDivided = failed.length === 0 && overdue(result.failure, doubts) >= 0 && isDivisible(result.item);
      const left = isDivided ? await divide(result, names) : result;
      if (left === 'decided') continue;
      failed.push(left);
      if (left.failure.kind === 'later') break;
    }
    const [only] = failed;
    const isAlone = only && failed.length === 1 && isRefusal(only.failure) && overdue(only.failure, doubts) >= 0;
    if (!isAlone) return end(failed.length === 0);
    // Nothing behind it can tell. Another lane can, if one was accepted between two failures of this item.
    const taken = takenAt.get(only.item.operation) ?? 0;
    if (taken <= doubts.since || taken >= startedAt) return end(false);
    await takeOut(only);
    failed.pop();
    return end(true);
  }

  /** Retries the items that failed before one of this operation was accepted; returns those that stay in the lane. */
  async function judge(failed: Unsettled[], operation: string, names: ItemName[], doubts: Doubts) {
    const left: Unsettled[] = [];
    for (const one of failed) {
      const isOther = one.item.operation !== operation || isDivisible(one.item);
      const again = isOther ? one : await attempt(one.name, one.item, names);
      if (typeof again === 'string') continue;
      if (isOther || overdue(again.failure, doubts) < 0) left.push(again);
      else await takeOut(again);
    }
    return left;
  }

  async function read(name: ItemName): Promise<Item | null> {
    try {
      return await files.read(name);
    } catch (error) {
      log.error({ err: error, file: name.file }, 'an item cannot be read; it was put aside in refused/');
      await files.putAside(name, 'refused');
      return null;
    }
  }

  /** Sets aside items that may have arrived so long ago that the service would not recognize a repetition. */
  async function isTooLate(name: ItemName, item: Item): Promise<boolean> {
    if (name.sentAt === null || !isKeyed(item) || Date.now() - name.sentAt <= KEY_KEPT_MS) return false;
    log.error({ file: name.file }, 'an item may have arrived a day ago; it was put aside in uncertain/');
    await files.putAside(name, 'uncertain');
    return true;
  }

  /** Sends an item, and settles it if the service has decided. Halves of a batch go to the head of `names`. */
  async function attempt(found: ItemName, item: Item, names: ItemName[]): Promise<'delivered' | 'decided' | Unsettled> {
    // Before the attempt: a process killed during it could not know whether the item has arrived.
    const name = await files.mark(found, found.sentAt ?? Date.now());
    const outcome = await send(item, item.key ?? name.key);
    switch (outcome.kind) {
      case 'delivered':
        await files.remove(name);
        takenAt.set(item.operation, performance.now());
        return 'delivered';
      case 'refused':
        if (isDivisible(item)) {
          const unsent = found.sentAt === null ? await files.mark(name, null) : name;
          return divide({ name: unsent, item, failure: toFailure(outcome.why) }, names);
        }
        // A refused body was not accepted earlier either.
        await refuse(await files.mark(name, null), outcome.why);
        return 'decided';
      case 'key_used':
        return settleUsedKey({ name, item, failure: toFailure(outcome.why) }, names);
      default: {
        const isUnsent = found.sentAt === null && !outcome.hasArrived;
        return { name: isUnsent ? await files.mark(name, null) : name, item, failure: outcome };
      }
    }
  }

  /** Splits a batch, unless it has arrived. */
  async function divide(batch: Unsettled, names: ItemName[]): Promise<'decided' | Unsettled> {
    const { name, item } = batch;
    const use = name.sentAt === null ? 'none' : await useUp(batch);
    if (use === 'other') await files.remove(name);
    else if (use === 'none') names.unshift(...(await batches.divide(name, item)));
    else return use;
    return 'decided';
  }

  /** An item's key was used for another body: possibly for the empty one before a batch was split. */
  async function settleUsedKey(one: Unsettled, names: ItemName[]): Promise<'decided' | Unsettled> {
    const { name, item } = one;
    const use = await useUp(one);
    if (use === 'none') names.unshift(await batches.renew(name, item));
    else if (use !== 'other') return use;
    else {
      log.error({ file: name.file }, 'the key of an item was used for another; it was put aside in uncertain/');
      await files.putAside(name, 'uncertain');
    }
    return 'decided';
  }

  /** Uses up the key of a batch, so that it can no longer arrive: `other` if the key was already used for events. */
  async function useUp(batch: Unsettled): Promise<'none' | 'other' | Unsettled> {
    const { name, item } = batch;
    const empty = withoutEvents(item);
    const outcome = empty && (await send(empty, item.key ?? name.key));
    if (outcome === null || outcome.kind === 'key_used') return 'other';
    if (outcome.kind === 'delivered') return 'none';
    // Older services reject batches without events: those behind it need not wait for that.
    return outcome.kind === 'refused' ? batch : { ...batch, failure: outcome };
  }

  /** Moves an item that is at fault out of its lane. */
  async function takeOut({ name, failure }: Unsettled): Promise<void> {
    const { why } = failure;
    if (isRefusal(failure)) return refuse(name, why);
    log.error({ file: name.file, why }, 'Switchboard fails at an item; it is repeated beside its lane');
    await files.moveBeside(name);
  }

  async function refuse(name: ItemName, why: string): Promise<void> {
    log.error({ file: name.file, why }, 'Switchboard refused an item; it was put aside in refused/');
    await files.putAside(name, 'refused');
  }

  return { run };
}

/** How many rounds longer than most failures it has lasted; negative for an item that is not suspected yet. */
function overdue(failure: Failure | undefined, { kind, count }: Doubts): number {
  return failure && kind !== null && failure.kind === kind ? count - PATIENCE[kind] : -1;
}

/** The suspicions after a round. */
export function doubtsAfter({ doubt: kind, isProgress }: Round, before: Doubts): Doubts {
  if (kind === null) return isProgress ? NO_DOUBTS : before;
  const count = before.kind === kind ? before.count : 0;
  // Failures of a round with progress are followed up at once. The suspicion is as old as its first failure: another
  // lane may be served in the middle of a round.
  if (isProgress || count === 0)
    return { kind, count: isProgress ? Math.min(count, PATIENCE[kind]) : 1, since: performance.now() };
  return { ...before, count: count + 1 };
}

/** Whether the service declined to process it, rather than being unable to. */
function isRefusal({ kind, status }: Failure): boolean {
  return kind === 'doubtful' && status !== 500;
}

function toFailure(why: string): Failure {
  return { kind: 'later', why, status: null, retryAfterMs: 0, hasArrived: true };
}
