import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { answeredCall, createAgent, USER } from '@switchboard/testkit/calls.ts';
import type { Json } from '@switchboard/testkit/client.ts';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startReceiver } from '@switchboard/testkit/receiver.ts';
import { type Service, startService } from '@switchboard/testkit/service.ts';
import { claim, complete, post, report, send, served, startChat, transcriptOf } from '../support/chats.ts';
import { findStored } from '../support/stored-text.ts';

/** After this time without news a call is reported. */
const QUIET_MS = 61_000;
const REDACT = ['card', 'iban', 'ssn', 'email', 'phone'];
const CONFIG = {
  instructions: 'Be brief.',
  privacy: { redact: REDACT, custom: [{ name: 'member_id', pattern: String.raw`\bM-\d{6}\b` }] },
};
/** As they are said, and the bytes that may be nowhere. */
const SECRETS: [said: string, secret: string, kept: string][] = [
  ['My card is 4242 4242 4242 4242.', '4242 4242', 'My card is [card].'],
  ['five five double five, triple five five, five five five five, double four double four', 'double', '[card]'],
  ['Auf DE89370400440532013000 bitte.', '370400440532013000', 'Auf [iban] bitte.'],
  ['My social is 123-45-6789.', '123-45-6789', 'My social is [ssn].'],
  ['It’s zebulon dot smith at example dot com.', 'zebulon', 'It’s [email].'],
  ['Call (415) 555-2671.', '555-2671', 'Call [phone].'],
  ['I am M-123456.', 'M-123456', 'I am [member_id].'],
];

const say = (service: Service, room_name: string, content: string, speaker = 'USER') =>
  service.request('POST', `/api/sessions/by-room/${room_name}/transcripts`, { body: { content, speaker } });

async function missed(service: Service): Promise<Record<string, number>> {
  const answer = await fetch(`${service.url}/metrics`);
  const lines = (await answer.text()).matchAll(/^redaction_missed_total\{kind="(\w+)"\} (\d+)$/gm);
  return Object.fromEntries(Array.from(lines, ([, kind, count]) => [kind, Number(count)]));
}

test('what a worker has not replaced is replaced before it is written: no byte of it is anywhere', async () => {
  const clock = createTestClock();
  const [service, receiver] = [await startService({ clock }), await startReceiver()];
  const agent_id = await createAgent(service, { config: CONFIG });
  const { call_id, room_name } = await answeredCall(service, { agent_id, callback_url: `${receiver.url}/all` });
  for (const [said, , kept] of SECRETS) {
    const { status, body } = await say(service, room_name, said);
    assert.deepEqual([status, body.content], [201, kept]);
  }
  await service.request('POST', `/api/calls/${call_id}/end`);
  await eventually(
    async () => {
      clock.advance(QUIET_MS);
      await service.app.reconcile();
      return receiver.received.map(({ body }) => body).join('\n');
    },
    (bodies) => bodies.includes('[member_id]'),
  );
  const secrets = SECRETS.map(([, secret]) => secret);
  assert.deepEqual(await findStored(service.database.db, secrets), []);
  const sent = receiver.received.map(({ body }) => body).join('\n');
  const logged = service.logged().join('\n');
  const seen = JSON.stringify((await service.request('GET', `/api/sessions/${call_id}/transcripts`)).body);
  for (const secret of secrets) assert.ok(![sent, logged, seen].some((text) => text.includes(secret)), secret);
  assert.deepEqual(await missed(service), { card: 2, iban: 1, ssn: 1, email: 1, phone: 1, custom: 1 });
});

test('the search for bytes finds what is stored without redaction', async () => {
  const service = await startService();
  const { room_name } = await answeredCall(service);
  for (const [said] of SECRETS) assert.equal((await say(service, room_name, said)).body.content, said);
  const found = await findStored(service.database.db, ['4242 4242', 'M-123456']);
  assert.deepEqual(found, ['transcripts: 4242 4242', 'transcripts: M-123456']);
  assert.deepEqual(await missed(service), {});
});

test('a number in several lines of one speaker is followed', async () => {
  const service = await startService();
  const agent_id = await createAgent(service, { config: CONFIG });
  const { room_name } = await answeredCall(service, { agent_id });
  const contents: string[] = [];
  for (const [content, speaker] of [
    ['What is your card number?', 'AGENT'],
    ['4242', 'USER'],
    ['Go on.', 'AGENT'],
    ['four two four two', 'USER'],
    ['4242', 'USER'],
    ['4242', 'USER'],
  ] as const)
    contents.push((await say(service, room_name, content, speaker)).body.content);
  assert.deepEqual(contents, ['What is your card number?', '[card]', 'Go on.', '[card]', '[card]', '[card]']);
});

