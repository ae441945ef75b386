import { isDeepStrictEqual } from 'node:util';
import type { Database } from '../../db/database.ts';
import type { Db } from '../../db/tables.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Logger } from '../../lib/log.ts';
import type { Carrier, Routing } from '../../providers/carrier/carrier.ts';
import { type Assignment, findByNumber } from './store.ts';
import { deleteWatch, findWatch, takeDueWatches, upsertWatch, type Watch } from './watch-store.ts';

/** The pause before the first look; the last of them is about an hour after the request. */
const FIRST_PAUSE_MS = 60_000;
const MAX_LOOKS = 6;

type Watched = Pick<Assignment, 'phone_number' | 'carrier_sid'> & { previous_routing: Routing };

/**
 * Looks again at numbers whose carrier was asked for something and did not answer: it may carry that out when nobody
 * waits any more.
 */
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

  /** Takes the number off the media provider, where a late request has put it, before it is read what it did before. */
  async function clear(phone_number: string): Promise<void> {
    const watch = await findWatch(db, phone_number);
    if (watch) await carrier.detach(watch.carrier_sid, watch.previous_routing as Routing);
  }

  /** Looks at what is due, and makes the carrier agree with the database. */
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
    // A number that somebody sent elsewhere meanwhile is left alone.
    else if (before.state === 'assigned' && isDeepStrictEqual(await routingOf(phone_number), previous))
      await carrier.attach(carrier_sid);
    // An assignment or release during this check may have been overtaken: the next check repairs it.
    const after = await findByNumber(db, phone_number);
    if (looks >= MAX_LOOKS && after?.state === before?.state) await deleteWatch(db, phone_number);
  }

  async function routingOf(phone_number: string): Promise<Routing | undefined> {
    return (await carrier.findNumber(phone_number))?.routing;
  }

  return { add, clear, look };
}
