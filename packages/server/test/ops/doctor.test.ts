import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openTestDatabase } from '@switchboard/testkit/database.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { serveHttp } from '@switchboard/testkit/http-server.ts';
import { keysOf } from '@switchboard/testkit/keys.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { openCarrier, openMedia } from '../../src/adapters.ts';
import { loadConfig } from '../../src/config.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { createDoctor } from '../../src/ops/doctor/doctor.ts';
import { createSandboxCarrier } from '../../src/providers/sandbox/carrier.ts';
import { createFolderStorage } from '../../src/providers/storage/folder.ts';
import { assertRefused } from '../support/answers.ts';
import { KEY, startTransit, TOKEN } from '../support/transit.ts';

interface Check {
  check: string;
  state: string;
  text: string;
}

const SECRET = 'secret-secret-secret-secret-secret-1';
const livekit = (url: string) => ({
  LIVEKIT_URL: url,
  LIVEKIT_API_KEY: 'key',
  LIVEKIT_API_SECRET: SECRET,
  LIVEKIT_SIP_TRUNK_ID: 'ST_1',
  LIVEKIT_AGENT_NAME: 'agent',
  CALLING_COUNTRIES: 'US',
});
const find = (checks: Check[], name: string) => checks.find(({ check }) => check === name);

test('in the sandbox the service finds itself and its database in order', async () => {
  const service = await startService();
  const { status, body } = await service.request('POST', '/api/doctor');
  assert.deepEqual([status, body.is_complete], [200, true]);
  const states = body.checks.map(({ check, state }: Check) => `${check}: ${state}`);
  assert.deepEqual(states, [
    'configuration: ok',
    'access: ok',
    'where calls may go: not_checked',
    'database: ok',
    'storage of recordings: ok',
    'service: ok',
    'webhook signature: not_checked',
    'LiveKit: not_checked',
    'Twilio: not_checked',
  ]);
  assert.match(find(body.checks, 'database')?.text ?? '', /its tables are up to date/);
  assert.match(find(body.checks, 'service')?.text ?? '', /is ready, with sandbox as its media/);
});

test('the key management service is asked to encrypt and decrypt', async () => {
  const { url, state } = await startTransit();
  const env = { SECRETS_KMS_URL: url, SECRETS_KMS_KEY: KEY, SECRETS_KMS_TOKEN: TOKEN };
  const check = async (env: Record<string, string>) => {
    const { body } = await (await startService({ env })).request('POST', '/api/doctor');
    assert.ok(!JSON.stringify(body).includes(TOKEN));
    return find(body.checks, 'key management service');
  };
  assert.deepEqual(await check(env), {
    check: 'key management service',
    state: 'ok',
    text: 'encrypts and decrypts with the key of SECRETS_KMS_KEY',
  });
  assert.ok(state.requests >= 2);
  const wrong = await check({ ...env, SECRETS_KMS_KEY: 'missing' });
  assert.equal(wrong?.state, 'failed');
  assert.match(wrong?.text ?? '', /^encrypt: 400 .*key not found.* Check SECRETS_KMS_URL/);
  state.tokens.delete(TOKEN);
  assert.match((await check(env))?.text ?? '', /^encrypt: 403 .*permission denied/);
});

test('a folder of recordings that cannot be written to is a failure with what to do', async () => {
  const service = await startService({ storage: createFolderStorage('/dev/null/recordings') });
  const { body } = await service.request('POST', '/api/doctor');
  const storage = find(body.checks, 'storage of recordings');
  assert.equal(storage?.state, 'failed');
  assert.match(storage?.text ?? '', /^the folder \/dev\/null\/recordings fails: ENOTDIR.* Set RECORDINGS_DIR/);
});

