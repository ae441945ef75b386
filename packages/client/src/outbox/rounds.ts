import { createAside } from './aside.ts';
import { createAttempts, type Send, type Unsettled } from './attempts.ts';
import { createBatches, isDivisible } from './batches.ts';
import type { OutboxLog } from './delivery.ts';
import type { Files, ItemName } from './files.ts';
import { type Failure, isRefusal } from './send.ts';

/**
 * Rounds in which a lane's first item fails before those behind it are tried: most failures pass. A missing or
 * foreign response says little about the item.
 */
const PATIENCE = { doubtful: 3, unclear: 30 };

type Doubt = keyof typeof PATIENCE;
/** After an item was tried: `settled` is the progress that ends a round, `outage` ends it too, else it goes on. */
type Tried = 'settled' | 'outage' | 'undecided';

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
  const aside = createAside(files, log);
  const batches = createBatches(files, aside.read);
  const { attempt, divide, takenAt } = createAttempts(files, send, batches, aside);

  /** Runs a round. Removes settled items from `names` and adds new ones. */
  async function run(names: ItemName[], doubts: Doubts): Promise<Round> {
    const startedAt = performance.now();
    const round: Round = { isProgress: false, doubt: null, failed: [] };
    const { failed } = round;
    let tried: Tried = 'undecided';
    while (tried === 'undecided' && names.length > 0 && failed.length < mostFailures(failed[0], doubts)) {
      tried = await tryHead(failed, names);
      if (tried === 'undecided') tried = await tryNext(round, names, doubts);
    }
    if (tried !== 'settled') await takeOutAlone(failed, doubts, startedAt);
    round.isProgress = tried === 'settled' || failed.length === 0;
    if (round.isProgress) names.unshift(...failed.map(({ name }) => name));
    return round;
  }

  /** Retries the head of the lane: if the service recovers within the round, no other item must overtake it. */
  async function tryHead(failed: Unsettled[], names: ItemName[]): Promise<Tried> {
    const [head] = failed;
    if (!head || failed.length === 1) return 'undecided';
    const again = await attempt(head.name, head.item, names);
    failed.splice(0, 1, ...(typeof again === 'string' ? [] : [again]));
    if (typeof again === 'string') return 'settled';
    return again.failure.kind === 'later' ? 'outage' : 'undecided';
  }

  /** Tries the next item; divides it if it fails at the head. */
  async function tryNext(round: Round, names: ItemName[], doubts: Doubts): Promise<Tried> {
    const { failed } = round;
    const next = await batches.next(names);
    if (!next || (await aside.isTooLate(next.name, next.item))) return 'undecided';
    const result = await attempt(next.name, next.item, names);
    if (result === 'delivered') failed.push(...(await judge(failed.splice(0), next.item.operation, names, doubts)));
    if (typeof result === 'string') return 'settled';
    const { kind } = result.failure;
    round.doubt ??= kind === 'later' ? null : kind;
    const isDivided = failed.length === 0 && overdue(result.failure, doubts) >= 0 && isDivisible(result.item);
    const left = isDivided ? await divide(result, names) : result;
    // Its halves are next.
    if (left === 'decided') return 'undecided';
    failed.push(left);
    return left.failure.kind === 'later' ? 'outage' : 'undecided';
  }

  /** Retries the items that failed before one of this operation was accepted; returns those that stay in the lane. */
  async function judge(failed: Unsettled[], operation: string, names: ItemName[], doubts: Doubts) {
    const left: Unsettled[] = [];
    for (const one of failed) {
      const isOther = one.item.operation !== operation || isDivisible(one.item);
      const again = isOther ? one : await attempt(one.name, one.item, names);
      if (typeof again === 'string') continue;
      if (isOther || overdue(again.failure, doubts) < 0) left.push(again);
      else await aside.takeOut(again.name, again.failure);
    }
    return left;
  }

  /**
   * Takes out an item that fails alone: nothing behind it can tell whether it is at fault. Another lane can, if one was
   * accepted between two failures of this item.
   */
  async function takeOutAlone(failed: Unsettled[], doubts: Doubts, startedAt: number): Promise<void> {
    const [only] = failed;
    if (!only || failed.length > 1 || !isRefusal(only.failure) || overdue(only.failure, doubts) < 0) return;
    const taken = takenAt(only.item.operation);
    if (taken <= doubts.since || taken >= startedAt) return;
    await aside.takeOut(only.name, only.failure);
    failed.pop();
  }

  return { run };
}

/** How many items of a round may fail before it ends; `head` is the first of them. */
function mostFailures(head: Unsettled | undefined, doubts: Doubts): number {
  return Math.max(1, 2 + overdue(head?.failure, doubts));
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
