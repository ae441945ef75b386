import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answeredCall, USER } from '@switchboard/testkit/calls.ts';
import { recorder, segment } from '@switchboard/testkit/recordings.ts';
import { startService } from '@switchboard/testkit/service.ts';

const service = await startService();

test('the loudness of both sides is kept with the segments, and shown in as many points as are asked for', async () => {
  const { call_id } = await answeredCall(service);
  const of = recorder(service, call_id);
  await of.report('recording');
  const levels = (...all: number[]) => ({ levels: Buffer.from(all).toString('base64') });
  const loud = (agent: number, others: number) => Array.from({ length: 40 }, () => [agent, others]).flat();
  assert.equal((await of.add(segment(0), levels(...loud(10, 0)))).status, 201);
  // One without, as of an earlier worker, is silent.
  await of.add(segment(1));
  await of.add(segment(2), levels(...loud(0, 200).slice(0, 78), 30, 250));
  const path = `/api/calls/${call_id}/recordings/${of.recording_id}/levels`;
  const read = async (query = '') => (await service.request('GET', path + query, { user: USER })).body;
  const { interval_ms, sides } = await read();
  assert.deepEqual([interval_ms, sides.map(({ side }: { side: string }) => side)], [100, ['agent', 'others']]);
  assert.deepEqual([sides[0].levels.length, sides[0].levels[39], sides[0].levels[40]], [120, 10, 0]);
  assert.deepEqual([sides[1].levels[79], sides[1].levels[80], sides[1].levels[119]], [0, 200, 250]);
  const few = await read('?points=3');
  assert.deepEqual([few.interval_ms, few.sides[0].levels, few.sides[1].levels], [4000, [10, 0, 30], [0, 0, 250]]);
  assert.equal((await service.request('GET', path, { user: 'somebody-else' })).status, 404);
  for (const query of ['?points=0', '?points=10001', '?points=x'])
    assert.equal((await service.request('GET', path + query, { user: USER })).status, 422, query);

  const tooMany = await of.add(segment(3), levels(...loud(1, 1), 1, 1));
  assert.deepEqual([tooMany.status, tooMany.body.detail[0].loc], [422, ['body', 'levels']]);
  assert.equal((await of.add(segment(3), levels(1, 2, 3))).status, 422);

  assert.equal((await read()).sides.length, 2);
  await service.request('DELETE', `/api/calls/${call_id}/recordings/${of.recording_id}`, { user: USER });
  assert.deepEqual((await read()).sides, []);
});

test('lines whose worker says when they begin are placed in the recording, and transcripts look as ever', async () => {
  const { call_id } = await answeredCall(service);
  const of = recorder(service, call_id);
  await of.report('recording');
  for (const seq of [0, 1]) await of.add(segment(seq));
  const path = `/api/calls/${call_id}/recordings`;
  const { started_at, duration_ms } = (await service.request('GET', path, { user: USER })).body.recordings[0];
  const { room_name } = (await service.request('GET', `/api/sessions/${call_id}`, { user: USER })).body;
  const say = async (content: string, after_ms?: number) => {
    const begun =
      after_ms === undefined ? {} : { started_at: new Date(Date.parse(started_at) + after_ms).toISOString() };
    const body = { content, speaker: 'AGENT', ...begun };
    const said = await service.request('POST', `/api/sessions/by-room/${room_name}/transcripts`, { user: USER, body });
    assert.equal(said.status, 201);
    assert.deepEqual(Object.keys(said.body).sort(), ['content', 'id', 'session_id', 'speaker', 'timestamp']);
    return said.body.id;
  };
  await say('Before the recording.', -10);
  const first = await say('Welcome.', 120);
  await say('Typed.');
  const second = await say('Goodbye.', 5_555);
  await say('After it.', duration_ms);
  const { lines } = (await service.request('GET', `${path}/${of.recording_id}/levels`, { user: USER })).body;
  assert.deepEqual(lines, [
    { transcript_id: first, from_ms: 120 },
    { transcript_id: second, from_ms: 5_555 },
  ]);
});