test('open mode on an address that others reach is a failure that says what to do', async () => {
  const open = await startService({ env: { HOST: '0.0.0.0', AUTH_MODE: 'open' } });
  const access = find((await open.request('POST', '/api/doctor')).body.checks, 'access');
  assert.equal(access?.state, 'failed');
  assert.match(access?.text ?? '', /AUTH_MODE=open on HOST 0\.0\.0\.0 .*Set AUTH_MODE=required/);
  const strict = await startService({ env: { HOST: '0.0.0.0', AUTH_MODE: 'required' } });
  const { key } = await keysOf(strict.database).create({ name: 'root', role: 'service', user_id: null });
  const { body } = await strict.request('POST', '/api/doctor', { headers: { authorization: `Bearer ${key}` } });
  assert.equal(find(body.checks, 'access')?.state, 'ok');
});

test('a media server that is away, and the sandbox instead of it, are failures with what to do, and without secrets', async () => {
  const config = loadConfig(livekit('ws://127.0.0.1:1'));
  const sandbox = await startService();
  const carrier = createSandboxCarrier();
  const media = await openMedia(config, systemClock);
  const [{ database }, storage] = [sandbox, createFolderStorage('/dev/null')];
  const doctor = createDoctor({ database, media, carrier, storage, kms: null, settings: config.settings });
  const body = await doctor.run(sandbox.url);
  assert.match(find(body.checks, 'service')?.text ?? '', /runs with sandbox as its media/);
  const server = find(body.checks, 'LiveKit server');
  assert.equal(server?.state, 'failed');
  assert.match(server?.text ?? '', /Check LIVEKIT_URL/);
  assert.ok(!JSON.stringify(body).includes(SECRET));
});

test('a server that is not Twilio is reported as one, and not with an error of its client', async () => {
  const other = await serveHttp((_request, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}'),
  );
  after(other.close);
  const [sid, trunk] = [`AC${'0'.repeat(32)}`, `TK${'0'.repeat(32)}`];
  const twilio = { TWILIO_ACCOUNT_SID: sid, TWILIO_AUTH_TOKEN: SECRET, TWILIO_TRUNK_SID: trunk };
  const env = { ...twilio, TWILIO_BASE_URL: other.url };
  const service = await startService({ env, carrier: await openCarrier(loadConfig(env)) });
  const { body } = await service.request('POST', '/api/doctor');
  const access = find(body.checks, 'Twilio credentials');
  assert.match(access?.text ?? '', /not one of Twilio\. Check TWILIO_BASE_URL/, JSON.stringify(body.checks));
});

test('checks that take too long are ended, and another run is refused until they have', async () => {
  const waiting: (() => void)[] = [];
  const silent = await serveHttp((_request, response) => void waiting.push(() => response.destroy()));
  const database = await openTestDatabase();
  after(async () => {
    await database.close();
    await silent.close();
  });
  const config = loadConfig(livekit(silent.url.replace('http', 'ws')));
  const adapters = { carrier: createSandboxCarrier(), storage: createFolderStorage('/dev/null') };
  const parts = { database, media: await openMedia(config, systemClock), ...adapters };
  const doctor = createDoctor({ ...parts, kms: null, settings: config.settings, timeoutMs: 200 });
  const { checks, is_complete } = await doctor.run(silent.url);
  assert.deepEqual([is_complete, checks.at(-1)?.state], [false, 'not_checked']);
  await assert.rejects(doctor.run(silent.url), { code: 'doctor_in_progress' });
  await eventually(
    async () => {
      for (const end of waiting.splice(0)) end();
      return doctor.run('http://127.0.0.1:1').catch(() => null);
    },
    (found) => found !== null,
  );
});

test('one run at a time over HTTP: the others are refused', async () => {
  const service = await startService();
  const answers = await Promise.all([1, 2, 3].map(() => service.request('POST', '/api/doctor')));
  const refused = answers.filter(({ status }) => status !== 200);
  assert.ok(refused.length < 3);
  for (const answer of refused) assertRefused(answer, 409, 'doctor_in_progress');
});
