import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answeredCall, createAgent, reaches, USER } from '@switchboard/testkit/calls.ts';
import type { Json } from '@switchboard/testkit/client.ts';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { keysOf } from '@switchboard/testkit/keys.ts';
import { type Service, startService } from '@switchboard/testkit/service.ts';
import { sql } from 'kysely';
import { assertRefused } from '../support/answers.ts';
import { countingMedia, LIMITS, outreach } from '../support/campaigns.ts';
import { claim, complete, post, report, send, served, startChat, transcriptOf } from '../support/chats.ts';
import { findStored } from '../support/stored-text.ts';
import { tidy } from '../support/tidy.ts';

const DAY_MS = 24 * 3_600_000;
const MEMBER = { name: 'member_id', pattern: String.raw`\bM-\d{6}\b` };
const RULES = { redact: ['card'], custom: [MEMBER] };
const SAID = 'I am M-123456, card 4242424242424242.';
const KEPT = 'I am [member_id], card [card].';

const user = (service: Service, method: string, body?: object) =>
  service.request(method, `/api/users/${USER}`, { ...(body && { body }) });
const setPrivacy = async (service: Service, privacy: object | null) => {
  const { status, body } = await user(service, 'PATCH', { privacy });
  assert.equal(status, 200, JSON.stringify(body));
};
const say = async (service: Service, room_name: string, content = SAID) =>
  (await service.request('POST', `/api/sessions/by-room/${room_name}/transcripts`, { body: { content } })).body.content;
/** The privacy in the job of a call's worker. */
const redacted = async (service: Service, call_id: string) =>
  (await service.request('GET', `/api/calls/${call_id}/job`)).body.job.config.privacy;

/** A conversation of each kind, by its room; the calls also with their ids. */
const KINDS: Record<string, (service: Service, agent_id: string) => Promise<{ room_name: string; call_id?: string }>> =
  {
    'outbound call': (service, agent_id) => answeredCall(service, { agent_id }),
    'call in a browser': async (service, agent_id) =>
      (await service.request('POST', '/api/calls/web', { user: USER, body: { agent_id } })).body,
    'inbound call': async (service, agent_id) => {
      const phone_number = '+15005550010';
      await service.request('POST', '/api/telephony/numbers/assign', { body: { agent_id, phone_number } });
      const room_name = service.media.callIn(phone_number, '+15005550199') ?? assert.fail();
      const { body } = await eventually(
        () => service.request('GET', `/api/sessions/by-room/${room_name}`),
        (answer) => answer.body.call_status === 'ANSWERED',
      );
      return { room_name, call_id: body.id };
    },
    'session with an agent': async (service, agent_id) =>
      (await service.request('POST', '/api/sessions/', { body: { user_id: USER, agent_id } })).body,
    'session without an agent': async (service) =>
      (await service.request('POST', '/api/sessions/', { body: { user_id: USER } })).body,
  };

test('what a user redacts is replaced in conversations of every kind, and their workers told so', async () => {
  const service = await startService();
  const agent_id = await createAgent(service, { config: { privacy: { tool_calls: false } } });
  await setPrivacy(service, RULES);
  for (const [kind, begin] of Object.entries(KINDS)) {
    const { room_name, call_id } = await begin(service, agent_id);
    assert.equal(await say(service, room_name), KEPT, kind);
    if (call_id) assert.deepEqual(await redacted(service, call_id), { tool_calls: false, ...RULES }, kind);
  }
  assert.deepEqual(await findStored(service.database.db, ['M-123456', '4242424242424242']), []);
  await service.close();
});

test('what a user redacts is replaced in the calls of a campaign', async () => {
  const answering = '+15005551001';
  const { media } = countingMedia(answering);
  const service = await startService({ env: LIMITS, media });
  const { create, add, act, recipients } = await outreach(service);
  await setPrivacy(service, RULES);
  const id = await create();
  await add(id, [{ phone_number: answering }]);
  await act(id, 'start');
  const [{ attempts }] = await eventually(
    () => recipients(id),
    ([one]) => one.attempts.length > 0,
  );
  const [{ call_id }] = attempts;
  const { room_name } = await reaches(service, call_id, 'ANSWERED');
  assert.equal(await say(service, room_name), KEPT);
  assert.deepEqual(await redacted(service, call_id), RULES);
  await service.close();
});

