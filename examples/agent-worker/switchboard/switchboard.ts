import type { Call } from './call.ts';
import type { Log } from './delivery.ts';
import { EVENT_TYPES, priceOf, times, type Used } from './prices.ts';
import type { Lane, Spool } from './spool.ts';

export type Speaker = 'USER' | 'AGENT' | 'SYSTEM';
export type Switchboard = ReturnType<typeof createSwitchboard>;

const LONGEST_TRANSCRIPT = 65_536;

/**
 * Reports of a call to Switchboard. Nothing here waits or throws: everything goes into the spool, and the worker sends
 * it.
 */
export function createSwitchboard({
  call,
  spool,
  job_id,
  log,
}: {
  call: Call;
  spool: Spool;
  job_id: string;
  log: Log;
}) {
  const room = `/api/sessions/by-room/${encodeURIComponent(call.room_name)}`;
  // Two lanes, so that a transcript that is stuck keeps no usage back.
  const talk = spool.lane(`${job_id}-talk`);
  const usage = spool.lane(`${job_id}-usage`);

  function put(lane: Lane, path: string, body: object | null, loggable: object): void {
    lane
      .put(path, body)
      .catch((error: unknown) => log.error({ error, path, ...loggable }, 'not written to the spool: LOST'));
  }

  return {
    /** A transcript, with the time of its end. */
    transcript(speaker: Speaker, text: string): void {
      // PostgreSQL holds neither NUL nor half a surrogate pair.
      const content = text.replaceAll('\0', '').slice(0, LONGEST_TRANSCRIPT).toWellFormed().trim();
      if (!content) return;
      // Transcripts do not belong into a log.
      put(talk, `${room}/transcripts`, { speaker, content, timestamp: new Date().toISOString() }, {});
    },
    /** Usage of a model, with its price. */
    usage(used: Used): void {
      const { provider, unit, quantity } = used;
      const unit_cost = priceOf(used);
      // The quantity is worth keeping: the price can be looked up later.
      if (unit_cost === null) log.warn({ used }, 'no price is known: booked as 0');
      const { session_id, user_id, agent_id } = call;
      const price = { unit_cost: unit_cost ?? '0', total_cost: times(quantity, unit_cost ?? '0') };
      const event = { session_id, user_id, agent_id, provider, event_type: EVENT_TYPES[unit], quantity, ...price };
      put(usage, '/api/usage/events', event, { event });
    },
    /** Ends the session: Switchboard hangs up on everybody by closing the room. */
    end(): void {
      put(talk, `${room}/end`, null, {});
    },
    /** Resolves when all of it is on the disk. */
    settled: async (): Promise<void> => {
      await Promise.all([talk.settled(), usage.settled()]);
    },
  };
}
