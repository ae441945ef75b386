import type { CallOutcome, TranscriptCreate, TurnsCreate, UsageBatchEvent } from '../generated/schema.ts';
import { type Delivery, type DeliveryOptions, type OutboxLog, startDelivery } from './delivery.ts';
import { openFiles } from './files.ts';

export type { Delivery, DeliveryOptions, OutboxLog };

/** A line of reports that are sent one after another, in the order in which they were put in. */
export interface Lane {
  /**
   * Each resolves when the report is on the disk, and rejects when it could not be written. The price book of the
   * service has the price of an event without `unit_cost`.
   */
  usage(event: UsageBatchEvent): Promise<void>;
  /** `timestamp` is the time of this call, unless it says another. */
  transcript(roomName: string, transcript: TranscriptCreate): Promise<void>;
  turns(sessionId: string, turns: TurnsCreate): Promise<void>;
  outcome(callId: string, outcome: CallOutcome): Promise<void>;
  /** Ends the session of the room. */
  end(roomName: string): Promise<void>;
  /** Resolves when everything put in so far is on the disk, or has failed to get there. */
  settled(): Promise<void>;
}

export interface Outbox {
  lane(name: string): Lane;
  /** Sends what is in the outbox, whichever process has put it there. One process at a time does. */
  deliver(options: DeliveryOptions): Delivery;
  /** How many requests are still to be sent; usage events that were gathered into one count once. */
  waiting(): Promise<number>;
}

/**
 * Reports of a worker in a folder, each a file, until the service has them. So a conversation never waits for the
 * network, and what is in here survives processes that are killed and a service that is down. Each is booked once.
 */
export async function openOutbox(dir: string): Promise<Outbox> {
  const files = await openFiles(dir);

  function lane(name: string): Lane {
    if (!/^[\w.-]{1,100}$/.test(name))
      throw new TypeError(`a lane is named by 1 to 100 letters, digits and ._-, not "${name}"`);
    let next: number | null = null;
    let last = Promise.resolve();

    async function write(operation: string, args: string[], body?: unknown): Promise<void> {
      // After what an earlier process of the same name has left.
      next ??= Math.max(-1, ...(await files.list()).filter((one) => one.lane === name).map(({ place }) => place)) + 1;
      await files.write(name, next++, { operation, args, body });
    }

    function put(operation: string, args: string[], body?: unknown): Promise<void> {
      const written = last.then(() => write(operation, args, body));
      last = written.catch(() => {});
      return written;
    }

    return {
      usage: (event) => put('logUsageEvents', [], { events: [event] }),
      transcript: (roomName, transcript) =>
        put('addTranscript', [roomName], { timestamp: new Date().toISOString(), ...transcript }),
      turns: (sessionId, turns) => put('reportTurns', [sessionId], turns),
      outcome: (callId, outcome) => put('reportCallOutcome', [callId], outcome),
      end: (roomName) => put('endSessionByRoom', [roomName]),
      settled: () => last,
    };
  }

  return {
    lane,
    deliver: (options) => startDelivery(files, options),
    waiting: async () => (await files.list()).length,
  };
}
