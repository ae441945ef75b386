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

test('a phone that rang out is told from one that is lost, although a busy bridge says so some seconds late', async () => {
  // As livekit-server 1.13.5 answers for a phone that rang out.
  const server = http.createServer(async (_request, response) => {
    await sleep(ANSWERED_AFTER_MS);
    response.writeHead(408, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ code: 'canceled', msg: 'twirp error unknown: sip request timed out' }));
  });
  after(() => server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const media = createLiveKitMedia({
    ...{ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, apiKey: 'key', apiSecret: 'secret' },
    ...{ sipTrunkId: 'ST_1', agentName: 'agent' },
  });
  const call = { room_name: 'call-1', identity: 'phone', phone_number: '+14155550123' };
  const outcome = await media.dial({ ...call, ringing_timeout_s: RINGING_TIMEOUT_S, max_duration_s: 60 });
  assert.deepEqual(outcome, { answered: false, no_answer: true, end_reason: 'no_answer', sip_status_code: null });
});
