import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answeredCall, createAgent } from '@switchboard/testkit/calls.ts';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { sql } from 'kysely';
import { DAY_MS } from '../../src/lib/clock.ts';
import { watchStatements } from '../support/statements.ts';
import { findStored } from '../support/stored-text.ts';
import { tidy } from '../support/tidy.ts';

const AT = '2026-01-15T09:30:04.620Z';
const clock = createTestClock();
const service = await startService({ clock, env: { CALLS_BURST: '100', CALLBACK_RETENTION_DAYS: '300' } });
const { db } = service.database;
const TOOLS = {
  dtmf: true,
  functions: [{ name: 'collect_all', description: 'Collects', url: 'https://example.com/all' }],
  collect_digits: [
    { name: 'order', description: 'The number of the order' },
    { name: 'pin', description: 'The PIN', sensitive: true },
  ],
};

/** A call of an agent that asks for keys; its events go to its callback URL. */
async function callOf(config: object = {}): Promise<string> {
  const agent_id = await createAgent(service, { config: { tools: TOOLS, ...config } });
  return (await answeredCall(service, { agent_id, callback_url: 'https://example.com/own' })).call_id;
}

const called = (call_id: string, name: string, result: string | null, more: object = {}) => ({
  call_id,
  name,
  arguments: {},
  result,
  called_at: AT,
  ...more,
});
const report = (id: string, ...tool_calls: object[]) =>
  service.request('POST', `/api/sessions/${id}/turns`, { body: { tool_calls } });

async function queued(id: string) {
  const query = db.selectFrom('callbacks').select('payload').where('session_id', '=', id);
  const rows = await query.where('type', '=', 'call.digits').orderBy('id').execute();
  return rows.map(({ payload }) => JSON.parse(String(payload)).data);
}

test('keys that the caller has pressed are reported once, however often their worker sends them', async () => {
  const id = await callOf();
  const all = [
    called('a', 'collect_order', '4021#'),
    called('b', 'collect_order', '"77"'),
    called('b', 'collect_order', '"78"'),
  ];
  await Promise.all([report(id, ...all), report(id, ...all)]);
  await report(id, called('a', 'collect_order', '9'));
  const found = (await queued(id)).sort((one, other) => (one.digits < other.digits ? -1 : 1));
  assert.deepEqual(
    found,
    ['4021#', '77'].map((digits) => ({
      call_id: id,
      name: 'order',
      digits,
      is_sensitive: false,
      asked_at: AT,
    })),
  );
});

test('sensitive keys are not reported, whatever the worker sends, nor those that the agent redacts', async () => {
  const id = await callOf({ privacy: { redact: ['card'] } });
  await report(id, called('a', 'collect_pin', '90125'), called('b', 'collect_order', '4111111111111111'));
  assert.deepEqual(
    (await queued(id)).map(({ name, digits, is_sensitive }) => [name, digits, is_sensitive]),
    [
      ['pin', null, true],
      ['order', null, false],
    ],
  );
  assert.deepEqual(
    (await findStored(db, ['90125', '4111111111111111'])).filter((one) => one.startsWith('callbacks')),
    [],
  );
});

