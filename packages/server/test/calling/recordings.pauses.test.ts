import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { answeredCall, USER } from '@switchboard/testkit/calls.ts';
import { openTestDatabase } from '@switchboard/testkit/database.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { recorder, segment } from '@switchboard/testkit/recordings.ts';
import { startService } from '@switchboard/testkit/service.ts';
import type { KyselyPlugin } from 'kysely';
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
  const second = {
    pauses: [
      { from_ms: 4_000, to_ms: 4_500 },
      { from_ms: 4_000, to_ms: 5_000, why: 'redacted' },
    ],
  };
  assert.equal((await of.add(segment(1), second)).status, 201);
  const first = segment(0);
  const pauses = [
    { from_ms: 500, to_ms: 900 },
    { from_ms: 3_000, to_ms: 4_000 },
    { from_ms: 3_800, to_ms: 4_000, why: 'redacted' },
  ];
  for (const added of [true, false]) assert.equal((await of.add(first, { pauses })).body.added, added);
  await of.add(segment(2), { from_ms: 12_000, to_ms: 16_000 });
  await service.request('POST', `/api/calls/${call_id}/end`, { user: USER, body: {} });
  const recording = async () =>
    (await service.request('GET', `/api/calls/${call_id}/recordings`, { user: USER })).body.recordings[0];
  const paused = [
    { from_ms: 500, to_ms: 900, why: 'paused' },
    { from_ms: 3_000, to_ms: 4_500, why: 'paused' },
    { from_ms: 3_800, to_ms: 5_000, why: 'redacted' },
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

test('pauses of a segment that arrives while its recording is being read to be sealed are gaps, too', async () => {
  let meanwhile: (() => Promise<void>) | null = null;
  const reads = new WeakSet<object>();
  // Between the two statements that read a recording and its segments outside of a transaction, whichever comes first.
  const betweenReads: KyselyPlugin = {
    transformQuery: ({ node, queryId }) => {
      const isRead = node.kind === 'SelectQueryNode' && /"recording/.test(JSON.stringify(node.from));
      if (isRead && !node.endModifiers) reads.add(queryId);
      return node;
    },
    transformResult: async ({ result, queryId }) => {
      const work = reads.has(queryId) ? meanwhile : null;
      if (work) meanwhile = null;
      await work?.();
      return result;
    },
  };
  const database = await openTestDatabase();
  const db = database.db.withPlugin(betweenReads);
  const watched = await startService({ database: { ...database, db }, env: { RECORDINGS_DIR: dir } });
  const { call_id } = await answeredCall(watched);
  const of = recorder(watched, call_id);
  await of.report('recording');
  await of.add(segment(0));
  const arrived = Promise.withResolvers<boolean>();
  meanwhile = async () => {
    const { body } = await of.add(segment(1), { pauses: [{ from_ms: 5_000, to_ms: 6_000 }] });
    arrived.resolve(body.added);
  };
  // Has it sealed, for which one segment is missing.
  await of.report('ended', { segments: 2 });
  // With a plugin, the database does not say when a transaction has committed: the service may have looked too early.
  const [added] = await Promise.all([arrived.promise, watched.app.reconcile()]);
  assert.equal(added, true);
  const [stored] = await eventually(
    async () => {
      await watched.app.reconcile();
      return (await watched.request('GET', `/api/calls/${call_id}/recordings`, { user: USER })).body.recordings;
    },
    ([one]) => one.state === 'stored',
  );
  assert.deepEqual(stored.gaps, [{ from_ms: 5_000, to_ms: 6_000, why: 'paused' }]);
  await watched.close();
  await database.close();
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

test('no more than a thousand gaps are listed, and lost sound before silences', () => {
  const pauses = Array.from({ length: 1_200 }, (_, at) => ({ from_ms: at * 10, to_ms: at * 10 + 5 }));
  assert.equal(withPauses([], pauses).length, 1_000);
  const lost = { from_ms: 20_000, to_ms: 30_000, why: 'worker_lost' as const };
  const gaps = withPauses([lost], pauses);
  assert.deepEqual([gaps.length, gaps.at(-1)], [1_000, lost]);
});
