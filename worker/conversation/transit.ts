/**
 * How long sound is on its way between the caller and this process. The worker sees one leg of it, from and to the
 * media server, and one jitter buffer, its own: the caller's is taken to be as long, because both follow one network.
 * That of a phone is the bridge's, which has a least length.
 */
import type { Room } from '@livekit/rtc-node';

/** A packet is sent when all of its sound is there: Opus in WebRTC has 20 ms. */
const PACKET_MS = 20;

/** The jitter and the loss of the sound that arrives here: what is lost before the bridge leaves no gap in it. */
export interface LineFigures {
  jitter_ms: number;
  packet_loss_percent: number;
}

export type Stats = Awaited<ReturnType<Room['getRtcStats']>>;

/** The mean over the time between two readings; what was known before, if no sound arrived in it. */
export function createTransit() {
  let [delayed, emitted] = [0, 0];
  let known: { buffered: number; way: number } | null = null;
  let line: LineFigures | null = null;
  return {
    /** Both connections are read: a room may use one of them for both directions. */
    add({ publisherStats, subscriberStats }: Stats): void {
      let [delay, count, roundTrip] = [0, 0, 0];
      let [lost, received, jitter] = [0, 0, 0];
      for (const { stats } of [...publisherStats, ...subscriberStats]) {
        if (stats.case === 'inboundRtp' && stats.value.stream?.kind === 'audio') {
          lost += Math.max(0, Number(stats.value.received?.packetsLost ?? 0));
          received += Number(stats.value.received?.packetsReceived ?? 0);
          jitter = Math.max(jitter, stats.value.received?.jitter ?? 0);
          delay += stats.value.inbound?.jitterBufferDelay ?? 0;
          count += Number(stats.value.inbound?.jitterBufferEmittedCount ?? 0);
        }
        if (stats.case === 'candidatePair' && stats.value.candidatePair?.nominated)
          roundTrip = stats.value.candidatePair.currentRoundTripTime ?? 0;
      }
      if (received > 0) line = { jitter_ms: round(jitter * 1000), packet_loss_percent: percent(lost, received) };
      const [newDelay, newCount] = [delay - delayed, count - emitted];
      [delayed, emitted] = [delay, count];
      // Less than before: a track has ended.
      if (newCount > 0 && newDelay >= 0)
        known = { buffered: (newDelay / newCount) * 1000, way: PACKET_MS + roundTrip * 500 };
    },
    /** Milliseconds in one direction, to where this much is buffered at least; 0 until it is known. */
    ms: (leastBuffered = 0): number => (known ? known.way + Math.max(known.buffered, leastBuffered) : 0),
    /** The line at the last reading; null until sound has arrived. */
    line: (): LineFigures | null => line,
  };
}

const round = (value: number) => Math.round(value * 100) / 100;
const percent = (lost: number, received: number) => round((100 * lost) / (lost + received));
