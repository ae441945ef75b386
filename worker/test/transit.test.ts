import assert from 'node:assert/strict';
import { test } from 'node:test';
import { initializeLogger, voice } from '@livekit/agents';
import { ParticipantKind, type Room } from '@livekit/rtc-node';
import { followTransit, HearingAgent } from '../conversation/sounds.ts';
import { createTransit, type Stats } from '../conversation/transit.ts';

initializeLogger({ pretty: false, level: 'silent' });

/** Statistics of a receiver that has emitted these seconds of sound, with the sum of the waits of its samples. */
function statsOf(seconds: number, waited: number, roundTrip = 0.03): Stats {
  const inbound = { jitterBufferDelay: waited, jitterBufferEmittedCount: BigInt(seconds * 48_000) };
  return {
    publisherStats: [],
    subscriberStats: [
      { stats: { case: 'inboundRtp', value: { stream: { kind: 'video' }, inbound } } },
      { stats: { case: 'inboundRtp', value: { stream: { kind: 'audio' }, inbound } } },
      { stats: { case: 'candidatePair', value: { candidatePair: { nominated: false, currentRoundTripTime: 9 } } } },
      {
        stats: {
          case: 'candidatePair',
          value: { candidatePair: { nominated: true, currentRoundTripTime: roundTrip } },
        },
      },
    ],
  } as unknown as Stats;
}

test('sound is on its way for a packet, half a round trip and the jitter buffer as it was since the last reading', () => {
  const transit = createTransit();
  assert.equal(transit.ms(), 0);
  transit.add(statsOf(10, 10 * 48_000 * 0.2));
  assert.equal(Math.round(transit.ms()), 20 + 15 + 200);
  transit.add(statsOf(12, 10 * 48_000 * 0.2 + 2 * 48_000 * 0.06, 0.01));
  assert.equal(Math.round(transit.ms()), 20 + 5 + 60);
});

test('the time that was known stands while no sound arrives, and when a track has ended', () => {
  const transit = createTransit();
  transit.add(statsOf(10, 10 * 48_000 * 0.05));
  transit.add(statsOf(10, 10 * 48_000 * 0.05, 0.9));
  transit.add(statsOf(1, 48_000 * 0.9));
  assert.equal(Math.round(transit.ms()), 20 + 15 + 50);
  transit.add(statsOf(2, 48_000 * 0.98));
  assert.equal(Math.round(transit.ms()), 20 + 15 + 80);
});

test('jitter and loss are those of all packets that have arrived, and unknown before the first', () => {
  const transit = createTransit();
  transit.add(statsOf(1, 0));
  assert.equal(transit.line(), null);
  const received = { packetsReceived: 995n, packetsLost: 5n, jitter: 0.004_26 };
  transit.add({
    publisherStats: [],
    subscriberStats: [{ stats: { case: 'inboundRtp', value: { stream: { kind: 'audio' }, received } } }],
  } as unknown as Stats);
  assert.deepEqual(transit.line(), { jitter_ms: 4.26, packet_loss_percent: 0.5 });
});

function roomOf(kind: ParticipantKind, identity = 'caller') {
  const remoteParticipants = new Map([['caller', { identity, kind }]]) as unknown as Room['remoteParticipants'];
  return { getRtcStats: async () => statsOf(10, 10 * 48_000 * 0.05), remoteParticipants };
}

/** The caller begins to speak, and the statistics are read. */
async function speaks(session: voice.AgentSession): Promise<void> {
  session.emit(voice.AgentSessionEventTypes.UserStateChanged, {
    type: 'user_state_changed',
    oldState: 'listening',
    newState: 'speaking',
    createdAt: 0,
  });
  await new Promise(setImmediate);
}

test('a turn begins when its last sound left the caller, and is answered when the caller hears the first', async () => {
  const inRoom = [4_915, 6_085];
  for (const [room, expected] of [
    [roomOf(ParticipantKind.STANDARD), inRoom],
    // The bridge buffers 60 ms on the way to the phone, of which the room needs 50.
    [roomOf(ParticipantKind.SIP), [4_895, 6_115]],
    [roomOf(ParticipantKind.SIP, 'transfer-1'), inRoom],
  ] as const) {
    const session = new voice.AgentSession({ vad: null });
    const agent = new HearingAgent({ instructions: 'Answer.' }, followTransit(session, room).ms);
    await speaks(session);
    assert.deepEqual([agent.endOfSpeech(5_000), agent.firstSound(6_000)()].map(Math.round), expected);
  }
});

test('a room without statistics leaves the times as they are', async () => {
  const session = new voice.AgentSession({ vad: null });
  const transit = followTransit(session, {
    ...roomOf(ParticipantKind.STANDARD),
    getRtcStats: () => Promise.reject(new Error('closed')),
  });
  await speaks(session);
  assert.deepEqual([transit.ms('caller'), transit.line()], [0, null]);
});
