import type { createAside } from './aside.ts';
import { type createBatches, isDivisible, withoutEvents } from './batches.ts';
import type { Files, Item, ItemName } from './files.ts';
import type { Failure, Outcome } from './send.ts';

export type Send = (item: Item, key: string) => Promise<Outcome>;

/** An unsettled item, with its name after the last attempt. */
export interface Unsettled {
  name: ItemName;
  item: Item;
  failure: Failure;
}

/** Sends one item at a time, and settles those that the service has decided on. */
export function createAttempts(
  files: Files,
  send: Send,
  batches: ReturnType<typeof createBatches>,
  aside: ReturnType<typeof createAside>,
) {
  /** When an item of an operation was last accepted, in any lane, by `performance.now()`. */
  const takenAt = new Map<string, number>();

  /** Sends an item, and settles it if the service has decided. Halves of a batch go to the head of `names`. */
  async function attempt(found: ItemName, item: Item, names: ItemName[]): Promise<'delivered' | 'decided' | Unsettled> {
    // Before the attempt: a process killed during it could not know whether the item has arrived.
    const name = await files.mark(found, found.sentAt ?? Date.now());
    const outcome = await send(item, item.key ?? name.key);
    const isFirst = found.sentAt === null;
    switch (outcome.kind) {
      case 'delivered':
        await files.remove(name);
        takenAt.set(item.operation, performance.now());
        return 'delivered';
      case 'refused':
        return settleRefused({ name, item, failure: toFailure(outcome.why) }, isFirst, names);
      case 'key_used':
        return settleUsedKey({ name, item, failure: toFailure(outcome.why) }, names);
      default: {
        const isUnsent = isFirst && !outcome.hasArrived;
        return { name: isUnsent ? await files.mark(name, null) : name, item, failure: outcome };
      }
    }
  }

  /** The service will never accept an item: only one event of a batch may be the reason. */
  async function settleRefused(one: Unsettled, isFirst: boolean, names: ItemName[]): Promise<'decided' | Unsettled> {
    const { name, item, failure } = one;
    if (isDivisible(item)) {
      const unsent = isFirst ? await files.mark(name, null) : name;
      return divide({ name: unsent, item, failure }, names);
    }
    // A refused body was not accepted earlier either.
    await aside.refuse(await files.mark(name, null), failure.why);
    return 'decided';
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
    else if (use === 'other') await aside.putUncertain(name);
    else return use;
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

  return { attempt, divide, takenAt: (operation: string): number => takenAt.get(operation) ?? 0 };
}

function toFailure(why: string): Failure {
  return { kind: 'later', why, status: null, retryAfterMs: 0, hasArrived: true };
}
