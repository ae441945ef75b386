import assert from 'node:assert/strict';
import dns from 'node:dns';
import { after, test } from 'node:test';
import { serveHttp } from '@switchboard/testkit/http-server.ts';
import { createLiveKitMedia } from '../../src/providers/livekit/livekit.ts';

const REGIONS = ['project.livekit.cloud', 'one.livekit.cloud', 'two.livekit.cloud'];
const ROOM = { room_name: 'call-1', agent_metadata: '{}' };
const PHONE = { room_name: 'call-1', identity: 'phone', phone_number: '+14155550123' };

for (const [about, ask, method, hosts] of [
  [
    'an agent that a cloud may have dispatched is not dispatched again in another region',
    (media) => media.dispatchAgent(ROOM),
    'CreateDispatch',
    1,
  ],
  [
    'a phone that a cloud may have dialled is not dialled again in another region',
    (media) => media.dial({ ...PHONE, ringing_timeout_s: 1, max_duration_s: 60 }),
    'CreateSIPParticipant',
    1,
  ],
  [
    'whether a room of a cloud has a server, which closes the room if it has none, is asked in all of its regions',
    (media) => media.isAgentComing('call-1'),
    'ListDispatch',
    3,
  ],
  [
    'the rooms of a cloud, which are safe to ask for again, are asked for in all of its regions',
    (media) => media.listRooms(),
    'ListRooms',
    3,
  ],
] as [string, (media: ReturnType<typeof createLiveKitMedia>) => Promise<unknown>, string, number][]) {
  test(about, async (t) => {
    const asked: string[] = [];
    const cloud = await serveHttp(async ({ url = '', headers }, response) => {
      const { port } = new URL(cloud.url);
      const regions = REGIONS.map((host) => ({ url: `http://${host}:${port}` }));
      if (url.endsWith(`/${method}`)) asked.push(headers.host ?? '');
      response.writeHead(url === '/settings/regions' ? 200 : 502, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ regions, code: 'internal', msg: 'the region is away' }));
    });
    after(cloud.close);
    t.mock.method(dns, 'lookup', (_host: string, _options: object, found: (...args: unknown[]) => void) =>
      found(null, [{ address: '127.0.0.1', family: 4 }]),
    );
    const { port } = new URL(cloud.url);
    const access = { apiKey: 'key', apiSecret: 'secret', sipTrunkId: 'ST_1', agentName: 'agent' };
    const media = createLiveKitMedia({ url: `http://${REGIONS[0]}:${port}`, ...access });
    await assert.rejects(ask(media), { code: 'provider_unavailable' });
    assert.deepEqual(
      asked,
      REGIONS.slice(0, hosts).map((host) => `${host}:${port}`),
    );
  });
}
