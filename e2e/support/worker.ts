import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { serveHttp } from '@switchboard/testkit/http-server.ts';
import type { Lab } from '@switchboard/testkit/lab.ts';
import { freePort } from '@switchboard/testkit/ports.ts';
import type { Service } from '@switchboard/testkit/service.ts';
import { WORKER_DIR } from '@switchboard/testkit/worker.ts';
import { RoomServiceClient } from 'livekit-server-sdk';
import type { Media } from '../../packages/server/src/providers/media.ts';
import { join, withStandInPhones } from './legs.ts';
import { startGroup } from './process-group.ts';

const START_MS = 30_000;

export interface Worker {
  /** The complete output of the worker and its calls' processes. */
  output(): string;
  /** Resolves when it has printed the text this many times. */
  prints(text: string, times?: number): Promise<void>;
  /** Number of reports not yet sent to the service; several may be combined into one request. */
  waiting(): Promise<unknown[]>;
  /** Number of calls that it reports. */
  calls(): Promise<number>;
  /** The status of its health page. */
  health(): Promise<number>;
  /** Sends the signal to the worker only; resolves with its result once no process of its group is left. */
  end(signal: 'SIGTERM'): Promise<number | null>;
  /** Kills it and its calls' processes, like a power failure. */
  kill(): Promise<void>;
}

/** A directory for the worker's unsent reports; a worker that is started on it later sends the rest. */
export async function makeSpool(): Promise<{ dir: string; remove(): Promise<void> }> {
  const dir = await mkdtemp(path.join(tmpdir(), 'switchboard-spool-'));
  return { dir, remove: () => rm(dir, { recursive: true, force: true }) };
}

/** The worker, registered at the media server. */
export async function startWorker(
  lab: Lab,
  options: {
    agentName: string;
    switchboardUrl: string;
    apiKey: string;
    spoolDir: string;
    /** Additional environment variables. */
    env?: Record<string, string>;
  },
): Promise<Worker> {
  const port = await freePort();
  const { program, end, kill } = startGroup([process.execPath, 'worker.ts'], {
    cwd: WORKER_DIR,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      LIVEKIT_URL: lab.url,
      LIVEKIT_API_KEY: lab.apiKey,
      LIVEKIT_API_SECRET: lab.apiSecret,
      LIVEKIT_AGENT_NAME: options.agentName,
      SWITCHBOARD_URL: options.switchboardUrl,
      SWITCHBOARD_API_KEY: options.apiKey,
      SPOOL_DIR: options.spoolDir,
      WORKER_PORT: String(port),
      WORKER_DRAIN_S: '1',
      ...options.env,
    },
  });

  async function prints(text: string, times = 1, withinMs = 10_000): Promise<void> {
    await program.until((output) => output.split(text).length > times, withinMs);
  }

  await prints('registered worker', 1, START_MS);
  return {
    output: program.output,
    prints,
    waiting: () => readSpool(options.spoolDir),
    calls: async () => {
      const answer = await fetch(`http://127.0.0.1:${port}/worker`);
      return ((await answer.json()) as { active_jobs: number }).active_jobs;
    },
    health: async () => (await fetch(`http://127.0.0.1:${port}/`)).status,
    end,
    kill,
  };
}

/** The reports in the worker's folder. A report that is also part of a combined request counts once. */
async function readSpool(dir: string): Promise<unknown[]> {
  const reports = new Set<unknown>();
  for (const name of await readdir(dir)) {
    const key = /\.([\w-]{36})(?:\.\d+)?\.json$/.exec(name)?.[1];
    if (!key) continue;
    reports.add(key);
    // It may have been sent meanwhile, or renamed because it is being sent.
    const text = await readFile(path.join(dir, name), 'utf8').catch(() => '{}');
    for (const gathered of JSON.parse(text).gathered ?? []) reports.add(gathered.key);
  }
  return [...reports];
}

/** Stand-in phones, some of which ring until they are picked up. */
export function withRingingPhones(lab: Lab, real: Media) {
  const { media: standIn, phones } = withStandInPhones(lab, real);
  const rooms = new RoomServiceClient(lab.url, lab.apiKey, lab.apiSecret);
  const ringing = new Map<string, PromiseWithResolvers<void>>();

  /** States that the bridge shows for a phone between ringing and answered. */
  async function setStatus(room_name: string, identity: string, status: string): Promise<void> {
    await rooms.updateParticipant(room_name, identity, { attributes: { 'sip.callStatus': status } });
  }

  const dial: Media['dial'] = async (request) => {
    const pickedUp = ringing.get(request.phone_number);
    if (!pickedUp) return standIn.dial(request);
    const { room_name, identity, phone_number } = request;
    const leg = await join(lab, room_name, identity, 'sip', { 'sip.callStatus': 'ringing' });
    phones.set(phone_number, leg);
    // The media server announces participants who publish nothing only every three seconds.
    await leg.publishSilence();
    await pickedUp.promise;
    await setStatus(room_name, identity, 'active');
    return { answered: true };
  };
  return {
    media: { ...standIn, dial },
    phones,
    setStatus,
    /** Makes the phone of this number ring, until the returned function is called. */
    ring: (phone_number: string): (() => void) => {
      const pickedUp = Promise.withResolvers<void>();
      ringing.set(phone_number, pickedUp);
      return pickedUp.resolve;
    },
  };
}

/**
 * A proxy between worker and service that drops the first response to each request, after the service has sent it.
 */
export async function startLossyProxy(
  target: string,
): Promise<{ url: string; lost(): number; close(): Promise<void> }> {
  const lost = new Set<string>();
  const server = await serveHttp(async (request, response) => {
    const { host: _, connection: __, 'transfer-encoding': ___, ...headers } = request.headers;
    const body = Buffer.concat(await request.toArray());
    const answer = await fetch(`${target}${request.url}`, {
      method: request.method ?? 'GET',
      headers: headers as Record<string, string>,
      ...(body.length > 0 && { body }),
    }).catch(() => null);
    const key = `${request.url} ${headers['idempotency-key']}`;
    if (!answer?.ok || lost.has(key)) {
      if (!answer) return response.destroy();
      return response.writeHead(answer.status).end(await answer.text());
    }
    lost.add(key);
    return response.destroy();
  });
  return { ...server, lost: () => lost.size };
}

/** Reads the service's records of a conversation. */
export function createReader(service: () => Pick<Service, 'request'>) {
  /** Waits for this many transcripts, which must be these. */
  async function hears(session_id: string, expected: [speaker: string, content: string][]): Promise<void> {
    const { body } = await eventually(
      () => service().request('GET', `/api/sessions/${session_id}/transcripts`),
      (answer) => answer.body.items.length >= expected.length,
    );
    const said = body.items.map(({ speaker, content }: Record<string, string>) => [speaker, content]);
    assert.deepEqual(said, expected);
  }

  /** Waits for this many usage events from the worker; returns the costs of the session. */
  async function costs(session_id: string, events: number) {
    const { body } = await eventually(
      () => service().request('GET', `/api/sessions/${session_id}/costs`),
      (answer) => ofWorker(answer.body).length >= events,
    );
    assert.equal(ofWorker(body).length, events);
    return body;
  }

  return { hears, costs };
}

/** Events except those of the phone line, which the service writes. */
function ofWorker({ events }: { events: { event_type: string }[] }) {
  return events.filter(({ event_type }) => event_type !== 'telephony_minutes' && event_type !== 'media_minutes');
}
