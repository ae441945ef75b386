import { holdsSession } from '../../db/legal-holds.ts';
import type { Batch, Deleted } from '../../db/retention-batches.ts';
import type { Db } from '../../db/tables.ts';
import type { Step } from '../../feature.ts';
import type { Platform } from '../../platform.ts';
import type { Kind } from '../../work/kinds.ts';
import type { AudioStore } from './audio-store.ts';
import {
  deleteLevels,
  deleteRecordings,
  deleteRecordingsOf,
  deleteSegments,
  listOfUser,
  listOlder,
  lockRecording,
  updateRecording,
} from './store.ts';

/** The kind of work that deletes the audio of a deleted recording, until the storage has done it. */
export const REMOVE = 'recording_removal';
/** Recordings of an erased user that are read at a time. */
const AT_ONCE = 200;

export type Removal = ReturnType<typeof createRemoval>;

interface Deps extends Pick<Platform, 'db' | 'clock' | 'work'> {
  audioStore: AudioStore;
}

/** Deletes audio. It is asked for in a transaction, so that a storage that refuses, or a crash, only delays it. */
export function createRemoval({ db, clock, work, audioStore }: Deps) {
  const kind: Kind = {
    run: async ({ key }) => {
      await now(key);
      return null;
    },
  };

  /** Deletes the audio at once. Throws if the storage refuses: it is then tried again in the background. */
  const now = (id: string) => audioStore.removeAll(id);

  /** Marks a recording, which its caller has locked, as deleted, and has its audio deleted in the background. */
  async function mark(trx: Db, id: string): Promise<void> {
    await deleteSegments(trx, id);
    await deleteLevels(trx, id);
    const nothing = { pieces: [], verified_ms: 0, bytes: 0, sha256: null, gaps: '[]' };
    await updateRecording(trx, id, { ...nothing, state: 'deleted', updated_at: clock.now() });
    await removeLater(trx, [id]);
  }

  /**
   * Deletes a batch of the old recordings: marks each, where a hold has the last word. Its row goes in a later round,
   * once its audio is gone, so that one that the storage refuses to delete keeps no other.
   */
  async function deleteOlder(batch: Batch): Promise<Deleted> {
    const { ids, next } = await db.transaction().execute((trx) => listOlder(trx, batch));
    const gone: string[] = [];
    for (const id of ids) if (await db.transaction().execute((trx) => isRemoved(trx, id))) gone.push(id);
    return { deleted: await deleteRecordings(db, gone), next };
  }

  /** Whether its audio is gone; otherwise asks for that, unless a hold has come meanwhile. */
  async function isRemoved(trx: Db, id: string): Promise<boolean> {
    const row = await lockRecording(trx, id);
    if (!row || (await holdsSession(trx, row.session_id))) return false;
    if (row.state === 'deleted') return (await work.payloadOf(REMOVE, id, trx)) === null;
    await mark(trx, id);
    return false;
  }

  /** Deletes all audio of a user, before its rows. Throws `provider_unavailable` if the storage refuses. */
  async function eraseAudio(user_id: string, step: Step): Promise<void> {
    for (;;) {
      const ids = await listOfUser(db, user_id, AT_ONCE);
      if (ids.length === 0) return;
      for (const id of ids) {
        await step(async (trx) => {
          if (await lockRecording(trx, id)) await mark(trx, id);
        });
        await now(id);
      }
      // So that an erasure that is interrupted goes on here.
      await step((trx) => deleteRecordings(trx, ids));
    }
  }

  const removeLater = (trx: Db, ids: string[]) =>
    work.add(
      trx,
      ids.map((key) => ({ kind: REMOVE, key })),
    );

  /** Deletes the recordings of sessions that are erased, and asks for audio that came meanwhile to be deleted. */
  async function erase(trx: Db, session_ids: string[]): Promise<void> {
    await removeLater(trx, await deleteRecordingsOf(trx, session_ids));
  }

  return { kind, now, mark, deleteOlder, eraseAudio, erase };
}
