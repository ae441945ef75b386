import type { Feature } from '../../feature.ts';
import { transcriptRoutes } from './routes.ts';
import type { Transcripts } from './transcripts.ts';

export function transcriptsFeature(transcripts: Transcripts, days: number | undefined): Feature {
  return {
    routes: (server) => transcriptRoutes(server, transcripts),
    erase: { sessions: (trx, { ids }) => transcripts.erase(trx, ids) },
    expire: { transcripts: transcripts.erase },
    keeps: { transcripts: { days, isHeldBack: true, deleteOlder: transcripts.deleteOlder } },
  };
}
