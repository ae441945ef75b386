/** One call through everything that happens to its agent and around it: it keeps the version that it was given. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { placeCall, reaches, USER } from '@switchboard/testkit/calls.ts';
import { type Json, read, send } from '@switchboard/testkit/client.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { missingParts, startLab } from '@switchboard/testkit/lab.ts';
import { type Program, startProgram } from '@switchboard/testkit/program.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { startProcess } from '@switchboard/testkit/service-process.ts';
import { missingVoice, startVoice } from '@switchboard/testkit/voice.ts';
import { installWorker } from '@switchboard/testkit/worker.ts';
import { AgentDispatchClient } from 'livekit-server-sdk';
import { openDatabase } from '../packages/server/src/db/open.ts';
import { createLiveKitMedia } from '../packages/server/src/providers/livekit/livekit.ts';
import { join } from './support/legs.ts';
import { createReader, makeSpool, startWorker, type Worker, withRingingPhones } from './support/worker.ts';
import { closeAfterwards } from './support/worker-lab.ts';

const [NUMBER, CALLER, TARGET, OTHER] = ['+15005550010', '+14155550199', '+14155552101', '+14155552102'];
const ROOM = 'inbound-versions-1';
const AGENT = 'lab-versions';
/** A worker that has accepted a call is given up after two thirds of it. */
const JOIN_TIMEOUT_S = '48';

