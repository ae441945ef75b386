import assert from 'node:assert/strict';
import { test } from 'node:test';
import { USER } from '@switchboard/testkit/calls.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { type RequestOptions, startService } from '@switchboard/testkit/service.ts';
import { sql } from 'kysely';
import { BUSY, PRICING, TURNS } from '../../support/many-rows.ts';
import { isPlanned, type Plan } from '../../support/plans.ts';
import type { Statement } from '../../support/statements.ts';
import { database, explain, rowsRead, scannedBy, sent, withoutIndexes } from './filled.ts';

const service = await startService({
  database,
  env: {
    TRANSCRIPT_RETENTION_DAYS: '3000',
    TURN_RETENTION_DAYS: '3000',
    CALLBACK_RETENTION_DAYS: '3000',
    RECORDING_RETENTION_DAYS: '3000',
    CALLS_BURST: '1000',
    LOG_LEVEL: 'silent',
  },
});
const { rows } = await sql<{ id: string; agent_id: string; user_id: string }>`
  select id, agent_id, user_id from sessions where user_id = ${BUSY} and status = 'COMPLETED' and call_status is not null
  order by id desc limit 1`.execute(database.db);
const call = rows[0] as (typeof rows)[0];
/** An agent of 10,000 versions and releases. */
const { id: old } = await database.db
  .selectFrom('agents')
  .select('id')
  .where('user_id', '=', 'user-3')
  .orderBy('id')
  .executeTakeFirstOrThrow();
const OLD = `/api/agents/${old}`;
const CSV = { headers: { accept: 'text/csv' } };
const cursor = Buffer.from(call.id).toString('base64url');

/** The statements that a request sends. */
async function sentBy(method: string, path: string, options: RequestOptions = {}) {
  const before = sent.length;
  const { status, body } = await service.request(method, path, options);
  assert.ok(status < 300, `${method} ${path}: ${status} ${JSON.stringify(body)}`);
  return sent.slice(before).filter(isPlanned);
}

/** Whether it sorts more than some rows, which the planner may find cheaper than to read them in their order. */
function isLargeSort(node: Plan): boolean {
  return node['Node Type'] === 'Sort' && (node.Plans?.[0]?.['Plan Rows'] ?? 0) > 100;
}

/** The statement of a list that has the page's limit. */
function pageOf(statements: Statement[]): Statement {
  const page = statements.find((statement) => /order by .* limit \$\d+$/s.test(statement.sql));
  assert.ok(page, 'no page was asked for');
  return page;
}

const day = (before: number) => encodeURIComponent(new Date(Date.now() - before * 86_400_000).toISOString());
const filters = (...names: [string, string[]][]): string[] =>
  names.reduce<string[]>(
    (queries, [name, values]) =>
      queries.flatMap((query) => [query, ...values.map((value) => `${query}&${name}=${value}`)]),
    [''],
  );

const sessionFilters = filters(
  ['status', ['CREATED', 'ACTIVE', 'COMPLETED', 'FAILED']],
  ['call_direction', ['OUTBOUND', 'INBOUND']],
  ['agent_id', [call.agent_id]],
  ['from', [day(30)]],
  ['to', [day(0)]],
  ['cursor', [cursor]],
);
const callbackFilters = filters(
  ['status', ['pending', 'delivered', 'failed']],
  ['call_id', [call.id]],
  ['endpoint_id', ['01980000-0000-7000-8000-000000000003']],
  ['is_failing', ['true']],
  ['cursor', [cursor]],
);
const LISTS = [
  ...sessionFilters.flatMap((query) => [`/api/sessions/?limit=20${query}`, `/api/calls/?limit=20${query}`]),
  ...callbackFilters.map((query) => `/api/callbacks?limit=20${query}`),
];

const OWN_LISTS = ['', '&status=PLACED', '&phone_number=%2B15005550199'].map((q) => `/api/scheduled-calls?limit=9${q}`);

/** Problems with the pages of these lists. */
async function badPages(paths: string[], user?: string): Promise<string[]> {
  const bad: string[] = [];
  for (const path of paths) {
    const statements = await sentBy('GET', path, user === undefined ? {} : { user });
    bad.push(...(await scannedBy(statements)));
    const page = pageOf(statements);
    if ((await explain(page)).some(isLargeSort)) bad.push(`${path} sorts: ${page.sql}`);
  }
  return bad;
}

for (const user of [BUSY, undefined]) {
  test(`lists of ${user ?? 'all users'}, with any filters: by key, through an index, without sorting`, async () => {
    assert.deepEqual(await badPages(user ? [...LISTS, ...OWN_LISTS] : LISTS, user), []);
  });
}