test('what a user redacts is replaced in a chat, for the rules at its beginning', async () => {
  const service = await served();
  await setPrivacy(service, RULES);
  const agent_id = await createAgent(service, { config: { privacy: { redact: ['email'] } } });
  const chat_id = await startChat(service, { agent_id });
  await setPrivacy(service, null);
  void send(service, chat_id, SAID);
  const [task] = await claim(service);
  assert.ok(task);
  assert.deepEqual(task.payload.config.privacy, { redact: ['email', 'card'], custom: [MEMBER] });
  assert.deepEqual(await transcriptOf(service, chat_id), [['USER', KEPT]]);
  await service.request('POST', `/api/chats/${chat_id}/end`, { user: USER });
});

/** Sends a message that is answered with the same words, after a call of a tool with them; returns its task. */
async function talk(service: Service, chat_id: string): Promise<Json> {
  const answered = send(service, chat_id, SAID);
  const [task = assert.fail()] = await claim(service);
  const call = { call_id: 'c1', name: 'find', arguments: { who: SAID } };
  await report(service, task, { type: 'tool_call', ...call }, { type: 'tool_result', call_id: 'c1', result: SAID });
  await complete(service, task, SAID);
  assert.equal((await answered).status, 200);
  return task.payload;
}

const fork = async (service: Service, chat_id: string): Promise<string> => {
  const { status, body } = await post(service, `/api/chats/${chat_id}/fork`, {});
  assert.equal(status, 201, JSON.stringify(body));
  return body.chat_id;
};

test('a fork has the rules of its user and of its original, also for the words that it begins with', async () => {
  const service = await served();
  const original = await startChat(service);
  await talk(service, original);
  await setPrivacy(service, RULES);
  const chat_id = await fork(service, original);
  const [first, second] = [
    ['USER', KEPT],
    ['AGENT', KEPT],
  ] as [string[], string[]];
  assert.deepEqual(await transcriptOf(service, chat_id), [first, second]);
  const kept = { call_id: 'c1', name: 'find', arguments: { who: KEPT }, result: KEPT, is_error: false };
  const { messages } = await talk(service, chat_id);
  assert.deepEqual(messages[1].tool_calls, [kept]);
  await setPrivacy(service, { redact: ['email'] });
  const again = await fork(service, chat_id);
  const { config } = await talk(service, again);
  assert.deepEqual(config.privacy, { redact: ['card', 'email'], custom: [MEMBER] });
  assert.deepEqual(await transcriptOf(service, again), [first, second, first, second, first, second]);
  assert.deepEqual(await transcriptOf(service, original), [
    ['USER', SAID],
    ['AGENT', SAID],
  ]);
});

test('a fork is kept no longer than its original, nor than the rules at its beginning say', async () => {
  const service = await served();
  const { db } = service.database;
  const until = async (id: string) => {
    const row = db.selectFrom('sessions').where('id', '=', id);
    return row.select(['transcripts_until', 'recordings_until', 'metadata_until']).executeTakeFirstOrThrow();
  };
  await setPrivacy(service, { keep: { transcripts_days: 2, metadata_days: 3 } });
  const original = await startChat(service);
  const before = await until(original);
  assert.ok(before.transcripts_until && before.metadata_until);
  await setPrivacy(service, null);
  const first = await fork(service, original);
  assert.deepEqual(await until(first), before);
  await setPrivacy(service, { keep: { transcripts_days: 4, recordings_days: 1, metadata_days: 1 } });
  const second = await until(await fork(service, first));
  assert.deepEqual(second.transcripts_until, before.transcripts_until);
  assert.deepEqual(second.recordings_until, second.metadata_until);
  assert.ok(second.metadata_until && second.metadata_until < before.metadata_until);
});

test('forks of forks have the calls of tools of messages of the last two days', async () => {
  const service = await served();
  const { db } = service.database;
  const age = (id: string) =>
    sql`update transcripts set timestamp = timestamp - interval '25 hours' where session_id = ${id}::uuid`.execute(db);
  const callsIn = async (id: string) => {
    const calls = db.selectFrom('chat_tool_calls').select('calls').where('session_id', '=', id);
    return (await calls.execute()).length;
  };
  const original = await startChat(service);
  await talk(service, original);
  await age(original);
  const first = await fork(service, original);
  assert.equal(await callsIn(first), 1);
  await age(first);
  await talk(service, first);
  assert.equal(await callsIn(first), 2);
  const second = await fork(service, first);
  assert.equal(await callsIn(second), 1, 'that of the last message, as the time of the first one is the original’s');
  assert.equal((await transcriptOf(service, second)).length, 4);
});

