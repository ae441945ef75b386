import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { answeredCall, createAgent, placeCall, reaches, USER } from '@switchboard/testkit/calls.ts';
import { listen, type StreamEvent } from '@switchboard/testkit/event-stream.ts';
import { startReceiver } from '@switchboard/testkit/receiver.ts';
import { sql } from 'kysely';
import { MAX_MISSED } from '../../src/calling/streams/activity.ts';
import { clearForeignTransactionIds } from '../../src/db/streamed-tables.ts';
import { assertRefused, problemsOf } from '../support/answers.ts';
import { labels, startReplicas } from '../support/events.ts';

const replicas = await startReplicas();
after(replicas.close);
const { database, here, elsewhere, follow, say, end, use } = replicas;
const { db } = database;
const positions = (events: StreamEvent[]) => events.map(({ position }) => position);

test('the stream has every call of the user: changes, transcripts, costs and deliveries', async () => {
  const receiver = await startReceiver();
  const agent_id = await createAgent(here);
  const stream = await follow();
  const { call_id, room_name } = await answeredCall(elsewhere, { agent_id, callback_url: receiver.url });
  const { body: said } = await say(room_name, 'Hello');
  const { body: used } = await use(call_id);
  await end(call_id);
  const count = (event: string) => stream.events.filter((one) => one.event === event).length;
  await stream.until(() => count('call') === 3 && count('delivery') >= 2 && count('cost') >= 1);
  const of = (event: string) => stream.events.filter((one) => one.event === event).map(({ data }) => data);
  assert.deepEqual(
    of('call').map((data) => data.call_status),
    ['RINGING', 'ANSWERED', 'COMPLETED'],
  );
  const { body: call } = await here.request('GET', `/api/calls/${call_id}`);
  const { at, ...last } = of('call').at(-1);
  assert.deepEqual(last, Object.fromEntries(Object.keys(last).map((name) => [name, call[name]])));
  assert.deepEqual([last.user_id, last.agent_id, last.to_number], [USER, agent_id, '+15005550100']);
  assert.ok(at >= call.started_at);
  assert.deepEqual(of('transcript'), [said]);
  const { created_at, ...ledger } = used;
  const unadjusted = { model: null, direction: null, is_unpriced: false, adjusts: null, used_on: null };
  const costs = of('cost').filter(({ provider }) => provider === 'openai');
  assert.deepEqual(costs, [{ ...ledger, ...unadjusted, at: created_at }]);
  assert.deepEqual(
    of('delivery').map(({ session_id, response_status, url }) => [session_id, response_status, url]),
    of('delivery').map(() => [call_id, 200, receiver.url]),
  );
  stream.leave();
});

test('resumed at every cut point, on either replica, nothing is lost and nothing repeated', async () => {
  const calls = [await answeredCall(here), await answeredCall(elsewhere)];
  const stream = await follow();
  const begin = stream.lastId();
  const contents = Array.from({ length: 40 }, (_, index) => `cut ${index}`);
  await Promise.all(
    contents.map((content, index) =>
      say(calls[index % 2]?.room_name ?? '', content, index % 3 === 0 ? here : elsewhere),
    ),
  );
  for (const { call_id } of calls) await use(call_id);
  await Promise.all(calls.map(({ call_id }, index) => end(call_id, index === 0 ? here : elsewhere)));
  // For each call one that was logged, and its line on the phone and in the room.
  const costs = calls.flatMap(() => ['cost', 'cost', 'cost']);
  const expected = [...contents, ...costs, ...calls.map(({ call_id }) => `${call_id} COMPLETED`)].sort();
  const all = [...(await stream.until((events) => events.length === expected.length))];
  stream.leave();
  assert.deepEqual(labels(all).sort(), expected);
  assert.equal(new Set(positions(all)).size, all.length);
  for (const { call_id } of calls) {
    const own = all.filter(({ event, data }) => event !== 'cost' && (data.call_id ?? data.session_id) === call_id);
    const single = await listen(`${here.url}/api/calls/${call_id}/events`, { 'last-event-id': '2' });
    await single.ended;
    assert.deepEqual(labels(own), labels(single.events), 'in the order of the call');
  }
  for (const [cut, last] of [begin, ...positions(all)].entries()) {
    const rest = await follow(last, { service: cut % 2 === 0 ? here : elsewhere });
    const events = [...(await rest.until((found) => found.length >= all.length - cut))];
    assert.deepEqual(labels([...all.slice(0, cut), ...events]).sort(), expected, `after ${cut}`);
    rest.leave();
  }
});

