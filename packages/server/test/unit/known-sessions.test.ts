import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createKnownSessions } from '../../src/features/usage/known-sessions.ts';
import type { NewUsageEvent } from '../../src/features/usage/store.ts';

const event = (session_id: string, user_id = 'user-1', agent_id: string | null = 'agent-1') =>
  ({ user_id, agent_id, session_id }) as Partial<NewUsageEvent> as NewUsageEvent;

test('a session is known once its transaction has committed, and until the version changes', () => {
  const sessions = createKnownSessions();
  const rolledBack = sessions.begin();
  rolledBack.wrote([event('a')], 7);
  assert.equal(sessions.begin().isKnown(event('a')), false);
  assert.equal(sessions.begin().version, null);
  const first = sessions.begin();
  first.wrote([event('a'), event('b')], 7);
  first.committed();
  const second = sessions.begin();
  assert.equal(second.version, 7);
  assert.deepEqual(
    [event('a'), event('b'), event('c'), event('a', 'user-2')].map((one) => second.isKnown(one)),
    [true, true, false, false],
  );
  second.wrote([event('c')], 8);
  second.committed();
  assert.equal(sessions.begin().version, 8);
  assert.deepEqual(
    [event('a'), event('c')].map((one) => sessions.begin().isKnown(one)),
    [false, true],
  );
});

test('an event without an agent does not make the agent "null" known', () => {
  const sessions = createKnownSessions();
  const one = sessions.begin();
  one.wrote([event('a', 'user-1', null)], 1);
  one.committed();
  assert.equal(sessions.begin().isKnown(event('a', 'user-1', 'null')), false);
});

test('agents and users that share a session are told apart', () => {
  const sessions = createKnownSessions();
  const known = (...events: NewUsageEvent[]) => events.map((one) => sessions.begin().isKnown(one));
  const write = (...events: NewUsageEvent[]) => {
    const one = sessions.begin();
    one.wrote(events, 1);
    one.committed();
  };
  const [first, second, another] = [event('a'), event('a', 'user-1', 'agent-2'), event('a', 'user-2')];
  write(first, first, second);
  assert.deepEqual(known(first, second, another), [true, true, false]);
  write(another);
  assert.deepEqual(known(first, another), [false, true]);
  // One session with any number of agents takes bounded memory.
  const many = Array.from({ length: 20 }, (_, index) => event('b', 'user-1', `agent-${index}`));
  write(...many);
  assert.deepEqual(known(...many).filter(Boolean).length, 4);
});
