import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isAbandoned, judge } from '../../src/calling/campaigns/abandonment.ts';
import type { DayCount } from '../../src/calling/campaigns/state-schema.ts';

const ANSWERED = new Date('2026-03-02T10:00:00.000Z');
const after = (s: number) => new Date(ANSWERED.getTime() + s * 1000);
const RULE = { max_rate: 0.03, after_s: 2, days: 30 };
const day = (of: string, answered: number, abandoned: number): DayCount => ({ day: of, answered, abandoned });

test('a call is abandoned if no agent is there in time, and the person has waited that long', () => {
  const call = (joined: number | null, ended: number | null) =>
    isAbandoned(
      {
        started_at: ANSWERED,
        ended_at: ended === null ? null : after(ended),
        agent_joined_at: joined === null ? null : after(joined),
      },
      2,
    );
  assert.deepEqual([call(-5, 60), call(2, 60), call(2.001, 60)], [false, false, true]);
  assert.deepEqual([call(null, 15), call(null, 2), call(null, null)], [true, false, true]);
  assert.equal(
    isAbandoned({ started_at: null, ended_at: after(1), agent_joined_at: null }, 2),
    false,
    'never answered',
  );
});

test('the rate is that of the period, and one abandoned call alone is too few, unless none is allowed', () => {
  const exceeded = (answered: number, abandoned: number, max_rate = 0.03) =>
    judge({ ...RULE, max_rate }, [day('2026-03-02', answered, abandoned)]).is_exceeded;
  assert.deepEqual([exceeded(0, 0), exceeded(1, 1), exceeded(66, 2), exceeded(67, 2)], [false, false, true, false]);
  assert.deepEqual([exceeded(100, 3), exceeded(100, 4)], [false, true], 'as much as is allowed is not more');
  assert.deepEqual([exceeded(1000, 1, 0), exceeded(1000, 0, 0), exceeded(5, 5, 1)], [true, false, false]);
});

test('it ends when enough of the days are over', () => {
  const counts = [day('2026-03-03', 100, 1), day('2026-03-01', 50, 4), day('2026-03-02', 50, 3)];
  const found = judge({ ...RULE, days: 7 }, counts);
  assert.deepEqual(found, {
    answered: 200,
    abandoned: 8,
    max_rate: 0.03,
    days: 7,
    is_exceeded: true,
    // Without the first of March there are 4 of 150.
    until: new Date('2026-03-08T00:00:00.000Z'),
  });
  const { answered, abandoned } = judge(RULE, [
    day('2026-03-01', 2, 1),
    day('2026-03-01', 3, 2),
    day('2026-03-02', 1, 0),
  ]);
  assert.deepEqual([answered, abandoned], [4, 2], 'the last count of a day');
});
