import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  AudioStream,
  type LocalTrack,
  type RemoteParticipant,
  type RemoteTrack,
  type Room,
  RoomEvent,
  TrackKind,
} from '@livekit/rtc-node';
import type { RecordingReport, SegmentCreate } from '@switchboard/client';
import { BACKGROUND } from '../conversation/background.ts';
import { readFrames } from '../conversation/frames.ts';
import { HOLD_MUSIC } from '../conversation/hold-music.ts';
import { isColleague, isTarget } from '../conversation/participants.ts';
import type { Clearance } from './clearance.ts';
import { createDelay } from './delay.ts';
import { createEars, type Ear } from './ears.ts';
import { startEncoder } from './encoder.ts';
import { createLevels } from './levels.ts';
import { createMixer, RATE, type Side } from './mixer.ts';
import { createOnsets } from './onsets.ts';
import { createSegments, DELAYED_SEGMENT_MS, SEGMENT_MS, type SilentIn } from './segments.ts';

/** Interval at which what was said goes to the encoder. */
const TICK_MS = 100;
const FRAME_MS = 20;
/** Time that the last lines of a call may take. */
const LAST_LINES_MS = 4_000;
const BESIDE_WORDS = [BACKGROUND, HOLD_MUSIC];

/** The outbox of a recording. Each resolves when the report is on disk. */
export interface Reports {
  state(recording_id: string, report: RecordingReport): Promise<void>;
  segment(recording_id: string, segment: SegmentCreate): Promise<void>;
}

type Heard = Pick<Room, 'on' | 'off' | 'remoteParticipants' | 'localParticipant'>;
type Log = Record<'warn' | 'error', (about: object, text: string) => void>;

export type Recorder = ReturnType<typeof createRecorder>;

/**
 * Records what is said in a room: the agent as it is sent, without the sounds beside its words, whoever talks in its
 * place, and the others as they arrive. Before `start` it does not listen at all. With a `clearance`, sound stays in
 * memory until that lets it go.
 */
export function createRecorder(
  room: Heard,
  channels: 'stereo' | 'mono',
  reports: Reports,
  log: Log,
  clearance: Clearance | null = null,
) {
  const id = randomUUID();
  let running: ReturnType<typeof record> | null = null;
  let [muted, began] = [0, 0];
  const report = (state: Omit<RecordingReport, 'channels'>) =>
    reports
      .state(id, { ...state, channels })
      .catch((error: unknown) => log.error({ error }, 'writing to the outbox failed: a report of a recording is LOST'));

  return {
    /** Nobody has consented yet. */
    wait: () => report({ state: 'waiting_for_consent' }),
    refuse: () => report({ state: 'refused' }),
    fail: (error: string) => report({ state: 'failed', error }),
    start(): void {
      if (running) return;
      began = Date.now();
      const started_at = new Date(began).toISOString();
      const begin = untilDone(() => reports.state(id, { state: 'recording', started_at, channels }));
      begin().catch((error: unknown) => log.warn({ error }, 'the beginning of a recording is not written yet'));
      running = record(room, channels, {
        segment: (segment) => begin().then(() => reports.segment(id, segment)),
        ended: (segments) => report({ state: 'ended', started_at, segments }),
        isMuted: () => muted > 0,
        clearance,
        log,
      });
      if (muted > 0) running.pause();
    },
    /** Records silence until the returned function is called, and says so. */
    mute(): () => void {
      if (muted++ === 0) running?.pause();
      let isOver = false;
      return () => {
        if (!isOver && --muted === 0) running?.resume();
        isOver = true;
      };
    },
    /** When sound of one side begins that is known to begin about then, in ms since 1970; null if none is recorded. */
    onset: (side: Side, at: number) => running && began + running.nearestOnset(side, at - began),
    /** Resolves once everything is on disk. Sound that waits for a line waits for `lastLines`. */
    stop: async (lastLines?: Promise<unknown>): Promise<void> => running?.stop(lastLines),
  };
}

/** Does something once: again after it has failed, when it is called again. */
function untilDone(action: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | null = null;
  return () => {
    done ??= action().catch((error: unknown) => {
      done = null;
      throw error;
    });
    return done;
  };
}

interface Sink {
  /** After the report that begins the recording, without which the service refuses it. */
  segment(segment: SegmentCreate): Promise<void>;
  ended(segments: number): Promise<void>;
  isMuted(): boolean;
  clearance: Clearance | null;
  log: Log;
}