test('a conversation gets what its agent or its user redacts, once, and keeps it', async () => {
  const service = await startService();
  const other = { name: 'order', pattern: 'O-[0-9]+' };
  const agent_id = await createAgent(service, {
    config: { language: 'en-US', privacy: { redact: ['email', 'card'], custom: [other, MEMBER] } },
  });
  await setPrivacy(service, RULES);
  const call = await answeredCall(service, { agent_id });
  await setPrivacy(service, null);
  const line = `${SAID} Order O-77, ann@example.com, (415) 555-2671.`;
  assert.equal(await say(service, call.room_name, line), `${KEPT} Order [order], [email], (415) 555-2671.`);
  assert.deepEqual(await redacted(service, call.call_id), { redact: ['email', 'card'], custom: [other, MEMBER] });
  const { room_name } = await answeredCall(service);
  assert.equal(await say(service, room_name), SAID);
  await service.close();
});

test('words are deleted after the shorter time that agent and user say', async () => {
  const clock = createTestClock();
  const service = await startService({ clock });
  /** Says a word in a call that is kept for these days by its agent and by its user. */
  const talk = async (word: string, agent: number | null, owner: number | null) => {
    const keep = (days: number | null) => ({ keep: { metadata_days: 1, ...(days && { transcripts_days: days }) } });
    await setPrivacy(service, keep(owner));
    const agent_id = await createAgent(service, { config: agent ? { privacy: keep(agent) } : {} });
    const { call_id, room_name } = await answeredCall(service, { agent_id });
    await say(service, room_name, word);
    await service.request('POST', `/api/calls/${call_id}/end`, { user: USER, body: {} });
  };
  await talk('zebulon', 4, 2);
  await talk('yggdrasil', 2, 4);
  await talk('xanadu', null, 2);
  await talk('wolpertinger', null, null);
  const words = ['zebulon', 'yggdrasil', 'xanadu', 'wolpertinger'];
  const kept = async () => {
    await tidy(service);
    const found = await findStored(service.database.db, words);
    return words.filter((word) => found.includes(`transcripts: ${word}`));
  };
  clock.advance(1.5 * DAY_MS);
  assert.deepEqual(await kept(), words);
  clock.advance(DAY_MS);
  assert.deepEqual(await kept(), ['wolpertinger']);
  await service.close();
});

test('the privacy of a user is shown, replaced as a whole, removed, checked, audited, and erased with it', async () => {
  const service = await startService();
  assert.equal((await user(service, 'GET')).body.privacy, null);
  const [first, second] = [RULES, { keep: { recordings_days: 30 } }];
  await setPrivacy(service, first);
  await user(service, 'PATCH', { legal_hold: true });
  await setPrivacy(service, second);
  assert.deepEqual((await user(service, 'GET')).body, { user_id: USER, legal_hold: true, privacy: second });
  const both = { legal_hold: false, privacy: null };
  assert.deepEqual((await user(service, 'PATCH', both)).body, { user_id: USER, ...both });
  const { items } = (await service.request('GET', '/api/audit?action=user.privacy_changed')).body;
  assert.deepEqual(
    items.map(({ user_id, before, after }: Json) => [user_id, before, after]),
    [
      [USER, { privacy: second }, { privacy: null }],
      [USER, { 'privacy.redact': first.redact, 'privacy.custom': first.custom }, { 'privacy.keep': second.keep }],
      [USER, { privacy: null }, { privacy: first }],
    ],
  );
  const wrong = await user(service, 'PATCH', { privacy: { custom: [{ name: 'bad', pattern: '(a' }] } });
  assert.deepEqual([wrong.status, wrong.body.detail[0].loc], [422, ['body', 'privacy', 'custom', 0, 'pattern']]);
  for (const body of [{}, { privacy: { redact: ['names'] } }, { privacy: { tool_calls: false } }])
    assert.equal((await user(service, 'PATCH', body)).status, 422, JSON.stringify(body));
  await setPrivacy(service, first);
  assert.equal((await user(service, 'DELETE')).status, 200);
  assert.equal((await user(service, 'GET')).body.privacy, null);
});

test('users do not change their privacy with their own keys', async () => {
  const service = await startService({ env: { AUTH_MODE: 'required' } });
  const { key } = await keysOf(service.database).create({ name: 'u', role: 'user', user_id: USER });
  const headers = { authorization: `Bearer ${key}` };
  const answer = await service.request('PATCH', `/api/users/${USER}`, { headers, body: { privacy: null } });
  assertRefused(answer, 403, 'role_not_allowed');
  await service.app.reconcile();
  const { key: operator } = await keysOf(service.database).create({ name: 's', role: 'service' });
  const log = { headers: { authorization: `Bearer ${operator}` } };
  const { items } = (await service.request('GET', '/api/audit?outcome=refused', log)).body;
  const refused = items.map(({ action, detail }: Json) => [action, detail]);
  assert.deepEqual(refused, [['user.changed', '403 role_not_allowed']], 'not as a change of a legal hold');
});