test('a listener that is disconnected all the time misses nothing and gets nothing twice', async () => {
  const { call_id, room_name } = await answeredCall(here);
  let last = (await follow()).lastId();
  const contents = Array.from({ length: 60 }, (_, index) => `again ${index}`);
  const saying = (async () => {
    await Promise.all(contents.map((content, index) => say(room_name, content, index % 2 ? here : elsewhere)));
    await end(call_id);
  })();
  const heard: StreamEvent[] = [];
  // The end comes with the two costs of its line.
  for (let times = 0; heard.length < contents.length + 3; times++) {
    const stream = await follow(last, { service: times % 2 === 0 ? here : elsewhere });
    heard.push(...[...(await stream.until((events) => events.length > 0))].slice(0, 7));
    last = heard.at(-1)?.position ?? assert.fail();
    stream.leave();
  }
  await saying;
  assert.deepEqual(labels(heard).sort(), [...contents, 'cost', 'cost', `${call_id} COMPLETED`].sort());
});

// The embedded database has one connection.
if (database.kind !== 'embedded')
  test('entries that a slow transaction commits late are sent, and earlier ones are not repeated', async () => {
    const [slow, quick] = [await answeredCall(here), await answeredCall(here)];
    const stream = await follow();
    const [begun, finish] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const committed = db.transaction().execute(async (trx) => {
      await sql`insert into transcripts (id, session_id, speaker, content, timestamp, seq)
      values (gen_random_uuid(), ${slow.call_id}::uuid, 'USER', 'late', now(), 3)`.execute(trx);
      begun.resolve();
      await finish.promise;
    });
    await begun.promise;
    await say(quick.room_name, 'early');
    await stream.until((events) => events.length === 1);
    assert.deepEqual(labels(stream.events), ['early']);
    const between = stream.lastId();
    assert.match(between, /:/, 'it names the transaction in progress');
    finish.resolve();
    await committed;
    await stream.until((events) => events.length === 2);
    assert.deepEqual(labels(stream.events), ['early', 'late']);
    const resumed = await follow(between, { service: elsewhere });
    assert.deepEqual(labels(await resumed.until((events) => events.length > 0)), ['late']);
    for (const one of [stream, resumed]) one.leave();
    await Promise.all([slow, quick].map(({ call_id }) => end(call_id)));
  });

test('a user sees nothing of others; a caller without a user sees all', async () => {
  const [other, all] = [await follow(undefined, { user: 'other' }), await follow(undefined, { user: null })];
  const named = await listen(`${here.url}/api/events?user_id=${USER}`);
  const { call_id, room_name } = await placeCall(here, '+15005550001');
  await reaches(here, call_id, 'FAILED');
  await say(room_name, 'private');
  await use(call_id);
  for (const stream of [all, named]) {
    await stream.until((events) => labels(events).includes('private') && labels(events).includes('cost'));
    assert.ok(stream.events.some(({ data }) => data.end_reason === 'busy'));
    stream.leave();
  }
  await use('unknown', 'other');
  assert.deepEqual(labels(await other.until((events) => events.length > 0)), ['cost']);
  assert.equal(other.events[0]?.data.user_id, 'other');
  other.leave();
  const both = { 'x-user-id': 'other' };
  const refused = await here.request('GET', `/api/events?user_id=${USER}`, { headers: both });
  assertRefused(refused, 403, 'wrong_user');
  assert.match(refused.body.detail, /in the query/);
});

