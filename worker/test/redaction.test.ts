import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import type { WorkerJob } from '@switchboard/client';
import { openOutbox } from '@switchboard/client/outbox';
import { readConfig } from '../conversation/config.ts';
import { openRedactor, redactLines, redactOutput } from '../conversation/redaction.ts';
import { readPrices } from '../switchboard/prices.ts';
import { createSwitchboard } from '../switchboard/switchboard.ts';
import { startChats, until } from './chat-service.ts';
import { completion, events, startStandIn } from './stand-in.ts';

const privacy = {
  redact: ['card', 'email'],
  custom: [{ name: 'member_id', pattern: String.raw`\bM-\d{6}\b` }],
};
const CARD = 'four two four two four two four two four two four two four two four two';

function configOf(section: unknown) {
  return readConfig({ config: { privacy: section, language: 'en-US' }, variables: {} });
}

function redactorOf(section: unknown) {
  const rules = configOf(section).privacy;
  assert.ok(rules);
  return openRedactor(rules);
}

test('the outbox holds lines without their secrets', async (t) => {
  const dir = await mkdtemp(path.join(tmpdir(), 'redaction-'));
  t.after(() => rm(dir, { recursive: true }));
  const switchboard = createSwitchboard({
    call: { room_name: 'room', session_id: 's', user_id: 'u', agent_id: 'a' } as WorkerJob,
    outbox: await openOutbox(dir),
    prices: readPrices(null),
    job_id: 'job',
    redact: redactLines(redactorOf(privacy)),
    redactText: (text) => redactorOf(privacy).redact(text).text,
    log: { error: (details: object) => assert.fail(JSON.stringify(details)) } as never,
  });
  switchboard.transcript('USER', `My card is ${CARD}, of ann@example.com.`);
  switchboard.transcript('AGENT', 'Card number 4242 4242 4242 4242, member M-123456.');
  switchboard.tool({
    name: 'look_up',
    called_at: new Date().toISOString(),
    arguments: { member: 'M-123456', card: 4242424242424242 },
    result: { value: { mail: 'ann@example.com' } },
  });
  await switchboard.settled();
  const files = await readdir(dir, { recursive: true, withFileTypes: true });
  const texts = files.filter((file) => file.isFile()).map((file) => readFile(path.join(file.parentPath, file.name)));
  const stored = Buffer.concat(await Promise.all(texts)).toString();
  assert.ok(stored.includes('My card is [card], of [email].'), stored);
  assert.ok(stored.includes('Card number [card], member [member_id].'), stored);
  assert.ok(stored.includes('"arguments":{"member":"[member_id]","card":"[card]"}'), stored);
  for (const secret of ['four two', '4242 4242', '42424242', 'ann@', 'M-123456'])
    assert.ok(!stored.includes(secret), secret);
});

test('lines of the log are redacted, and stay JSON with their times', () => {
  const written: string[] = [];
  const output = new Writable({
    write: (chunk, _encoding, done) => {
      written.push(String(chunk));
      done();
    },
  });
  redactOutput(output as never, redactorOf(privacy));
  const line = {
    level: 20,
    time: 1_767_225_600_000,
    pid: 42,
    'lk.pii.transcript': `It is ${CARD}`,
    msg: 'end of user turn',
  };
  output.write(`${JSON.stringify(line)}\n`);
  output.write('Error: M-123456 has failed\n');
  assert.equal(
    written.join(''),
    `${JSON.stringify({ ...line, 'lk.pii.transcript': 'It is [card]' })}\nError: [member_id] has failed\n`,
  );
});

test('a number that is said in several lines is followed in the log, too', () => {
  const written: string[] = [];
  const output = { write: (chunk: string) => written.push(chunk) > 0 };
  redactOutput(output as never, redactorOf(privacy));
  const log = (name: string, text: string) =>
    output.write(JSON.stringify({ level: 20, time: 1, pid: 42, [`lk.pii.${name}`]: text, msg: 'a word or two more' }));
  log('message', 'What is your card number?');
  for (const group of ['4242', '4242 4242', '4242 4242', '4242']) {
    log('user_transcript', group);
    log('transcript', group);
  }
  log('participant_identity', 'browser');
  const said = written.map((line) => Object.values(JSON.parse(line) as object)[3]);
  const groups = Array.from({ length: 8 }, () => '[card]');
  assert.deepEqual(said, ['What is your card number?', ...groups, 'browser']);
});

test('a chat tells and stores redacted words, arguments and results; model and function get what was said', async (t) => {
  const words = (...texts: string[]) => texts.map((content) => ({ content }));
  const shop = await startStandIn({ http: (_asked, response) => void response.end('{"email":"ann@example.com"}') });
  t.after(shop.close);
  const {
    add,
    model,
    sent,
    events: told,
  } = await startChats(t, ({ body }, response) => {
    const isAfter = body.messages.at(-1).role === 'tool';
    const args = JSON.stringify({ member: 'M-123456' });
    const call = {
      tool_calls: [{ index: 0, id: 'one', type: 'function', function: { name: 'find', arguments: args } }],
    };
    const chunks = isAfter ? words('You are M-12', '3456, card 4242 4242 ', '4242 4242.') : [call];
    events(response, completion(chunks), '[DONE]');
  });
  const functions = [{ name: 'find', description: 'Finds a member.', url: `${shop.origin}/find` }];
  add('I am M-123456.', { privacy, tools: { functions } });
  await until(() => sent('/complete').length === 1);
  assert.equal(sent('/complete')[0].result.content, 'You are [member_id], card [card].');
  assert.deepEqual(
    told().filter(({ type }) => type !== 'usage'),
    [
      { type: 'tool_call', call_id: 'one', name: 'find', arguments: { member: '[member_id]' } },
      { type: 'tool_result', call_id: 'one', result: '{"email":"[email]"}', is_error: false },
      { type: 'words', text: 'You are [member_id], card [card].' },
    ],
  );
  assert.deepEqual(shop.asked[0]?.body.arguments, { member: 'M-123456' });
  const messages = JSON.stringify(model.asked[1]?.body.messages);
  for (const secret of ['I am M-123456.', 'ann@example.com']) assert.ok(messages.includes(secret), secret);
});

test('a configuration that redacts nothing has no rules, and a wrong one is refused with its place', () => {
  for (const section of [undefined, null, {}, { redact: [], custom: [] }])
    assert.equal(configOf(section).privacy, null);
  assert.throws(() => configOf({ redact: ['cards'] }), /privacy\.redact must be a list of card, iban/);
  assert.throws(() => configOf({ custom: [{ name: 'a' }] }), /privacy\.custom must be a list of objects/);
  const wrong = configOf({ custom: [{ name: 'bad', pattern: '(a' }] }).privacy;
  assert.throws(() => openRedactor(wrong ?? { kinds: [] }), /the pattern bad: missing closing \)/);
});
