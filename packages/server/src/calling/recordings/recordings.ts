import type { Readable } from 'node:stream';
import type { Sessions } from '../../conversations/sessions/sessions.ts';
import type { Transcripts } from '../../conversations/transcripts/transcripts.ts';
import { holdsSession } from '../../db/legal-holds.ts';
import type { Db } from '../../db/tables.ts';
import { AppError } from '../../lib/errors.ts';
import { isId } from '../../lib/ids.ts';
import type { Actor, Principal } from '../../lib/principal.ts';
import type { Platform } from '../../platform.ts';
import type { StreamTokens } from '../streams/stream-tokens.ts';
import type { AudioStore } from './audio-store.ts';
import type { EnqueueRecordingChange } from './events.ts';
import { linesIn, pictureOf } from './levels.ts';
import { rangeOf, readPieces } from './parts.ts';
import type { Removal } from './removal.ts';
import { NOTHING } from './reports.ts';
import { SEAL } from './sealing.ts';
import {
  findRecording,
  listLeft,
  listLevels,
  listRecordings,
  lockRecording,
  lockWithSession,
  type RecordingRow,
  updateRecording,
} from './store.ts';
import { viewOf } from './view.ts';

export type Recordings = ReturnType<typeof createRecordings>;

/** After this long without a sign of its worker, a recording of an ended call is stored as far as it has come. */
const QUIET_MS = 2 * 60_000;
/** When a worker's reports are not accepted any more. */
const GIVE_UP_MS = 25 * 60 * 60_000;
/** Recordings that one round looks at. */
const AT_ONCE = 200;

interface Deps extends Pick<Platform, 'db' | 'clock' | 'audit' | 'work'> {
  sessions: Sessions;
  transcripts: Pick<Transcripts, 'starts'>;
  audioStore: AudioStore;
  streamTokens: StreamTokens;
  removal: Removal;
  enqueueChange: EnqueueRecordingChange;
}

/** Audio as it is sent: the bytes from `start` to `end`, both included, of `size`. */
interface Audio {
  stream: Readable;
  start: number;
  end: number;
  size: number;
  isPart: boolean;
}

/** Recordings of calls, for those who hear and delete them. */
export function createRecordings({ db, clock, audit, work, sessions, transcripts, audioStore, ...others }: Deps) {
  const { streamTokens, removal, enqueueChange } = others;

  /** Throws `not_found` for one that is unknown, malformed, of another call, or another user's. */
  async function find(call_id: string, id: string, caller: string | null): Promise<RecordingRow> {
    const session = await sessions.get(call_id, caller);
    const row = isId(id) ? await findRecording(db, id.toLowerCase()) : undefined;
    if (row?.session_id !== session.id) throw new AppError('not_found');
    return row;
  }

  /** Throws `not_found` unless it is stored. */
  async function findStored(call_id: string, id: string, caller: string | null): Promise<RecordingRow> {
    const row = await find(call_id, id, caller);
    if (row.state !== 'stored') throw new AppError('not_found', { detail: `No audio is stored: it is ${row.state}.` });
    return row;
  }

  async function list(call_id: string, caller: string | null) {
    const { id } = await sessions.get(call_id, caller);
    return { recordings: (await listRecordings(db, id)).map(viewOf) };
  }

  /** `range` is the header of the request. */
  async function audio(call_id: string, id: string, range: string | undefined, caller: string | null): Promise<Audio> {
    const { id: recording_id, pieces, bytes: size } = await findStored(call_id, id, caller);
    const part = rangeOf(range, size);
    const { start, end } = part ?? { start: 0, end: size - 1 };
    return {
      stream: readPieces(audioStore, recording_id, pieces, { start, end }),
      start,
      end,
      size,
      isPart: part !== null,
    };
  }

  /** The loudness of each side in at most `points` intervals. */
  async function levels(call_id: string, id: string, points: number, caller: string | null) {
    const row = await find(call_id, id, caller);
    const rows = await listLevels(db, row.id);
    const starts = await transcripts.starts(row.session_id);
    return { ...pictureOf(row, rows, points), lines: linesIn(row, starts) };
  }

  /** A link to the audio for those who can send no key, such as an `<audio>` element. */
  async function link(call_id: string, id: string, caller: string | null, principal: Principal | null) {
    const { id: recording_id, session_id } = await findStored(call_id, id, caller);
    const { user_id } = await sessions.get(session_id, caller);
    const { token, expires_at } = await streamTokens.createForRecording(
      { session_id, user_id, recording_id },
      principal,
    );
    return { url: `/api/calls/${session_id}/recordings/${recording_id}/audio?token=${token}`, expires_at };
  }

  /**
   * Throws `legal_hold`, and `provider_unavailable` if the storage refuses: it is deleted later then, and cannot be
   * heard any more.
   */
  async function remove(call_id: string, recording_id: string, caller: string | null, actor: Actor): Promise<void> {
    const { id } = await find(call_id, recording_id, caller);
    await db.transaction().execute(async (trx) => {
      const row = await lockRecording(trx, id);
      if (!row || row.state === 'deleted') return;
      if (await holdsSession(trx, row.session_id)) throw new AppError('legal_hold');
      await removal.mark(trx, id);
      await audit.record(trx, actor, 'recording.deleted', `recording/${id}`);
    });
    await removal.now(id);
  }

  /** Goes on with recordings whose worker is lost, or that nobody verifies. */
  async function round(): Promise<void> {
    const quiet = new Date(clock.now().getTime() - QUIET_MS);
    for (const id of await listLeft(db, quiet, AT_ONCE))
      await db.transaction().execute((trx) => settle(trx, id, quiet));
  }

  async function settle(trx: Db, id: string, quiet: Date): Promise<void> {
    const row = await lockWithSession(trx, id);
    if (!row || row.updated_at >= quiet) return;
    const updated_at = clock.now();
    const isGivenUp = row.state === 'uploading' && updated_at.getTime() - row.created_at.getTime() > GIVE_UP_MS;
    const change = isGivenUp ? { segments: null, updated_at } : { updated_at };
    if (row.duration_ms === 0 && (row.state === 'recording' || row.state === 'waiting_for_consent' || isGivenUp)) {
      const failed = { ...change, state: 'failed' as const, error: NOTHING };
      await updateRecording(trx, id, failed);
      await enqueueChange(trx, row, { ...row, ...failed });
    } else if (['waiting_for_consent', 'recording', 'uploading'].includes(row.state)) {
      await updateRecording(trx, id, { ...change, state: 'uploading' });
      // A verification that fails waits for its next attempt: each reads all of the audio again.
      if ((await work.payloadOf(SEAL, id, trx)) === null) await work.add(trx, [{ kind: SEAL, key: id }]);
    }
  }

  return { list, audio, link, levels, remove, round };
}
