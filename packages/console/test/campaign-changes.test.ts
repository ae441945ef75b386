import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CampaignCreate } from '@switchboard/client';
import { changesOf } from '../src/data/campaign-changes.ts';

const before: CampaignCreate = {
  name: 'Reminders',
  agent_id: 'a',
  pacing: { max_concurrent: 10, per_minute: 60, reserve_for_others: 0.2 },
  retries: { attempts: 3, delays_s: [3_600], on: ['busy'], spread: 0.1 },
  budget: '10',
  circuit: { failure_rate: 0.5, window_s: 300, min_calls: 20 },
};

test('of pacing and retries only what was changed is sent, so that the rest stays as others have set it', () => {
  const pacing = { ...before.pacing, max_concurrent: 20 };
  assert.deepEqual(changesOf({ ...before, pacing }, before), { pacing: { max_concurrent: 20 } });
  const retries = { ...before.retries, delays_s: [60], on: ['busy' as const] };
  assert.deepEqual(changesOf({ ...before, retries }, before), { retries: { delays_s: [60] } });
});

test('other fields are sent as a whole, and those that are as before are not', () => {
  assert.deepEqual(changesOf({ ...before, pacing: { ...before.pacing } }, before), {});
  const circuit = { failure_rate: 0.5, window_s: 60, min_calls: 20 };
  assert.deepEqual(changesOf({ ...before, budget: null, circuit }, before), { budget: null, circuit });
});