test('turns of a call come as they are reported, each once, and none of another user or of no call', async () => {
  const { call_id } = await answeredCall(here);
  const talk = await here.request('POST', '/api/sessions/', { body: { user_id: USER } });
  const [stream, other] = [await follow(), await follow(undefined, { user: 'other' })];
  const end_of_speech_at = '2026-01-15T09:30:04.120Z';
  const report = (id: string, ...indexes: number[]) => {
    const turns = indexes.map((turn_index) => ({ turn_index, model: 'gpt', end_of_speech_at, first_audio_ms: 790 }));
    return elsewhere.request('POST', `/api/sessions/${id}/turns`, { body: { turns } });
  };
  await report(talk.body.id, 0);
  await report(call_id, 0, 1);
  await report(call_id, 1, 2);
  await end(call_id);
  const all = [
    ...(await stream.until((events) => labels(events).includes(`${call_id} COMPLETED`) && events.length >= 6)),
  ];
  const turns = all.filter(({ event }) => event === 'turn').map(({ data: { at, ...data } }) => data);
  const { body } = await here.request('GET', `/api/sessions/${call_id}/turns`, { user: USER });
  assert.deepEqual(
    turns.toSorted((one, two) => one.turn_index - two.turn_index),
    body.items,
  );
  assert.equal(body.items.length, 3);
  const begin = all[0]?.position ?? assert.fail();
  const rest = await follow(begin);
  await rest.until((events) => events.length >= all.length - 1);
  assert.deepEqual(labels([...all.slice(0, 1), ...rest.events]).sort(), labels(all).sort(), 'resumed without a gap');
  assert.deepEqual(other.events, []);
  for (const one of [stream, other, rest]) one.leave();
});

test('a cost comes with what its call has cost the user so far, where that is asked for', async () => {
  const { call_id, room_name } = await answeredCall(here);
  await use(call_id);
  const plain = await follow();
  const totals = await listen(`${here.url}/api/events?include=total_cost`, { 'x-user-id': USER });
  await totals.until(() => totals.lastId() !== '');
  // Another user's costs of the same call are not among them.
  await use(call_id, 'other');
  for (let times = 0; times < 3; times++) await use(call_id);
  await say(room_name, 'Hello');
  await plain.until((events) => labels(events).filter((label) => label === 'cost').length === 3);
  assert.ok(plain.events.every(({ data }) => !('call_total_cost' in data)));
  await totals.until((events) => labels(events).filter((label) => label === 'cost').length === 3);
  const costs = totals.events.filter(({ event }) => event === 'cost').map(({ data }) => data.call_total_cost);
  assert.equal(costs.at(-1), '0.006');
  assert.deepEqual([...costs].sort(), costs, 'it grows');
  for (const stream of [plain, totals]) stream.leave();
  const refused = await here.request('GET', '/api/events?include=x', { user: USER });
  assert.deepEqual(problemsOf(refused), ['query.include enum']);
  await end(call_id);
});

test('an id of another format is refused; one that this database has not issued resets the stream', async () => {
  for (const id of ['x', '-1', '5~6', `5~6~7~8~9`])
    assert.deepEqual(
      problemsOf(await here.request('GET', '/api/events', { headers: { 'last-event-id': id } })),
      ['header.last-event-id string_pattern_mismatch'],
      id,
    );
  const stream = await follow('999999999999999');
  await stream.until((events) => events.length > 0);
  assert.deepEqual(labels(stream.events), ['reset']);
  assert.notEqual(stream.lastId(), '999999999999999');
  stream.leave();
});

test('a reader that has missed too much gets a reset', async () => {
  const first = await follow();
  first.leave();
  const { call_id } = await answeredCall(here);
  await sql`insert into transcripts (id, session_id, speaker, content, timestamp, seq)
    select gen_random_uuid(), ${call_id}::uuid, 'USER', 'x', now(), 10 + n
    from generate_series(1, ${MAX_MISSED}::integer) as n`.execute(db);
  const stream = await follow(first.lastId());
  await stream.until((events) => events.length > 0);
  await end(call_id);
  await stream.until((events) => events.length === 4);
  const [reset, ...rest] = labels(stream.events);
  assert.deepEqual([reset, ...rest.sort()], ['reset', ...['cost', 'cost', `${call_id} COMPLETED`].sort()]);
  stream.leave();
});

test('rows restored from the dump of another database are not sent', async () => {
  const { call_id, room_name } = await answeredCall(here);
  await sql`insert into transcripts (id, session_id, speaker, content, timestamp, seq, tx)
    values (gen_random_uuid(), ${call_id}::uuid, 'USER', 'restored', now(), 99, txid_current() + 3)`.execute(db);
  await clearForeignTransactionIds(db);
  const stream = await follow();
  for (let times = 0; times < 6; times++) await say(room_name, `${times}`);
  await stream.until((events) => events.length >= 6);
  assert.deepEqual(labels(stream.events).sort(), ['0', '1', '2', '3', '4', '5']);
  stream.leave();
  await end(call_id);
});
