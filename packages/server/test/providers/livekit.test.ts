import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { serveHttp } from '@switchboard/testkit/http-server.ts';
import { createLiveKitMedia } from '../../src/providers/livekit/livekit.ts';

const RINGING_TIMEOUT_S = 1;
/** Later than the SDK waits by itself, 2 s beyond the ringing time. */
const ANSWERED_AFTER_MS = 4_000;

interface Answer {
  status: number;
  body: object;
}

/** LiveKit's adapter before a server that answers so, request by request. */
async function mediaAnswered(answer: (path: string, asked: string) => Promise<Answer>, sipTrunkId = 'ST_1') {
  const server = await serveHttp(async (request, response) => {
    const asked = Buffer.concat(await request.toArray()).toString();
    const { status, body } = await answer(request.url ?? '', asked);
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  });
  after(server.close);
  return createLiveKitMedia({
    url: server.url,
    apiKey: 'key',
    apiSecret: 'secret',
    sipTrunkId,
    agentName: 'agent',
  });
}

test('a room whose name is no text of the database is not listed', async () => {
  const rooms = [{ name: 'inbound-_+15005550011_a' }, { name: 'inbound-_a\0b_c' }];
  const media = await mediaAnswered(async () => ({ status: 200, body: { rooms } }));
  assert.deepEqual([...(await media.listRooms()).keys()], ['inbound-_+15005550011_a']);
});

test('a phone that rang out is distinguished from a lost one, although a busy bridge reports it seconds late', async () => {
  const media = await mediaAnswered(async () => {
    await sleep(ANSWERED_AFTER_MS);
    // As livekit-server 1.13.5 answers for a phone that rang out.
    return { status: 408, body: { code: 'canceled', msg: 'twirp error unknown: sip request timed out' } };
  });
  const call = { room_name: 'call-1', identity: 'phone', phone_number: '+14155550123' };
  const outcome = await media.dial({ ...call, ringing_timeout_s: RINGING_TIMEOUT_S, max_duration_s: 60 });
  assert.deepEqual(outcome, { answered: false, no_answer: true, end_reason: 'no_answer', sip_status_code: null });
});

for (const [about, msg, refusals, asked] of [
  ['that no bridge has taken is offered to them again', 'no response from servers', 2, 3],
  ['that no bridge will take is given up', 'no response from servers', 9, 3],
  ['that a bridge may have taken is asked for once', 'upstream is away', 1, 1],
] as const) {
  test(`a call ${about}`, async () => {
    let requests = 0;
    const media = await mediaAnswered(async () =>
      ++requests <= refusals
        ? { status: 503, body: { code: 'unavailable', msg: `twirp error unknown: ${msg}` } }
        : { status: 200, body: { participantId: 'PA_1' } },
    );
    const call = { room_name: 'call-1', identity: 'phone', phone_number: '+14155550123' };
    const outcome = await media
      .dial({ ...call, ringing_timeout_s: RINGING_TIMEOUT_S, max_duration_s: 60 })
      .catch(({ code }) => code);
    assert.deepEqual([outcome, requests], [refusals < asked ? { answered: true } : 'provider_unavailable', asked]);
  });
}

test('a phone gets the headers of the call, and none by default', async () => {
  const sent: unknown[] = [];
  const media = await mediaAnswered(async (_path, asked) => {
    sent.push(JSON.parse(asked).headers);
    return { status: 200, body: { participantId: 'PA_1' } };
  });
  const call = { room_name: 'call-1', identity: 'phone', phone_number: '+14155550123', max_duration_s: 60 };
  for (const headers of [{ 'X-Account': 'C-17' }, null])
    await media.dial({ ...call, headers, ringing_timeout_s: RINGING_TIMEOUT_S });
  assert.deepEqual(sent, [{ 'X-Account': 'C-17' }, undefined]);
});

test('a phone is shown the number of the call, or else that of the trunk', async () => {
  const shown: unknown[] = [];
  const media = await mediaAnswered(async (_path, asked) => {
    shown.push(JSON.parse(asked).sipNumber);
    return { status: 200, body: { participantId: 'PA_1' } };
  });
  const call = { room_name: 'call-1', identity: 'phone', phone_number: '+14155550123', max_duration_s: 60 };
  for (const from_number of ['+14155550100', null])
    await media.dial({ ...call, from_number, ringing_timeout_s: RINGING_TIMEOUT_S });
  assert.deepEqual(shown, ['+14155550100', undefined]);
});

