import type { Db } from '../../db/tables.ts';
import type { Logger } from '../../lib/log.ts';
import type { Phones } from '../../providers/phones.ts';
import { listAssigned } from './store.ts';

/** Tells the media provider to which numbers it accepts calls. */
export function createInboundNumbers({ db, log, phones }: { db: Db; log: Logger; phones: Phones }) {
  /** The numbers last sent to the media provider; unknown at first. */
  let syncedNumbers: string | null = null;

  /** Sends the assigned numbers to the media provider if they have changed. */
  async function sync(): Promise<void> {
    const assigned = [...(await listAssigned(db)).keys()].sort();
    if (assigned.join() === syncedNumbers) return;
    await phones.setInboundNumbers(assigned);
    syncedNumbers = assigned.join();
  }

  /** The same after a change, which a failure does not undo: the next `repair` tries again. */
  async function announce(): Promise<void> {
    await sync().catch((err: unknown) =>
      log.error({ err }, 'updating the inbound numbers at the media provider failed; it will be retried'),
    );
  }

  return { sync, announce };
}
