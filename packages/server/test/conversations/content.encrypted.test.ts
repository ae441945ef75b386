import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { answeredCall, createAgent, placeCall, reaches, USER } from '@switchboard/testkit/calls.ts';
import { openTestDatabase } from '@switchboard/testkit/database.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { SECRETS_KEY } from '@switchboard/testkit/keys.ts';
import { startReceiver } from '@switchboard/testkit/receiver.ts';
import { type Service, startService } from '@switchboard/testkit/service.ts';
import { sql } from 'kysely';
import { ConfigError, loadSettings } from '../../src/settings-load.ts';
import { findStored } from '../support/stored-text.ts';

const ON = { SECRETS_KEY, ENCRYPT_CONTENT: 'true', CALL_REPORT_DELAY_S: '1' };
const OFF = { SECRETS_KEY, CALL_REPORT_DELAY_S: '1' };
const WORDS = ['zebulon', 'Zebulon', 'Straße', 'a-variable', 'a-metadatum', 'a-session-datum'];
const database = await openTestDatabase();
after(() => database.close());

async function as<T>(env: Record<string, string>, work: (service: Service) => Promise<T>): Promise<T> {
  const service = await startService({ database, env });
  return work(service).finally(() => service.close());
}

const say = (service: Service, room_name: string, content: string, headers = {}) =>
  service.request('POST', `/api/sessions/by-room/${room_name}/transcripts`, { body: { content }, headers });

async function textsOf(service: Service, call_id: string): Promise<string[]> {
  const { body } = await service.request('GET', `/api/sessions/${call_id}/transcripts`);
  return body.items.map(({ content }: { content: string }) => content);
}

async function search(service: Service, q: string): Promise<string[]> {
  const { body } = await service.request('GET', `/api/calls?q=${encodeURIComponent(q)}`, { user: USER });
  return body.items.map((call: { call_id?: string; id: string }) => call.call_id ?? call.id);
}

/** Everything of the database as text, for what must not be in it. */
const found = (words: string[]) => findStored(database.db, words);

test('ENCRYPT_CONTENT needs SECRETS_KEY', () => {
  assert.throws(
    () => loadSettings({ ENCRYPT_CONTENT: 'true' }),
    (error) => error instanceof ConfigError && /SECRETS_KEY: must be set when ENCRYPT_CONTENT/.test(error.message),
  );
});

