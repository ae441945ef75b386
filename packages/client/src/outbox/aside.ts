import type { OutboxLog } from './delivery.ts';
import type { Files, Item, ItemName } from './files.ts';
import { type Failure, isKeyed, isRefusal } from './send.ts';

/** The service keeps keys for 24 hours; an hour is reserved for clock skew and the request itself. */
const KEY_KEPT_MS = 23 * 60 * 60_000;

/** Takes items out of their lanes, and logs why. */
export function createAside(files: Files, log: OutboxLog) {
  /** The item; null for one that cannot be read, which is put aside. */
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

  /** Sets aside an item whose key the service has for another one. */
  async function putUncertain(name: ItemName): Promise<void> {
    log.error({ file: name.file }, 'the key of an item was used for another; it was put aside in uncertain/');
    await files.putAside(name, 'uncertain');
  }

  async function refuse(name: ItemName, why: string): Promise<void> {
    log.error({ file: name.file, why }, 'Switchboard refused an item; it was put aside in refused/');
    await files.putAside(name, 'refused');
  }

  /** Moves an item that is at fault out of its lane. */
  async function takeOut(name: ItemName, failure: Failure): Promise<void> {
    const { why } = failure;
    if (isRefusal(failure)) return refuse(name, why);
    log.error({ file: name.file, why }, 'Switchboard fails at an item; it is repeated beside its lane');
    await files.moveBeside(name);
  }

  return { read, isTooLate, putUncertain, refuse, takeOut };
}
