import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answeredCall, placeCall, reaches, USER } from '@switchboard/testkit/calls.ts';
import type { Json } from '@switchboard/testkit/client.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startReceiver } from '@switchboard/testkit/receiver.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { problemsOf } from '../support/answers.ts';

const receiver = await startReceiver();
const service = await startService();
const report = (call_id: string, body: object, user = USER) =>
  service.request('POST', `/api/calls/${call_id}/outcome`, { user, body });
const detail = async (call_id: string) => (await service.request('GET', `/api/calls/${call_id}`)).body;

/** The bridge tells the ids of the dialog a moment after the end. */
const withoutSip = ({ sip: _sip, ...call }: Json) => call;

test('a call hung up because of voicemail ends as voicemail, and its callback says so', async () => {
  const path = '/voicemail';
  const { call_id, room_name } = await answeredCall(service, { callback_url: `${receiver.url}${path}` });
  const { status, body } = await report(call_id, { answered_by: 'voicemail', hang_up: true });
  assert.equal(status, 200, JSON.stringify(body));
  const { call_status, end_reason, answered_by, disposition } = body;
  assert.deepEqual([call_status, end_reason, answered_by, disposition], ['COMPLETED', 'voicemail', 'voicemail', null]);
  assert.deepEqual(withoutSip(await detail(call_id)), withoutSip(body));
  await eventually(
    async () => receiver.at(path),
    (requests) => requests.length >= 2,
  );
  const ended = receiver.at(path).map(({ body: text }) => JSON.parse(text).data);
  const completed = ended.find((data) => data.call_status === 'COMPLETED');
  assert.deepEqual([completed.end_reason, completed.answered_by], ['voicemail', 'voicemail']);
  await eventually(
    () => service.media.listParticipants(room_name),
    (present) => present.length === 0,
  );
});

test('a call hung up because nobody picked up behind call screening ends as screening', async () => {
  const { call_id } = await answeredCall(service);
  const { body } = await report(call_id, { answered_by: 'screening', hang_up: true });
  assert.deepEqual([body.call_status, body.end_reason, body.answered_by], ['COMPLETED', 'screening', 'screening']);
});

test('a hang-up after reported voicemail ends as voicemail; any other ends as ended_by_agent', async () => {
  const [machine, person] = [await answeredCall(service), await answeredCall(service)];
  await report(machine.call_id, { answered_by: 'voicemail' });
  assert.equal((await detail(machine.call_id)).call_status, 'ANSWERED');
  assert.equal((await report(machine.call_id, { hang_up: true })).body.end_reason, 'voicemail');
  const { body } = await report(person.call_id, { answered_by: 'human', disposition: 'not_interested', hang_up: true });
  assert.deepEqual([body.end_reason, body.disposition], ['ended_by_agent', 'not_interested']);
});

test('an ended call keeps its end, and its outcome can be corrected', async () => {
  const { call_id } = await placeCall(service, '+15005550005');
  const ended = withoutSip(await reaches(service, call_id, 'COMPLETED'));
  const { body } = await report(call_id, { answered_by: 'voicemail', disposition: 'first', hang_up: true });
  assert.deepEqual(withoutSip(body), { ...ended, answered_by: 'voicemail', disposition: 'first' });
  await report(call_id, { answered_by: 'ivr' });
  assert.deepEqual(withoutSip(await detail(call_id)), { ...ended, answered_by: 'ivr', disposition: 'first' });
});

test('while the phone rings, hanging up cancels the call', async () => {
  const { call_id } = await placeCall(service, '+15005550002');
  const { body } = await report(call_id, { disposition: 'changed my mind', hang_up: true });
  assert.deepEqual([body.call_status, body.end_reason], ['COMPLETED', 'canceled']);
});

test('concurrent reports end a call once', async () => {
  const { call_id } = await answeredCall(service);
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => report(call_id, { answered_by: 'voicemail', hang_up: true })),
  );
  assert.deepEqual([...new Set(answers.map(({ status, body }) => `${status} ${body.end_reason}`))], ['200 voicemail']);
  assert.equal((await detail(call_id)).timeline.length, 3);
});

test("an invalid outcome is a 422; a conversation, another user's call and an unknown one are a 404", async () => {
  const { call_id } = await placeCall(service, '+15005550005');
  for (const [body, expected] of [
    [{ answered_by: 'machine' }, ['body.answered_by enum']],
    [{ disposition: 'x'.repeat(65) }, ['body.disposition string_too_long']],
    [{ disposition: '' }, ['body.disposition string_too_short']],
    [{ hang_up: 'yes' }, ['body.hang_up bool_type']],
    [{ outcome: 'human' }, ['body.outcome extra_forbidden']],
  ] as const)
    assert.deepEqual(problemsOf(await report(call_id, body)), expected);
  const session = (await service.request('POST', '/api/sessions/', { body: { user_id: USER } })).body;
  for (const id of [session.id, '01980000-0000-7000-8000-000000000001', 'x'])
    assert.equal((await report(id, { answered_by: 'human' })).status, 404);
  assert.equal((await report(call_id, { answered_by: 'human' }, 'somebody-else')).status, 404);
});

test('an erasure deletes the outcome, and no report can restore it', async () => {
  const own = await startService();
  const { call_id } = await answeredCall(own);
  const body = { answered_by: 'human', disposition: 'Ada wants a refund' };
  await own.request('POST', `/api/calls/${call_id}/outcome`, { body });
  assert.equal((await own.request('DELETE', `/api/users/${USER}`)).status, 200);
  const row = () => own.database.db.selectFrom('sessions').select(['answered_by', 'disposition']).execute();
  assert.deepEqual(await row(), [{ answered_by: null, disposition: null }]);
  assert.equal((await own.request('POST', `/api/calls/${call_id}/outcome`, { body })).status, 404);
  assert.deepEqual(await row(), [{ answered_by: null, disposition: null }]);
});
