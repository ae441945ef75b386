import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { startService } from '@switchboard/testkit/service.ts';
import { createFolderStorage } from '../../packages/server/src/providers/storage/folder.ts';
import { decode } from './audio.ts';
import { filesIn } from './files.ts';
import { withSpeakingPhones } from './speaking-phones.ts';
import { makeSpool } from './worker.ts';
import { openWorkerLab } from './worker-lab.ts';

/** The lab with phones that speak, and a folder for recordings. `serve` starts the service. */
export async function openRecordingLab(agentName: string) {
  const { opened, voice, lab, database, media: real, startWorker, spoolDir } = await openWorkerLab(agentName);
  const { media, callers } = withSpeakingPhones(lab, real);
  const folder = await makeSpool();
  opened.push(folder.remove);
  const storage = createFolderStorage(folder.dir);
  const env = { PORT: String(lab.webhookPort), CALLING_COUNTRIES: 'US' };
  const serve = () => startService({ media, database, storage, env });
  return { opened, voice, callers, folder, spoolDir, serve, startWorker };
}

/** The sound of a recording that is on disk, in the storage or in a worker's folder, whole files or not. */
export async function soundOnDisk(recording_id: string, ...dirs: string[]) {
  const segments = new Map<number, Buffer>();
  for (const file of (await Promise.all(dirs.map(filesIn))).flat()) {
    // It may have been sent or renamed meanwhile.
    const bytes = await readFile(file).catch(() => Buffer.alloc(0));
    const stored = file.includes(recording_id) && /(\d{6})\.ogg/.exec(path.basename(file))?.[1];
    if (stored) segments.set(Number(stored), bytes);
    const report = bytes.toString('latin1');
    const [seq, audio] = [/"seq":(\d+)/.exec(report)?.[1], /"audio":"([\w+/=]*)/.exec(report)?.[1]];
    if (seq && audio && report.includes(recording_id)) segments.set(Number(seq), Buffer.from(audio, 'base64'));
  }
  const inOrder = [...segments].toSorted(([one], [other]) => one - other);
  return decode(Buffer.concat(inOrder.map(([, bytes]) => bytes)));
}
