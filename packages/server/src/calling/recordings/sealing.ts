import { createHash } from 'node:crypto';
import type { Sessions } from '../../conversations/sessions/sessions.ts';
import type { Db } from '../../db/tables.ts';
import type { Platform } from '../../platform.ts';
import type { Kind, Task } from '../../work/kinds.ts';
import type { AudioStore } from './audio-store.ts';
import type { EnqueueRecordingChange } from './events.ts';
import { gapsIn, withoutSegments } from './parts.ts';
import {
  countSegments,
  deleteSegments,
  findRecording,
  listSegments,
  lockWithSession,
  type RecordingRow,
  type SegmentRow,
  updateRecording,
} from './store.ts';

/** The kind of work that verifies a recording whose segments have all arrived, and calls it stored. */
export const SEAL = 'recording_seal';
/** Segments verified between renewals of the lease. */
const AT_ONCE = 50;

interface Deps extends Pick<Platform, 'db' | 'clock'> {
  sessions: Sessions;
  audioStore: AudioStore;
  enqueueChange: EnqueueRecordingChange;
}

/** Verifies recordings by reading every byte again: a storage may have lost, cut or changed what it acknowledged. */
export function createSealing({ db, clock, sessions, audioStore, enqueueChange }: Deps): Kind {
  async function run({ key: id, renew }: Task): Promise<Date | null> {
    // In this order: a segment that comes in between, with what it adds to the recording, then makes it wait.
    const segments = await listSegments(db, id);
    const recording = await findRecording(db, id);
    if (!recording || !isDue(recording, segments.length)) return null;
    const pieces = piecesOf(recording, segments);
    const expected = new Map(segments.map(({ seq, sha256 }) => [seq, sha256]));
    const whole = createHash('sha256');
    for (const [seq, bytes] of pieces.entries()) {
      if (seq % AT_ONCE === 0) await renew();
      if (bytes > 0) await verify(id, seq, bytes, expected.get(seq), whole);
    }
    await renew();
    const gaps = await gapsOf(recording, segments);
    const sealed = { pieces, gaps, sha256: whole.digest('hex'), verified_ms: recording.duration_ms };
    return db.transaction().execute((trx) => seal(trx, recording, segments.length, sealed));
  }

  /** Records that it is stored; returns when to verify it again, if another segment or its end came meanwhile. */
  async function seal(trx: Db, { id, segments }: RecordingRow, count: number, sealed: Sealed): Promise<Date | null> {
    const now = await lockWithSession(trx, id);
    if (!now || !isDue(now, count)) return null;
    if (now.segments !== segments || (await countSegments(trx, id)) !== count) return clock.now();
    await deleteSegments(trx, id);
    const bytes = sealed.pieces.reduce((sum, one) => sum + one, 0);
    const change = { ...sealed, bytes, state: 'stored' as const, updated_at: clock.now() };
    await updateRecording(trx, id, { ...change, gaps: JSON.stringify(sealed.gaps) });
    await enqueueChange(trx, now, { ...now, ...change });
    return null;
  }

  /** Throws unless the storage returns what it was given. */
  async function verify(id: string, seq: number, bytes: number, sha256: string | undefined, whole: Hash) {
    const own = createHash('sha256');
    let size = 0;
    for await (const chunk of audioStore.read(id, seq, bytes)) {
      size += chunk.length;
      own.update(chunk);
      whole.update(chunk);
    }
    if (size !== bytes || (sha256 !== undefined && own.digest('hex') !== sha256))
      throw new Error(`The storage returns ${size} bytes for segment ${seq} that are not the ${bytes} it was given.`);
  }

  async function gapsOf(recording: RecordingRow, segments: SegmentRow[]) {
    const { session_id, started_at, verified_ms } = recording;
    const known = withoutSegments(recording.gaps, segments).filter(({ why }) => why !== 'worker_lost');
    const { ended_at } = await sessions.get(session_id, null);
    const until_ms =
      recording.segments === null && ended_at && started_at ? ended_at.getTime() - started_at.getTime() : null;
    return [...known, ...gapsIn(segments, verified_ms, until_ms)];
  }

  return { run, concurrency: 2 };
}

type Sealed = Pick<RecordingRow, 'gaps' | 'sha256' | 'verified_ms' | 'pieces'>;
type Hash = ReturnType<typeof createHash>;

/** Whether all of its segments have arrived; those of a lost worker are as many as there are. */
function isDue({ state, segments, pieces }: RecordingRow, waiting: number): boolean {
  return state === 'uploading' && (segments === null || pieces.length + waiting >= segments);
}

/** Bytes of each segment in order; 0 for one that never came. */
function piecesOf({ pieces }: RecordingRow, segments: SegmentRow[]): number[] {
  const all = [...pieces];
  for (const { seq, bytes } of segments) {
    while (all.length < seq) all.push(0);
    all[seq] ||= bytes;
  }
  return all;
}
