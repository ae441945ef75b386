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
import { createWriters, LAST_MS, type Writer, type Writers } from './writers.ts';

export type { Delivery, DeliveryOptions, OutboxLog };

/**
 * A sequence of reports, sent in order. Usage events are sent separately: those of one user are combined over all
 * lanes.
 */
export interface Lane {
  /**
   * Each resolves once the report is on disk. While the disk fails it is kept in memory and tried again; it rejects
   * when it is given up: if 4 MiB wait in this process, or three seconds after `settled`. An event without `unit_cost`
   * is priced by the service's price book.
   */
  usage(event: UsageBatchEvent): Promise<void>;
  /** `timestamp` defaults to the time of this call. */
  transcript(roomName: string, transcript: TranscriptCreate): Promise<void>;
  turns(sessionId: string, turns: TurnsCreate): Promise<void>;
  failedOver(sessionId: string, failedOver: FailedOver): Promise<void>;
  outcome(callId: string, outcome: CallOutcome): Promise<void>;
  /** Tried again for three seconds, because recorders wait for it. */
  recording(sessionId: string, recordingId: string, report: RecordingReport): Promise<void>;
  /** Tried once, as is the report that a recording begins: whoever records keeps them, and knows how much audio. */
  segment(sessionId: string, recordingId: string, segment: SegmentCreate): Promise<void>;
  /** Ends the session of the room. */
  end(roomName: string): Promise<void>;
  /** Resolves when everything added so far is on disk or given up. */
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
  /** `log` is told when the disk fails. */
  lane(name: string, log?: Pick<OutboxLog, 'warn'>): Lane;
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
  const writers = createWriters(files);

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

  function deliver(options: DeliveryOptions): Delivery {
    const delivery = startDelivery(files, options);
    return {
      stop: async (withinMs) => {
        const deadline = performance.now() + withinMs;
        // Reports that are still being written are not in the folder yet.
        await writers.settled();
        await delivery.stop(deadline - performance.now());
      },
    };
  }

  return {
    lane: (name, log) => createLane(writers, name, log),
    deliver,
    waiting: async () => (await files.list()).length,
    counts,
    oldest: files.oldest,
    sendRefusedAgain,
  };
}

function createLane(writers: Writers, name: string, log?: Pick<OutboxLog, 'warn'>): Lane {
  if (!/^[\w.-]{1,100}$/.test(name))
    throw new TypeError(`a lane is named by 1 to 100 letters, digits and ._-, not "${name}"`);
  const own = writers.open(name, log);
  const put = (operation: string, args: string[], body?: unknown, keptMs?: number) =>
    own.put({ operation, args, body }, keptMs);
  const usage = new Map<string, Writer>();
  function usageOf(userId: string): Writer {
    const known = usage.get(userId) ?? writers.open(usageLane(userId), log);
    usage.set(userId, known);
    return known;
  }
  return {
    usage: (event) => usageOf(event.user_id).put({ operation: 'logUsageEvents', args: [], body: { events: [event] } }),
    transcript: (roomName, transcript) =>
      put('addTranscript', [roomName], { timestamp: new Date().toISOString(), ...transcript }),
    turns: (sessionId, turns) => put('reportTurns', [sessionId], turns),
    failedOver: (sessionId, over) =>
      put('reportFailedOver', [sessionId], { id: randomUUID(), at: new Date().toISOString(), ...over }),
    outcome: (callId, outcome) => put('reportCallOutcome', [callId], outcome),
    recording: (sessionId, id, report) =>
      put('reportRecording', [sessionId, id], report, report.state === 'recording' ? 0 : LAST_MS),
    segment: (sessionId, id, segment) => put('addRecordingSegment', [sessionId, id], segment, 0),
    end: (roomName) => put('endSessionByRoom', [roomName]),
    settled: () => Promise.all([own, ...usage.values()].map((one) => one.settled())).then(() => {}),
  };
}

/** The lane of a user's usage events, shared by all processes. Its name differs from every other lane and user id. */
function usageLane(userId: string): string {
  return `usage@${createHash('sha256').update(userId).digest('hex').slice(0, 32)}`;
}