test('other lists are by key, through an index, without sorting', async () => {
  assert.deepEqual(
    await badPages([
      '/api/audit?limit=20',
      `/api/audit?limit=20&cursor=${cursor}`,
      '/api/keys?limit=20',
      `/api/keys?limit=20&cursor=${cursor}`,
      `/api/sessions/${call.id}/transcripts?limit=20`,
      `/api/sessions/${call.id}/transcripts?limit=20&cursor=${cursor}`,
      `/api/sessions/${call.id}/turns?limit=20`,
      `/api/sessions/${call.id}/turns?limit=20&cursor=${Buffer.from('5').toString('base64url')}`,
      `${OLD}/versions?limit=20`,
      `${OLD}/versions?limit=20&cursor=${Buffer.from('500').toString('base64url')}`,
      `${OLD}/releases?limit=20`,
      '/api/prices?limit=20',
      `/api/prices?limit=20&history=true&cursor=${cursor}`,
    ]),
    [],
  );
  const endpoints = [
    '/api/webhook-endpoints?limit=20',
    `/api/webhook-endpoints?limit=20&cursor=${cursor}`,
    '/api/scenarios?limit=20',
    `/api/scenarios?limit=20&cursor=${cursor}`,
    '/api/suites?limit=20',
    '/api/test-runs?limit=20',
    `/api/test-runs?limit=20&cursor=${cursor}`,
  ];
  assert.deepEqual(await badPages(endpoints, 'user-21'), []);
});

/**
 * Rows of the user: 4,000. As every tenth row is the user's, the planner may look for them among the newest, or the
 * open, of all users.
 */
const FEW = 1000;

test('a page of 20 reads about 20 rows, even when few rows match', async () => {
  for (const path of [
    'sessions/?limit=20',
    'calls/?limit=20',
    `sessions/?limit=20&cursor=${cursor}`,
    'callbacks?limit=20',
    'sessions/?limit=20&status=ACTIVE',
    'sessions/?limit=20&status=CREATED',
    'sessions/?limit=20&status=FAILED',
    'calls/?limit=20&status=ACTIVE',
    'calls/?limit=20&status=FAILED',
    `sessions/?limit=20&agent_id=${call.agent_id}`,
    'callbacks?limit=20&status=failed',
    'callbacks?limit=20&is_failing=true',
    'callbacks?limit=20&endpoint_id=01980000-0000-7000-8000-000000000003',
    `callbacks?limit=20&call_id=${call.id}`,
  ]) {
    const read = await rowsRead(pageOf(await sentBy('GET', `/api/${path}`, { user: BUSY })));
    assert.ok(read <= FEW, `${path}: ${read} rows read`);
  }
});

test('reports scan no table', async () => {
  const statements = [
    ...(await sentBy('GET', '/api/costs/summary', { user: 'user-7' })),
    ...(await sentBy('GET', '/api/costs/by-agent', { user: 'user-7' })),
    ...(await sentBy('GET', '/api/costs/timeline', { user: 'user-7' })),
    ...(await sentBy('GET', '/api/costs/timeline?period=monthly&start_date=2026-01-10&end_date=2026-02-20', {
      user: 'user-7',
    })),
    ...(await sentBy('GET', '/api/costs/report?group_by=day,agent', { user: 'user-7' })),
    ...(await sentBy('GET', '/api/costs/report?group_by=month,user&start_date=2026-01-10&end_date=2026-01-12')),
    ...(await sentBy('GET', '/api/costs/report?group_by=day,user&start_date=2026-01-10&end_date=2026-01-11', CSV)),
    ...(await sentBy('POST', `/api/costs/carrier-import?date=${day(2).slice(0, 10)}`)),
    ...(await sentBy('GET', '/api/stats/latency', { user: 'user-7' })),
    ...(await sentBy('GET', '/api/stats/latency?start_date=2026-01-10&end_date=2026-02-20', { user: 'user-7' })),
    ...(await sentBy('GET', '/api/stats/calls?group_by=day,agent', { user: 'user-7' })),
    // Questions of the console about all users.
    ...(await sentBy('GET', `/api/stats/calls?group_by=end_reason&start_date=${day(2).slice(0, 10)}`)),
    ...(await sentBy('GET', `/api/stats/calls?start_date=${day(2).slice(0, 10)}`)),
    ...(await sentBy('GET', '/api/costs/report?group_by=day,provider&start_date=2026-01-10&end_date=2026-01-12')),
  ];
  assert.deepEqual(await scannedBy(statements), []);
});

