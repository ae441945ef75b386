import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createConductor } from '../../src/calling/conductor/conductor.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { agent, LIMITS, phone, ringing } from '../support/conductor.ts';

const call = ringing('OUTBOUND', { created_at: new Date() });

/** A conductor whose records of the agent fail this many times; `tries` counts them. */
function conductorThatFails(times: number) {
  const seen = { tries: 0, looks: 0 };
  const deps = {
    clock: systemClock,
    log: { warn: () => {}, error: () => {}, info: () => {} },
    rooms: { listParticipants: async () => [phone('ringing'), agent()] },
    sessions: {
      get: async () => {
        seen.looks++;
        return call;
      },
      markAgentJoined: async () => {
        if (seen.tries++ < times) throw new Error('the database is away');
      },
    },
    transfers: {},
    isDialing: () => true,
    receive: async () => {},
    limits: LIMITS,
  };
  return { seen, conductor: createConductor(deps as unknown as Parameters<typeof createConductor>[0]) };
}

test('a watch goes on until the agent is recorded, although the first record of it has failed', async () => {
  const { seen, conductor } = conductorThatFails(1);
  await conductor.watch(call, 10_000);
  assert.equal(seen.tries, 2);
});

test('an event that records the agent ends the watch, which then asks nothing', async () => {
  const { seen, conductor } = conductorThatFails(0);
  const watching = conductor.watch(call, 10_000);
  await conductor.look(call, { kind: 'joined', participant: agent() });
  await watching;
  assert.deepEqual(seen, { tries: 1, looks: 0 });
});

test('an event that meets a call which ends for another reason meanwhile has its bill adjusted', async () => {
  const answered = { ...call, status: 'ACTIVE', call_status: 'ANSWERED', started_at: call.created_at } as const;
  const ended_at = new Date(call.created_at.getTime() + 8_000);
  const ended = { ...answered, status: 'COMPLETED', call_status: 'COMPLETED', ended_at, updated_at: ended_at } as const;
  const adjusted: unknown[] = [];
  const deps = {
    clock: systemClock,
    log: { warn: () => {}, error: () => {}, info: () => {} },
    rooms: { listParticipants: async () => [] },
    sessions: { apply: async () => null, get: async () => ended },
    transfers: { inProgress: async () => undefined },
    isDialing: () => false,
    adjustLine: async (one: unknown) => void adjusted.push(one),
    limits: LIMITS,
  };
  const { look } = createConductor(deps as unknown as Parameters<typeof createConductor>[0]);
  const time = { created_at: new Date(call.created_at.getTime() + 3_000), received_at: ended_at };
  await look(answered, { kind: 'left', participant: { ...phone('hangup'), leaving: 'left', time } });
  assert.deepEqual(adjusted, [ended]);
});
