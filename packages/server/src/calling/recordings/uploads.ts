import { createHash } from 'node:crypto';
import type { Static } from 'typebox';
import type { DataKeys } from '../../access/data-keys/data-keys.ts';
import { assertTakesReports, type Sessions } from '../../conversations/sessions/sessions.ts';
import type { Db } from '../../db/tables.ts';
import { AppError } from '../../lib/errors.ts';
import { isId } from '../../lib/ids.ts';
import { InvalidFields } from '../../lib/invalid.ts';
import type { Platform } from '../../platform.ts';
import type { AudioStore } from './audio-store.ts';
import type { EnqueueRecordingChange } from './events.ts';
import { levelsOf } from './levels.ts';
import { withPauses } from './parts.ts';
import { REMOVE } from './removal.ts';
import { assertComplete, changeOf, isClosed, isLeftOpen } from './reports.ts';
import { MAX_SEGMENT_BYTES, MAX_SEGMENT_MS, type RecordingReport, type SegmentCreate } from './schema.ts';
import { SEAL } from './sealing.ts';
import {
  findRecording,
  findSegment,
  insertLevels,
  insertRecording,
  insertSegment,
  lockRecording,
  type SegmentRow,
  updateRecording,
} from './store.ts';
import { viewOf } from './view.ts';

/** Other facts of a segment. */
interface Beside {
  levels: Buffer | null;
  pauses: NonNullable<Static<typeof SegmentCreate>['pauses']>;
  /** The key that has encrypted its audio; null if it is not encrypted. */
  key_id: string | null;
}

export type Uploads = ReturnType<typeof createUploads>;

interface Deps extends Pick<Platform, 'db' | 'clock' | 'work'> {
  sessions: Sessions;
  audioStore: AudioStore;
  dataKeys: DataKeys;
  enqueueChange: EnqueueRecordingChange;
}

