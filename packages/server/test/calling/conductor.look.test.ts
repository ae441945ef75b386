// Looks at answered calls, with what the media provider tells meanwhile.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createConductor } from '../../src/calling/conductor/conductor.ts';
import type { Cause, Departure } from '../../src/calling/conductor/seen.ts';
import type { Session, Signal } from '../../src/conversations/sessions/sessions.ts';
import type { Participant } from '../../src/providers/rooms.ts';
import { agent, answered, at, LIMITS, phone, round } from '../support/conductor.ts';

interface Provider {
  /** The time in seconds, which reading the room may change. */
  now: number;
  list?: (provider: Provider) => Participant[];
  departure?: Departure;
}

/** The signals that a look at a call has led to. */
async function lookAt(call: Session, cause: Cause, provider: Provider): Promise<Signal[]> {
  const signals: Signal[] = [];
  const { departure, list = () => [] } = provider;
  const deps = {
    clock: { now: () => at(provider.now) },
    log: { warn: () => {}, error: () => {}, info: () => {} },
    rooms: { listParticipants: async () => list(provider), isConnected: async () => true },
    sessions: {
      apply: async (_id: string, signal: Signal) => signals.push(signal),
      markAgentJoined: async () => {},
      closeRoom: async () => {},
    },
    transfers: { inProgress: async () => undefined },
    reportsOf: async () => ({ departure, known: departure ? [departure] : [] }),
    isDialing: () => false,
    limits: LIMITS,
  };
  const { look } = createConductor(deps as unknown as Parameters<typeof createConductor>[0]);
  await look(call, cause);
  return signals;
}

/** A phone that has left after 17 seconds, with a state from before its answer. */
const stale: Departure = {
  ...phone('ringing'),
  leaving: 'left',
  time: { created_at: at(16), received_at: at(18) },
};

for (const [how, cause] of Object.entries<Cause>({
  'the event of its end': { kind: 'room_ended', time: { created_at: at(44), received_at: at(45) } },
  'a list without it': round({ people: null, missingSince: at(30) }),
}))
  test(`a phone whose states were lost is billed until it left, once its room is gone: ${how}`, async () => {
    const signals = await lookAt(answered('OUTBOUND'), cause, { now: 46, departure: stale });
    assert.deepEqual(signals, [{ kind: 'ended', at: at(17), end_reason: 'hangup' }]);
  });

test('the same phone may be about to reconnect while its room is there', async () => {
  const signals = await lookAt(answered('OUTBOUND'), round({ people: 1 }), {
    now: 20,
    departure: stale,
    list: () => [agent()],
  });
  assert.deepEqual(signals, []);
});

test('an agent that joins while the looking process stands still has not missed its call', async () => {
  const call = answered('OUTBOUND', { agent_joined_at: null });
  const signals = await lookAt(call, round(), {
    now: 20,
    // Read in time, before the agent joined; then the process stood still for half a minute.
    list: (provider) => {
      provider.now = 50;
      return [phone('active')];
    },
  });
  assert.deepEqual(signals, []);
});
