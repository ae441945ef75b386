import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Json, type Reply, send } from '@switchboard/testkit/client.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { SECRETS_KEY } from '@switchboard/testkit/keys.ts';
import { startS3 } from '@switchboard/testkit/s3.ts';
import { type ServiceProcess, startProcess } from '@switchboard/testkit/service-process.ts';
import { sql } from 'kysely';
import { makeCommandDatabase } from '../../packages/server/test/support/command-database.ts';
import { filesIn } from './files.ts';
import { startUsageProxy } from './usage-proxy.ts';
import type { Worker } from './worker.ts';
import { openWorkerParts } from './worker-lab.ts';

export const PARTS = ['store', 'worker', 'service'] as const;
export type Part = (typeof PARTS)[number];

/** Asks the service, which may be down or starting, until it answers. */
type Ask = (method: string, route: string, user?: string, body?: object) => Promise<Reply>;

type Lab = Awaited<ReturnType<typeof openWorkerParts>>['lab'];
type Store = Awaited<ReturnType<typeof startS3>>['settings'];

/** The environment of a service that keeps recordings in a store, encrypted, and tells of calls at once. */
export function environmentOf(lab: Lab, agentName: string, store: Store) {
  return {
    PORT: String(lab.webhookPort),
    LIVEKIT_URL: lab.url,
    LIVEKIT_API_KEY: lab.apiKey,
    LIVEKIT_API_SECRET: lab.apiSecret,
    LIVEKIT_SIP_TRUNK_ID: 'ST_unknown',
    LIVEKIT_AGENT_NAME: agentName,
    CALLING_COUNTRIES: 'US',
    CALL_REPORT_DELAY_S: '0',
    AGENT_JOIN_TIMEOUT_S: '60',
    SECRETS_KEY,
    RECORDINGS_S3_BUCKET: store.bucket,
    RECORDINGS_S3_ENDPOINT: store.endpoint,
    RECORDINGS_S3_ACCESS_KEY_ID: store.accessKeyId,
    RECORDINGS_S3_SECRET_ACCESS_KEY: store.secretAccessKey,
  };
}

/** Store, worker and service as programs that can be killed, beside a media server that stays. */
export async function openKillable(agentName: string) {
  const { opened, voice, lab, startWorker, spoolDir } = await openWorkerParts(agentName);
  const { directory, where, inDatabase } = await makeCommandDatabase();
  const store = await startS3(path.join(directory, 's3'));
  opened.push(store.kill);
  const { bucket } = store.settings;
  const env = { ...where, ...environmentOf(lab, agentName, store.settings) };
  const url = `http://127.0.0.1:${env.PORT}`;
  const usage = await startUsageProxy(url);
  opened.push(usage.close);
  let [service, worker]: [ServiceProcess?, Worker?] = [];

  async function startService(): Promise<void> {
    const started = await startProcess(env);
    service = started;
    opened.push(() => started.end('SIGKILL'));
  }
  async function startAWorker(): Promise<void> {
    worker = await startWorker({ MODEL_BASE_URLS: voice.url }, usage.url);
  }
  const parts: Record<Part, { kill(): unknown; start(): Promise<void> }> = {
    store,
    worker: { kill: () => worker?.kill(), start: startAWorker },
    service: { kill: () => service?.end('SIGKILL'), start: startService },
  };
  await startService();
  await startAWorker();

  /** Kills a part after so many milliseconds, looks, and starts it again later; resolves with when it was killed. */
  async function killAfter(part: Part, ms: number, awayMs: number, look: () => Promise<void>): Promise<number> {
    await sleep(ms);
    const at = Date.now();
    await parts[part].kill();
    await look();
    await sleep(awayMs);
    await parts[part].start();
    return at;
  }

  /** Reads and changes the database while the service is not running. */
  async function whileStopped<T>(work: Parameters<typeof inDatabase<T>>[0]): Promise<T> {
    await service?.end('SIGTERM');
    return inDatabase(work).finally(startService);
  }

  const ask: Ask = (method, route, user, body) =>
    eventually(
      async () => send(url, { method, path: route, user, body }),
      ({ status }) => status !== 0 && status !== 503,
    );

  return {
    opened,
    voice,
    usage,
    spoolDir,
    killAfter,
    whileStopped,
    ask,
    url,
    /** Asks once, whatever becomes of it. */
    once: (method: string, route: string) => send(url, { method, path: route }),
    read: async (route: string, user?: string): Promise<Json> => (await ask('GET', route, user)).body,
    waiting: async () => (await worker?.waiting()) ?? [],
    /** Objects in the store, without what it was killed over before it had taken it. */
    objects: async () =>
      (await filesIn(path.join(directory, 's3', bucket))).filter((file) => !file.includes('/.sgwtmp/')),
    /** As minutes would: nobody holds work any more, all of it is due, and what a dead worker recorded is quiet. */
    passTime: (lost_call_ids: string[]) =>
      whileStopped(async (db) => {
        await sql`update work set due_at = least(due_at, now()),
          leased_until = least(leased_until, now())`.execute(db);
        if (lost_call_ids.length === 0) return;
        const ids = sql.join(lost_call_ids);
        await sql`update recordings set updated_at = updated_at - interval '3 minutes',
          started_at = started_at - interval '3 minutes'
          where session_id in (${ids}) and state not in ('stored', 'failed')`.execute(db);
        await sql`update sessions set ended_at = ended_at - interval '3 minutes'
          where id in (select session_id from recordings where session_id in (${ids})
            and state not in ('stored', 'failed'))`.execute(db);
      }),
  };
}
