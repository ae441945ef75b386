import { startService } from '@switchboard/testkit/service.ts';
import { createFolderStorage } from '../../packages/server/src/providers/storage/folder.ts';
import { withSpeakingPhones } from './speaking-phones.ts';
import { makeSpool } from './worker.ts';
import { openWorkerLab } from './worker-lab.ts';

/** The lab with phones that speak, and a folder for recordings. `serve` starts the service. */
export async function openRecordingLab(agentName: string) {
  const { opened, voice, lab, database, media: real, startWorker } = await openWorkerLab(agentName);
  const { media, callers } = withSpeakingPhones(lab, real);
  const folder = await makeSpool();
  opened.push(folder.remove);
  const storage = createFolderStorage(folder.dir);
  const env = { PORT: String(lab.webhookPort), CALLING_COUNTRIES: 'US' };
  const serve = () => startService({ media, database, storage, env });
  return { opened, voice, callers, folder, serve, startWorker };
}
