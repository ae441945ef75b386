import type { DataKeys } from '../../access/data-keys/data-keys.ts';
import type { Callbacks } from '../../delivery/callbacks/callbacks.ts';
import { describeEvent } from '../../delivery/callbacks/webhooks.ts';
import type { Feature } from '../../feature.ts';
import type { Storage } from '../../providers/storage/storage.ts';
import { createAudioStore } from './audio-store.ts';
import { createRecordingEvents } from './events.ts';
import { createRecordings } from './recordings.ts';
import { createRemoval, REMOVE } from './removal.ts';
import { recordingRoutes, uploadRoutes } from './routes.ts';
import { RecordingEvent } from './schema.ts';
import { createSealing, SEAL } from './sealing.ts';
import { createUploads } from './uploads.ts';

interface Deps extends Omit<Parameters<typeof createRecordings>[0], 'removal' | 'audioStore' | 'enqueueChange'> {
  storage: Storage;
  dataKeys: DataKeys;
  callbacks: Callbacks;
}

export function recordingsFeature(given: Deps, days: number | undefined): Feature {
  const deps = { ...given, audioStore: createAudioStore(given), enqueueChange: createRecordingEvents(given) };
  const removal = createRemoval(deps);
  const recordings = createRecordings({ ...deps, removal });
  const uploads = createUploads(deps);
  return {
    routes: (server) => {
      recordingRoutes(server, recordings);
      uploadRoutes(server, uploads);
    },
    webhooks: {
      'recording.stored': describeEvent('recording.stored', RecordingEvent),
      'recording.failed': describeEvent('recording.failed', RecordingEvent),
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
