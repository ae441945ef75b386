import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { AvailabilityResponse, RegisterWorkerRequest, ServerMessage, WorkerMessage } from '@livekit/protocol';
import { Room } from '@livekit/rtc-node';
import { createAgent } from '@switchboard/testkit/calls.ts';
import { serveHttp } from '@switchboard/testkit/http-server.ts';
import { missingParts, startLab } from '@switchboard/testkit/lab.ts';
import '@switchboard/testkit/quiet-rooms.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { startTwilioStandIn } from '@switchboard/testkit/twilio-stand-in.ts';
import { AccessToken, RoomServiceClient, SipCallError, SipClient } from 'livekit-server-sdk';
import { dialOutcome } from '../packages/server/src/providers/livekit/errors.ts';
import { createLiveKitMedia } from '../packages/server/src/providers/livekit/livekit.ts';
import { createTwilioCarrier } from '../packages/server/src/providers/twilio/twilio.ts';
import {
  assertState,
  assertWrong,
  away,
  DATA_DIR,
  DATABASE_PASSWORD,
  databaseOf,
  doctor,
  type Env,
  OTHER_SECRET,
  script,
  secrets,
} from './support/doctor.ts';

test('a configuration that is wrong is reported as at the start of the service', async () => {
  const { code, output } = await doctor({ LIVEKIT_URL: 'nonsense', PORT: 'x' }, `http://127.0.0.1:${away}`);
  assert.equal(code, 1);
  for (const part of ['PORT', 'LIVEKIT_URL: must be a URL', 'LIVEKIT_API_SECRET: must be set', 'CALLING_COUNTRIES'])
    assert.ok(output.includes(part), output);
});

test('docs/telephony.md explains the same SIP statuses as the code', async () => {
  const page = await readFile(path.resolve(import.meta.dirname, '../docs/telephony.md'), 'utf8');
  const rows = [...page.matchAll(/^\| `(\w+)` \| `\w+` \| (\d[\d, ]*) \|/gm)];
  const documented = new Map(
    rows.flatMap(([, reason, statuses = '']) => statuses.split(', ').map((text) => [text, reason])),
  );
  for (let status = 300; status < 700; status++) {
    const error = new SipCallError('', '', 400, '', { sip_status_code: String(status) });
    assert.equal(
      documented.get(String(status)) ?? 'trunk_failure',
      dialOutcome(error, false).end_reason,
      `SIP ${status}`,
    );
  }
});

test('in the sandbox only the database and the service are checked; an unreachable database or service is reported', async () => {
  const service = await startService();
  const sandbox = await doctor(databaseOf(service), service.url);
  assert.equal(sandbox.code, 0, sandbox.output);
  assertState(sandbox, 'ok', 'configuration', 'service');
  assertState(sandbox, 'not checked', 'LiveKit', 'Twilio', 'webhook signature', 'where calls may go');
  assertState(sandbox, service.database.kind === 'embedded' ? 'not checked' : 'ok', 'database');
  const DATABASE_URL = `postgres://switchboard:${DATABASE_PASSWORD}@127.0.0.1:${away}/switchboard`;
  const alone = await doctor({ DATABASE_URL }, `http://127.0.0.1:${away}`);
  assertState(sandbox, 'ok', 'storage of recordings');
  assertWrong(alone, 'database', /nothing listens there.*Check DATABASE_URL/);
  assertWrong(alone, 'service', /nothing listens there.*npm start.*--service-url/);
  assertState(alone, 'not checked', 'webhook signature');
  assertState(await doctor({ DATA_DIR: path.join(DATA_DIR, 'new') }, service.url), 'ok', 'database');
  assertWrong(await doctor({ DATA_DIR: script }, service.url), 'database', /no directory .* Set DATA_DIR/);
  const unwritable = await doctor({ ...databaseOf(service), RECORDINGS_DIR: '/dev/null/recordings' }, service.url);
  assertWrong(unwritable, 'storage of recordings', /fails: ENOTDIR.* Set RECORDINGS_DIR/);
});

