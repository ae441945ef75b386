import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLiveKitMedia } from '../../src/providers/media/livekit.ts';

const RINGING_TIMEOUT_S = 1;
/** Later than the SDK waits by itself, 2 s beyond the ringing time. */
const ANSWERED_AFTER_MS = 4_000;

interface Answer {
  status: number;
  body: object;
}

/** LiveKit's adapter before a server that answers so, request by request. */
async function mediaAnswered(answer: (path: string) => Promise<Answer>) {
  const server = http.createServer(async ({ url = '' }, response) => {
    const { status, body } = await answer(url);
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  });
  after(() => server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return createLiveKitMedia({
    ...{ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, apiKey: 'key', apiSecret: 'secret' },
    ...{ sipTrunkId: 'ST_1', agentName: 'agent' },
  });
}

test('a phone that rang out is told from one that is lost, although a busy bridge says so some seconds late', async () => {
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

for (const [times, code] of [
  [1, null],
  [2, 'provider_unavailable'],
] as const) {
  test(`a room that no server would make ${times === 1 ? 'is asked for once more' : 'twice is given up'}`, async () => {
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
