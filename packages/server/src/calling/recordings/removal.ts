import type { Db } from '../../db/tables.ts';
import type { Platform } from '../../platform.ts';
import type { Kind } from '../../work/kinds.ts';
import type { AudioStore } from './audio-store.ts';
import { deleteLevels, deleteSegments, updateRecording } from './store.ts';

/** The kind of work that deletes the audio of a deleted recording, until the storage has done it. */
export const REMOVE = 'recording_removal';

export type Removal = ReturnType<typeof createRemoval>;

interface Deps extends Pick<Platform, 'db' | 'clock' | 'work'> {
  audioStore: AudioStore;
}

/** Deletes audio. It is asked for in a transaction, so that a storage that refuses, or a crash, only delays it. */
export function createRemoval({ clock, work, audioStore }: Deps) {
  const kind: Kind = {
    run: async ({ key }) => {
      await audioStore.removeAll(key);
      return null;
    },
  };
  return {
    kind,
    /** Marks a recording, which its caller has locked, as deleted. */
    mark: async (trx: Db, id: string): Promise<void> => {
      await deleteSegments(trx, id);
      await deleteLevels(trx, id);
      const nothing = { pieces: [], verified_ms: 0, bytes: 0, sha256: null, gaps: '[]' };
      await updateRecording(trx, id, { ...nothing, state: 'deleted', updated_at: clock.now() });
      await work.add(trx, [{ kind: REMOVE, key: id }]);
    },
    /** For rows that are gone. */
    ask: (trx: Db, ids: string[]) =>
      work.add(
        trx,
        ids.map((key) => ({ kind: REMOVE, key })),
      ),
    /** Deletes the audio at once. Throws if the storage refuses: it is then tried again in the background. */
    now: (id: string) => audioStore.removeAll(id),
  };
}
