import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { startService } from '@switchboard/testkit/service.ts';
import type { Recording } from '@switchboard/testkit/speaker.ts';
import { createFolderStorage } from '../../packages/server/src/providers/storage/folder.ts';
import { decode, onsetsIn } from './audio.ts';
import { filesIn } from './files.ts';
import { withSpeakingPhones } from './speaking-phones.ts';
import { makeSpool } from './worker.ts';
import { openWorkerLab } from './worker-lab.ts';

/** How far a recording may be from what was said and heard at the other end: clock of the worker, and transport. */
export const NEAR_MS = 200;

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

interface Recorded extends ReturnType<typeof decode> {
  started_at: string;
}

/**
 * Lines of a recording, in order, beside when their sound was played at the other end, and the beginning of sound in
 * the recording that is nearest to that; all in milliseconds after its start. Each side says each line without a pause.
 */
export function besidePlayed<T extends { speaker: string; from_ms: number }>(
  lines: T[],
  { left, right, started_at }: Recorded,
  room: Recording,
): (T & { played_ms: number; onset_ms: number })[] {
  const sideOf = (speaker: string, recorded: Int16Array, atRoom: Int16Array) => {
    const played = onsetsIn(atRoom).map((at) => at + room.start - Date.parse(started_at));
    const own = lines.filter((line) => line.speaker === speaker);
    assert.ok(own.length <= played.length, JSON.stringify({ own, played }));
    // A connection that stands still in the middle of a line makes two onsets of one: the second follows closely.
    const after = (index: number) => (played[index] ?? 0) - (played[index - 1] ?? Number.NEGATIVE_INFINITY);
    while (played.length > own.length) {
      const closest = played.keys().reduce((one, other) => (after(other) < after(one) ? other : one));
      played.splice(closest, 1);
    }
    const onsets = onsetsIn(recorded);
    return own.map((line, index) => {
      const played_ms = played[index] ?? Number.NaN;
      const away = (at: number) => Math.abs(at - played_ms);
      const onset_ms = onsets.toSorted((one, other) => away(one) - away(other))[0] ?? Number.NaN;
      return { ...line, played_ms, onset_ms };
    });
  };
  return [...sideOf('AGENT', left, room.heard), ...sideOf('USER', right, room.said)];
}
