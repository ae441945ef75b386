import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { answeredCall, createAgent, placeCall, reaches, USER } from '@switchboard/testkit/calls.ts';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { openTestDatabase } from '@switchboard/testkit/database.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { sql } from 'kysely';
import { createHistory } from '../../src/calling/history/history.ts';
import { MAX_LAST_CHARS, MAX_SCANNED } from '../../src/calling/history/store.ts';
import { timeIds } from '../../src/lib/ids.ts';
import { problemsOf } from '../support/answers.ts';
import { readCsv } from '../support/csv.ts';
import { watchStatements } from '../support/statements.ts';

const database = await openTestDatabase();
after(() => database.close());
const { db } = database;
const service = await startService({ database, env: { TRANSCRIPT_RETENTION_DAYS: '30' } });
const agent_id = await createAgent(service);
const say = (room_name: string, content: string) =>
  service.request('POST', `/api/sessions/by-room/${room_name}/transcripts`, { body: { content } });

const busy = await placeCall(service, '+15005550001', { agent_id });
await reaches(service, busy.call_id, 'FAILED');
const missed = await placeCall(service, '+15005550002', { agent_id });
await reaches(service, missed.call_id, 'NO_ANSWER');
const ended = await answeredCall(service, { agent_id });
await say(ended.room_name, 'I would like to move my Appointment to Thursday.');
await service.request('POST', '/api/usage/events', {
  body: {
    session_id: ended.call_id,
    user_id: USER,
    provider: 'openai',
    event_type: 'llm_tokens',
    quantity: 3,
    unit_cost: '0.0000005',
    total_cost: '0.0000015',
  },
});
await service.request('POST', `/api/calls/${ended.call_id}/end`);
const open = await answeredCall(service);
await say(open.room_name, 'Is Thursday still free? <laughs loudly> a<b or <i>italics</i>');
const names: Record<string, string> = {
  [busy.call_id]: 'busy',
  [missed.call_id]: 'missed',
  [ended.call_id]: 'ended',
  [open.call_id]: 'open',
};

async function found(query: string, user: string | null = USER): Promise<(string | undefined)[]> {
  const items: (string | undefined)[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { status, body } = await service.request('GET', `/api/calls/?${query}${cursor && `&cursor=${cursor}`}`, {
      ...(user !== null && { user }),
    });
    assert.equal(status, 200, JSON.stringify(body));
    items.push(...body.items.map(({ call_id }: { call_id: string }) => names[call_id] ?? call_id));
    cursor = body.next_cursor;
  }
  return items;
}

const FILTERS: [string, string[]][] = [
  ['', ['open', 'ended', 'missed', 'busy']],
  ['limit=1', ['open', 'ended', 'missed', 'busy']],
  ['call_status=ANSWERED', ['open']],
  ['call_status=COMPLETED', ['ended']],
  ['call_status=NO_ANSWER', ['missed']],
  ['call_status=FAILED', ['busy']],
  ['call_status=FAILED&status=COMPLETED', []],
  ['end_reason=busy', ['busy']],
  ['end_reason=ended_by_user', ['ended']],
  ['direction=OUTBOUND&limit=1', ['open', 'ended', 'missed', 'busy']],
  ['direction=INBOUND', []],
  ['direction=WEB', []],
  ['number=%2B15005550002', ['missed']],
  ['number=15005550001', ['busy']],
  [`number=%2B15005550100&agent_id=${agent_id}`, ['ended']],
  ['agent_id=unknown&q=thursday', []],
  ['q=thursday', ['open', 'ended']],
  ['q=THURSDAY+appointment', ['ended']],
  ['q=appoint', ['ended']],
  ['q=thursday&limit=1', ['open', 'ended']],
  ['q=thursday&call_status=ANSWERED', ['open']],
  ['q=laughs', ['open']],
  ['q=%3Claughs+loudly%3E', ['open']],
  ['q=%3Citalics', ['open']],
  ['q=friday', []],
  ['q=%27%26%7C%21%3A*', []],
];

