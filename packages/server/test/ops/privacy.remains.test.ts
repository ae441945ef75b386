import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAgent, placeCall, reaches, USER } from '@switchboard/testkit/calls.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startReceiver } from '@switchboard/testkit/receiver.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { sql } from 'kysely';
import { callbackTo } from '../support/callbacks.ts';
import { findStored } from '../support/stored-text.ts';

const CALLER = '+15005550144';
const NUMBER = '+15005550010';
const receiver = await startReceiver();

test('an erased user leaves no caller number, deleted agent, disabled callback address or client address', async () => {
  const service = await startService({ env: { TRUST_PROXY: '127.0.0.1', SIP_HEADERS_IN: 'P-Asserted-Identity' } });
  const { db } = service.database;
  const deleted = await createAgent(service, { name: 'Deleted earlier', config: { prompt: 'deleted earlier' } });
  assert.equal((await service.request('DELETE', `/api/agents/${deleted}`)).status, 204);
  const agent_id = await createAgent(service);
  await service.request('POST', '/api/telephony/numbers/assign', { body: { agent_id, phone_number: NUMBER } });
  const headers_in = { 'p-asserted-identity': `<sip:${CALLER}@carrier.example>` };
  const room =
    service.media.callIn(NUMBER, CALLER, `CA${'0'.repeat(32)}`, 'id@phone', headers_in) ?? assert.fail('not taken');
  const rows = () => db.selectFrom('sessions').selectAll().where('room_name', '=', room).execute();
  const [inbound] = await eventually(rows, (found) => found.length === 1);
  assert.deepEqual([inbound?.caller_number, inbound?.carrier_call_sid], [CALLER, `CA${'0'.repeat(32)}`]);
  assert.deepEqual([inbound?.caller_id, inbound?.sip_call_id], [CALLER, 'id@phone']);
  assert.deepEqual(inbound?.sip?.headers_in, headers_in);
  receiver.answerWith = () => 410;
  const callback_url = `${receiver.url}/gone`;
  const { call_id } = await placeCall(service, '+15005550005', { agent_id, callback_url });
  await reaches(service, call_id, 'COMPLETED');
  await callbackTo(service, callback_url, ({ status }) => status === 'failed');
  assert.equal((await db.selectFrom('callback_endpoints_off').selectAll().execute()).length, 1);
  const headers = { 'x-forwarded-for': '192.0.2.99' };
  await service.request('POST', '/api/callbacks/secret/rotate', { user: USER, headers, body: {} });
  const { status, body } = await service.request('DELETE', `/api/users/${USER}`);
  assert.equal(status, 200);
  assert.deepEqual(await db.selectFrom('callback_endpoints_off').selectAll().execute(), []);
  const columns = ['caller_number', 'carrier_call_sid', 'caller_id', 'sip_call_id', 'sip'] as const;
  const numbers = await db.selectFrom('sessions').select(columns).distinct().execute();
  const none = { caller_number: null, carrier_call_sid: null, caller_id: null, sip_call_id: null, sip: null };
  assert.deepEqual(numbers, [none]);
  const agents = await db.selectFrom('agents').select(['user_id', 'name', 'description', 'config']).execute();
  const erased = { user_id: body.pseudonym, name: 'erased', description: null, config: {} };
  assert.deepEqual(agents, [erased, erased]);
  const { items } = (await service.request('GET', '/api/audit')).body;
  const rotated = items.find(({ action }: { action: string }) => action === 'callback_secret.rotated');
  assert.deepEqual([rotated.user_id, rotated.ip], [body.pseudonym, null]);
});

test('a consent that comes while the sessions of a user are erased does not stay', async () => {
  const service = await startService();
  const { db } = service.database;
  const { call_id } = await placeCall(service, '+15005550005');
  await reaches(service, call_id, 'COMPLETED');
  await sql`create function come() returns trigger language plpgsql as $$ begin
    insert into consents (id, user_id, phone_number, purpose, kind, text, obtained_at, channel, created_at)
    values (gen_random_uuid(), old.user_id, '+15005550100', 'service', 'written', 'Yes.', now(), 'web', now());
    return new;
  end $$`.execute(db);
  await sql`create trigger come after update of user_id on sessions for each row execute function come()`.execute(db);
  assert.equal((await service.request('DELETE', `/api/users/${USER}`)).status, 200);
  assert.deepEqual(await findStored(db, ['+15005550100']), []);
});

test('media events of unknown and erased rooms are not kept', async () => {
  const service = await startService();
  const participant = { identity: 'sip_+15005550177', kind: 'STANDARD' };
  const event = { id: 'EV_late', event: 'participant_left', room: { name: 'room-that-was-erased' }, participant };
  assert.equal((await service.request('POST', '/api/media/webhook', { body: event })).status, 200);
  await eventually(
    () => service.database.db.selectFrom('media_events').selectAll().where('id', '=', 'EV_late').executeTakeFirst(),
    (row) => row?.handled_at !== null && row?.body === '',
  );
});

test('usage that a worker reports after the erasure is that of the pseudonym', async () => {
  const service = await startService();
  const [agent_id, gone] = [await createAgent(service, { user_id: 'gone' }), 'gone'];
  const phone = { agent_id, phone_number: '+15005550100' };
  const { call_id } = (await service.request('POST', '/api/calls/outbound', { user: gone, body: phone })).body;
  await reaches(service, call_id, 'ANSWERED');
  const event = { session_id: call_id, user_id: gone, provider: 'openai', event_type: 'llm_tokens', quantity: 1 };
  const log = (fields: object) =>
    service.request('POST', '/api/usage/events', {
      body: { ...event, unit_cost: '0.5', total_cost: '0.5', ...fields },
    });
  assert.equal((await log({ agent_id })).status, 201);
  const { pseudonym } = (await service.request('DELETE', `/api/users/${gone}`)).body;
  for (const fields of [{ agent_id }, {}]) assert.equal((await log(fields)).status, 201);
  assert.deepEqual(await findStored(service.database.db, [gone]), []);
  const spent = async (user: string) =>
    (await service.request('GET', '/api/costs/summary', { user })).body.total_cost as string;
  assert.deepEqual([await spent(pseudonym), await spent(gone)], ['1.5', '0']);
  // Somebody who comes back is another user.
  const another = { session_id: 'elsewhere', user_id: gone };
  assert.equal((await log(another)).status, 201);
  assert.equal(await spent(gone), '0.5');
  await service.close();
});