test('calls keep the rules that their agent had when they began', async () => {
  const service = await startService();
  const agent_id = await createAgent(service, { config: CONFIG });
  const { room_name } = await answeredCall(service, { agent_id });
  await service.request('PATCH', `/api/agents/${agent_id}`, { user: USER, body: { config: {} } });
  assert.equal((await say(service, room_name, 'I am M-123456.')).body.content, 'I am [member_id].');
});

test('conversations of every kind carry the rules', async () => {
  const service = await startService();
  const agent_id = await createAgent(service, { config: CONFIG });
  const web = await service.request('POST', '/api/calls/web', { user: USER, body: { agent_id } });
  const session = await service.request('POST', '/api/sessions/', { body: { user_id: USER, agent_id } });
  assert.deepEqual([web.status, session.status], [201, 201]);
  for (const { room_name } of [web.body, session.body])
    assert.equal((await say(service, room_name, 'I am M-123456.')).body.content, 'I am [member_id].');
});

test('in a chat, messages, answers, streamed words, arguments and results are redacted', async () => {
  const service = await served();
  const agent_id = await createAgent(service, { config: CONFIG });
  const chat_id = await startChat(service, { agent_id, variables: {} });
  const sending = send(service, chat_id, 'I am M-123456, card 4242424242424242.');
  const [task] = await claim(service);
  assert.ok(task);
  assert.equal(task.payload.messages.at(-1).content, 'I am [member_id], card [card].');
  const call = { call_id: 'a', name: 'look_up', arguments: { member: 'M-123456', card: 4242424242424242 } };
  const { status } = await report(
    service,
    task,
    { type: 'words', text: 'Hello M-123456' },
    { type: 'tool_call', ...call },
    { type: 'tool_result', call_id: 'a', result: '{"email":"ann@example.com"}', is_error: false },
  );
  assert.ok(status < 300);
  await complete(service, task, 'You are M-123456.');
  const { body } = await sending;
  assert.equal(body.content, 'You are [member_id].');
  const [tool] = body.tool_calls as Json[];
  assert.deepEqual(tool?.arguments, { member: '[member_id]', card: '[card]' });
  assert.equal(tool?.result, '{"email":"[email]"}');
  assert.deepEqual(await findStored(service.database.db, ['M-123456', '4242424242424242', 'ann@example']), []);
  assert.deepEqual(await transcriptOf(service, chat_id), [
    ['USER', 'I am [member_id], card [card].'],
    ['AGENT', 'You are [member_id].'],
  ]);
  // The user's own message is no report of a worker.
  assert.deepEqual(await missed(service), { custom: 3, card: 1, email: 1 });
  await post(service, `/api/chats/${chat_id}/end`);
});

for (const [how, env] of [
  ['as it is', {}],
  ['encrypted', { ENCRYPT_CONTENT: 'true', SECRETS_KEY: randomBytes(32).toString('base64') }],
] as [string, Record<string, string>][])
  test(`a number over messages of a chat is followed whichever process gets them; stored ${how}`, async () => {
    const asked = await served(env);
    const replicas = [asked, await served(env, asked.database), await served(env, asked.database)];
    const of = (index: number) => replicas[index % replicas.length] ?? asked;
    const agent_id = await createAgent(asked, { config: CONFIG });
    const chat_id = await startChat(asked, { agent_id, variables: {} });
    const lines = [
      ['Hello.', 'What is your social security number?'],
      ['123456789', 'And your card number?'],
      ['4242', 'Go on.'],
      ['four two four two', 'Go on.'],
      ['4242', 'And the last four?'],
      ['4242', 'Thank you.'],
    ] as const;
    for (const [index, [said, answer]] of lines.entries()) {
      const sending = send(of(index), chat_id, said);
      const [task = assert.fail()] = await claim(of(index));
      await complete(of(index + 1), task, answer);
      assert.equal((await sending).status, 200);
    }
    const said = (await transcriptOf(asked, chat_id)).flatMap(([speaker, content]) =>
      speaker === 'USER' ? [content] : [],
    );
    assert.deepEqual(said, ['Hello.', '[ssn]', '[card]', '[card]', '[card]', '[card]']);
    for (const service of replicas.toReversed()) await service.close();
  });

test('a wrong pattern is refused with its place, and does not stop a call', async () => {
  const service = await startService();
  const config = { privacy: { redact: ['card'], custom: [{ name: 'bad', pattern: '(a' }] } };
  const { body } = await service.request('POST', '/api/schemas/agent-config/validate', {
    user: USER,
    body: { config },
  });
  const [problem] = body.problems as Json[];
  assert.deepEqual(problem?.loc, ['config', 'privacy', 'custom', 0, 'pattern']);
  assert.match(String(problem?.msg), /missing closing \)/);
  const agent_id = await createAgent(service, { config });
  const { room_name } = await answeredCall(service, { agent_id });
  assert.equal((await say(service, room_name, 'Card 4242424242424242')).body.content, 'Card [card]');
});
