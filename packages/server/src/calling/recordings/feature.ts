import type { DataKeys } from '../../access/data-keys/data-keys.ts';
import type { Feature } from '../../feature.ts';
import type { Storage } from '../../providers/storage/storage.ts';
import { createAudioStore } from './audio-store.ts';
import { createRecordings } from './recordings.ts';
import { createRemoval, REMOVE } from './removal.ts';
import { recordingRoutes, uploadRoutes } from './routes.ts';
import { createSealing, SEAL } from './sealing.ts';
import { createUploads } from './uploads.ts';

interface Deps extends Omit<Parameters<typeof createRecordings>[0], 'removal' | 'audioStore'> {
  storage: Storage;
  dataKeys: DataKeys;
}

export function recordingsFeature(given: Deps, days: number | undefined): Feature {
  const deps = { ...given, audioStore: createAudioStore(given) };
  const removal = createRemoval(deps);
  const recordings = createRecordings({ ...deps, removal });
  const uploads = createUploads(deps);
  return {
    routes: (server) => {
      recordingRoutes(server, recordings);
      uploadRoutes(server, uploads);
    },
    work: { [SEAL]: createSealing(deps), [REMOVE]: removal.kind },
    upkeep: { recordings: recordings.round },
    keeps: { recordings: { days, isHeldBack: true, deleteOlder: removal.deleteOlder } },
    expire: { recordings: removal.erase },
    erase: {
      outside: ({ user_id }, step) => removal.eraseAudio(user_id, step),
      sessions: (trx, { ids }) => removal.erase(trx, ids),
    },
  };
}
