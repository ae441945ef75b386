import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { advance, isFinal, type SessionState, type Signal } from '../../src/conversations/sessions/lifecycle.ts';

const START = Date.UTC(2026, 0, 1);
const at = fc.integer({ min: 0, max: 1e7 }).map((ms) => new Date(START + ms));
const reason = fc.constantFrom('hangup', 'busy', 'no_answer', 'canceled');
const sip_status_code = fc.option(fc.constantFrom(486, 603, 503), { nil: null });
const signal: fc.Arbitrary<Signal> = fc.oneof(
  fc.record({ kind: fc.constant('answered' as const), at }),
  fc.record({
    kind: fc.constant('ended' as const),
    at,
    end_reason: reason,
    ended_at: fc.option(at, { nil: undefined }),
    duration: fc.option(fc.double({ min: 0, max: 1e6, noNaN: true }), { nil: undefined }),
  }),
  fc.record({ kind: fc.constant('no_answer' as const), at, end_reason: reason, sip_status_code }),
  fc.record({ kind: fc.constant('failed' as const), at, end_reason: reason, sip_status_code }),
);

const ringing: SessionState = {
  status: 'CREATED',
  call_status: 'RINGING',
  started_at: null,
  ended_at: null,
  duration: null,
  end_reason: null,
  sip_status_code: null,
};
const conversation: SessionState = { ...ringing, status: 'ACTIVE', call_status: null, started_at: new Date(START) };
const begin = fc.constantFrom(ringing, conversation);

const RANK = { CREATED: 0, ACTIVE: 1, COMPLETED: 2, FAILED: 2 };
const IN_STEP = new Set([
  'CREATED/RINGING',
  'ACTIVE/ANSWERED',
  'COMPLETED/COMPLETED',
  'FAILED/FAILED',
  'FAILED/NO_ANSWER',
]);

/** Every state a session goes through under these signals, the first included. */
function history(first: SessionState, signals: Signal[]): SessionState[] {
  const states = [first];
  for (const one of signals) {
    const next = advance(states.at(-1) ?? first, one);
    if (next) states.push(next);
  }
  return states;
}

const holds = (check: (states: SessionState[], signals: Signal[]) => void) =>
  fc.assert(
    fc.property(begin, fc.array(signal, { maxLength: 12 }), (first, signals) =>
      check(history(first, signals), signals),
    ),
    { numRuns: 2000 },
  );

test('no sequence of signals leaves a final state', () => {
  holds((states) => assert.ok(states.slice(0, -1).every((state) => !isFinal(state))));
});

test('no sequence of signals goes back', () => {
  holds((states) => {
    for (const [index, state] of states.slice(1).entries())
      assert.ok(RANK[state.status] > RANK[states[index]?.status ?? 'FAILED']);
  });
});

test('status and call_status stay in step, and a conversation never gets a call_status', () => {
  holds(([first, ...rest]) => {
    for (const state of rest) {
      if (first?.call_status === null) assert.equal(state.call_status, null);
      else assert.ok(IN_STEP.has(`${state.status}/${state.call_status}`), `${state.status}/${state.call_status}`);
    }
  });
});

test('an ended session has an end, a reason and a duration that is not negative; a live one has none', () => {
  holds((states) => {
    for (const state of states) {
      assert.equal(state.ended_at !== null, isFinal(state));
      assert.equal(state.end_reason !== null, isFinal(state));
      if (isFinal(state)) assert.ok((state.duration ?? -1) >= 0);
    }
  });
});

test('an end without given figures is never before the start, whatever the clocks', () => {
  holds((states, signals) => {
    const last = states.at(-1);
    const isGiven = signals.some((one) => one.kind === 'ended' && (one.ended_at ?? one.duration) !== undefined);
    if (!isGiven && last?.ended_at && last.started_at) assert.ok(last.ended_at >= last.started_at);
  });
});

test('a repeated signal changes nothing', () => {
  holds((states, signals) => {
    const first = states[0];
    assert.ok(first);
    assert.deepEqual(
      history(
        first,
        signals.flatMap((one) => [one, one]),
      ),
      states,
    );
  });
});

test('an answered call never becomes unanswered', () => {
  holds((states) => {
    const answered = states.some((state) => state.call_status === 'ANSWERED');
    assert.ok(!answered || states.at(-1)?.call_status !== 'NO_ANSWER');
  });
});

test('the duration of an answered call is the time between its start and its end, to the millisecond', () => {
  const answered = advance(ringing, { kind: 'answered', at: new Date(START) });
  assert.ok(answered);
  assert.equal(
    advance(answered, { kind: 'ended', at: new Date(START + 61_234), end_reason: 'hangup' })?.duration,
    61.234,
  );
});