test('a call lists the keys of both sides in order, without sensitive and redacted ones, until they are deleted', async () => {
  const id = await callOf({ privacy: { redact: ['card'], keep: { transcripts_days: 2 } } });
  const at = (second: number) => ({ called_at: `2026-01-15T09:30:0${second}.000Z` });
  await report(
    id,
    called('a', 'collect_pin', '90125', at(5)),
    called('b', 'send_dtmf', '"Pressed 2A."', { ...at(1), arguments: { digits: '2a' } }),
    called('c', 'collect_order', '"4021#"', at(2)),
    called('d', 'collect_order', '4111111111111111', at(3)),
    called('e', 'send_dtmf', 'the line is gone', { ...at(4), arguments: { digits: '3' }, is_error: true }),
    called('f', 'send_dtmf', '"Pressed."', { ...at(6), arguments: { digits: '4111111111111111' } }),
    // Not of a tool that presses or takes keys.
    called('g', 'collect_all', '123', at(7)),
    called('h', 'sendXdtmf', '123', { arguments: { digits: '1' } }),
    called('i', 'collectXorder', '123'),
  );
  const keysOf = async () => (await service.request('GET', `/api/calls/${id}`)).body.keys;
  const key = (speaker: string, name: string | null, digits: string | null, second: number) => ({
    speaker,
    name,
    digits,
    is_sensitive: name === 'pin',
    created_at: at(second).called_at,
  });
  assert.deepEqual(await keysOf(), [
    key('AGENT', null, '2A', 1),
    key('USER', 'order', '4021#', 2),
    key('USER', 'order', null, 3),
    key('USER', 'pin', null, 5),
    key('AGENT', null, null, 6),
  ]);
  const without = await callOf({ tools: {} });
  await report(
    without,
    called('a', 'send_dtmf', 'sent', { arguments: { digits: '1' } }),
    called('b', 'collect_pin', '1'),
  );
  assert.deepEqual((await service.request('GET', `/api/calls/${without}`)).body.keys, []);
  await service.request('POST', `/api/calls/${id}/end`);
  clock.advance(3 * DAY_MS);
  await tidy(service);
  assert.deepEqual(await keysOf(), []);
});

test('an entry that failed, a tool of another kind and an agent without keys report nothing, and cost no statement', async () => {
  const id = await callOf();
  await report(
    id,
    called('a', 'collect_order', 'The caller has pressed no key.', { is_error: true }),
    called('b', 'collect_order', null),
    called('c', 'collect_all', '123'),
    called('d', 'order', '123'),
  );
  const other = await callOf({ tools: {} });
  await report(other, called('a', 'collect_order', '123'));
  assert.deepEqual([await queued(id), await queued(other)], [[], []]);
  const sent = watchStatements(service.database);
  await report(id, called('e', 'look_up', '123'));
  assert.deepEqual(
    sent.filter((one) => /agent_versions|into callbacks/.test(one.sql)),
    [],
  );
});

test('keys are not recorded without their event, and deleted with what was said', async () => {
  const id = await callOf({ privacy: { keep: { transcripts_days: 2 } } });
  await sql`alter table callbacks add constraint none check (type <> 'call.digits') not valid`.execute(db);
  assert.equal((await report(id, called('a', 'collect_order', '55'))).status, 500);
  await sql`alter table callbacks drop constraint none`.execute(db);
  assert.equal((await report(id, called('a', 'collect_order', '55'))).status, 201);
  assert.equal((await queued(id)).length, 1);
  await service.request('POST', `/api/calls/${id}/end`);
  clock.advance(3 * DAY_MS);
  await tidy(service);
  assert.deepEqual(await queued(id), []);
});

test('keys are deleted at the age of transcripts, delivered or not, although other callbacks stay', async () => {
  const aged = await startService({ clock, env: { TRANSCRIPT_RETENTION_DAYS: '2', CALLBACK_RETENTION_DAYS: '300' } });
  const agent_id = await createAgent(aged, { config: { tools: TOOLS } });
  const { call_id } = await answeredCall(aged, { agent_id, callback_url: 'https://example.com/own' });
  const body = { tool_calls: [called('a', 'collect_order', '55')] };
  await aged.request('POST', `/api/sessions/${call_id}/turns`, { body });
  await aged.request('POST', `/api/calls/${call_id}/end`);
  const types = async () =>
    (await aged.database.db.selectFrom('callbacks').select('type').execute()).map(({ type }) => type);
  assert.ok((await types()).includes('call.digits'));
  const { db } = aged.database;
  await db.updateTable('callbacks').set({ status: 'delivered', send_at: null }).execute();
  // Its receiver has asked for a later time.
  const later = new Date(clock.now().getTime() + 9 * DAY_MS);
  await db
    .updateTable('callbacks')
    .set({ status: 'pending', send_at: later })
    .where('type', '=', 'call.digits')
    .execute();
  clock.advance(3 * DAY_MS);
  await tidy(aged);
  const left = await types();
  assert.ok(left.includes('call.answered') && !left.includes('call.digits'), left.join());
  await aged.close();
});
