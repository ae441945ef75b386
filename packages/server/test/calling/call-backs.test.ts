// Calls back that an agent books in a conversation: a time is proposed, and booked only once it is confirmed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reaches } from '@switchboard/testkit/calls.ts';
import { DAYS, PHONE, startScheduling } from '../support/schedules.ts';

// A Tuesday, 10:00 in Berlin.
const NOW = '2027-01-12T09:00:00.000Z';
const CONFIG = { tools: { call_back: { earliest: '09:00', latest: '17:30', max: 7 } } };

async function talk(config: object = CONFIG) {
  const all = await startScheduling(NOW);
  const { service, send, call, agent_id } = all;
  const changed = await send('PATCH', `/api/agents/${agent_id}`, { config });
  assert.equal(changed.status, 200, JSON.stringify(changed.body));
  const { body } = await call({ variables: { name: 'Ada' }, callback_url: null });
  await reaches(service, body.call_id, 'ANSWERED');
  const path = `/api/sessions/${body.call_id}/call-backs`;
  return {
    ...all,
    call_id: body.call_id as string,
    propose: (date_time: string, fields: object = {}) => send('POST', `${path}/propose`, { date_time, ...fields }),
    confirm: (date_time: string) => send('POST', `${path}/confirm`, { date_time }),
    waiting: async () => (await send('GET', '/api/scheduled-calls?status=SCHEDULED')).body.items,
  };
}

test('a time that was proposed and confirmed is booked, and called with the data of the conversation', async () => {
  const { propose, confirm, waiting, call_id, goTo, get, send } = await talk();
  const proposed = await propose('2027-01-13T15:00', { note: 'The offer' });
  assert.equal(proposed.status, 200, JSON.stringify(proposed.body));
  assert.deepEqual(proposed.body, {
    date_time: '2027-01-13T15:00',
    time_zone: 'Europe/Berlin',
    due_at: '2027-01-13T14:00:00.000Z',
    spoken: 'Wednesday, January 13, 2027 at 3:00 PM (Europe/Berlin)',
  });
  assert.deepEqual((await send('GET', '/api/scheduled-calls')).body.items, []);
  assert.equal((await confirm('2027-01-13T16:00')).body.code, 'not_proposed');
  const booked = await confirm('2027-01-13T15:00');
  assert.equal(booked.status, 200, JSON.stringify(booked.body));
  assert.deepEqual([booked.body.booked_in, booked.body.phone_number], [call_id, PHONE]);
  assert.deepEqual(booked.body.variables, { name: 'Ada', call_back_note: 'The offer' });
  // A confirmation whose answer was lost.
  assert.deepEqual((await confirm('2027-01-13T15:00')).body, booked.body);
  // The person changes her mind.
  await propose('2027-01-13T16:00');
  await confirm('2027-01-13T16:00');
  const earlier = await get(booked.body.scheduled_call_id);
  assert.deepEqual([earlier.status, earlier.reason], ['CANCELED', 'replaced']);
  const [only, ...others] = await waiting();
  assert.deepEqual([only.due_at, others], ['2027-01-13T15:00:00.000Z', []]);
  await send('POST', `/api/calls/${call_id}/end`);
  assert.equal((await propose('2027-01-13T16:00')).body.code, 'session_not_active');
  await goTo('2027-01-13T15:00:00.000Z');
  assert.equal((await get(only.scheduled_call_id)).status, 'PLACED');
});

test('a person who was called where they are said to be is called back by the clocks there', async () => {
  const { send, policy, call, service, get } = await talk();
  await policy({ windows: [{ days: DAYS, from: '00:00', to: '23:59' }] });
  for (const [place, time_zone, due_at] of [
    [{ time_zone: 'America/Los_Angeles' }, 'America/Los_Angeles', '2027-01-13T17:00:00.000Z'],
    [{ region: 'US-HI' }, 'Pacific/Honolulu', '2027-01-13T19:00:00.000Z'],
    [{}, 'America/New_York', '2027-01-13T14:00:00.000Z'],
  ] as const) {
    const { body } = await call({ phone_number: '+12125550123', ...place });
    await reaches(service, body.call_id, 'ANSWERED');
    const path = `/api/sessions/${body.call_id}/call-backs`;
    const proposed = await send('POST', `${path}/propose`, { date_time: '2027-01-13T09:00' });
    assert.deepEqual([proposed.body.time_zone, proposed.body.due_at], [time_zone, due_at]);
    const booked = await send('POST', `${path}/confirm`, { date_time: '2027-01-13T09:00' });
    assert.equal((await get(booked.body.scheduled_call_id)).due_at, due_at);
  }
});

test('a note is kept without its secrets, whatever a worker has left in it', async () => {
  const { propose, confirm, service } = await talk({ ...CONFIG, privacy: { redact: ['card'] } });
  await propose('2027-01-13T15:00', { note: 'The card 4242 4242 4242 4242 was declined.' });
  const { body } = await confirm('2027-01-13T15:00');
  assert.equal(body.variables.call_back_note, 'The card [card] was declined.');
  const metrics = await (await fetch(`${service.url}/metrics`)).text();
  assert.match(metrics, /^redaction_missed_total\{kind="card"\} 1$/m);
});

