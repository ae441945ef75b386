import { isDeepStrictEqual } from 'node:util';
import { type Static, Type } from 'typebox';
import type { Db } from '../../db/tables.ts';
import type { Platform } from '../../platform.ts';
import type { Carrier, Routing } from '../../providers/carrier.ts';
import { type Kind, parsePayload, type Task } from '../../work/kinds.ts';
import { type Assignment, findByNumber } from './store.ts';

const KIND = 'number_watch';
const MINUTE_MS = 60_000;
/** The last check is about an hour after the request. */
const LAST_MS = 63 * MINUTE_MS;

export type Watches = ReturnType<typeof createWatches>;

type Watched = Pick<Assignment, 'phone_number' | 'carrier_sid'> & { previous_routing: Routing };

/** A number to check again, as it is stored under its phone number. */
const Watch = Type.Object({
  carrier_sid: Type.String(),
  /** The routing that the number had before it was sent to us. */
  previous_routing: Type.Unsafe<Routing>(Type.Object({})),
  /** The time of the request, as ISO 8601. */
  since: Type.String(),
});
type Watch = Static<typeof Watch>;

interface Deps extends Pick<Platform, 'db' | 'clock' | 'work'> {
  carrier: Carrier;
}

/** Checks numbers again after a request to the carrier timed out: it may still be carried out later. */
export function createWatches({ db, clock, carrier, work }: Deps) {
  /** Watches the number from now on; restarts an existing watch. */
  function add(trx: Db, { phone_number, carrier_sid, previous_routing }: Watched): Promise<void> {
    const since = clock.now();
    const payload: Watch = { carrier_sid, previous_routing, since: since.toISOString() };
    return work.restart(trx, [{ kind: KIND, key: phone_number, payload, due_at: nextCheck(since, since) }]);
  }

  /**
   * Detaches the number from the media provider, to which a late request has attached it, before its previous routing
   * is read.
   */
  async function clear(phone_number: string): Promise<void> {
    const watch = await find(phone_number);
    if (watch) await carrier.detach(watch.carrier_sid, watch.previous_routing);
  }

  /** The routing that a watched number had before it was sent to us; undefined for one that is not watched. */
  async function previousOf(phone_number: string): Promise<Routing | undefined> {
    return (await find(phone_number))?.previous_routing;
  }

  async function find(phone_number: string): Promise<Watch | undefined> {
    const stored = await work.payloadOf(KIND, phone_number);
    return stored === null ? undefined : parsePayload(Watch, stored);
  }

  /** Makes the carrier agree with the database; returns when to check again. */
  async function check({ key: phone_number, payload }: Task<Watch>): Promise<Date | null> {
    const { carrier_sid, previous_routing, since } = payload;
    const begun = clock.now();
    const before = await findByNumber(db, phone_number);
    if (!before) await carrier.detach(carrier_sid, previous_routing);
    // A number that was routed elsewhere meanwhile is not changed.
    else if (before.state === 'assigned' && isDeepStrictEqual(await routingOf(phone_number), previous_routing))
      await carrier.attach(carrier_sid);
    // An assignment or release during this check may conflict with it: the next check repairs that.
    const after = await findByNumber(db, phone_number);
    const isLast = begun.getTime() - Date.parse(since) >= LAST_MS && after?.state === before?.state;
    return isLast ? null : nextCheck(new Date(since), begun);
  }

  async function routingOf(phone_number: string): Promise<Routing | undefined> {
    return (await carrier.findNumber(phone_number))?.routing;
  }

  const kind: Kind<typeof Watch> = { payload: Watch, run: check };
  return { add, clear, previousOf, kinds: { [KIND]: kind } };
}

/** The first of 1, 3, 7, 15, … minutes after `since` that is after `now`. */
function nextCheck(since: Date, now: Date): Date {
  let minutes = 1;
  while (since.getTime() + minutes * MINUTE_MS <= now.getTime()) minutes = minutes * 2 + 1;
  return new Date(since.getTime() + minutes * MINUTE_MS);
}
