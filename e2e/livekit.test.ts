import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { SIPInboundTrunkInfo } from '@livekit/protocol';
import { createAgent, placeCall, reaches, USER } from '@switchboard/testkit/calls.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { missingParts, startLab } from '@switchboard/testkit/lab.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { readJob } from '@switchboard/testkit/worker-jobs.ts';
import { AccessToken, AgentDispatchClient, RoomServiceClient, SipClient } from 'livekit-server-sdk';
import { createLiveKitMedia } from '../packages/server/src/providers/livekit/livekit.ts';
import { join, withStandInPhones } from './support/legs.ts';

const VARIABLES = { name: 'Ada', order: 4711, express: true };

const missing = missingParts();
if (missing) {
  test('the lab', { skip: missing }, () => {});
} else {
  const lab = await startLab();
  after(() => lab.stop());
  const { url, apiKey, apiSecret } = lab;
  const options = { url, apiKey, apiSecret, sipTrunkId: 'ST_unknown', agentName: 'lab-agent' };
  const real = createLiveKitMedia(options);
  const { media, phones } = withStandInPhones(lab, real);
  const env = { PORT: String(lab.webhookPort), CALLING_COUNTRIES: 'US', SIP_HEADERS_IN: 'X-Account,Diversion' };
  const service = await startService({ media, env });
  const phone = () => `+1415555${String(1000 + phones.size)}`;

  async function roomMetadata(room_name: string): Promise<unknown> {
    const [room] = await new RoomServiceClient(lab.url, lab.apiKey, lab.apiSecret).listRooms([room_name]);
    return JSON.parse(room?.metadata || 'null');
  }

  /** An answered call with its phone and an agent in the room. */
  async function answeredCall(fields: Parameters<typeof placeCall>[2] = {}) {
    const number = phone();
    const call = await placeCall(service, number, fields);
    await reaches(service, call.call_id, 'ANSWERED');
    const agent = await join(lab, call.room_name, 'agent', 'agent');
    return { ...call, agent, phone: phones.get(number) ?? assert.fail() };
  }

  async function roomIsGone(room_name: string): Promise<void> {
    await eventually(
      () => real.listRooms(),
      (rooms) => !rooms.has(room_name),
    );
  }

  test('a call creates a room with a dispatch that carries the session, the agent and its configuration', async () => {
    const agent_id = await createAgent(service, { config: { greeting: 'Hello' } });
    const { call_id, room_name } = await answeredCall({ agent_id, variables: VARIABLES, metadata: { crm_id: 'C-17' } });
    const dispatches = await new AgentDispatchClient(lab.url, lab.apiKey, lab.apiSecret).listDispatch(room_name);
    const ours = dispatches.find(({ agentName }) => agentName === 'lab-agent');
    const job = await readJob(service, ours?.metadata ?? '');
    assert.deepEqual([job.session_id, job.agent_id, job.config], [call_id, agent_id, { greeting: 'Hello' }]);
    assert.deepEqual([job.direction, job.variables, job.metadata], ['OUTBOUND', VARIABLES, { crm_id: 'C-17' }]);
    assert.deepEqual(await roomMetadata(room_name), { agentId: agent_id, sessionId: call_id });
  });

  test('when the phone hangs up, the signed webhook completes the call at once and closes the room', async () => {
    const call = await answeredCall();
    await call.phone.hangUp();
    const ended = await reaches(service, call.call_id, 'COMPLETED');
    assert.equal(ended.end_reason, 'hangup');
    assert.equal(ended.duration, (Date.parse(ended.ended_at) - Date.parse(ended.started_at)) / 1000);
    await roomIsGone(call.room_name);
  });

  test('a call ends when its agent leaves', async () => {
    const call = await answeredCall();
    await call.agent.hangUp();
    assert.equal((await reaches(service, call.call_id, 'COMPLETED')).end_reason, 'hangup');
    await roomIsGone(call.room_name);
  });

  test('ending a call through the API removes everyone from the room', async () => {
    const call = await answeredCall();
    await service.request('POST', `/api/calls/${call.call_id}/end`);
    await roomIsGone(call.room_name);
    assert.equal((await reaches(service, call.call_id, 'COMPLETED')).end_reason, 'ended_by_user');
  });

  test('a warm transfer has three in the room; the agent leaves, and the session ends when one of the other two hangs up', async () => {
    const call = await answeredCall();
    const target = phone();
    const { body } = await service.request('POST', `/api/sessions/${call.call_id}/transfer`, {
      body: { phone_number: target, type: 'WARM' },
    });
    assert.equal(body.status, 'initiated');
    await eventually(
      () => service.request('GET', `/api/calls/${call.call_id}`),
      (answer) => answer.body.transfers[0].status === 'connected',
    );
    assert.deepEqual((await real.listParticipants(call.room_name)).map(({ kind }) => kind).sort(), [
      'AGENT',
      'SIP',
      'SIP',
    ]);
    await service.request('POST', `/api/sessions/${call.call_id}/transfer/complete`);
    await eventually(
      () => real.listParticipants(call.room_name),
      (all) => all.every(({ kind }) => kind === 'SIP'),
    );
    assert.equal((await reaches(service, call.call_id, 'ANSWERED')).transfers[0].status, 'completed');
    await phones.get(target)?.hangUp();
    assert.equal((await reaches(service, call.call_id, 'COMPLETED')).end_reason, 'hangup');
    await roomIsGone(call.room_name);
  });

  test('an inbound call creates a session for the agent of the number, dispatches the worker, and goes through its states', async () => {
    const agent_id = await createAgent(service);
    await service.request('POST', '/api/telephony/numbers/assign', {
      body: { agent_id, phone_number: '+15005550010' },
    });
    // As passed on by the bridge when the caller dialled without the plus sign.
    const attributes = {
      'sip.trunkPhoneNumber': '15005550010',
      'sip.phoneNumber': '+14155550199',
      'sip.callStatus': 'ringing',
      'sip.callID': 'SCL_lab',
      'sip.callIDFull': 'lab-1@phone',
      'sip.h.x-account': 'C-17',
      'sip.h.diversion': `<sip:+14155550111@carrier.example>${';x=y'.repeat(200)}`,
      'sip.h.x-secret': 'token',
    };
    const caller = await join(lab, 'inbound-lab-1', 'sip_+14155550199', 'sip', attributes);
    const { body } = await eventually(
      () => service.request('GET', '/api/sessions/by-room/inbound-lab-1'),
      ({ status }) => status === 200,
    );
    assert.deepEqual([body.call_direction, body.call_status, body.agent_id], ['INBOUND', 'RINGING', agent_id]);
    const client = new AgentDispatchClient(lab.url, lab.apiKey, lab.apiSecret);
    const dispatches = await eventually(
      () => client.listDispatch('inbound-lab-1'),
      (all) => all.some(({ agentName }) => agentName === 'lab-agent'),
    );
    const ours = dispatches.find(({ agentName }) => agentName === 'lab-agent');
    const job = await readJob(service, ours?.metadata ?? '');
    assert.deepEqual([job.session_id, job.direction], [body.id, 'INBOUND']);
    assert.deepEqual([job.from_number, job.to_number], ['+14155550199', '+15005550010']);
    const { sip } = (await service.request('GET', `/api/calls/${body.id}`)).body;
    const diversion = attributes['sip.h.diversion'].slice(0, 256);
    assert.deepEqual(sip.headers_in, { 'x-account': 'C-17', diversion });
    assert.deepEqual([sip.call_id, sip.bridge_call_id], ['lab-1@phone', 'SCL_lab']);
    assert.deepEqual(job.variables, { 'sip.x-account': 'C-17', 'sip.diversion': diversion });
    assert.deepEqual(await roomMetadata('inbound-lab-1'), { agentId: agent_id, sessionId: body.id });
    const agent = await join(lab, 'inbound-lab-1', 'agent', 'agent');
    await agent.publishSilence();
    assert.equal((await reaches(service, body.id, 'ANSWERED')).caller_number, '+14155550199');
    await caller.hangUp();
    assert.equal((await reaches(service, body.id, 'COMPLETED')).end_reason, 'hangup');
  });

  test('an inbound call to an unassigned number is rejected and leaves no session', async () => {
    await join(lab, 'inbound-lab-2', 'sip_+14155550198', 'sip', { 'sip.trunkPhoneNumber': '+15005550018' });
    await roomIsGone('inbound-lab-2');
    assert.equal((await service.request('GET', '/api/sessions/by-room/inbound-lab-2')).status, 404);
  });

  test('the inbound trunk and its dispatch rule follow the assigned numbers', async () => {
    const sip = new SipClient(lab.url, lab.apiKey, lab.apiSecret);
    const state = async () => ({
      numbers: (await sip.listSipInboundTrunk()).flatMap(({ numbers }) => numbers).sort(),
      rules: (await sip.listSipDispatchRule()).length,
    });
    const longest = async () => (await sip.listSipInboundTrunk()).map((trunk) => trunk.maxCallDuration?.seconds);
    await createLiveKitMedia({ ...options, maxCallS: 660 }).setInboundNumbers(['+15005550011']);
    assert.deepEqual(await state(), { numbers: ['+15005550011'], rules: 1 });
    assert.deepEqual(await longest(), [840n], 'with the three minutes of ringing');
    await createLiveKitMedia({ ...options, maxCallS: 60 }).setInboundNumbers(['+15005550011']);
    assert.deepEqual(await longest(), [240n]);
    await real.setInboundNumbers(['+15005550011', '+15005550012']);
    await real.setInboundNumbers(['+15005550012']);
    assert.deepEqual(await state(), { numbers: ['+15005550012'], rules: 1 });
    // As of two processes at the same time.
    await sip.createSipInboundTrunk('switchboard', ['+15005550011']);
    await real.setInboundNumbers(['+15005550011', '+15005550012']);
    assert.deepEqual(await state(), { numbers: ['+15005550011', '+15005550012'], rules: 1 });
    // Somebody else's trunk, as LiveKit's own setup makes one.
    const theirs = await sip.createSipInboundTrunk('theirs', ['15005550013']);
    await assert.rejects(real.setInboundNumbers(['+15005550011', '+15005550013']), ({ cause }: Error) =>
      /remove these from the others: \+15005550013 \(ST_\w+, theirs\)/.test(`${cause}`),
    );
    assert.deepEqual(await state(), { numbers: ['+15005550011', '15005550013'], rules: 1 });
    await sip.deleteSipTrunk(theirs.sipTrunkId);
    await real.setInboundNumbers([]);
    assert.deepEqual(await state(), { numbers: [], rules: 0 });
  });

  test('the inbound trunk passes on the headers of the list, and those that somebody else has mapped', async () => {
    const sip = new SipClient(lab.url, lab.apiKey, lab.apiSecret);
    const trunk = async () => (await sip.listSipInboundTrunk()).find(({ name }) => name === 'switchboard');
    const numbers = ['+15005550011'];
    await createLiveKitMedia({ ...options, sipHeadersIn: ['X-Account', 'Diversion'] }).setInboundNumbers(numbers);
    const made = (await trunk()) ?? assert.fail();
    assert.deepEqual({ ...made.headersToAttributes }, { 'X-Account': 'sip.h.x-account', Diversion: 'sip.h.diversion' });
    const headersToAttributes = { ...made.headersToAttributes, 'X-Theirs': 'theirs' };
    await sip.updateSipInboundTrunk(made.sipTrunkId, new SIPInboundTrunkInfo({ ...made, headersToAttributes }));
    await createLiveKitMedia({ ...options, sipHeadersIn: ['Diversion'] }).setInboundNumbers(numbers);
    const changed = await trunk();
    assert.deepEqual(
      [changed?.sipTrunkId, changed?.numbers, { ...changed?.headersToAttributes }],
      [made.sipTrunkId, numbers, { 'X-Theirs': 'theirs', Diversion: 'sip.h.diversion' }],
    );
    await real.setInboundNumbers(numbers);
    assert.deepEqual({ ...(await trunk())?.headersToAttributes }, { 'X-Theirs': 'theirs' });
    await real.setInboundNumbers([]);
  });

  // The media server sometimes misses that a phone has left, and lists it for 20 s.
  for (const [name, hangUp] of [
    ['', 'hangUp'],
    [' of a phone that is still listed', 'reportHangUp'],
  ] as const)
    test(`with every webhook lost, the reconciler finds a hang-up${name} within 15 s`, async () => {
      const deaf = await startService({ media, env: { CALLING_COUNTRIES: 'US', RECONCILE_INTERVAL_MS: '1000' } });
      const number = phone();
      const call = await placeCall(deaf, number);
      await reaches(deaf, call.call_id, 'ANSWERED');
      await join(lab, call.room_name, 'agent', 'agent');
      await phones.get(number)?.[hangUp]();
      const hungUpAt = Date.now();
      const ended = await reaches(deaf, call.call_id, 'COMPLETED');
      assert.equal(ended.end_reason, 'hangup');
      assert.ok(Date.now() - hungUpAt < 15_000);
      await deaf.close();
    });

  test('an unknown trunk and a missing bridge end the call as FAILED with the reason', async () => {
    const bare = await startService({ media: real, env: { CALLING_COUNTRIES: 'US' } });
    const unknown = await placeCall(bare, phone());
    assert.equal((await reaches(bare, unknown.call_id, 'FAILED')).end_reason, 'trunk_not_found');
    const sip = new SipClient(lab.url, lab.apiKey, lab.apiSecret);
    const { sipTrunkId } = await sip.createSipOutboundTrunk('lab', '127.0.0.1:9', ['+14155550100'], { transport: 1 });
    const bridgeless = await startService({
      media: createLiveKitMedia({ ...options, sipTrunkId }),
      env: { CALLING_COUNTRIES: 'US', SIP_HEADERS_OUT: 'X-Account' },
    });
    // The server checks headers before it looks for a bridge.
    const { call_id } = await placeCall(bridgeless, phone(), { sip_headers: { 'X-Account': 'C-17' } });
    assert.equal((await reaches(bridgeless, call_id, 'FAILED')).end_reason, 'provider_unavailable');
    await bare.close();
    await bridgeless.close();
  });

  test('refused credentials and an unresponsive media server fail the call immediately, and no secret is shown', async () => {
    const hole = net.createServer(() => {}).listen(0, '127.0.0.1');
    await once(hole, 'listening');
    const cases = [
      [{ ...options, apiSecret: 'another-secret-another-secret-another' }, 'provider_refused'],
      [
        { ...options, url: `ws://127.0.0.1:${(hole.address() as AddressInfo).port}`, requestTimeoutS: 1 },
        'provider_timeout',
      ],
      [{ ...options, url: 'ws://127.0.0.1:1' }, 'provider_unavailable'],
    ] as const;
    for (const [broken, reason] of cases) {
      const failing = await startService({ media: createLiveKitMedia(broken), env: { CALLING_COUNTRIES: 'US' } });
      const agent_id = await createAgent(failing);
      const { body } = await failing.request('POST', '/api/calls/outbound', {
        user: USER,
        body: { agent_id, phone_number: phone() },
      });
      assert.equal(body.status, 'FAILED');
      assert.equal((await reaches(failing, body.call_id, 'FAILED')).end_reason, reason);
      await failing.close();
    }
    hole.close();
    const error = await createLiveKitMedia(cases[0][0])
      .listRooms()
      .then(
        () => assert.fail(),
        (thrown) => thrown,
      );
    assert.doesNotMatch(JSON.stringify([error, error.message, error.stack, String(error.cause)]), /eyJ/);
  });

  test('a webhook is accepted only with a recent signature of its body by the configured key', async () => {
    const body = JSON.stringify({ event: 'hologram_started', id: 'EV_signed' });
    const sign = async (text: string, secret = lab.apiSecret, ttl = 60) => {
      const token = new AccessToken(lab.apiKey, secret, { ttl });
      token.sha256 = createHash('sha256').update(text).digest('base64');
      return token.toJwt();
    };
    const post = async (authorization?: string) => {
      const headers = { 'content-type': 'application/webhook+json', ...(authorization && { authorization }) };
      return (await service.request('POST', '/api/media/webhook', { body, headers })).status;
    };
    assert.equal(await post(), 401);
    assert.equal(await post(await sign(`${body} `)), 401);
    assert.equal(await post(await sign(body, 'another-secret-another-secret-another')), 401);
    assert.equal(await post(await sign(body, lab.apiSecret, -3600)), 401);
    assert.equal(await post(await sign(body)), 200);
    assert.equal(await post(await sign(body)), 200, 'a replay is harmless');
  });
}