test('times outside of the bounds, of the past or of nowhere are refused with the reason', async () => {
  const { propose, confirm, suppress, policy, clock } = await talk();
  const detailOf = async (date_time: string, fields: object = {}) => {
    const { status, body } = await propose(date_time, fields);
    return status === 422 ? body.detail[0].msg : `${body.code}: ${body.detail}`;
  };
  assert.equal(await detailOf('2027-01-13T08:59'), 'Input should be between 09:00 and 17:30 in Europe/Berlin');
  assert.equal(await detailOf('2027-01-13T17:31'), 'Input should be between 09:00 and 17:30 in Europe/Berlin');
  assert.equal(
    await detailOf('2027-01-12T09:59'),
    'Input should be in the future: it is Tuesday, January 12, 2027 at 10:00 AM (Europe/Berlin)',
  );
  assert.equal(await detailOf('2027-01-20T15:00'), 'Input should be within 7 days');
  assert.equal(await detailOf('2027-02-30T15:00'), 'Input should be a date and a time of it');
  assert.equal(await detailOf('2027-01-13T15:00', { time_zone: 'Mars/Base' }), 'Input should be an IANA time zone');
  await policy({ windows: [{ country: 'DE', days: DAYS, from: '10:00', to: '12:00' }] });
  const deferred = await detailOf('2027-01-13T15:00');
  assert.match(deferred, /^dial_deferred: .*The first time after it is Thursday, January 14, 2027 at 10:00 AM/);
  assert.equal((await propose('2027-01-13T11:00')).status, 200);
  // An earlier proposal is forgotten with the next one, and each after a quarter of an hour.
  assert.equal((await propose('2027-01-13T11:30')).status, 200);
  assert.equal((await confirm('2027-01-13T11:00')).body.code, 'not_proposed');
  clock.advance(15 * 60_000 + 1);
  assert.equal((await confirm('2027-01-13T11:30')).body.code, 'not_proposed');
  await suppress();
  assert.match(await detailOf('2027-01-13T11:00'), /^dial_denied/);
});

test('agents without the tool book nothing', async () => {
  for (const config of [{}, { tools: { call_back: { enabled: false } } }]) {
    const { propose, confirm, service } = await talk(config);
    assert.equal((await propose('2027-01-13T15:00')).body.code, 'call_back_not_allowed');
    assert.equal((await confirm('2027-01-13T15:00')).body.code, 'call_back_not_allowed');
    await service.close();
  }
});

test('in writing, the person says whom to call', async () => {
  const { service, send, agent_id } = await talk();
  const { body: chat } = await send('POST', '/api/chats', { agent_id });
  const path = `/api/sessions/${chat.chat_id}/call-backs`;
  const wanted = { date_time: '2027-01-13T15:00' };
  const unknown = await send('POST', `${path}/propose`, wanted);
  assert.deepEqual([unknown.status, unknown.body.detail[0].loc], [422, ['body', 'phone_number']]);
  const abroad = { ...wanted, phone_number: '+13055550100' };
  const placed = await send('POST', `${path}/propose`, { ...abroad, time_zone: 'America/New_York' });
  assert.equal(placed.body.due_at, '2027-01-13T20:00:00.000Z');
  assert.equal((await send('POST', `${path}/confirm`, wanted)).status, 200);
  const other = await service.request('POST', `${path}/propose`, { user: 'user-2', body: abroad });
  assert.equal(other.status, 404);
});

test('hours that never come are a problem of the configuration, with the field', async () => {
  const { send } = await talk();
  const problems = async (call_back: object) => {
    const { body } = await send('POST', '/api/schemas/agent-config/validate', { config: { tools: { call_back } } });
    return body.problems.map(({ loc, msg }: { loc: string[]; msg: string }) => `${loc.join('.')}: ${msg}`);
  };
  const backwards = ['config.tools.call_back.latest: Input should not be earlier than `earliest`'];
  assert.deepEqual(await problems({ earliest: '18:00', latest: '09:00' }), backwards);
  // The default ends at 18:00.
  assert.deepEqual(await problems({ earliest: '18:01' }), backwards);
  assert.deepEqual(await problems({ earliest: '08:00', max: 90 }), []);
  assert.equal((await problems({ earliest: '8 am' })).length, 1);
  assert.equal((await problems({ max: 91 })).length, 1);
});

test('a chat of the sandbox shows when its agent would book', async () => {
  const { send, agent_id } = await talk();
  const { body: chat } = await send('POST', '/api/chats', { agent_id });
  const say = async (content: string) => (await send('POST', `/api/chats/${chat.chat_id}/messages`, { content })).body;
  assert.match(JSON.stringify(await say('Please call me back.')), /date time/);
  const answer = JSON.stringify(await say('2027-01-13T15:00'));
  assert.match(answer, /"name":"propose_call_back"/);
  assert.match(answer, /nothing was called/);
});

test('a time that has come before it is confirmed is not booked: the line is busy with this conversation', async () => {
  const { propose, confirm, waiting, clock } = await talk();
  assert.equal((await propose('2027-01-12T10:05')).status, 200);
  clock.advance(5 * 60_000);
  assert.equal((await confirm('2027-01-12T10:05')).body.code, 'not_proposed');
  assert.deepEqual(await waiting(), []);
});
