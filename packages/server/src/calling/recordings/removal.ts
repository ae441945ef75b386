import { holdsSession } from '../../db/legal-holds.ts';
import type { Db } from '../../db/tables.ts';
import { timeOf } from '../../lib/ids.ts';
import type { Platform } from '../../platform.ts';
import type { Kind } from '../../work/kinds.ts';
import type { AudioStore } from './audio-store.ts';
import {
  deleteLevels,
  deleteRecordings,
  deleteRecordingsOf,
  deleteSegments,
  findRecording,
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

  /** Marks a recording, which its caller has locked, as deleted. */
  async function mark(trx: Db, id: string): Promise<void> {
    await deleteSegments(trx, id);
    await deleteLevels(trx, id);
    const nothing = { pieces: [], verified_ms: 0, bytes: 0, sha256: null, gaps: '[]' };
    await updateRecording(trx, id, { ...nothing, state: 'deleted', updated_at: clock.now() });
    await work.add(trx, [{ kind: REMOVE, key: id }]);
  }

  /** Deletes up to `limit` recordings begun before that of the id `before`, audio first; returns their number. */
  async function deleteOlder(before: string, limit: number): Promise<number> {
    const gone: string[] = [];
    for (const id of await listOlder(db, timeOf(before), limit)) {
      // Asked again, as a storage takes its time and a hold may come meanwhile.
      const row = await findRecording(db, id);
      if (row && (await holdsSession(db, row.session_id))) continue;
      await now(id);
      gone.push(id);
    }
    return deleteRecordings(db, gone);
  }

  /** Deletes all audio of a user, before its rows. Throws `provider_unavailable` if the storage refuses. */
  async function eraseAudio(user_id: string, renew: () => Promise<void>): Promise<void> {
    for (;;) {
      const ids = await listOfUser(db, user_id, AT_ONCE);
      if (ids.length === 0) return;
      for (const id of ids) {
        await renew();
        await now(id);
        await db.transaction().execute(async (trx) => {
          if (await lockRecording(trx, id)) await mark(trx, id);
        });
      }
    }
  }

  /** Deletes the recordings of sessions that are erased, and asks for audio that came meanwhile to be deleted. */
  async function erase(trx: Db, session_ids: string[]): Promise<void> {
    const ids = await deleteRecordingsOf(trx, session_ids);
    await work.add(
      trx,
      ids.map((key) => ({ kind: REMOVE, key })),
    );
  }

  return { kind, now, mark, deleteOlder, eraseAudio, erase };
}
