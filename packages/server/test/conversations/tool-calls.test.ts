import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answeredCall, createAgent, USER } from '@switchboard/testkit/calls.ts';
import type { Json } from '@switchboard/testkit/client.ts';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { type Service, startService } from '@switchboard/testkit/service.ts';
import { MAX_ARGUMENTS, MAX_TOOL_BYTES, MAX_TOOL_CALLS } from '../../src/conversations/turns/schema.ts';
import { DAY_MS } from '../../src/lib/clock.ts';
import { assertRefused, problemsOf } from '../support/answers.ts';
import { findStored } from '../support/stored-text.ts';
import { tidy } from '../support/tidy.ts';

const AT = '2026-01-15T09:30:04.620Z';
const called = (call_id: string, more: Json = {}): Json => ({
  call_id,
  name: 'look_up',
  arguments: { id: 'zebulon' },
  result: '{"ok":true}',
  called_at: AT,
  ...more,
});
const report = (of: Pick<Service, 'request'>, id: string, tool_calls: Json[], more: Json = {}) =>
  of.request('POST', `/api/sessions/${id}/turns`, { body: { tool_calls, ...more } });
const rowsOf = (service: Service, id: string) =>
  service.database.db
    .selectFrom('tool_calls')
    .select(['call_id', 'content'])
    .where('session_id', '=', id)
    .orderBy('id')
    .execute();

/** A call of an agent with this configuration. */
async function callOf(service: Service, config: object = {}): Promise<string> {
  const agent_id = await createAgent(service, { config });
  return (await answeredCall(service, { agent_id })).call_id;
}

test('calls of tools are recorded once, beside turns or without them, and what is no such call is refused', async () => {
  const service = await startService();
  const id = await callOf(service);
  const turns = [{ turn_index: 0, end_of_speech_at: AT }];
  assert.deepEqual((await report(service, id, [called('a')], { turns })).body, { added: 1, known: 0 });
  const again = await Promise.all(
    Array.from({ length: 4 }, () => report(service, id, [called('a', { result: 'other' }), called('b')])),
  );
  for (const { status, body } of again) assert.deepEqual([status, body], [201, { added: 0, known: 0 }]);
  assert.deepEqual(
    (await rowsOf(service, id)).map((row) => [row.call_id, JSON.parse(row.content)]),
    ['a', 'b'].map((one) => [one, { arguments: { id: 'zebulon' }, result: '{"ok":true}' }]),
  );
  const long = { text: 'x'.repeat(MAX_ARGUMENTS) };
  const many = Array.from({ length: MAX_TOOL_CALLS + 1 }, (_, at) => called(`${at}`));
  for (const [calls, problem] of [
    [[], 'body.tool_calls too_short'],
    [many, 'body.tool_calls too_long'],
    [[called('c', { arguments: long })], 'body.tool_calls.0.arguments too_long'],
    [[called('c', { result: 'x'.repeat(8_001) })], 'body.tool_calls.0.result string_too_long'],
    [[called('c', { called_at: 'now' })], 'body.tool_calls.0.called_at datetime_parsing'],
    [[called('c', { kind: 'x' })], 'body.tool_calls.0.kind extra_forbidden'],
  ] as const)
    assert.deepEqual(problemsOf(await report(service, id, [...calls])), [problem]);
  const nothing = await service.request('POST', `/api/sessions/${id}/turns`, { body: {} });
  assert.deepEqual(problemsOf(nothing), ['body too_short']);
  assert.equal((await rowsOf(service, id)).length, 2);
  await service.close();
});

test('a session keeps so many bytes of calls of tools, the first ones', async () => {
  const service = await startService();
  const id = await callOf(service);
  const batch = (name: string) =>
    Array.from({ length: 30 }, (_, at) => called(`${name}${at}`, { result: 'x'.repeat(7_000) }));
  await report(service, id, batch('a'));
  // Known ones count once.
  await report(service, id, [...batch('a'), called('small')]);
  assert.equal((await rowsOf(service, id)).length, 31);
  for (const name of ['b', 'c']) assert.equal((await report(service, id, batch(name))).status, 201);
  const rows = await rowsOf(service, id);
  const bytes = rows.reduce((sum, { content }) => sum + 100 + content.length, 0);
  assert.ok(bytes < MAX_TOOL_BYTES && bytes > MAX_TOOL_BYTES - 8_000, `${bytes}`);
  assert.equal(rows[0]?.call_id, 'a0');
  // Another session has its own.
  const other = await callOf(service);
  await report(service, other, [called('a')]);
  assert.equal((await rowsOf(service, other)).length, 1);
  await service.close();
});

test('calls of tools are stored without secrets, whatever their worker has left', async () => {
  const service = await startService();
  const id = await callOf(service, { privacy: { redact: ['card', 'email'] } });
  const card = 4242424242424242;
  await report(service, id, [
    called('a', { arguments: { card }, result: `{"mail":"ann@example.com","card":"${card}"}` }),
  ]);
  assert.deepEqual(await findStored(service.database.db, [String(card), 'ann@example']), []);
  assert.deepEqual(JSON.parse((await rowsOf(service, id))[0]?.content ?? ''), {
    arguments: { card: '[card]' },
    result: '{"mail":"[email]","card":"[card]"}',
  });
  await service.close();
});

test('calls of tools go with the words of their call: by the age of transcripts, the agent’s own, or an erasure', async () => {
  const clock = createTestClock();
  const service = await startService({ clock, env: { TRANSCRIPT_RETENTION_DAYS: '30' } });
  const stored = async () => {
    const rows = await service.database.db.selectFrom('tool_calls').select('session_id').execute();
    return rows.map(({ session_id }) => session_id).sort();
  };
  const [kept, short, erased] = [
    await callOf(service),
    await callOf(service, { privacy: { keep: { transcripts_days: 2 } } }),
    (await service.request('POST', '/api/sessions/', { body: { user_id: 'eve' } })).body.id,
  ];
  for (const id of [kept, short, erased]) assert.equal((await report(service, id, [called('a')])).status, 201);
  for (const id of [kept, short]) await service.request('POST', `/api/calls/${id}/end`);
  assert.equal((await service.request('DELETE', '/api/users/eve')).status, 200);
  assert.deepEqual(await stored(), [kept, short].sort());
  assertRefused(await report(service, erased, [called('b')]), 404, 'not_found');
  clock.advance(3 * DAY_MS);
  await tidy(service);
  assert.deepEqual(await stored(), [kept]);
  assertRefused(await report(service, kept, [called('b')]), 409, 'session_ended');
  await service.request('PATCH', `/api/users/${USER}`, { body: { legal_hold: true } });
  clock.advance(28 * DAY_MS);
  await tidy(service);
  assert.deepEqual(await stored(), [kept], 'under a legal hold');
  await service.request('PATCH', `/api/users/${USER}`, { body: { legal_hold: false } });
  clock.advance(DAY_MS);
  await tidy(service);
  assert.deepEqual(await stored(), []);
  await service.close();
});
