import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { answeredCall, USER } from '@switchboard/testkit/calls.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { recorder, segment } from '@switchboard/testkit/recordings.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { withPauses } from '../../src/calling/recordings/parts.ts';
import { problemsOf } from '../support/answers.ts';

const dir = await mkdtemp(path.join(tmpdir(), 'switchboard-pauses-'));
after(() => rm(dir, { recursive: true }));
const service = await startService({ env: { RECORDINGS_DIR: dir } });

test('pauses that workers declare with segments are gaps, once and in order, beside lost segments', async () => {
  const { call_id } = await answeredCall(service);
  const of = recorder(service, call_id);
  await of.report('waiting_for_consent');
  await of.report('recording');
  // Segments of four seconds, in any order; four seconds never come, and one comes twice.
  const second = { pauses: [{ from_ms: 4_000, to_ms: 4_500 }] };
  assert.equal((await of.add(segment(1), second)).status, 201);
  const first = segment(0);
  const pauses = [
    { from_ms: 500, to_ms: 900 },
    { from_ms: 3_000, to_ms: 4_000 },
  ];
  for (const added of [true, false]) assert.equal((await of.add(first, { pauses })).body.added, added);
  await of.add(segment(2), { from_ms: 12_000, to_ms: 16_000 });
  await service.request('POST', `/api/calls/${call_id}/end`, { user: USER, body: {} });
  const recording = async () =>
    (await service.request('GET', `/api/calls/${call_id}/recordings`, { user: USER })).body.recordings[0];
  const paused = [
    { from_ms: 500, to_ms: 900, why: 'paused' },
    { from_ms: 3_000, to_ms: 4_500, why: 'paused' },
  ];
  assert.deepEqual((await recording()).gaps, paused, 'also of a worker that dies now');
  await of.report('ended', { segments: 3 });
  const stored = await eventually(
    async () => {
      await service.app.reconcile();
      return recording();
    },
    ({ state }) => state === 'stored',
  );
  assert.deepEqual(stored.gaps, [...paused, { from_ms: 8_000, to_ms: 12_000, why: 'segment_lost' }]);
});

test('pauses are parts of their segment', async () => {
  const { call_id } = await answeredCall(service);
  const of = recorder(service, call_id);
  await of.report('recording');
  for (const one of [
    { from_ms: 3_999, to_ms: 5_000 },
    { from_ms: 4_000, to_ms: 8_001 },
    { from_ms: 5_000, to_ms: 4_500 },
  ])
    assert.deepEqual(problemsOf(await of.add(segment(1), { pauses: [one] })), ['body.pauses value_error']);
});

test('no more than a thousand gaps are listed', () => {
  const pauses = Array.from({ length: 1_200 }, (_, at) => ({ from_ms: at * 10, to_ms: at * 10 + 5 }));
  assert.equal(withPauses([], pauses).length, 1_000);
});