const missing = missingParts() ?? missingVoice();
if (missing) {
  test('the version of a call', { skip: missing }, () => {});
} else {
  await installWorker();
  const opened = closeAfterwards();
  const [voice, lab] = await Promise.all([startVoice(), startLab()]);
  opened.push(voice.stop, lab.stop);
  const { url, apiKey, apiSecret } = lab;
  const livekit = { LIVEKIT_URL: url, LIVEKIT_API_KEY: apiKey, LIVEKIT_API_SECRET: apiSecret };
  const real = createLiveKitMedia({ url, apiKey, apiSecret, sipTrunkId: 'ST_unknown', agentName: AGENT });
  const { media, phones, ring, setStatus } = withRingingPhones(lab, real);
  const dispatches = new AgentDispatchClient(url, apiKey, apiSecret);
  const dir = await mkdtemp(path.join(tmpdir(), 'switchboard-versions-'));
  opened.push(() => rm(dir, { recursive: true, force: true }));
  const env = {
    PORT: String(lab.webhookPort),
    CALLING_COUNTRIES: 'US',
    AGENT_JOIN_TIMEOUT_S: JOIN_TIMEOUT_S,
    OVERLOAD_DELAY_MS: '600000',
    RECONCILE_INTERVAL_MS: '500',
  };

  /** The service in a process that can be killed. */
  async function startFirst() {
    const first = await startProcess({
      ...env,
      ...livekit,
      LIVEKIT_SIP_TRUNK_ID: 'ST_unknown',
      LIVEKIT_AGENT_NAME: AGENT,
      DATA_DIR: dir,
    });
    opened.push(() => first.end('SIGKILL'));
    return first;
  }

  /** The same data and port in this process, whose phones are stand-ins. */
  async function startSecond() {
    const database = await openDatabase({ poolMax: 10, onIdleError: () => {}, isPatient: true, url: '', dir });
    const service = await startService({ media, database, env });
    opened.push(database.close, service.close);
    return service;
  }

  /** A worker that accepts each call, and would join it after a minute. */
  async function startSlowWorker(): Promise<Program> {
    const file = path.join(import.meta.dirname, 'sip/support/worker.ts');
    const worker = startProgram([process.execPath, file], {
      env: { PATH: process.env.PATH, ...livekit, LIVEKIT_AGENT_NAME: AGENT },
    });
    opened.push(() => worker.end('SIGKILL'));
    await worker.until((output) => output.includes('registered'));
    return worker;
  }

  async function startNext(): Promise<Worker> {
    const spool = await makeSpool();
    opened.push(spool.remove);
    const switchboardUrl = `http://127.0.0.1:${lab.webhookPort}`;
    const options = { agentName: AGENT, switchboardUrl, apiKey: '', spoolDir: spool.dir };
    const worker = await startWorker(lab, { ...options, env: { MODEL_BASE_URLS: voice.url } });
    opened.push(worker.kill);
    return worker;
  }

  test('a call keeps its version through releases, a rollback, kills, a second dispatch and a transfer', {
    timeout: 240_000,
  }, async () => {
    const [first, slow] = await Promise.all([startFirst(), startSlowWorker()]);
    const ask = async (method: string, route: string, body: object): Promise<Json> => {
      const answer = await send(first.url, { method, path: route, user: USER, body });
      assert.ok(answer.status < 300, `${method} ${route}: ${answer.status} ${JSON.stringify(answer.body)}`);
      return answer.body;
    };
    const configOf = (version: string) => ({
      greeting: `This is version ${version}.`,
      ...voice.config,
      lab: { join_after_ms: 60_000 },
    });
    const { id } = await ask('POST', '/api/agents/', { name: 'Desk', user_id: USER, config: configOf('A') });
    const agent = `/api/agents/${id}`;
    await ask('POST', '/api/telephony/numbers/assign', { agent_id: id, phone_number: NUMBER });

    // It rings with version 1. Its worker has accepted it, and is killed.
    const caller = await join(lab, ROOM, `sip_${CALLER}`, 'sip', {
      'sip.trunkPhoneNumber': NUMBER,
      'sip.phoneNumber': CALLER,
      'sip.callStatus': 'ringing',
    });
    await eventually(
      () => dispatches.listDispatch(ROOM),
      (all) => all.some(({ state }) => (state?.jobs.length ?? 0) > 0),
    );
    const { id: call_id } = await read(first.url, `/api/sessions/by-room/${ROOM}`, USER);
    await slow.end('SIGKILL');

    // Version 2 is published, and the service is killed.
    await ask('PUT', `${agent}/draft`, { name: 'Desk', config: configOf('B') });
    const { number } = await ask('POST', `${agent}/versions`, {});
    await ask('PUT', `${agent}/release`, { arms: [{ version: number, weight: 100 }] });
    await first.end('SIGKILL');

    const [service] = await Promise.all([startSecond(), startNext()]);
    const { hears } = createReader(() => service);
    async function assertVersion(of: string, version: number): Promise<void> {
      assert.equal((await service.request('GET', `/api/calls/${of}`)).body.agent_version, version);
      const { body } = await service.request('GET', `/api/calls/${of}/job`, { user: USER });
      const greeting = `This is version ${version === 1 ? 'A' : 'B'}.`;
      assert.deepEqual([body.job.agent_version, body.job.config.greeting], [version, greeting]);
    }

    // Another worker is dispatched, by another process: the caller hears version 1.
    await reaches(service, call_id, 'ANSWERED');
    await setStatus(ROOM, `sip_${CALLER}`, 'active');
    await hears(call_id, [['AGENT', 'This is version A.']]);
    await assertVersion(call_id, 1);
    const next = await placeCall(service, OTHER, { agent_id: id });
    await assertVersion(next.call_id, 2);

    // Rolled back and released again while a transfer rings and is answered.
    const pickUp = ring(TARGET);
    await service.request('POST', `/api/sessions/${call_id}/transfer`, {
      body: { phone_number: TARGET, type: 'WARM' },
    });
    assert.equal((await service.request('POST', `${agent}/rollback`, { user: USER })).body.arms[0].version, 1);
    await eventually(
      () => real.listParticipants(ROOM),
      (all) => all.length === 3,
    );
    const arms = [{ version: 2, weight: 100 }];
    await service.request('PUT', `${agent}/release`, { user: USER, body: { arms } });
    pickUp();
    await eventually(
      () => service.request('GET', `/api/calls/${call_id}`),
      ({ body }) => body.transfers[0]?.status === 'completed',
    );
    await assertVersion(call_id, 1);
    await phones.get(TARGET)?.hangUp();
    await caller.hangUp();
    await reaches(service, call_id, 'COMPLETED');
    await assertVersion(call_id, 1);
    await service.request('POST', `/api/calls/${next.call_id}/end`);
    await assertVersion(next.call_id, 2);
  });
}
