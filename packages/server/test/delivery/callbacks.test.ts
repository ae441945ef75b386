import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answeredCall, createAgent, placeCall, reaches, USER } from '@switchboard/testkit/calls.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { serveHttp } from '@switchboard/testkit/http-server.ts';
import { validatorFor } from '@switchboard/testkit/published.ts';
import { startReceiver } from '@switchboard/testkit/receiver.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { sql } from 'kysely';
import { Webhook } from 'standardwebhooks';

const receiver = await startReceiver();
const { url: base, at } = receiver;
const service = await startService();
const types = (path: string) => at(path).map(({ body }) => JSON.parse(body).type);

test('each change of call_status sends one callback, signed so that a Standard Webhooks receiver can verify it', async () => {
  const { call_id } = await placeCall(service, '+15005550005', { callback_url: `${base}/calls` });
  await reaches(service, call_id, 'COMPLETED');
  await eventually(
    async () => types('/calls'),
    (requests) => requests.length >= 2,
  );
  assert.deepEqual(types('/calls').sort(), ['call.answered', 'call.completed']);
  const { secret } = (await service.request('GET', '/api/callbacks/secret', { user: USER })).body;
  for (const { headers, body } of at('/calls')) new Webhook(secret).verify(body, headers);
  const completed = at('/calls')
    .map(({ body }) => JSON.parse(body))
    .find(({ type }) => type === 'call.completed');
  const status = (await service.request('GET', `/api/calls/${call_id}/status`)).body;
  const { agent_id, agent_version, caller_number, ...rest } = completed.data;
  const { end_reason, sip_status_code, answered_by, disposition, ...shown } = rest;
  assert.deepEqual([typeof agent_id, agent_version, caller_number], ['string', 1, null]);
  assert.deepEqual(shown, { ...status, direction: 'OUTBOUND' });
  assert.deepEqual([end_reason, sip_status_code, answered_by, disposition], ['hangup', null, null, null]);
});

test('the callback of a failed call has the reason', async () => {
  await placeCall(service, '+15005550001', { callback_url: `${base}/busy` });
  await eventually(
    async () => at('/busy'),
    (requests) => requests.length > 0,
  );
  const { type, data } = JSON.parse(at('/busy')[0]?.body ?? '');
  assert.deepEqual(
    [type, data.call_status, data.end_reason, data.sip_status_code],
    ['call.failed', 'FAILED', 'busy', 486],
  );
});

test('a transfer sends its callback before that of the session’s end', async () => {
  const { call_id } = await answeredCall(service, { callback_url: `${base}/transfer` });
  await service.request('POST', `/api/sessions/${call_id}/transfer`, { body: { phone_number: '+15005550101' } });
  await eventually(
    async () => types('/transfer'),
    (requests) => requests.length >= 3,
  );
  assert.deepEqual(types('/transfer').sort(), ['call.answered', 'call.completed', 'call.transferred']);
});

test('a failed transfer sends a callback with its target and the reason', async () => {
  const { call_id } = await answeredCall(service, { callback_url: `${base}/refused` });
  await service.request('POST', `/api/sessions/${call_id}/transfer`, { body: { phone_number: '+15005550001' } });
  await eventually(
    async () => types('/refused'),
    (requests) => requests.includes('call.transfer_failed'),
  );
  const { data } = at('/refused')
    .map(({ body }) => JSON.parse(body))
    .find(({ type }) => type === 'call.transfer_failed');
  assert.deepEqual(data.transfer, {
    transfer_type: 'COLD',
    transferred_to: '+15005550001',
    reason: 'busy',
    sip_status_code: 486,
  });
});

test('receivers that never answer do not hold up the others', async () => {
  const hole = await serveHttp(() => {});
  const silent = hole.url;
  const agent_id = await createAgent(service);
  for (let index = 0; index < 20; index++)
    await placeCall(service, '+15005550001', { agent_id, callback_url: `${silent}/${index}` });
  const queued = () => service.database.db.selectFrom('callbacks').select('id').where('payload', 'is not', null);
  await eventually(
    () => queued().where('url', 'like', `${silent}%`).execute(),
    (rows) => rows.length === 20,
  );
  await placeCall(service, '+15005550001', { agent_id, callback_url: `${base}/quick` });
  await eventually(
    async () => at('/quick'),
    (requests) => requests.length > 0,
  );
  await hole.close();
});

test('a callback is retried with the same id and body until the receiver accepts it', async () => {
  receiver.answerWith = (path) => (path === '/flaky' && at(path).length === 1 ? 500 : 200);
  await placeCall(service, '+15005550001', { callback_url: `${base}/flaky` });
  await eventually(
    async () => at('/flaky'),
    (requests) => requests.length >= 1,
  );
  const queued = service.database.db.selectFrom('callbacks').selectAll().where('payload', 'is not', null);
  const pending = await eventually(
    () => queued.where('url', '=', `${base}/flaky`).executeTakeFirst(),
    (row) => row?.attempts === 1,
  );
  assert.equal(pending?.status, 'pending');
  // The pause before the second try is seconds long: let the sender believe it has passed.
  await sql`update callbacks set send_at = now() where send_at is not null`.execute(service.database.db);
  await eventually(
    async () => at('/flaky'),
    (requests) => requests.length >= 2,
  );
  const [first, second] = at('/flaky');
  assert.equal(first?.headers['webhook-id'], second?.headers['webhook-id']);
  assert.equal(first?.body, second?.body);
});

test('every received callback matches the published webhook of its type', async () => {
  const document = (await service.request('GET', '/openapi.json')).body;
  const types = new Set<string>();
  for (const { body } of receiver.received) {
    const { type } = JSON.parse(body);
    const webhook = document.webhooks[type];
    assert.ok(webhook, `${type} is published`);
    const validate = validatorFor(document, webhook.post.requestBody.content['application/json'].schema);
    assert.ok(validate(JSON.parse(body)), `${body} ${JSON.stringify(validate.errors)}`);
    types.add(type);
  }
  assert.ok(types.size >= 3, [...types].join());
});