test('the carrier: checks the account, its numbers, and the setup of the trunk', async () => {
  const twilio = await startTwilioStandIn({ phone_numbers: ['+15005550010', '+15005550011', '+15005550012'] });
  const { accountSid, authToken, trunkSid } = twilio.account;
  secrets.push(authToken, twilio.authorization);
  twilio.number('+15005550011').capabilities.voice = false;
  twilio.number('+15005550012').trunk_sid = trunkSid;
  const carrier = createTwilioCarrier({ ...twilio.account, baseUrl: twilio.url });
  const service = await startService({ carrier });
  const env = { TWILIO_ACCOUNT_SID: accountSid, TWILIO_AUTH_TOKEN: authToken, TWILIO_TRUNK_SID: trunkSid };
  const common = databaseOf(service);
  const run = (change: Env = {}) => doctor({ ...env, ...common, TWILIO_BASE_URL: twilio.url, ...change }, service.url);

  /** The stand-in has no trunks: these are in the format of the API's documentation. */
  function withTrunk(trunk: object, urls: object[]): void {
    twilio.recover();
    twilio.disturb({ on: /^GET \/v1\/Trunks\/\w+$/, answer: { status: 200, body: { sid: trunkSid, ...trunk } } });
    const meta = { key: 'origination_urls', page: 0, page_size: 50, next_page_url: null };
    const answer = { status: 200, body: { origination_urls: urls, meta } };
    twilio.disturb({ on: /^GET \/v1\/Trunks\/\w+\/OriginationUrls$/, answer });
  }

  const url = { sip_url: 'sip:bridge.example.com;transport=tcp', enabled: true };
  withTrunk({ transfer_mode: 'enable-all', domain_name: 'example.pstn.twilio.com' }, [url]);
  const right = await run();
  assert.equal(right.code, 0, right.output);
  assert.equal(right.found.get('Twilio numbers'), 'ok: 2 of 3 carry voice, 1 of these are on the trunk');
  assertState(right, 'ok', 'Twilio credentials', 'Twilio trunk', 'Twilio transfer mode', 'Twilio origination URL');
  assertState(right, 'not checked', 'Twilio geographic permissions');
  const open = await run({ CALLING_COUNTRIES: 'US,CA' });
  assertState(open, 'ok', 'Twilio trunk authentication', 'Twilio geographic permissions');
  twilio.setUp({ credentialLists: [], closedCountries: ['CA'] });
  const closed = await run({ CALLING_COUNTRIES: 'US,CA' });
  assertWrong(closed, 'Twilio trunk authentication', /no credential list.*refuses every call.*Add a credential list/);
  assertWrong(closed, 'Twilio geographic permissions', /may not dial into country CA: .*CALLING_COUNTRIES/);
  twilio.setUp({ addressLists: ['bridge'] });
  assert.match((await run()).found.get('Twilio trunk authentication') ?? '', /^ok: .*known by address \(bridge\)/);

  withTrunk({ transfer_mode: 'disable-all', domain_name: null }, [{ ...url, enabled: false }]);
  const bare = await run();
  assertWrong(bare, 'Twilio trunk', /no termination URI/);
  assertWrong(bare, 'Twilio transfer mode', /disable-all: cold transfers .* refused/);
  assertWrong(bare, 'Twilio origination URL', /none is enabled.*Add sip:/);

  twilio.recover();
  // Without these responses there is no trunk either: reported as for an account without one.
  assertWrong(await run(), 'Twilio trunk', new RegExp(`has no trunk ${trunkSid}.*TWILIO_TRUNK_SID`));
  assertWrong(await run({ TWILIO_AUTH_TOKEN: OTHER_SECRET }), 'Twilio credentials', /refuses.*TWILIO_AUTH_TOKEN/);
  const gone = await run({ TWILIO_BASE_URL: `http://127.0.0.1:${away}` });
  assertWrong(gone, 'Twilio credentials', /cannot be reached.*ECONNREFUSED/);
});

