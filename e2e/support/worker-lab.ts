import { after } from 'node:test';
import { openTestDatabase } from '@switchboard/testkit/database.ts';
import { keysOf } from '@switchboard/testkit/keys.ts';
import { startLab } from '@switchboard/testkit/lab.ts';
import { startVoice } from '@switchboard/testkit/voice.ts';
import { installWorker } from '@switchboard/testkit/worker.ts';
import { createLiveKitMedia } from '../../packages/server/src/providers/livekit/livekit.ts';
import { makeSpool, startWorker, type Worker } from './worker.ts';

/** Opened resources of a test file, closed in reverse order after its tests. */
export function closeAfterwards(): (() => unknown)[] {
  const opened: (() => unknown)[] = [];
  after(async () => {
    for (const close of opened.reverse()) await close();
  });
  return opened;
}

/** Opens the parts around a worker: local models, a media server, and the worker's spool. */
export async function openWorkerParts(agentName: string) {
  await installWorker();
  const opened = closeAfterwards();
  const voice = await startVoice();
  opened.push(voice.stop);
  const lab = await startLab();
  opened.push(lab.stop);
  const spool = await makeSpool();
  opened.push(spool.remove);

  /** A worker that is killed at the end, unless it has ended. `env` is added to its environment. */
  async function start(env: Record<string, string>, switchboardUrl = serviceUrl, apiKey = ''): Promise<Worker> {
    const worker = await startWorker(lab, { agentName, switchboardUrl, apiKey, spoolDir: spool.dir, env });
    opened.push(worker.kill);
    return worker;
  }

  const serviceUrl = `http://127.0.0.1:${lab.webhookPort}`;
  return { opened, voice, lab, startWorker: start, spoolDir: spool.dir };
}

/**
 * The same, and a database with a key for the worker. `media` is the adapter of that media server, for a service that a
 * test starts.
 */
export async function openWorkerLab(agentName: string) {
  const parts = await openWorkerParts(agentName);
  const database = await openTestDatabase();
  parts.opened.push(database.close);
  const { key } = await keysOf(database).create({ name: 'Worker', role: 'worker' });
  const media = createLiveKitMedia({ ...parts.lab, sipTrunkId: 'ST_unknown', agentName });
  const start = (env: Record<string, string>, url?: string) => parts.startWorker(env, url, key);
  return { ...parts, database, media, startWorker: start };
}