test('words, variables, metadata, data and reports are in no table, and are where they always were', async () => {
  const receiver = await startReceiver();
  after(() => receiver.close());
  await as(ON, async (service) => {
    const look_up = {
      name: 'look_up',
      description: 'Looks up.',
      url: 'https://example.com/',
      parameters: { type: 'object' },
    };
    const agent_id = await createAgent(service, { config: { tools: { functions: [look_up] } } });
    const data = { variables: { one: 'a-variable' }, metadata: { one: 'a-metadatum' } };
    const call = await placeCall(service, '+15005550100', { agent_id, callback_url: receiver.url, ...data });
    const { call_id, room_name } = call;
    await reaches(service, call_id, 'ANSWERED');
    const headers = { 'idempotency-key': 'one-line' };
    const first = await say(service, room_name, 'Hello, this is Zebulon of Straße 5', headers);
    assert.equal(first.body.content, 'Hello, this is Zebulon of Straße 5');
    const again = await say(service, room_name, 'Hello, this is Zebulon of Straße 5', headers);
    assert.deepEqual(again.body, first.body);
    await service.request('PATCH', `/api/sessions/${call_id}`, { body: { metadata: { more: 'a-session-datum' } } });
    const answered = { name: 'look_up', arguments: { of: 'Straße' }, result: '{"is":"zebulon"}' };
    const tool_calls = [{ call_id: 'a', ...answered, called_at: new Date().toISOString() }];
    const told = await service.request('POST', `/api/sessions/${call_id}/turns`, { body: { tool_calls } });
    assert.equal(told.status, 201, JSON.stringify(told.body));

    assert.deepEqual(await textsOf(service, call_id), ['Hello, this is Zebulon of Straße 5']);
    const detail = (await service.request('GET', `/api/calls/${call_id}`)).body;
    assert.deepEqual([detail.variables, detail.metadata], [data.variables, data.metadata]);
    const session = (await service.request('GET', `/api/sessions/${call_id}`)).body;
    assert.equal(session.session_data.more, 'a-session-datum');
    const scenario = await service.request('POST', `/api/calls/${call_id}/scenario`, { user: USER });
    assert.match(scenario.body.text, /look_up:\s+\{? ?return: .*zebulon/s);
    const listed = await service.request('GET', '/api/calls?include=last_transcript', { user: USER });
    assert.equal(listed.body.items[0].last_transcript.content, 'Hello, this is Zebulon of Straße 5');

    await service.request('POST', `/api/calls/${call_id}/end`);
    const report = await eventually(
      async () => {
        await service.app.reconcile();
        return receiver.received.map(({ body }) => JSON.parse(body)).find(({ type }) => type === 'call.report');
      },
      (one) => one !== undefined,
    );
    assert.equal(report.data.transcript[0].content, 'Hello, this is Zebulon of Straße 5');
    await service.app.reconcile();
    assert.deepEqual(await found(WORDS), []);
    for (const q of ['zebulon', 'HELLO straße', 'Zebulon, this'])
      assert.deepEqual(await search(service, q), [call_id], q);
    for (const q of ['zebulo', 'zebulon nobody']) assert.deepEqual(await search(service, q), [], q);
  });
});

test('what is newer than the index is found, too', () =>
  as(ON, async (service) => {
    const { call_id, room_name } = await answeredCall(service);
    await service.app.reconcile();
    await say(service, room_name, 'quintessence of newness');
    assert.deepEqual(await search(service, 'newness'), [call_id]);
    await eventually(
      async () => {
        await service.app.reconcile();
        const { rows } =
          await sql`select from call_words where session_id = ${call_id}::uuid and words::text like '%#%'`.execute(
            database.db,
          );
        return rows.length;
      },
      (count) => count === 1,
    );
    assert.deepEqual(await search(service, 'newness'), [call_id]);
  }));

test('turned on, older rows stay readable and searchable; turned off, encrypted ones do; a missing key is said', async () => {
  const clear = await as(OFF, async (service) => {
    const { call_id, room_name } = await answeredCall(service);
    await say(service, room_name, 'said in the clear');
    return { call_id, room_name };
  });
  const closed = await as(ON, async (service) => {
    assert.deepEqual(await textsOf(service, clear.call_id), ['said in the clear']);
    assert.deepEqual(await search(service, 'clea'), [clear.call_id], 'a beginning, among words in clear');
    const { call_id, room_name } = await answeredCall(service);
    await say(service, room_name, 'said behind closed doors');
    return { call_id, room_name };
  });
  await as(OFF, async (service) => {
    assert.deepEqual(await textsOf(service, closed.call_id), ['said behind closed doors']);
    assert.deepEqual(await search(service, 'doors'), [closed.call_id]);
    await say(service, closed.room_name, 'and after that in the clear');
    assert.deepEqual(await textsOf(service, closed.call_id), [
      'said behind closed doors',
      'and after that in the clear',
    ]);
  });
  const stranger = Buffer.alloc(32, 8).toString('base64');
  await as({ SECRETS_KEY: stranger }, async (service) => {
    const response = await fetch(`${service.url}/api/sessions/${closed.call_id}/transcripts`);
    assert.equal(response.status, 409);
    assert.equal(((await response.json()) as { code: string }).code, 'secret_unreadable');
    assert.deepEqual(await textsOf(service, clear.call_id), ['said in the clear']);
  });
});

test('a text that looks encrypted is refused, and one that is stored is what it is', () =>
  as(ON, async (service) => {
    const { call_id, room_name } = await answeredCall(service);
    const { rows } = await sql<{ id: string }>`select id from data_keys`.execute(database.db);
    const id = Buffer.from((rows[0]?.id ?? '').replaceAll('-', ''), 'hex').toString('base64');
    const texts = ['\u0001SBCt', `\u0001SBCt${id}`, `\u0001SBCt${id.slice(0, 22)}${'A'.repeat(80)}`];
    for (const content of texts) {
      const path = `/api/sessions/by-room/${room_name}/transcripts`;
      const { status, body } = await service.request('POST', path, { body: { content } });
      assert.deepEqual([status, body.detail?.[0]?.type], [422, 'string_sealed']);
    }
    await say(service, room_name, '\u0001');
    assert.deepEqual(await textsOf(service, call_id), ['\u0001']);
    for (const content of texts) {
      await database.db.updateTable('transcripts').set({ content }).where('session_id', '=', call_id).execute();
      assert.deepEqual(await textsOf(service, call_id), [content]);
    }
  }));

test('chats are encrypted, and continued and branched as ever', () =>
  as(ON, async (service) => {
    const agent_id = await createAgent(service);
    const opened = await service.request('POST', '/api/chats', {
      user: USER,
      body: { agent_id, variables: { one: 'a-variable' } },
    });
    assert.equal(opened.status, 201, JSON.stringify(opened.body));
    const { chat_id } = opened.body;
    await service.request('POST', `/api/chats/${chat_id}/messages`, {
      user: USER,
      body: { content: 'Is Zebulon there?' },
    });
    assert.equal((await textsOf(service, chat_id))[0], 'Is Zebulon there?');
    const left = (await found(['Zebulon'])).filter((one) => one.startsWith('transcripts'));
    assert.deepEqual(left, []);
  }));

test('an erasure destroys the key; a process that still remembers it writes with the next one', () =>
  as(ON, (one) =>
    as(ON, async (other) => {
      const before = await answeredCall(other);
      await say(other, before.room_name, 'remembered by the other');
      assert.equal((await one.request('DELETE', `/api/users/${USER}`)).status, 200);
      const keys = () => sql<{ id: string }>`select id from data_keys where user_id = ${USER}`.execute(database.db);
      assert.equal((await keys()).rows.length, 0);
      assert.equal((await say(other, before.room_name, 'too late')).status, 404);
      const { call_id, room_name } = await answeredCall(one);
      for (const headers of [{}, { 'idempotency-key': 'after-the-erasure' }])
        assert.equal((await say(other, room_name, 'said afterwards', headers)).status, 201);
      const key = (await keys()).rows[0]?.id;
      assert.ok(key);
      const { rows } = await sql<{ content: string }>`
        select encode(convert_to(content, 'utf8'), 'base64') as content from transcripts where session_id = ${call_id}::uuid`.execute(
        database.db,
      );
      for (const { content } of rows) assert.ok(Buffer.from(content, 'base64').toString().startsWith('\u0001SBCt'));
      assert.deepEqual(await textsOf(one, call_id), ['said afterwards', 'said afterwards']);
    }),
  ));