/** Records until it is stopped. */
function record(room: Heard, channels: 'stereo' | 'mono', { segment, ended, isMuted, clearance, log }: Sink) {
  const mixer = createMixer(channels);
  const onsets = createOnsets(channels);
  const ears =
    clearance &&
    createEars(
      (is, at) => clearance.speaks('others', is, at),
      (error) =>
        log.error(
          { error },
          'speech is not detected any more: the others (in mono, both sides) are silent in the rest of the recording',
        ),
    );
  const delay = clearance && ears && createDelay(channels, clearance, mixer.start, ears.heardUntil);
  const levels = createLevels(channels);
  const onLost = (error: unknown) => log.error({ error }, 'a segment of a recording was not written');
  const silentIn: SilentIn = (from_ms, to_ms) => [
    ...mixer.pausesIn(from_ms, to_ms),
    ...(delay?.redactedIn(from_ms, to_ms).map((part) => ({ ...part, why: 'redacted' as const })) ?? []),
  ];
  const segments = createSegments(segment, onLost, levels, silentIn, delay ? DELAYED_SEGMENT_MS : SEGMENT_MS);
  let hasFailed = false;
  const encoder = startEncoder(channels, segments.add, (error) => {
    log.error({ error }, 'the recording has failed');
    hasFailed = true;
    void stop();
  });
  const streams = listen(room, (track, side) => {
    const line = mixer.track(side);
    const stream = new AudioStream(track, { sampleRate: RATE, numChannels: 1, frameSizeMs: FRAME_MS });
    return follow(stream, line, isMuted, side === 'others' ? ears?.open() : undefined);
  });
  const timer = setInterval(() => take(), TICK_MS);
  let stopping: Promise<void> | null = null;

  function write(samples: Int16Array): void {
    levels.add(samples);
    encoder.write(samples);
  }

  /** Takes what is complete to the encoder; with `isLast`, everything up to now. */
  function take(isLast = false): void {
    const samples = mixer.take(isLast);
    onsets.add(samples);
    write(delay ? delay.pass(samples, performance.now()) : samples);
  }

  async function end(lastLines: Promise<unknown>): Promise<void> {
    clearInterval(timer);
    take(true);
    streams.stop();
    if (delay) {
      await atMost(LAST_LINES_MS, Promise.all([lastLines, ears?.finished()]));
      write(delay.end(performance.now()));
    }
    await encoder.end();
    const count = await segments.end();
    // Otherwise the service, which hears no end, says that the rest of the call is missing.
    if (!hasFailed) await ended(count);
  }
  function stop(lastLines: Promise<unknown> = Promise.resolve()): Promise<void> {
    stopping ??= end(lastLines);
    return stopping;
  }
  return { stop, pause: mixer.pause, resume: mixer.resume, nearestOnset: onsets.nearest };
}

/** Resolves with a promise, however it ends, or after so many milliseconds. */
async function atMost(ms: number, promise: Promise<unknown>): Promise<void> {
  const late = new AbortController();
  await Promise.race([promise.catch(() => {}), sleep(ms, undefined, { signal: late.signal }).catch(() => {})]);
  late.abort();
}

interface Line {
  add(samples: Int16Array): number;
  close(): void;
}

/** Takes the frames of a stream to its line, and to those who hear it, until it ends; returns what ends it. */
function follow(stream: AudioStream, line: Line, isMuted: () => boolean, ear?: Ear): () => void {
  return readFrames(
    stream,
    (frame) => {
      const end = line.add(isMuted() ? new Int16Array(frame.data.length) : frame.data);
      ear?.add(frame, end);
    },
    () => {
      ear?.close();
      line.close();
    },
  );
}

type Open = (track: LocalTrack | RemoteTrack, side: Side) => () => void;

/** Opens every track of words in the room, now and later. */
function listen(room: Heard, open: Open) {
  const opened = new Map<string, () => void>();
  function see(track: LocalTrack | RemoteTrack | undefined, side: Side | null): void {
    if (side === null || track?.kind !== TrackKind.KIND_AUDIO || opened.has(track.sid ?? '')) return;
    if (side === 'agent' && BESIDE_WORDS.includes(track.name ?? '')) return;
    opened.set(track.sid ?? '', open(track, side));
  }
  // A colleague talks in place of the agent; the target of a transfer has not consented, from its ringing on.
  const sideOf = (other: RemoteParticipant): Side | null =>
    isTarget(other) ? null : isColleague(other) ? 'agent' : 'others';
  const onOther = (track: RemoteTrack, _of: unknown, other: RemoteParticipant) => see(track, sideOf(other));
  const onGone = (track: RemoteTrack) => {
    opened.get(track.sid ?? '')?.();
    opened.delete(track.sid ?? '');
  };
  const onOwn = ({ track }: { track?: LocalTrack }) => see(track, 'agent');
  room.on(RoomEvent.TrackSubscribed, onOther);
  room.on(RoomEvent.TrackUnsubscribed, onGone);
  room.on(RoomEvent.LocalTrackPublished, onOwn);
  for (const { track } of room.localParticipant?.trackPublications.values() ?? []) see(track, 'agent');
  for (const other of room.remoteParticipants.values())
    for (const { track } of other.trackPublications.values()) see(track, sideOf(other));
  return {
    stop(): void {
      room.off(RoomEvent.TrackSubscribed, onOther);
      room.off(RoomEvent.TrackUnsubscribed, onGone);
      room.off(RoomEvent.LocalTrackPublished, onOwn);
      for (const close of opened.values()) close();
    },
  };
}
