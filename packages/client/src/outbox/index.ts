import { createHash, randomUUID } from 'node:crypto';
import type {
  CallOutcome,
  FailedOver,
  RecordingReport,
  SegmentCreate,
  TranscriptCreate,
  TurnsCreate,
  UsageBatchEvent,
} from '../generated/schema.ts';
import { type Delivery, type DeliveryOptions, startDelivery } from './delivery.ts';
import { isSingleItemLane, openFiles } from './files.ts';
import type { OutboxLog } from './lanes.ts';

export type { Delivery, DeliveryOptions, OutboxLog };

/**
 * A sequence of reports, sent in order. Usage events are sent separately: those of one user are combined over all
 * lanes.
 */
export interface Lane {
  /**
   * Each resolves once the report is on disk, and rejects if it could not be written. An event without `unit_cost` is
   * priced by the service's price book.
   */
  usage(event: UsageBatchEvent): Promise<void>;
  /** `timestamp` defaults to the time of this call. */
  transcript(roomName: string, transcript: TranscriptCreate): Promise<void>;
  turns(sessionId: string, turns: TurnsCreate): Promise<void>;
  failedOver(sessionId: string, failedOver: FailedOver): Promise<void>;
  outcome(callId: string, outcome: CallOutcome): Promise<void>;
  recording(sessionId: string, recordingId: string, report: RecordingReport): Promise<void>;
  segment(sessionId: string, recordingId: string, segment: SegmentCreate): Promise<void>;
  /** Ends the session of the room. */
  end(roomName: string): Promise<void>;
  /** Resolves when everything added so far is on disk or has failed to be written. */
  settled(): Promise<void>;
}

/** Numbers of requests in an outbox. Combined usage events count as one. */
export interface OutboxCounts {
  /** Still to be sent, including those that fail by their own fault. */
  waiting: number;
  /** Those that fail by their own fault, which are retried separately. */
  failing: number;
  /** Permanently refused by the service: the files in `refused/`. */
  refused: number;
  /** Possibly received, longer ago than the service remembers: the files in `uncertain/`. */
  uncertain: number;
}

export interface Outbox {
  lane(name: string): Lane;
  /** Sends the items in the outbox, whichever process added them. One process delivers; others wait until it ends. */
  deliver(options: DeliveryOptions): Delivery;
  /** How many requests are still to be sent. */
  waiting(): Promise<number>;
  counts(): Promise<OutboxCounts>;
  /** When the oldest request that is still to be sent was added, in milliseconds since 1970; null if there is none. */
  oldest(): Promise<number | null>;
  /**
   * Moves refused items back into their lanes and returns their number. The delivering process sends them, with their
   * original keys.
   */
  sendRefusedAgain(): Promise<number>;
}

/**
 * Stores a worker's reports in a folder, one file each, until the service has received them. A conversation never
 * waits for the network, and reports survive killed processes and outages of the service. Each is booked once.
 */
export async function openOutbox(dir: string): Promise<Outbox> {
  const files = await openFiles(dir);

  /** Writes requests into a lane, one after another. */
  function createWriter(lane: string) {
    let next: number | null = null;
    let last = Promise.resolve();

    async function write(operation: string, args: string[], body?: unknown): Promise<void> {
      // After the leftovers of an earlier process with the same name.
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
      failedOver: (sessionId, over) =>
        put('reportFailedOver', [sessionId], { id: randomUUID(), at: new Date().toISOString(), ...over }),
      outcome: (callId, outcome) => put('reportCallOutcome', [callId], outcome),
      recording: (sessionId, id, report) => put('reportRecording', [sessionId, id], report),
      segment: (sessionId, id, segment) => put('addRecordingSegment', [sessionId, id], segment),
      end: (roomName) => put('endSessionByRoom', [roomName]),
      settled: () => Promise.all([settled(), ...[...usage.values()].map((one) => one.settled())]).then(() => {}),
    };
  }

  async function counts(): Promise<OutboxCounts> {
    const [waiting, refused, uncertain] = await Promise.all([
      files.list(),
      files.aside('refused'),
      files.aside('uncertain'),
    ]);
    const failing = waiting.filter((one) => isSingleItemLane(one.lane));
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
    oldest: files.oldest,
    sendRefusedAgain,
  };
}

/** The lane of a user's usage events, shared by all processes. Its name differs from every other lane and user id. */
function usageLane(userId: string): string {
  return `usage@${createHash('sha256').update(userId).digest('hex').slice(0, 32)}`;
}
