// The subscriptions by which LiveKit's adapter says who hears whom.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { serveHttp } from '@switchboard/testkit/http-server.ts';
import { createLiveKitMedia } from '../../src/providers/livekit/livekit.ts';

/** A room with an agent that plays music, a caller, a target and a colleague, each with a sound. */
const IN_ROOM = [
  { identity: 'agent', kind: 'AGENT', sounds: ['hold-music', 'speech'] },
  { identity: 'phone', kind: 'SIP', sounds: ['line'] },
  { identity: 'transfer-1', kind: 'SIP', sounds: ['line'] },
  { identity: 'colleague-1', kind: 'STANDARD', sounds: ['microphone'] },
].map(({ identity, kind, sounds }) => ({
  identity,
  kind,
  sid: `PA_${identity}`,
  tracks: sounds.map((name) => ({ sid: `TR_${identity}_${name}`, type: 'AUDIO', name })),
}));

/** The adapter before such a room, and who was told what to hear. */
async function roomHeard(isRefused: (identity: string) => boolean = () => false) {
  const told: { identity: string; trackSids: string[]; subscribe: boolean }[] = [];
  function answer(path: string, asked: string): object | null {
    if (path.endsWith('/ListParticipants')) return { participants: IN_ROOM };
    const { identity, trackSids, subscribe = false } = JSON.parse(asked);
    if (isRefused(identity)) return null;
    told.push({ identity, trackSids, subscribe });
    return {};
  }
  const server = await serveHttp(async (request, response) => {
    const body = answer(request.url ?? '', Buffer.concat(await request.toArray()).toString());
    response.writeHead(body ? 200 : 503, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body ?? { code: 'unavailable', msg: 'upstream is away' }));
  });
  after(server.close);
  const account = { apiKey: 'key', apiSecret: 'secret', sipTrunkId: 'ST_1', agentName: 'agent' };
  return { media: createLiveKitMedia({ url: server.url, ...account }), told };
}

test('whoever cannot be told what to hear does not keep the others from hearing it', async () => {
  const { media, told } = await roomHeard((identity) => identity === 'phone');
  await assert.rejects(media.setHearing('call-1', { phone: 'everybody', 'transfer-1': 'everybody' }));
  const others = ['TR_agent_speech', 'TR_phone_line', 'TR_colleague-1_microphone'];
  assert.deepEqual(told, [
    { identity: 'transfer-1', trackSids: ['TR_agent_hold-music'], subscribe: false },
    { identity: 'transfer-1', trackSids: others, subscribe: true },
  ]);
});

test('while somebody waits and nothing changes, few requests are made; an end is told at once', async () => {
  const { media, told } = await roomHeard();
  const apart = { phone: 'music', 'transfer-1': 'agent' } as const;
  for (let time = 0; time < 40; time++) await media.setHearing('call-1', apart);
  assert.equal(told.length, (6 + 8) * 4);
  await media.setHearing('call-1', { phone: 'everybody', 'transfer-1': 'everybody' });
  assert.equal(told.length, (6 + 8) * 4 + 4);
  await media.setHearing('call-1', apart);
  assert.equal(told.length, (6 + 8) * 4 + 8);
});

test('a caller who is kept from a phone that rings hears a colleague who talks in place of the agent', async () => {
  const { media, told } = await roomHeard();
  await media.setHearing('call-1', { phone: 'ours' });
  assert.deepEqual(told, [
    { identity: 'phone', trackSids: ['TR_agent_hold-music', 'TR_transfer-1_line'], subscribe: false },
    { identity: 'phone', trackSids: ['TR_agent_speech', 'TR_colleague-1_microphone'], subscribe: true },
  ]);
});
