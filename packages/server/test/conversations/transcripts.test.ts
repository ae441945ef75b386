import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { placeCall, reaches, USER } from '@switchboard/testkit/calls.ts';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { sql } from 'kysely';
import { allPages, assertRefused, problemsOf, rawAnswer } from '../support/answers.ts';

const START = '2026-03-01T10:00:00.000Z';
const clock = createTestClock(START);
const service = await startService({ clock });
beforeEach(() => clock.set(START));

async function open(fields: object = {}): Promise<{ id: string; room_name: string }> {
  const answer = await service.request('POST', '/api/sessions/', { body: { user_id: USER, ...fields } });
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  return answer.body;
}

function post(room_name: string, body: unknown, user?: string) {
  const path = `/api/sessions/by-room/${encodeURIComponent(room_name)}/transcripts`;
  return service.request('POST', path, { body, ...(user !== undefined && { user }) });
}

async function add(room_name: string, body: object) {
  const answer = await post(room_name, body);
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  return answer.body;
}

async function list(id: string, query = '') {
  const { status, body } = await service.request('GET', `/api/sessions/${id}/transcripts${query}`);
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

test('an added transcript belongs to the session of the room and its user, and is dated now', async () => {
  const { id: session_id, room_name } = await open();
  const { id, ...rest } = await add(room_name, { content: 'Hello' });
  assert.match(id, /^[0-9a-f-]{36}$/);
  assert.deepEqual(rest, { session_id, content: 'Hello', speaker: 'USER', timestamp: START });
  assert.deepEqual(await list(session_id), { items: [{ id, ...rest }], next_cursor: null });
});

test('transcripts and the timeline are in the order in which they were added, whatever the clocks behind their ids', async () => {
  const { body: agent } = await service.request('POST', '/api/agents/', { body: { name: 'A', user_id: USER } });
  const { call_id, room_name } = await placeCall(service, '+15005550100', { agent_id: agent.id });
  await reaches(service, call_id, 'ANSWERED');
  const contents = ['one', 'two', 'three', 'four', 'five'];
  for (const content of contents) await add(room_name, { content });
  await service.request('POST', `/api/calls/${call_id}/end`);
  const { db } = service.database;
  // As if each had been made by another process, whose clock was behind the one before.
  for (const table of ['transcripts', 'session_events'])
    await sql`
      update ${sql.table(table)} as row set id = overlay(row.id::text placing lpad(to_hex(1000 - seq), 3, '0') from 10)::uuid
      where session_id = ${call_id}::uuid`.execute(db);
  const items = await allPages(service, `/api/sessions/${call_id}/transcripts`, 2);
  assert.deepEqual(
    items.map((item) => 'content' in item && item.content),
    contents,
  );
  const { timeline } = (await service.request('GET', `/api/calls/${call_id}`)).body;
  assert.deepEqual(
    timeline.map(({ status }: { status: string }) => status),
    ['CREATED', 'ACTIVE', 'COMPLETED'],
  );
});

test('the speaker may be USER, AGENT or SYSTEM, and null is the default', async () => {
  const { room_name } = await open();
  for (const speaker of ['USER', 'AGENT', 'SYSTEM']) {
    assert.equal((await add(room_name, { content: 'x', speaker })).speaker, speaker);
  }
  assert.equal((await add(room_name, { content: 'x', speaker: null, timestamp: null })).speaker, 'USER');
});

test('a sent timestamp is kept, in UTC with milliseconds', async () => {
  const { id, room_name } = await open();
  const { timestamp } = await add(room_name, { content: 'x', timestamp: '2026-03-01T12:34:56.789+02:00' });
  assert.equal(timestamp, '2026-03-01T10:34:56.789Z');
  const early = ['0001-01-01T00:00:00.001Z', '0013-02-03T04:05:06.007Z', '0099-12-31T23:59:59.999Z'];
  for (const one of early) await add(room_name, { content: 'x', timestamp: one });
  const { body } = await service.request('GET', `/api/sessions/${id}/transcripts`);
  assert.deepEqual(
    body.items.slice(1).map((one: { timestamp: string }) => one.timestamp),
    early,
  );
});

test('content is returned character for character', async () => {
  const { room_name } = await open();
  for (const content of ['  spaces \t\n', '👨‍👩‍👧 é 世界', '{"json":"\\u0000"}', '<script>', '\u2028\ufeff']) {
    assert.equal((await add(room_name, { content })).content, content);
  }
});

test('content has 1 to 65,536 characters, however many bytes', async () => {
  const { room_name } = await open();
  const refused = async (content: unknown) => problemsOf(await post(room_name, { content }));
  assert.equal((await add(room_name, { content: '世'.repeat(65_536) })).content.length, 65_536);
  assert.equal([...(await add(room_name, { content: '👋'.repeat(65_536) })).content].length, 65_536);
  assert.deepEqual(await refused(''), ['body.content string_too_short']);
  assert.deepEqual(await refused('x'.repeat(65_537)), ['body.content string_too_long']);
  assert.deepEqual(await refused('👋'.repeat(65_537)), ['body.content string_too_long']);
});

const REFUSED: [body: object | string, ...problems: string[]][] = [
  [{}, 'body.content missing'],
  [{ content: null }, 'body.content string_type'],
  [{ content: 'a\0b' }, 'body.content string_nul'],
  ['{"content":"\\udfff"}', 'body.content string_unicode'],
  [{ content: 'x', speaker: 'ROBOT' }, 'body.speaker enum'],
  [{ content: 'x', timestamp: '2026-03-01' }, 'body.timestamp datetime_parsing'],
  [{ content: 'x', timestamp: '10:00' }, 'body.timestamp datetime_parsing'],
  [{ content: 'x', timestamp: '0000-01-01T00:00:00Z' }, 'body.timestamp datetime_parsing'],
  [{ content: 'x', timestamp: '9999-12-31T23:59:59-01:00' }, 'body.timestamp datetime_parsing'],
  [{ timestamp: 5, speaker: 'x' }, 'body.content missing', 'body.speaker enum', 'body.timestamp string_type'],
];
for (const [body, ...problems] of REFUSED) {
  test(`${JSON.stringify(body)} is refused: ${problems.join(', ')}`, async () => {
    const { id, room_name } = await open();
    assert.deepEqual(problemsOf(await post(room_name, body)), problems);
    assert.deepEqual((await list(id)).items, []);
  });
}

test('unknown fields are ignored', async () => {
  const { room_name } = await open();
  const transcript = await add(room_name, { content: 'x', session_id: 'other', is_final: true });
  assert.deepEqual(Object.keys(transcript).sort(), ['content', 'id', 'session_id', 'speaker', 'timestamp']);
});

test('an unknown room, an impossible name and another user’s room give the same 404', async () => {
  const { id, room_name } = await open({ user_id: 'owner' });
  const answers = await Promise.all(
    ['unknown', '\0', 'a\0b', room_name].map(async (room) => {
      const answer = await post(room, { content: 'x' }, USER);
      assertRefused(answer, 404, 'not_found');
      return JSON.stringify(answer.body);
    }),
  );
  assert.equal(new Set(answers).size, 1, answers.join('\n'));
  assert.deepEqual((await list(id)).items, []);
  assert.equal((await post(room_name, { content: 'x' }, 'owner')).status, 201);
});

test('another user’s session is the same 404 as one that does not exist', async () => {
  const { id } = await open({ user_id: 'owner' });
  const paths = [id, 'no-id', '01980000-0000-7000-8000-000000000000'].map((one) => `/api/sessions/${one}/transcripts`);
  const answers = await Promise.all(paths.map((path) => rawAnswer(service, path, USER)));
  assert.match(answers[0] ?? '', /^404 .*"not_found"/);
  assert.equal(new Set(answers).size, 1, answers.join('\n'));
});

test('transcripts are accepted for a day after the end, and refused later', async () => {
  const { id, room_name } = await open();
  await service.request('PATCH', `/api/sessions/${id}`, { body: { ended_at: '2026-03-01T11:00:00Z' } });
  clock.set('2026-03-02T11:00:00.000Z');
  await add(room_name, { content: 'late' });
  clock.set('2026-03-02T11:00:00.001Z');
  assertRefused(await post(room_name, { content: 'too late' }), 409, 'session_ended');
  clock.set('2026-03-09T10:00:00.000Z');
  assertRefused(await post(room_name, { content: 'too late' }), 409, 'session_ended');
  const { items } = await list(id);
  assert.deepEqual(
    items.map(({ content }: { content: string }) => content),
    ['late'],
  );
});

test('a live session accepts transcripts however old it is', async () => {
  const { room_name } = await open();
  clock.set('2027-01-01T00:00:00.000Z');
  await add(room_name, { content: 'still there' });
});

test('a phone call has transcripts as well, also after it failed', async () => {
  const { call_id, room_name } = await placeCall(service, '+15005550001');
  await reaches(service, call_id, 'FAILED');
  assert.equal((await add(room_name, { content: 'busy', speaker: 'SYSTEM' })).session_id, call_id);
});

test('transcripts are listed in the order they were added, across pages, whatever their timestamps', async () => {
  const { id, room_name } = await open();
  const contents = Array.from({ length: 7 }, (_, index) => `line ${index}`);
  for (const [index, content] of contents.entries()) {
    await add(room_name, { content, timestamp: `2026-03-01T10:00:0${9 - index}.000Z` });
  }
  for (const limit of [1, 3, 7, 100]) {
    const items = (await allPages(service, `/api/sessions/${id}/transcripts`, limit)) as unknown as {
      content: string;
    }[];
    assert.deepEqual(
      items.map(({ content }) => content),
      contents,
    );
  }
});

test('a page has 50 transcripts by default', async () => {
  const { id, room_name } = await open();
  for (let index = 0; index < 51; index++) await add(room_name, { content: `${index}` });
  const page = await list(id);
  assert.equal(page.items.length, 50);
  assert.equal((await list(id, `?cursor=${page.next_cursor}`)).items.length, 1);
});

test('an invalid limit, cursor or parameter of the list is refused', async () => {
  const { id } = await open();
  const refused = async (query: string) =>
    problemsOf(await service.request('GET', `/api/sessions/${id}/transcripts?${query}`));
  assert.deepEqual(await refused('limit=0'), ['query.limit greater_than_equal']);
  assert.deepEqual(await refused('limit=101'), ['query.limit less_than_equal']);
  assert.deepEqual(await refused('cursor=x'), ['query.cursor value_error']);
  assert.deepEqual(await refused('speaker=USER'), ['query.speaker extra_forbidden']);
});
