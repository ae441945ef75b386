import { isDeepStrictEqual } from 'node:util';
import type { Database } from '../../db/database.ts';
import type { Db } from '../../db/tables.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Logger } from '../../lib/log.ts';
import type { Carrier, Routing } from '../../providers/carrier/carrier.ts';
import { type Assignment, findByNumber } from './store.ts';
import { deleteWatch, findWatch, takeDueWatches, upsertWatch, type Watch } from './watch-store.ts';

/** The pause before the first check; the last one is about an hour after the request. */
const FIRST_PAUSE_MS = 60_000;
const MAX_LOOKS = 6;

export type Watches = ReturnType<typeof createWatches>;

type Watched = Pick<Assignment, 'phone_number' | 'carrier_sid'> & { previous_routing: Routing };

/** Checks numbers again after a request to the carrier timed out: it may still be carried out later. */
export function createWatches({
  db,
  clock,
  log,
  carrier,
}: {
  db: Database['db'];
  clock: Clock;
  log: Logger;
  carrier: Carrier;
}) {
  async function add(trx: Db, { phone_number, carrier_sid, previous_routing }: Watched): Promise<void> {
    const look_at = new Date(clock.now().getTime() + FIRST_PAUSE_MS);
    const watch = { phone_number, carrier_sid, previous_routing: JSON.stringify(previous_routing), looks: 0, look_at };
    await upsertWatch(trx, watch);
  }

  /**
   * Detaches the number from the media provider, to which a late request has attached it, before its previous routing
   * is read.
   */
  async function clear(phone_number: string): Promise<void> {
    const watch = await findWatch(db, phone_number);
    if (watch) await carrier.detach(watch.carrier_sid, watch.previous_routing as Routing);
  }

  /** Checks due numbers, at most once a minute each, and makes the carrier agree with the database. */
  async function look(): Promise<void> {
    for (const watch of await takeDueWatches(db, clock.now(), FIRST_PAUSE_MS)) {
      await lookAt(watch).catch((err: unknown) =>
        log.error({ err, carrier_sid: watch.carrier_sid }, 'checking a number again failed; it will be retried'),
      );
    }
  }

  async function lookAt({ phone_number, carrier_sid, previous_routing, looks }: Watch): Promise<void> {
    const previous = previous_routing as Routing;
    const before = await findByNumber(db, phone_number);
    if (!before) await carrier.detach(carrier_sid, previous);
    // A number that was routed elsewhere meanwhile is not changed.
    else if (before.state === 'assigned' && isDeepStrictEqual(await routingOf(phone_number), previous))
      await carrier.attach(carrier_sid);
    // An assignment or release during this check may conflict with it: the next check repairs that.
    const after = await findByNumber(db, phone_number);
    if (looks >= MAX_LOOKS && after?.state === before?.state) await deleteWatch(db, phone_number);
  }

  async function routingOf(phone_number: string): Promise<Routing | undefined> {
    return (await carrier.findNumber(phone_number))?.routing;
  }

  return { add, clear, look };
}
