import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAgent } from '@switchboard/testkit/calls.ts';
import { openTestDatabase } from '@switchboard/testkit/database.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { CompiledQuery } from 'kysely';
import { allPages } from '../support/answers.ts';
import { watchStatements } from '../support/statements.ts';

const database = await openTestDatabase();
const sent = watchStatements(database);
const service = await startService({ database });
const user = 'user-1';
const KIB = 1024;
const BUDGET = 1024 * KIB;

async function open(fields: object = {}) {
  const { status, body } = await service.request('POST', '/api/sessions/', { body: { user_id: user, ...fields } });
  assert.equal(status, 201, JSON.stringify(body).slice(0, 300));
  return body;
}

const data = (kib: number) => ({ text: 'x'.repeat(kib * KIB) });
const sizeOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

/** Asks for the page and gives the statements that were sent for it. */
async function statementsOf(method: string, path: string, body?: unknown) {
  const before = sent.length;
  const answer = await service.request(method, path, body === undefined ? {} : { body });
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.status}`);
  return sent.slice(before);
}

test('a page of sessions ends once it has 1 MiB of session_data, and the pages together are complete', async () => {
  const opened = [];
  for (let n = 0; n < 9; n++) opened.push(await open({ session_data: n % 3 === 2 ? {} : data(250) }));
  const { body } = await service.request('GET', '/api/sessions/?limit=100', { user });
  assert.ok(body.items.length < opened.length && body.next_cursor !== null);
  assert.ok(sizeOf(body) < BUDGET + 300 * KIB, `${sizeOf(body)} bytes`);
  assert.deepEqual(await allPages(service, '/api/sessions/', 100, { user }), opened.toReversed());
});

test('sessions of the maximum size come one or two a page', async () => {
  const user_id = 'large';
  const ids: string[] = [];
  for (let n = 0; n < 3; n++) {
    const { id } = await open({ user_id });
    ids.unshift(id);
    for (const part of ['a', 'b', 'c', 'd'])
      await service.request('PATCH', `/api/sessions/${id}`, { body: { metadata: { [part]: data(255) } } });
  }
  const { items } = (await service.request('GET', '/api/sessions/', { user: user_id })).body;
  assert.deepEqual(
    items.map(({ id }: { id: string }) => id),
    ids.slice(0, 2),
  );
  const all = await allPages(service, '/api/sessions/', 100, { user: user_id });
  assert.deepEqual(
    all.map(({ id }) => id),
    ids,
  );
});

test('erased and shrunk sessions do not count towards the page size', async () => {
  const user_id = 'shrunk';
  for (let n = 0; n < 6; n++) {
    const { id } = await open({ user_id, session_data: data(250) });
    await service.request('PATCH', `/api/sessions/${id}`, { body: { metadata: { text: null } } });
  }
  const { body } = await service.request('GET', '/api/sessions/', { user: user_id });
  assert.deepEqual([body.items.length, body.next_cursor], [6, null]);
});

test('a page of transcripts ends once it has 1 MiB, and the pages together are complete', async () => {
  const { id } = await open({ room_name: 'talk' });
  const contents = Array.from({ length: 40 }, (_, n) => `${n} ${n % 4 === 3 ? '' : 'x'.repeat(65_000)}`);
  for (const content of contents)
    await service.request('POST', '/api/sessions/by-room/talk/transcripts', { body: { content } });
  const { body } = await service.request('GET', `/api/sessions/${id}/transcripts?limit=100`);
  assert.ok(body.items.length < contents.length && body.next_cursor !== null);
  assert.ok(sizeOf(body) < BUDGET + 70 * KIB, `${sizeOf(body)} bytes`);
  const all = (await allPages(service, `/api/sessions/${id}/transcripts`, 100)) as unknown as { content: string }[];
  assert.deepEqual(
    all.map(({ content }) => content),
    contents,
  );
});

test('responses without session_data do not read it', async () => {
  const call = await service.request('POST', '/api/calls/outbound', {
    user,
    body: { agent_id: await createAgent(service), phone_number: '+15005550100' },
  });
  const { call_id, room_name } = call.body;
  const statements = [
    ...(await statementsOf('GET', `/api/calls/${call_id}/status`)),
    ...(await statementsOf('GET', `/api/calls/${call_id}`)),
    ...(await statementsOf('GET', '/api/calls/?limit=100')),
    ...(await statementsOf('POST', `/api/sessions/by-room/${room_name}/transcripts`, { content: 'Hello' })),
    ...(await statementsOf('GET', `/api/sessions/${call_id}/transcripts`)),
    ...(await statementsOf('GET', `/api/sessions/${call_id}/costs`)),
    ...(await statementsOf('POST', '/api/media/webhook', {
      event: 'participant_left',
      id: 'EV_1',
      room: { name: room_name },
      participant: { kind: 'SIP' },
    })),
    ...(await statementsOf('POST', `/api/calls/${call_id}/end`)),
  ].map(({ sql }) => sql);
  const reads = /\bsession_data\b(?!_bytes)(?!, last_event)|\* from "?sessions|sessions"?\.\*|returning \*/;
  const ofSessions = statements.filter((sql) => /\bsessions\b/.test(sql));
  assert.ok(ofSessions.length > 5);
  assert.deepEqual(
    ofSessions.filter((sql) => reads.test(sql)),
    [],
  );
});

test('sessions requested at the same time are read in one query, large ones without their data', async () => {
  const shown = [await open({ user_id: 'light', session_data: { a: 1 } })];
  for (let n = 0; n < 8; n++) shown.push(await open({ user_id: 'heavy', session_data: data(250) }));
  const before = sent.length;
  const wanted = Array.from({ length: 10 }, () => shown).flat();
  const answers = await Promise.all(wanted.map(({ id }) => service.request('GET', `/api/sessions/${id}`)));
  assert.deepEqual(
    answers.map(({ body }) => body),
    wanted,
  );
  const batched = sent.slice(before).filter(({ sql }) => /any\(/.test(sql));
  assert.ok(batched.length > 0 && batched.length < wanted.length / 2, `${batched.length} queries`);
  for (const { sql, parameters } of batched) {
    const { rows } = await database.db.executeQuery(CompiledQuery.raw(sql, [...parameters]));
    assert.ok(rows.length > 0 && sizeOf(rows) < 5 * KIB * rows.length, `${sizeOf(rows)} bytes for ${rows.length} rows`);
  }
  await service.close();
  await database.close();
});
