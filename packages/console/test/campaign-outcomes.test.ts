import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dispositionsIn, retriable, USUAL_RETRIES, withRetries } from '../src/data/campaign-outcomes.ts';

test('who counts as reached is not called again, unless dispositions tell them apart', () => {
  assert.ok(!retriable({}).includes('answered'));
  assert.ok(retriable({ reached_by: ['answered', 'voicemail'] }).includes('ivr'));
  assert.ok(retriable({ reached_dispositions: ['booked'] }).includes('answered'));

  const retries = { attempts: 3, on: ['busy' as const, 'voicemail' as const] };
  const changed = withRetries({ retries }, { reached_by: ['answered', 'voicemail'] });
  assert.deepEqual(changed, { reached_by: ['answered', 'voicemail'], retries: { attempts: 3, on: ['busy'] } });
  const told = { retries: { on: ['answered' as const] }, reached_dispositions: ['booked'] };
  assert.deepEqual(withRetries(told, { reached_dispositions: null }).retries, { on: [] });
  assert.deepEqual(withRetries({}, { reached_by: ['ivr'] }).retries, { on: USUAL_RETRIES });
});

test('dispositions are told one a line, each once', () => {
  assert.deepEqual(dispositionsIn(' booked\n\ncalled back, later\nbooked'), ['booked', 'called back, later']);
  assert.equal(dispositionsIn(' \n'), null);
});