/** Reports of workers on recordings, and the audio that they send. */
export function createUploads({ db, clock, work, sessions, audioStore, dataKeys, enqueueChange }: Deps) {
  /** The session's id. Throws `not_found`, or `session_ended` more than a day after the end of the call. */
  async function sessionOf(id: string, caller: string | null): Promise<string> {
    const session = await sessions.get(id, caller);
    assertTakesReports(session, clock.now());
    return session.id;
  }

  /** Begins a recording, or changes its state. Late and repeated reports change nothing. */
  async function report(
    call_id: string,
    recording_id: string,
    input: Static<typeof RecordingReport>,
    caller: string | null,
  ) {
    const session_id = await sessionOf(call_id, caller);
    assertComplete(input);
    if (!isId(recording_id)) throw new AppError('not_found');
    const [id, at] = [recording_id.toLowerCase(), clock.now()];
    return db.transaction().execute(async (trx) => {
      const fresh = { id, session_id, state: 'waiting_for_consent' as const, channels: input.channels };
      await insertRecording(trx, { ...fresh, started_at: null, created_at: at, updated_at: at });
      const known = await lockRecording(trx, id);
      if (known?.session_id !== session_id) throw new AppError('not_found');
      const change = changeOf(known, input);
      if (!change) return viewOf(known);
      await updateRecording(trx, id, { ...change, updated_at: at });
      if (change.state === 'uploading') await work.add(trx, [{ kind: SEAL, key: id }]);
      const changed = { ...known, ...change };
      await enqueueChange(trx, known, changed);
      return viewOf(changed);
    });
  }

  /**
   * Stores a segment once, however often it is sent. It is in the storage before this resolves; if the storage fails,
   * nothing is recorded, and the worker has to send it again.
   */
  async function append(
    call_id: string,
    recording_id: string,
    segment: Static<typeof SegmentCreate>,
    caller: string | null,
  ) {
    const session_id = await sessionOf(call_id, caller);
    const recording = isId(recording_id) ? await findRecording(db, recording_id.toLowerCase()) : undefined;
    if (recording?.session_id !== session_id) throw new AppError('not_found');
    const audio = audioOf(segment);
    const levels = levelsOf(segment, recording.channels);
    const { audio: _, levels: __, pauses = [], ...about } = segment;
    const row = { ...about, recording_id: recording.id, bytes: audio.length };
    const isGone = recording.state === 'deleted';
    if (!isGone && (isClosed(recording) || recording.pieces[row.seq] || (await isKnown(row)))) return { added: false };
    const owned = { id: session_id, user_id: recording.user_id };
    const key_id = isGone ? null : await put(row, audio, owned);
    return { added: await db.transaction().execute((trx) => record(trx, row, { levels, pauses, key_id })) };
  }

  /** The id of the key, or null; null also if the storage failed, and the recording was deleted or erased meanwhile. */
  async function put({ recording_id, seq }: SegmentRow, audio: Buffer, owned: { id: string; user_id: string }) {
    try {
      return await audioStore.put(recording_id, seq, audio, owned);
    } catch (error) {
      const recording = await findRecording(db, recording_id);
      if (!recording || recording.state === 'deleted') return null;
      // A sign of its worker, which keeps the segment and sends it again: without one the recording is called lost.
      await updateRecording(db, recording_id, { updated_at: clock.now() });
      throw error;
    }
  }

  /** Throws `InvalidFields` if another segment has its number. */
  async function isKnown({ recording_id, seq, sha256 }: SegmentRow): Promise<boolean> {
    const known = await findSegment(db, recording_id, seq);
    if (known && known.sha256 !== sha256) throw unfit('seq', 'be the number of no other segment');
    return known !== undefined;
  }

  /**
   * Whether it is new. Of a recording that is deleted the storage may have it all the same, now or from an attempt that
   * a crash cut off: it is removed. Throws if its key was destroyed: it has to be sent again.
   */
  async function record(trx: Db, row: SegmentRow, { levels, pauses, key_id }: Beside): Promise<boolean> {
    const recording = await lockRecording(trx, row.recording_id);
    if (!recording || recording.state === 'deleted') {
      await work.add(trx, [{ kind: REMOVE, key: row.recording_id }]);
      return false;
    }
    if (isClosed(recording)) return false;
    if (key_id !== null && !(await dataKeys.hold(trx, key_id))) throw new AppError('provider_unavailable');
    if (!(await insertSegment(trx, row))) return false;
    const { recording_id, seq, from_ms } = row;
    if (levels) await insertLevels(trx, { recording_id, seq, from_ms, levels });
    // One that the service ended without its worker's last segments, or any, which come after all.
    const isLate = isLeftOpen(recording);
    await updateRecording(trx, row.recording_id, {
      bytes: recording.bytes + row.bytes,
      duration_ms: Math.max(recording.duration_ms, row.to_ms),
      updated_at: clock.now(),
      ...(pauses.length > 0 && { gaps: JSON.stringify(withPauses(recording.gaps, pauses)) }),
      ...(isLate && { state: 'uploading', error: null }),
    });
    if (isLate || recording.state === 'uploading') await work.add(trx, [{ kind: SEAL, key: row.recording_id }]);
    return true;
  }

  return { report, append };
}

/** The audio of a segment. Throws `InvalidFields` unless it is what the segment says, and whole pages of Ogg. */
function audioOf({ audio, sha256, from_ms, to_ms, pauses = [] }: Static<typeof SegmentCreate>): Buffer {
  const bytes = Buffer.from(audio, 'base64');
  if (bytes.length > MAX_SEGMENT_BYTES) throw unfit('audio', `have at most ${MAX_SEGMENT_BYTES} bytes`);
  if (createHash('sha256').update(bytes).digest('hex') !== sha256) throw unfit('sha256', 'be that of the audio');
  if (!bytes.subarray(0, 4).equals(Buffer.from('OggS'))) throw unfit('audio', 'begin with a page of Ogg');
  if (to_ms < from_ms || to_ms - from_ms > MAX_SEGMENT_MS)
    throw unfit('to_ms', `be at most ${MAX_SEGMENT_MS} after from_ms, and not before it`);
  if (pauses.some((one) => one.from_ms < from_ms || one.to_ms > to_ms || one.to_ms < one.from_ms))
    throw unfit('pauses', 'be parts of the segment');
  return bytes;
}

function unfit(field: string, what: string): InvalidFields {
  return new InvalidFields({ field, msg: `Input should ${what}`, type: 'value_error' });
}