test('look-ups and changes scan no table', async () => {
  const agent = await service.request('POST', '/api/agents/', { body: { name: 'A', user_id: USER } });
  const open = (await service.request('GET', '/api/sessions/by-room/call-39996')).body;
  const talk = await service.request('POST', '/api/sessions/', { body: { user_id: USER, agent_id: agent.body.id } });
  const statements = [
    ...(await sentBy('PATCH', '/api/users/user-7', { body: { legal_hold: true, privacy: { redact: ['card'] } } })),
    ...(await sentBy('PUT', '/api/budgets/user-7', { body: { monthly_limit: 5, thresholds: [50] } })),
    ...(await sentBy('POST', `/api/sessions/${open.id}/turns`, { body: TURNS })),
    ...(await sentBy('POST', `/api/calls/${call.id}/scenario`)),
    ...(await sentBy('GET', '/api/usage/events?start_date=2026-01-10', { user: BUSY })),
    ...(await sentBy('GET', '/api/usage/events?start_date=2026-01-10&end_date=2026-02-20', { user: BUSY })),
    ...(await sentBy('GET', '/api/usage/events?start_date=2026-01-10&end_date=2026-02-20')),
    ...(await sentBy('GET', `/api/usage/events?session_id=${call.id}`)),
    ...(await sentBy('GET', '/api/agents/?user_id=user-7', { user: 'user-7' })),
    ...(await sentBy('GET', `/api/sessions/${call.id}/costs`)),
    ...(await sentBy('GET', `/api/sessions/${call.id}`)),
    ...(await sentBy('GET', `/api/calls/${call.id}`)),
    ...(await sentBy('GET', `/api/calls/${call.id}/status`)),
    ...(await sentBy('GET', '/api/sessions/by-room/call-40000')),
    ...(await sentBy('PATCH', `/api/sessions/${call.id}`, { body: { metadata: { a: 1 }, duration: 5 } })),
    ...(await sentBy('POST', '/api/sessions/by-room/call-39996/transcripts', { body: { content: 'Hello' } })),
    ...(await sentBy('POST', '/api/calls/web', {
      user: USER,
      body: { agent_id: agent.body.id, metadata: { sandbox: 'browser_leaves' } },
    })),
    ...(await sentBy('POST', '/api/media/token', { user: USER, body: { session_id: talk.body.id } })),
    ...(await sentBy('POST', '/api/calls/outbound', {
      user: USER,
      body: { agent_id: agent.body.id, phone_number: '+15005550005', callback_url: 'http://127.0.0.1:9/' },
    })),
    ...(await sentBy('POST', '/api/media/webhook', {
      body: { event: 'participant_left', id: 'EV_new', room: { name: 'call-39895' }, participant: { kind: 'SIP' } },
    })),
    ...(await sentBy('POST', '/api/usage/events', {
      body: {
        session_id: call.id,
        user_id: USER,
        provider: 'openai',
        event_type: 'llm_tokens',
        quantity: 1,
        unit_cost: 1,
        total_cost: 1,
      },
    })),
    ...(await Promise.all(PRICING.map((one) => sentBy(...one)))).flat(),
  ];
  assert.deepEqual(await scannedBy(statements), []);
});

test('background work scans no table', async () => {
  // The call of the test before is answered, and hangs up after a second.
  await eventually(
    async () => (await service.request('GET', '/api/calls/', { user: USER })).body.items[0],
    (item) => item.call_status === 'COMPLETED',
  );
  // The queued work that begins with the service, and the event that was received.
  for (const late of [/from "callbacks" where "id" </, /update media_events/]) {
    const isSent = async () => sent.some((statement) => late.test(statement.sql));
    await eventually(isSent, (found) => found, 100_000);
  }
  await service.app.reconcile();
  await sentBy('GET', '/metrics');
  await sentBy('DELETE', '/api/users/user-9');
  const behind = sent.filter(isPlanned);
  for (const seen of [
    /"transfers" where "status"/,
    /update media_events/,
    /delete from "transcripts"/,
    /delete from "turns"/,
    /delete from "tool_calls"/,
    /payload is null and next_attempt_at/,
    /"erasures"/,
    /"recordings" where "created_at" </,
    /recordings\.state in/,
    /"recordings" where "user_id"/,
    /from work\b/,
  ])
    assert.ok(
      behind.some((statement) => seen.test(statement.sql)),
      `${seen}`,
    );
  assert.deepEqual(await scannedBy(behind), []);
});

test('a round of the reconciler finds conversations, with and without a room, through an index', async () => {
  await service.request('POST', '/api/sessions/', { body: { user_id: USER, room_name: 'talks' } });
  await service.media.createRoom({ room_name: 'talks', agent_metadata: '{}' });
  const before = sent.length;
  await service.app.reconcile();
  const statements = sent.slice(before).filter(isPlanned);
  const [seen, unseen, mark] = [/"room_seen_at" is not null/, /"room_seen_at" is null/, /set room_seen_at/].map((one) =>
    statements.find((statement) => one.test(statement.sql)),
  );
  assert.ok(seen && unseen && mark, 'each was sent');
  assert.deepEqual(await scannedBy(statements), []);
  for (const statement of [seen, unseen]) {
    const read = await rowsRead(statement);
    assert.ok(read <= FEW, `${read} rows read: ${statement.sql}`);
  }
  assert.ok((await rowsRead(seen)) < 10, 'those with a room have an index of their own');
});

test('no statement uses OFFSET', () => {
  assert.deepEqual(
    sent.filter((statement) => /\boffset\b/i.test(statement.sql)).map((statement) => statement.sql),
    [],
  );
});

test('without its index a list fails this check', async () => {
  const page = pageOf(await sentBy('GET', '/api/calls/?limit=20&status=ACTIVE', { user: BUSY }));
  await withoutIndexes(['sessions_open_by_user', 'sessions_by_user', 'sessions_open'], async (plans) => {
    const isScanned = (await plans.scanned(page)).length > 0;
    const isSorted = (await plans.explain(page)).some(isLargeSort);
    assert.ok(isScanned || isSorted || (await plans.rowsRead(page)) > FEW);
  });
  await service.close();
});
