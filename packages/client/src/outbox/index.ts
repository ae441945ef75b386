import { createHash } from 'node:crypto';
import type { CallOutcome, TranscriptCreate, TurnsCreate, UsageBatchEvent } from '../generated/schema.ts';
import { type Delivery, type DeliveryOptions, type OutboxLog, startDelivery } from './delivery.ts';
import { isBeside, openFiles } from './files.ts';

export type { Delivery, DeliveryOptions, OutboxLog };

/**
 * A line of reports that are sent one after another, in the order in which they were put in. Usage events go beside it:
 * those of all lanes that are of one user are sent together.
 */
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

/** Requests in an outbox. Usage events that were gathered into one count once. */
export interface OutboxCounts {
  /** Still to be sent, those included that fail by their own fault. */
  waiting: number;
  /** Those the service fails at, which are repeated beside the others. */
  failing: number;
  /** Refused for good by the service: the files in `refused/`. */
  refused: number;
  /** Arrived, perhaps, longer ago than the service remembers: the files in `uncertain/`. */
  uncertain: number;
}

export interface Outbox {
  lane(name: string): Lane;
  /** Sends what is in the outbox, whichever process has put it there. One process at a time does. */
  deliver(options: DeliveryOptions): Delivery;
  /** How many requests are still to be sent. */
  waiting(): Promise<number>;
  counts(): Promise<OutboxCounts>;
  /**
   * Puts what the service has refused back into its lanes, and returns how many items that are. Whoever delivers sends
   * them, with the keys that they had.
   */
  sendRefusedAgain(): Promise<number>;
}

/**
 * Reports of a worker in a folder, each a file, until the service has them. So a conversation never waits for the
 * network, and what is in here survives processes that are killed and a service that is down. Each is booked once.
 */
export async function openOutbox(dir: string): Promise<Outbox> {
  const files = await openFiles(dir);

  /** Writes requests into a lane, one after another. */
  function createWriter(lane: string) {
    let next: number | null = null;
    let last = Promise.resolve();

    async function write(operation: string, args: string[], body?: unknown): Promise<void> {
      // After what an earlier process of the same name has left.
      next ??= Math.max(-1, ...(await files.list()).filter((one) => one.lane === lane).map(({ place }) => place)) + 1;
      await files.write(lane, next++, { operation, args, body });
    }

    return {
      put: (operation: string, args: string[], body?: unknown): Promise<void> => {
        const written = last.then(() => write(operation, args, body));
        last = written.catch(() => {});
        return written;
      },
      settled: () => last,
    };
  }

  function lane(name: string): Lane {
    if (!/^[\w.-]{1,100}$/.test(name))
      throw new TypeError(`a lane is named by 1 to 100 letters, digits and ._-, not "${name}"`);
    const { put, settled } = createWriter(name);
    const usage = new Map<string, ReturnType<typeof createWriter>>();
    function usageOf(userId: string) {
      const known = usage.get(userId) ?? createWriter(usageLane(userId));
      usage.set(userId, known);
      return known;
    }
    return {
      usage: (event) => usageOf(event.user_id).put('logUsageEvents', [], { events: [event] }),
      transcript: (roomName, transcript) =>
        put('addTranscript', [roomName], { timestamp: new Date().toISOString(), ...transcript }),
      turns: (sessionId, turns) => put('reportTurns', [sessionId], turns),
      outcome: (callId, outcome) => put('reportCallOutcome', [callId], outcome),
      end: (roomName) => put('endSessionByRoom', [roomName]),
      settled: async () => {
        await Promise.all([settled(), ...[...usage.values()].map((one) => one.settled())]);
      },
    };
  }

  async function counts(): Promise<OutboxCounts> {
    const [waiting, refused, uncertain] = await Promise.all([
      files.list(),
      files.aside('refused'),
      files.aside('uncertain'),
    ]);
    const failing = waiting.filter((one) => isBeside(one.lane));
    return { waiting: waiting.length, failing: failing.length, refused: refused.length, uncertain: uncertain.length };
  }

  async function sendRefusedAgain(): Promise<number> {
    const refused = await files.aside('refused');
    for (const name of refused) await files.putBack(name, 'refused');
    return refused.length;
  }

  return {
    lane,
    deliver: (options) => startDelivery(files, options),
    waiting: async () => (await files.list()).length,
    counts,
    sendRefusedAgain,
  };
}

/** The lane of a user's usage events, in all processes. Its name is no other lane's, and no user's id. */
function usageLane(userId: string): string {
  return `usage@${createHash('sha256').update(userId).digest('hex').slice(0, 32)}`;
}