for (const when of ['before', 'after'])
  test(`calls are found by attributes and by words, ${when} the words are indexed`, async () => {
    if (when === 'after') await service.app.reconcile();
    for (const [query, expected] of FILTERS) assert.deepEqual(await found(query), expected, query);
    assert.deepEqual(await found('q=thursday', null), ['open', 'ended']);
    assert.deepEqual(await found('q=thursday', 'other'), []);
  });

test('words of before an upgrade are found once they are written, those of erased users and old calls no more', async () => {
  const written = async () => (await sql<{ n: number }>`select count(*) as n from call_words`.execute(db)).rows[0]?.n;
  assert.equal(await written(), 2);
  await sql`delete from call_words`.execute(db);
  await sql`update transcripts set tx = 0`.execute(db);
  await sql`update call_words_progress set backfill = 'ffffffff-ffff-ffff-ffff-ffffffffffff'`.execute(db);
  assert.deepEqual(await found('q=thursday'), []);
  await service.app.reconcile();
  assert.deepEqual(await found('q=thursday'), ['open', 'ended']);
  const stranger = await service.request('POST', '/api/agents/', { body: { name: 'A', user_id: 'stranger' } });
  const { body } = await service.request('POST', '/api/calls/outbound', {
    user: 'stranger',
    body: { agent_id: stranger.body.id, phone_number: '+15005550100' },
  });
  await reaches(service, body.call_id, 'ANSWERED');
  await say(body.room_name, 'Thursday again');
  await service.app.reconcile();
  assert.equal(await written(), 3);
  await service.request('DELETE', '/api/users/stranger');
  assert.equal(await written(), 2);
  assert.deepEqual(await found('q=again', null), []);
});

test('words said later are added to those of the call', async () => {
  await say(open.room_name, 'At noon, please');
  await service.app.reconcile();
  assert.deepEqual(await found('q=noon+thursday'), ['open']);
});

test('words are found as long as the transcript that has them is kept', async (t) => {
  const own = await openTestDatabase();
  const clock = createTestClock();
  timeIds(() => clock.now().getTime());
  t.after(() => timeIds(Date.now));
  const kept = await startService({ database: own, clock, env: { TRANSCRIPT_RETENTION_DAYS: '30' } });
  const { room_name, call_id } = await answeredCall(kept);
  clock.advance(60 * 60_000);
  const late = { content: 'Goodbye' };
  const said = await kept.request('POST', `/api/sessions/by-room/${room_name}/transcripts`, { body: late });
  assert.equal(said.status, 201);
  await kept.app.reconcile();
  const has = async () => (await kept.request('GET', '/api/calls/?q=goodbye', { user: USER })).body.items.length;
  const tidied = async () => {
    await own.db.deleteFrom('leases').execute();
    await kept.app.reconcile();
    const lines = (await kept.request('GET', `/api/sessions/${call_id}/transcripts`)).body.items.length;
    return [lines, await has()];
  };
  // The call is older than 30 days, what was said at its end is not.
  clock.advance(30 * 86_400_000 - 30 * 60_000);
  assert.deepEqual(await tidied(), [1, 1]);
  clock.advance(60 * 60_000);
  assert.deepEqual(await tidied(), [0, 0]);
  await kept.close();
  await own.close();
});

test('the cost of each call is returned on request, and in the export', async () => {
  const { body } = await service.request('GET', '/api/calls/?include=total_cost', { user: USER });
  const costs = Object.fromEntries(
    body.items.map(({ call_id, total_cost }: { call_id: string; total_cost: string }) => [names[call_id], total_cost]),
  );
  assert.deepEqual(costs, { open: '0', ended: '0.0000015', missed: '0', busy: '0' });
  const plain = await service.request('GET', '/api/calls/', { user: USER });
  assert.ok(!('total_cost' in plain.body.items[0]));
  const file = await service.request('GET', '/api/calls/export?q=thursday', { user: USER });
  assert.match(file.headers.get('content-disposition') ?? '', /calls\.csv/);
  assert.deepEqual(
    readCsv(file.body).map(({ call_id = '', total_cost, end_reason }) => [names[call_id], total_cost, end_reason]),
    [
      ['open', '0', ''],
      ['ended', '0.0000015', 'ended_by_user'],
    ],
  );
});

