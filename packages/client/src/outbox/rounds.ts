import { createBatches, drop, isDivisible } from './batches.ts';
import type { OutboxLog } from './delivery.ts';
import type { Files, Item, ItemName } from './files.ts';
import { type Failure, isKeyed, type Outcome } from './send.ts';

/** Rounds in which the first item of a lane fails before those behind it are tried: most failures pass. */
export const PATIENCE = 3;
/** The service keeps keys for 24 hours. An hour is left for clocks that differ, and for the request itself. */
const KEY_KEPT_MS = 23 * 60 * 60_000;

export type Send = (item: Item, key: string) => Promise<Outcome>;

/** An item that is not settled yet, with its name after the last attempt. */
interface Unsettled {
  name: ItemName;
  item: Item;
  failure: Failure;
}

export interface Round {
  /** Whether something was settled, so that the next round need not wait. */
  isProgress: boolean;
  /** Whether an item failed that may be at fault itself. */
  hasDoubt: boolean;
  /** The failures that are not settled, in the order of the lane. */
  failed: Unsettled[];
}

/**
 * Sends the items of a lane in rounds. A round begins at the head of the lane, and most end there: as long as the
 * service is away, nothing overtakes anything. A failure that may be the item's own fault is different, because it
 * would keep the lane waiting for ever. After some rounds a batch that fails is divided, and those behind the head are
 * tried too, one more in each round. Once one of the same kind is taken right after others have failed, and these fail
 * again, they are known to be at fault: they leave the lane.
 */
