import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listen } from '@switchboard/testkit/event-stream.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { sql } from 'kysely';
import { BUSY } from '../../support/many-rows.ts';
import { isPlanned } from '../../support/plans.ts';
import './costs.ts';
import { database, explain, scannedBy, sent, withoutIndexes } from './filled.ts';

const { db } = database;
/** A service, closed after the test. */
const start = () => startService({ database, env: { LOG_LEVEL: 'silent' } });

const COST = {
  session_id: 'unknown',
  user_id: BUSY,
  provider: 'openai',
  event_type: 'llm_tokens',
  quantity: 1,
  unit_cost: 1,
  total_cost: 1,
};
const SEEN = ['as all_of_them', "'transcript'", 'union select session_id'];

test('the stream over all calls scans no table, with a transaction in progress or without', async () => {
  const service = await start();
  // Past the transaction that has filled the tables.
  for (let times = 0; times < 10; times++) await sql`select txid_current()`.execute(db);
  const { rows } = await sql<{ next: string }>`
    select (txid_current() - 5) || ':' || txid_current() - 7 as next`.execute(db);
  for (const [user, last] of [
    [BUSY, `${rows[0]?.next}`],
    [null, String(rows[0]?.next).split(':')[0] ?? ''],
  ] as const) {
    const before = sent.length;
    const stream = await listen(`${service.url}/api/events?include=total_cost`, {
      ...(user !== null && { 'x-user-id': user }),
      'last-event-id': last,
    });
    const said = { body: { content: 'Hello' } };
    const streamed = () =>
      sent
        .slice(before)
        .filter(({ sql }) => /entry\.tx|from transcripts where id|from usage_events\s+where session_id/.test(sql));
    // The count of what was missed, the entries, the search for users with new ones, their texts and costs.
    await eventually(
      async () => {
        const { status } = await service.request('POST', '/api/sessions/by-room/call-39390/transcripts', said);
        assert.equal(status, 201);
        await service.request('POST', '/api/usage/events', { body: COST });
        return streamed().map(({ sql }) => sql);
      },
      (asked) =>
        [...SEEN, 'from transcripts where id', 'from usage_events\n'].every((part) =>
          asked.some((one) => one.includes(part)),
        ),
    );
    stream.leave();
    assert.ok(streamed().length >= 3);
    assert.deepEqual(await scannedBy(streamed()), []);
  }
});

const SEARCHES = [
  'q=word999',
  'q=word',
  'q=word9',
  'q=word999&call_status=FAILED',
  'end_reason=busy',
  'number=%2B15005550100',
  'direction=INBOUND',
  'call_status=NO_ANSWER&direction=WEB',
  'q=word&end_reason=hangup',
];

for (const user of [BUSY, undefined])
  test(`the search for calls of ${user ?? 'all users'} scans no table and reads a bounded number of rows`, async () => {
    const service = await start();
    for (const query of SEARCHES) {
      const before = sent.length;
      const path = `/api/calls/?limit=20&include=total_cost,last_transcript&${query}`;
      const { status } = await service.request('GET', path, user === undefined ? {} : { user });
      assert.equal(status, 200);
      const statements = sent.slice(before).filter(isPlanned);
      const own = statements.filter(({ sql }) =>
        /call.*_words|looked_at|from usage_events|select speaker, left/.test(sql),
      );
      assert.ok(own.length > 0, query);
      assert.deepEqual(await scannedBy(own), [], query);
    }
  });

test('users are listed without a scan', async () => {
  const service = await start();
  for (const query of ['limit=20', 'limit=20&prefix=user-3', 'limit=20&prefix=nobody']) {
    const before = sent.length;
    await service.request('GET', `/api/users?${query}`);
    const own = sent.slice(before).filter(({ sql }) => sql.includes('with recursive users'));
    assert.equal(own.length, 1);
    assert.deepEqual(await scannedBy(own), [], query);
  }
});

test('the words of calls are written and deleted without a scan', async () => {
  const service = await start();
  const before = sent.length;
  await sql`update call_words_progress set backfill = 'ffffffff-ffff-ffff-ffff-ffffffffffff'`.execute(db);
  await service.request('POST', '/api/sessions/by-room/call-39390/transcripts', { body: { content: 'Hello' } });
  await service.app.reconcile();
  await service.request('DELETE', '/api/users/user-8');
  const own = sent.slice(before).filter((statement) => isPlanned(statement) && /call_words\b/.test(statement.sql));
  assert.ok(own.some(({ sql }) => sql.includes('insert into call_words')));
  assert.ok(own.some(({ sql }) => sql.includes('delete from call_words where words')));
  assert.deepEqual(await scannedBy(own), []);
});

test('callbacks are redelivered, and endpoints tested, without a scan', async () => {
  const service = await start();
  const before = sent.length;
  const ask = (path: string, user: string | null, body?: object) =>
    service.request('POST', path, { ...(user !== null && { user }), ...(body && { body }) });
  const { items } = (await service.request('GET', '/api/callbacks?limit=2', { user: BUSY })).body;
  const ids = items.map(({ id }: { id: string }) => id);
  assert.equal(ids.length, 2);
  for (const user of [BUSY, null])
    for (const body of [{ failed_since: '2026-01-01T00:00:00Z' }, { failed_since: new Date().toISOString() }, { ids }])
      assert.equal((await ask('/api/callbacks/redeliver', user, body)).status, 200);
  const { body } = await ask('/api/webhook-endpoints', 'tester', { url: 'http://127.0.0.1:9/' });
  assert.equal((await ask(`/api/webhook-endpoints/${body.id}/test`, 'tester')).status, 201);
  const own = sent.slice(before).filter((statement) => isPlanned(statement) && /callback/.test(statement.sql));
  for (const seen of [/status = 'failed'/, /id = any/, /delete from callback_endpoints_off/, /"type" = .*offset/])
    assert.ok(
      own.some(({ sql }) => seen.test(sql)),
      `${seen}`,
    );
  assert.deepEqual(await scannedBy(own), []);
});

test('words are found through their index', async () => {
  const nodes = await explain({
    sql: `select session_id from call_words where words @@ 'word999'::tsquery`,
    parameters: [],
  });
  assert.deepEqual(nodes.map((node) => node['Index Name']).filter(Boolean), ['call_words_by_word']);
});

test('without its index the stream fails this check', async () => {
  const entries = sent.find(({ sql }) => sql.includes("'transcript'") && sql.includes('entry.tx'));
  assert.ok(entries);
  await withoutIndexes(['session_events_by_tx'], async (plans) => {
    assert.notDeepEqual(await plans.scannedBy([entries]), []);
  });
});