test('the newest transcript of each call is returned on request, truncated if long', async () => {
  const list = async (include: string) =>
    (await service.request('GET', `/api/calls/?include=${include}`, { user: USER })).body.items;
  const lastOf = async () => {
    const items: { call_id: string; last_transcript: { content: string } | null; total_cost: string }[] =
      await list('last_transcript,total_cost');
    assert.ok(items.every(({ total_cost }) => total_cost !== undefined));
    return Object.fromEntries(items.map(({ call_id, last_transcript: last }) => [names[call_id], last]));
  };
  const before = await lastOf();
  assert.deepEqual(before.open, { speaker: 'USER', content: 'At noon, please' });
  assert.equal(before.busy, null);
  await say(open.room_name, 'Long '.repeat(1000));
  assert.equal((await lastOf()).open?.content, 'Long '.repeat(1000).slice(0, MAX_LAST_CHARS));
  assert.ok(!('last_transcript' in (await list('total_cost'))[0]));
});

test('filters that do not exist are refused', async () => {
  for (const query of [
    'call_status=x',
    'direction=x',
    'end_reason=x',
    'number=x',
    'q=',
    'include=x',
    'include=total_cost,',
    'words=x',
  ])
    assert.equal(problemsOf(await service.request('GET', `/api/calls/?${query}`)).length, 1, query);
});

test('rare calls among many are found page by page, and common words among more than a search looks up', async () => {
  await sql`insert into sessions (id, room_name, user_id, status, call_status, call_direction, session_data, end_reason,
      outbound_phone_number, started_at, ended_at, created_at, updated_at)
    select overlay(id_from(now() - interval '1 day')::text placing lpad(to_hex(n), 12, '0') from 25)::uuid, 'many-' || n, 'many',
      'COMPLETED', 'COMPLETED', 'OUTBOUND', '{}', case when n = 1 then 'room_ended' else 'hangup' end, '+15005550100', now(), now(), now(), now()
    from generate_series(1, ${MAX_SCANNED + 10}::integer) as n`.execute(db);
  await sql`insert into call_words select id, array_to_tsvector(array['@' || md5('many'), 'hello', case when room_name = 'many-2' then 'rare' else 'x' end])
    from sessions where user_id = 'many'`.execute(db);
  const first = await service.request('GET', '/api/calls/?end_reason=room_ended', { user: 'many' });
  assert.equal(first.body.items.length, 0);
  assert.ok(first.body.next_cursor);
  assert.equal((await found('end_reason=room_ended', 'many')).length, 1);
  assert.equal((await found('q=rare', 'many')).length, 1);
  const common = await service.request('GET', '/api/calls/?q=hello&limit=50', { user: 'many' });
  assert.equal(common.body.items.length, 50);
  assert.equal((await found('q=hello&limit=100', 'many')).length, MAX_SCANNED + 10);
});

test('pages of one query look for its words once', async () => {
  const parts = {
    sessions: { get: async (id: string) => ({ id }) },
    content: { hasher: async () => null, isOn: false },
  };
  const { finding } = createHistory({ db, ...parts } as never);
  const sent = watchStatements(database);
  const page = finding({ q: 'thursday' }, USER);
  const first = await page({ limit: 1, after: null });
  const after = Buffer.from(first.next_cursor ?? '', 'base64url').toString('utf8');
  const second = await page({ limit: 1, after });
  assert.deepEqual(
    [...first.items, ...second.items].map(({ id }) => id),
    [open.call_id, ended.call_id],
  );
  assert.equal(sent.filter(({ sql }) => sql.includes('calls_with_words')).length, 1);
});
