import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAgent, placeCall, reaches, USER } from '@switchboard/testkit/calls.ts';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { startReceiver } from '@switchboard/testkit/receiver.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { sql } from 'kysely';
import { watchStatements } from '../support/statements.ts';

const clock = createTestClock();
const service = await startService({ clock, env: { CALLBACK_ALLOW_PRIVATE: 'true', CALLS_BURST: '100' } });
const { db } = service.database;
const receiver = await startReceiver();

const send = (method: string, path: string, body?: unknown, user = USER) =>
  service.request(method, path, { user, body });
const suppress = (user: string, ...entries: object[]) => send('POST', '/api/suppressions', { entries }, user);
const subscribe = (user: string, events?: string[]) =>
  send('POST', '/api/webhook-endpoints', { url: `${receiver.url}/${user}`, events }, user);

/** Bodies of the events that were queued for a user, oldest first. */
async function queued(user: string) {
  const query = db.selectFrom('callbacks').select(['session_id', 'payload']).where('user_id', '=', user);
  const rows = await query.where('type', '=', 'suppression.added').orderBy('created_at').orderBy('id').execute();
  return rows.map(({ session_id, payload }) => ({ session_id, ...JSON.parse(String(payload)).data }));
}

const listed = async (user: string) => (await send('GET', '/api/suppressions', undefined, user)).body.items;

test('each number that is suppressed is reported, once, as the list shows it', async () => {
  await subscribe('crm');
  const [one, other] = ['+15005550101', '+15005550102'].map((phone_number) => ({ phone_number }));
  assert.ok(one && other);
  await suppress('crm', one, { ...other, reason: 'registry' }, one);
  const events = await queued('crm');
  assert.deepEqual(
    events.map(({ suppression }) => suppression).sort((a, b) => (a.id < b.id ? -1 : 1)),
    await listed('crm'),
  );
  for (const event of events) {
    assert.deepEqual([event.session_id, event.user_id, event.count], [null, 'crm', 1]);
    const { body } = await send('GET', `/api/suppressions/changes?cursor=${event.cursor}`, undefined, 'crm');
    assert.equal(body.items[0].id, event.suppression.id);
  }
  // Repeated, replaced: it was suppressed already.
  await suppress('crm', one);
  await suppress('crm', { ...one, reason: 'wrong_number' });
  assert.equal((await queued('crm')).length, 2);
});

test('a number that was allowed again, or whose suppression has expired, is reported anew', async () => {
  await subscribe('again');
  const phone_number = '+15005550103';
  await suppress('again', { phone_number });
  const [{ id }] = await listed('again');
  await send('DELETE', `/api/suppressions/${id}`, undefined, 'again');
  const expires_at = new Date(clock.now().getTime() + 60_000).toISOString();
  await suppress('again', { phone_number, expires_at });
  await suppress('again', { phone_number, expires_at });
  assert.equal((await queued('again')).length, 2);
  clock.advance(61_000);
  await suppress('again', { phone_number });
  assert.deepEqual(
    (await queued('again')).map(({ suppression }) => [suppression.id, suppression.expires_at]),
    [
      [id, null],
      [id, expires_at],
      [id, null],
    ],
  );
});

test('up to 1,000 numbers of a request are reported each, and more of them by one event with their number', async () => {
  await subscribe('importer');
  const entries = (count: number, first: number) =>
    Array.from({ length: count }, (_, index) => ({ phone_number: `+4930${first + index}`, reason: 'imported' }));
  await suppress('importer', ...entries(1_000, 1_000_000));
  assert.equal((await queued('importer')).length, 1_000);
  // A thousand of them are suppressed already.
  await suppress('importer', ...entries(2_001, 1_000_000));
  const [event, ...others] = (await queued('importer')).slice(1_000);
  assert.deepEqual([event.count, event.suppression, others], [1_001, null, []]);
  const { body } = await send('GET', `/api/suppressions/changes?cursor=${event.cursor}`, undefined, 'importer');
  assert.equal(body.items[0].phone_number, '+49301001000');
});

test('somebody who wants no more calls is reported with the call and the words, once', async () => {
  await subscribe(USER);
  const opt_out = { enabled: true, confirm: 'Goodbye.' };
  const agent_id = await createAgent(service, { config: { compliance: { opt_out } } });
  const { call_id, room_name } = await placeCall(service, '+15005550104', { agent_id });
  await reaches(service, call_id, 'ANSWERED');
  const say = () =>
    send('POST', `/api/sessions/by-room/${room_name}/transcripts`, {
      content: 'Never call me again.',
      speaker: 'USER',
    });
  const said = await say();
  await say();
  await send('POST', `/api/calls/${call_id}/outcome`, { opted_out: true });
  const [{ suppression }, ...others] = await queued(USER);
  assert.deepEqual(others, []);
  assert.deepEqual(
    [suppression.phone_number, suppression.reason, suppression.call_id, suppression.transcript_id],
    ['+15005550104', 'asked', call_id, said.body.id],
  );
});

test('an endpoint that takes other events gets none, and without one nothing is written', async () => {
  await subscribe('others', ['call.report']);
  const entries = ['+15005550105', '+15005550106'].map((phone_number) => ({ phone_number }));
  const sent = watchStatements(service.database);
  await suppress('others', ...entries);
  assert.deepEqual(
    sent.filter((one) => /into callbacks/.test(one.sql)),
    [],
  );
  assert.deepEqual(await queued('others'), []);
  assert.equal((await listed('others')).length, 2);
});

test('a number is not suppressed without its event: both are in one transaction', async () => {
  await subscribe('torn');
  await sql`alter table callbacks add constraint none check (user_id <> 'torn') not valid`.execute(db);
  assert.equal((await suppress('torn', { phone_number: '+15005550107' })).status, 500);
  assert.deepEqual(await listed('torn'), []);
  await sql`alter table callbacks drop constraint none`.execute(db);
  assert.equal((await suppress('torn', { phone_number: '+15005550107' })).status, 200);
  assert.equal((await queued('torn')).length, 1);
});