test('a phone is dialled over the trunk of the call, or else the first one, and a refusal of the trunk says so', async () => {
  const asked: unknown[] = [];
  const media = await mediaAnswered(async (_path, body) => {
    asked.push(JSON.parse(body).sipTrunkId);
    const meta = { sip_status_code: '503', sip_status: 'Service Unavailable' };
    return { status: 412, body: { code: 'failed_precondition', msg: 'SIP call failed', meta } };
  }, 'ST_a=2|ST_b,ST_c');
  assert.deepEqual(
    media.trunks.map((group) => group.map(({ id, weight }) => `${id} ${weight}`)),
    [['ST_a 2', 'ST_b 1'], ['ST_c 1']],
  );
  const call = { room_name: 'call-1', identity: 'phone', phone_number: '+14155550123', max_duration_s: 60 };
  await media.dial({ ...call, trunk: 'ST_c', ringing_timeout_s: RINGING_TIMEOUT_S });
  const outcome = await media.dial({ ...call, ringing_timeout_s: RINGING_TIMEOUT_S });
  assert.deepEqual(asked, ['ST_c', 'ST_a']);
  assert.deepEqual(outcome, {
    answered: false,
    no_answer: false,
    end_reason: 'trunk_failure',
    sip_status_code: 503,
    by_trunk: 'refused',
  });
});

for (const [times, code] of [
  [1, null],
  [2, 'provider_unavailable'],
] as const) {
  test(`a room that no server would create ${times === 1 ? 'is requested again' : 'twice is given up'}`, async () => {
    const asked: string[] = [];
    const media = await mediaAnswered(async (path) => {
      asked.push(path.split('/').at(-1) ?? '');
      // As livekit-server 1.13.5 answers when it is too busy to answer itself within 3 s.
      if (asked.length <= times)
        return { status: 503, body: { code: 'unavailable', msg: 'twirp error unknown: no response from servers' } };
      return { status: 200, body: { name: 'call-1' } };
    });
    const made = await media.createRoom({ room_name: 'call-1', agent_metadata: '{}' }).catch((error) => error);
    assert.deepEqual([made?.code ?? null, asked], [code, ['CreateRoom', 'CreateRoom']]);
  });
}

for (const [about, name, jobs, isComing] of [
  ['has accepted a dispatch is coming', 'agent', [{ state: { status: 'JS_RUNNING' } }], true],
  ['has not been found for a dispatch is not coming', 'agent', [], false],
  ['another name has called is not coming', 'other', [{ state: { status: 'JS_RUNNING' } }], false],
] as const) {
  test(`a worker that ${about}`, async () => {
    const dispatch = { id: 'AD_1', agentName: name, room: 'inbound-1', state: { jobs } };
    const media = await mediaAnswered(async () => ({ status: 200, body: { agentDispatches: [dispatch] } }));
    assert.equal(await media.isAgentComing('inbound-1'), isComing);
  });
}

for (const [about, present, withdrawn] of [
  ['has joined keeps its dispatch, and those of others are withdrawn', ['agent-1', 'phone'], ['AD_2', 'AD_3']],
  ['has not joined leaves them all', ['phone'], []],
] as const) {
  test(`a worker that ${about}`, async () => {
    const dispatch = (id: string, agentName: string, participantIdentity?: string) => ({
      id,
      agentName,
      room: 'inbound-1',
      state: { jobs: participantIdentity ? [{ state: { participantIdentity } }] : [] },
    });
    const agentDispatches = [
      dispatch('AD_1', 'agent', 'agent-1'),
      dispatch('AD_2', 'agent', 'agent-2'),
      dispatch('AD_3', 'agent'),
      dispatch('AD_4', 'other', 'agent-4'),
    ];
    const deleted: string[] = [];
    const media = await mediaAnswered(async (path, asked) => {
      if (path.endsWith('DeleteDispatch')) deleted.push(JSON.parse(asked).dispatchId);
      const participants = present.map((identity) => ({ identity }));
      return { status: 200, body: path.endsWith('ListParticipants') ? { participants } : { agentDispatches } };
    });
    await media.withdrawAgents('inbound-1');
    assert.deepEqual(deleted, withdrawn);
  });
}