export function createRounds(files: Files, send: Send, log: OutboxLog) {
  const batches = createBatches(files, read);
  /** When an item of an operation was taken last, in whichever lane, by the clock of `performance`. */
  const takenAt = new Map<string, number>();

  /**
   * Runs a round, after so many that ended in doubt, the first one at `doubtedAt`. Removes from `names` what is
   * settled, and puts in what is new.
   */
  async function run(names: ItemName[], doubts: number, doubtedAt: number): Promise<Round> {
    const startedAt = performance.now();
    const failed: Unsettled[] = [];
    let hasDoubt = false;
    const end = (isProgress: boolean): Round => {
      if (isProgress) names.unshift(...failed.map(({ name }) => name));
      return { isProgress, hasDoubt, failed };
    };
    /** A half waits for the first one, which shows whether the whole has arrived. */
    const maySend = ({ key }: ItemName) => !failed.some(({ item }) => item.halves?.some((half) => half.key === key));
    while (failed.length < Math.max(1, 2 + doubts - PATIENCE) && names.some(maySend)) {
      // A service that comes back within the round shall not have the next one first.
      const [head] = failed;
      if (head && failed.length > 1) {
        const again = await attempt(head.name, head.item, names);
        failed.splice(0, 1, ...(typeof again === 'string' ? [] : [again]));
        if (typeof again === 'string') return end(true);
        if (again.failure.kind === 'later') break;
      }
      const next = await batches.next(names, maySend);
      if (!next || (await isTooLate(next.name, next.item, names))) continue;
      const result = await attempt(next.name, next.item, names);
      if (result === 'delivered') failed.push(...(await judge(failed.splice(0), next.item.operation, names)));
      if (typeof result === 'string') return end(true);
      const { name, item, failure } = result;
      hasDoubt ||= failure.kind === 'doubtful';
      if (failed.length === 0 && failure.kind === 'doubtful' && doubts >= PATIENCE && isDivisible(item))
        names.unshift(...(await batches.divide(name, item)));
      else failed.push(result);
      if (failure.kind === 'later') break;
    }
    const [only] = failed;
    if (!only || failed.length > 1 || doubts < PATIENCE || !isAlone(only)) return end(failed.length === 0);
    // Nothing behind it can tell. Another lane does, where one was taken between two failures of this.
    const taken = takenAt.get(only.item.operation) ?? 0;
    if (taken <= doubtedAt || taken >= startedAt) return end(false);
    await takeOut(only);
    failed.pop();
    return end(true);
  }

  /** Tries again those that failed before one of this operation was taken, and gives those that stay in the lane. */
  async function judge(failed: Unsettled[], operation: string, names: ItemName[]): Promise<Unsettled[]> {
    const left: Unsettled[] = [];
    for (const one of failed) {
      const isOther = one.item.operation !== operation || isDivisible(one.item);
      const again = isOther ? one : await attempt(one.name, one.item, names);
      if (typeof again === 'string') continue;
      if (isOther || again.failure.kind === 'later') left.push(again);
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

  /** Puts aside what may have arrived so long ago that the service would not recognise it. */
  async function isTooLate(name: ItemName, item: Item, names: ItemName[]): Promise<boolean> {
    if (name.sentAt === null || !isKeyed(item) || Date.now() - name.sentAt <= KEY_KEPT_MS) return false;
    log.error({ file: name.file }, 'an item may have arrived a day ago; it was put aside in uncertain/');
    // The whole may have arrived. A half is not there when a process was killed right here.
    const { halves = [] } = item;
    for (const half of halves) {
      const found = await batches.find(half);
      if (found) await files.putAside(found, 'uncertain');
    }
    drop(names, halves);
    await files.flush();
    await files.putAside(name, 'uncertain');
    return true;
  }

  /** Sends an item, and settles it where the service has decided. Halves of a batch go to the head of `names`. */
  async function attempt(found: ItemName, item: Item, names: ItemName[]): Promise<'delivered' | 'decided' | Unsettled> {
    // Before the attempt: who is killed during it does not know whether it has arrived.
    const name = await files.mark(found, found.sentAt ?? Date.now());
    const outcome = await send(item, name.key);
    switch (outcome.kind) {
      case 'delivered':
        await files.remove(name);
        takenAt.set(item.operation, performance.now());
        return 'delivered';
      case 'refused': {
        // A body that is refused has not arrived earlier either.
        const unsent = await files.mark(name, null);
        if (isDivisible(item)) names.unshift(...(await batches.divide(unsent, item)));
        else await refuse(unsent, outcome.why);
        return 'decided';
      }
      case 'key_used':
        await settleUsedKey(name, item, names);
        return 'decided';
      default: {
        const isUnsent = found.sentAt === null && !outcome.hasArrived;
        return { name: isUnsent ? await files.mark(name, null) : name, item, failure: outcome };
      }
    }
  }

  /** Takes an item that is at fault out of its lane. The service works, so it would have known the key of the whole. */
  async function takeOut({ name, item, failure }: Unsettled): Promise<void> {
    const { why } = failure;
    const { halves, ...alone } = item;
    if (halves) await files.put(name, alone);
    if (isRefusal(failure)) return refuse(name, why);
    log.error({ file: name.file, why }, 'Switchboard fails at an item; it is repeated beside its lane');
    await files.moveBeside(name);
  }

  async function refuse(name: ItemName, why: string): Promise<void> {
    log.error({ file: name.file, why }, 'Switchboard refused an item; it was put aside in refused/');
    await files.putAside(name, 'refused');
  }

  /** The service has a batch that this was the first part of. */
  async function settleUsedKey(name: ItemName, item: Item, names: ItemName[]): Promise<void> {
    const settled = await batches.settleUsedKey(name, item);
    if (settled === null) {
      log.error({ file: name.file }, 'the key of an item was used for another; it was put aside in uncertain/');
      await files.putAside(name, 'uncertain');
      return;
    }
    drop(names, item.halves?.slice(-1) ?? []);
    if (settled === 'joined') names.unshift(name);
  }

  return { run };
}

/** Whether it leaves the lane by the word of another lane: what would be refused, and what holds up others. */
function isAlone({ item, failure }: Unsettled): boolean {
  return isRefusal(failure) || (failure.kind === 'doubtful' && item.halves !== undefined && !isDivisible(item));
}

/** Whether the service would not carry it out, rather than could not. */
function isRefusal({ kind, status }: Failure): boolean {
  return kind === 'doubtful' && status !== 500;
}