const missing = missingParts();
if (missing) {
  test('the lab', { skip: missing }, () => {});
} else {
  const lab = await startLab();
  after(() => lab.stop());
  secrets.push(lab.apiSecret);
  const sip = new SipClient(lab.url, lab.apiKey, lab.apiSecret);
  const { sipTrunkId } = await sip.createSipOutboundTrunk('lab', '127.0.0.1:9', ['+15005550010'], { transport: 1 });
  const access = { url: lab.url, apiKey: lab.apiKey, apiSecret: lab.apiSecret };
  const options = { ...access, sipTrunkId, agentName: 'doctor-agent' };
  const common = { CALLING_COUNTRIES: 'US' };
  const media = createLiveKitMedia(options);
  const service = await startService({ media, env: { ...common, PORT: String(lab.webhookPort) } });
  const env: Env = {
    LIVEKIT_URL: lab.url,
    LIVEKIT_API_KEY: lab.apiKey,
    LIVEKIT_API_SECRET: lab.apiSecret,
    LIVEKIT_SIP_TRUNK_ID: sipTrunkId,
    LIVEKIT_AGENT_NAME: options.agentName,
    ...common,
    ...databaseOf(service),
  };
  const canLook = env.DATABASE_URL !== undefined;
  const run = (change: Env = {}, serviceUrl = service.url) => doctor({ ...env, ...change }, serviceUrl);
  const worker = await registerWorker(options.agentName);

  /** A worker from the media server's view: it accepts the jobs for its name, and joins with the job's token. */
  async function registerWorker(agentName: string): Promise<WebSocket> {
    const token = new AccessToken(lab.apiKey, lab.apiSecret);
    token.addGrant({ agent: true });
    const socket = new WebSocket(`${lab.url}/agent?access_token=${await token.toJwt()}`);
    socket.binaryType = 'arraybuffer';
    const send = (message: WorkerMessage['message']) => socket.send(new WorkerMessage({ message }).toBinary());
    const registered = Promise.withResolvers<void>();
    socket.addEventListener('message', ({ data }) => {
      const { message } = ServerMessage.fromBinary(new Uint8Array(data));
      if (message.case === 'register') registered.resolve();
      if (message.case === 'availability') {
        const jobId = message.value.job?.id ?? '';
        const value = new AvailabilityResponse({ jobId, available: true, participantIdentity: `agent-${jobId}` });
        send({ case: 'availability', value });
      }
      if (message.case === 'assignment')
        new Room().connect(lab.url, message.value.token, { autoSubscribe: false, dynacast: false }).catch(() => {});
    });
    await once(socket, 'open');
    send({ case: 'register', value: new RegisterWorkerRequest({ agentName, version: '1' }) });
    await registered.promise;
    return socket;
  }

  /** The lab's server behind one whose clock is `aheadMs` ahead. */
  async function withClockAhead(aheadMs: number) {
    const target = lab.url.replace('ws', 'http');
    const server = await serveHttp(async (request, response) => {
      const { authorization = '', 'content-type': type = 'application/json' } = request.headers;
      const body = request.method === 'POST' ? await text(request) : null;
      const init = { method: request.method ?? 'GET', headers: { authorization, 'content-type': type }, body };
      const answer = await fetch(`${target}${request.url}`, init);
      const date = new Date(Date.now() + aheadMs).toUTCString();
      response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '', date });
      response.end(await answer.text());
    });
    after(server.close);
    return server.url.replace('http', 'ws');
  }

  test('with a correct configuration the server, the trunk, the worker and the webhooks are ok, and the room is removed', async () => {
    const right = await run();
    assert.equal(right.code, 0, right.output);
    assertState(right, 'ok', 'configuration', 'service', 'webhook signature', 'where calls may go', 'agent worker');
    assertState(right, 'ok', 'LiveKit server', 'clock', 'LiveKit credentials', 'outbound trunk');
    assertState(right, 'not checked', 'SIP bridge', 'Twilio');
    assertState(right, canLook ? 'ok' : 'not checked', 'webhook delivery', 'inbound trunk');
    assert.match(right.found.get('temporary room') ?? '', /^ok: doctor-.* deleted/);
    const rooms = await new RoomServiceClient(lab.url, lab.apiKey, lab.apiSecret).listRooms();
    assert.deepEqual(
      rooms.filter(({ name }) => name.startsWith('doctor-')),
      [],
    );
  });

  test('refused credentials: a wrong secret is distinguished from an unknown key', async () => {
    assertWrong(await run({ LIVEKIT_API_SECRET: OTHER_SECRET }), 'LiveKit credentials', /SECRET does not belong/);
    assertWrong(await run({ LIVEKIT_API_KEY: 'nobody' }), 'LiveKit credentials', /does not know LIVEKIT_API_KEY/);
  });

  test('an unknown trunk is named, with the existing ones', async () => {
    const unknown = await run({ LIVEKIT_SIP_TRUNK_ID: 'ST_nowhere' });
    assertWrong(unknown, 'outbound trunk', new RegExp(`ST_nowhere.*There are: ${sipTrunkId} \\(lab\\)`));
  });

  test('of several trunks each is checked', async () => {
    const several = await run({ LIVEKIT_SIP_TRUNK_ID: `${sipTrunkId}=2|ST_nowhere` });
    assertState(several, 'ok', `outbound trunk ${sipTrunkId}`);
    assertWrong(several, 'outbound trunk ST_nowhere', /ST_nowhere, which this server does not know/);
  });

  test('an unreachable media server, and one whose clock differs', async () => {
    const gone = await run({ LIVEKIT_URL: `ws://127.0.0.1:${away}` });
    assertWrong(gone, 'LiveKit server', /nothing listens there.*Check LIVEKIT_URL/);
    const ahead = await run({ LIVEKIT_URL: await withClockAhead(45_000) });
    assertWrong(ahead, 'clock', /clock is 4[456] s behind.*Synchronise/);
    assertState(ahead, 'ok', 'LiveKit credentials', 'outbound trunk');
  });

  test('a service that runs with other secrets, or in the sandbox, is detected by its webhooks', async () => {
    const wrongMedia = createLiveKitMedia({ ...options, apiSecret: OTHER_SECRET });
    const other = await startService({ media: wrongMedia, env: common });
    const mismatch = await run(databaseOf(other), other.url);
    assertWrong(mismatch, 'webhook signature', /refuses a webhook signed with LIVEKIT_API_SECRET.*same variables/);
    assertWrong(mismatch, 'service', /itself finds livekit unreachable/);
    assertState(mismatch, 'ok', 'LiveKit credentials', 'agent worker');
    const simulated = await startService();
    const sandbox = await run(databaseOf(simulated), simulated.url);
    assertWrong(sandbox, 'service', /runs with sandbox as its media, this configuration with livekit/);
    assertWrong(sandbox, 'webhook signature', /takes webhooks without one: it runs in the sandbox/);
  });

  test('with numbers assigned, the inbound trunk and its dispatch rule must exist', async () => {
    const agent_id = await createAgent(service);
    const body = { agent_id, phone_number: '+15005550013' };
    assert.equal((await service.request('POST', '/api/telephony/numbers/assign', { body })).status, 200);
    const standing = await run();
    assert.match(standing.found.get('inbound trunk') ?? '', canLook ? /^ok: .*1 number/ : /^not checked: .*1 number/);
    for (const { sipDispatchRuleId } of await sip.listSipDispatchRule())
      await sip.deleteSipDispatchRule(sipDispatchRuleId);
    const ruleless = await run();
    if (canLook) assertWrong(ruleless, 'inbound trunk', /no rule "switchboard"/);
    for (const trunk of await sip.listSipInboundTrunk()) await sip.deleteSipTrunk(trunk.sipTrunkId);
    const trunkless = await run();
    assert.match(
      trunkless.found.get('inbound trunk') ?? '',
      canLook ? /^wrong: .*\+15005550013/ : /there is no "switchboard"/,
    );
  });

  test('a missing worker and missing webhooks are reported after ten seconds', async () => {
    worker.close();
    await once(worker, 'close');
    // The media server posts its webhooks to the other service.
    const deaf = await startService({ media, env: common });
    const silent = await run(databaseOf(deaf), deaf.url);
    assertWrong(silent, 'agent worker', /"doctor-agent" did not come .* within 10 s\. Start the/);
    if (canLook) assertWrong(silent, 'webhook delivery', /no webhook .* within 10 s\. .*\/api\/media\/webhook/);
    assertState(silent, 'ok', 'service', 'webhook signature');
  });
}