const KIND_AGENT = { identity: 'agent-1', kind: 'AGENT', attributes: { 'lk.agent_name': 'agent' } };
const RPC_500 = (msg: string) => ({ status: 500, body: { code: 'internal', msg: `twirp error unknown: ${msg}` } });
const NOBODY = { status: 503, body: { code: 'unavailable', msg: 'twirp error unknown: no response from servers' } };
const OLD = 'RpcError 1400: Method not supported at destination';
for (const [about, present, answer, outcome] of [
  ['is accepted', [KIND_AGENT], { status: 200, body: { payload: '' } }, 'accepted'],
  ['needs an agent', [], { status: 200, body: {} }, 'absent'],
  ['whose agent has just left needs one', [KIND_AGENT], NOBODY, 'absent'],
  ['that a worker does not know is unsupported', [KIND_AGENT], { ...RPC_500(OLD), status: 400 }, 'unsupported'],
  [
    'that fails in the worker is an error',
    [KIND_AGENT],
    RPC_500('RpcError 1500: Application error'),
    'provider_unavailable',
  ],
  ['that nobody answers is an error', [KIND_AGENT], RPC_500('RpcError 1502: Response timeout'), 'provider_unavailable'],
] as const) {
  test(`a command to an agent ${about}`, async () => {
    const asked: Record<string, unknown>[] = [];
    const media = await mediaAnswered(async (path, body) => {
      if (path.endsWith('ListParticipants')) return { status: 200, body: { participants: present } };
      asked.push(JSON.parse(body));
      return answer;
    });
    const command = { type: 'press', digits: '1#' } as const;
    const found = await media.command('call-1', command).catch((error) => error.code);
    assert.equal(found, outcome);
    if (present.length === 0) return assert.deepEqual(asked, []);
    const [{ destinationIdentity, method, payload } = {}] = asked;
    assert.deepEqual([destinationIdentity, method], ['agent-1', 'switchboard.command']);
    const { command: sent, signature } = JSON.parse(String(payload));
    assert.deepEqual(JSON.parse(sent), command);
    assert.equal(signature, createHmac('sha256', 'secret').update(`call-1\n${sent}`).digest('base64url'));
  });
}

const OUR_TRUNK = {
  sipTrunkId: 'ST_2',
  name: 'switchboard',
  numbers: ['+14155550100'],
  media: { mediaTimeout: '15s' },
};

test('the audio of phones that are dialled or call in may pause for as long as the setting says', async () => {
  for (const [trunks, requests] of [
    [[OUR_TRUNK], ['UpdateSIPInboundTrunk']],
    // The SDK cannot say all as it creates one.
    [[], ['CreateSIPInboundTrunk', 'UpdateSIPInboundTrunk']],
  ] as const) {
    const asked: { path: string; timeout: unknown }[] = [];
    const media = await mediaAnswered(async (path, body) => {
      const { media: own, replace, trunk } = JSON.parse(body);
      const timeout = (own ?? replace?.media ?? trunk?.media)?.mediaTimeout;
      if (timeout) asked.push({ path: path.split('/').at(-1) ?? '', timeout });
      const answers: Record<string, object> = {
        ListSIPInboundTrunk: { items: trunks },
        ListSIPDispatchRule: { items: [] },
      };
      return { status: 200, body: answers[path.split('/').at(-1) ?? ''] ?? { participantId: 'PA_1' } };
    });
    const call = { room_name: 'call-1', identity: 'phone', phone_number: '+14155550123', max_duration_s: 60 };
    await media.dial({ ...call, ringing_timeout_s: RINGING_TIMEOUT_S });
    await media.setInboundNumbers(['+14155550100']);
    const all = ['CreateSIPParticipant', ...requests];
    assert.deepEqual(
      asked,
      all.map((path) => ({ path, timeout: '300s' })),
    );
  }
});

test('the caller id of a phone is kept as the bridge shows it, with its number and the Call-ID of its dialog', async () => {
  const attributes = {
    'sip.callStatus': 'ringing',
    'sip.phoneNumber': '4795551234',
    'sip.trunkPhoneNumber': '14155550100',
    'sip.callIDFull': 'one@phone',
    'sip.callID': 'SCL_one',
    'sip.h.x-account': 'C-17',
    'sip.h.Diversion': '',
    'x-other': 'not a header',
    'sip.trunkID': 'ST_1',
  };
  const participant = { sid: 'PA_1', identity: 'sip_4795551234', kind: 'SIP', attributes };
  const media = await mediaAnswered(async () => ({ status: 200, body: { participants: [participant] } }));
  const [listed] = await media.listParticipants('inbound-1');
  const event = { event: 'participant_joined', id: 'EV_1', room: { name: 'inbound-1' }, participant };
  assert.deepEqual(listed?.phone, {
    state: 'ringing',
    number: '+14795551234',
    caller_id: '4795551234',
    sip_call_id: 'one@phone',
    bridge_call_id: 'SCL_one',
    our_number: '+14155550100',
    trunk_id: 'ST_1',
    carrier_call_sid: null,
    headers: { 'x-account': 'C-17' },
  });
  assert.deepEqual(media.parseEvent(JSON.stringify(event)).participant?.phone, listed.phone);
});

test('a phone that hangs up before the bridge has confirmed its answer has answered', async () => {
  const media = await mediaAnswered(async () => ({
    status: 408,
    body: { code: 'canceled', msg: 'twirp error unknown: call already closed' },
  }));
  const call = { room_name: 'call-1', identity: 'phone', phone_number: '+14155550123', max_duration_s: 60 };
  const outcome = await media.dial({ ...call, ringing_timeout_s: RINGING_TIMEOUT_S });
  assert.deepEqual(outcome, { answered: true, hung_up: true });
});
