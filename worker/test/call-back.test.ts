// Calls back: a time is booked only after the person has answered to it, whatever the model does.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { llm } from '@livekit/agents';
import { createTools } from '../conversation/tools.ts';
import { startChats, until } from './chat-service.ts';
import { completion, events } from './stand-in.ts';

const TOOLS = { call_back: { earliest: '09:00', latest: '17:00', max: 7 } };
const AT = { date_time: '2026-01-17T15:00' };
const calling = (name: string, args: object, id: string) => ({
  tool_calls: [{ index: 0, id, type: 'function', function: { name, arguments: JSON.stringify(args) } }],
});

/** Chats whose model makes these calls, one after the other, and then says something. */
async function start(t: TestContext, calls: [string, object][]) {
  const chats = await startChats(t, (_asked, response) => {
    const [name, args] = calls.shift() ?? [];
    const said = name ? calling(name, args ?? {}, `call_${calls.length}`) : { content: 'Saturday at three?' };
    events(response, completion([said], null, name ? 'tool_calls' : 'stop'), '[DONE]');
  });
  return {
    ...chats,
    results: () =>
      chats
        .events()
        .filter(({ type }) => type === 'tool_result')
        .map(({ result, is_error }) => [result, is_error]),
    asked: (end: string) => chats.service.asked.filter(({ path }) => path.endsWith(end)).map(({ body }) => body),
  };
}

test('a model that confirms before the person has answered is refused, and may once they have', {
  timeout: 60_000,
}, async (t) => {
  const phone = { phone_number: '+15005550100' };
  const calls: [string, object][] = [
    ['confirm_call_back', AT],
    ['propose_call_back', { ...AT, ...phone, note: 'The offer' }],
    ['confirm_call_back', AT],
  ];
  const chats = await start(t, calls);
  chats.add('Call me back on Saturday.', { tools: TOOLS });
  await until(() => chats.outcomes.length === 1);
  const results = chats.results();
  assert.deepEqual(
    results.map(([, is_error]) => is_error),
    [true, false, true],
  );
  assert.match(results[1]?.[0], /Nothing is booked yet\. Read back: Saturday at three/);
  assert.match(results[2]?.[0], /wait until the person has agreed/);
  assert.deepEqual(chats.asked('/call-backs/propose'), [{ ...AT, ...phone, note: 'The offer' }]);
  assert.deepEqual(chats.asked('/call-backs/confirm'), []);
  // The next message, in another process perhaps: the chat remembers what was called.
  const call = { call_id: 'x', name: 'propose_call_back', arguments: AT, result: results[1]?.[0], is_error: false };
  calls.push(['confirm_call_back', AT]);
  chats.add('Yes.', { tools: TOOLS }, [
    { speaker: 'USER', content: 'Call me back on Saturday.' },
    { speaker: 'AGENT', content: 'Saturday at three?', tool_calls: [call] },
  ]);
  await until(() => chats.outcomes.length === 2);
  assert.deepEqual(chats.asked('/call-backs/confirm'), [AT]);
  assert.deepEqual(chats.results().at(-1), ['"The call back is booked."', false]);
});

test('a time that was not read back cannot be agreed to: the person may only have gone on speaking', async () => {
  const confirmed: string[] = [];
  const api = { confirmCallBack: async (at: string) => confirmed.push(at) };
  const [, confirm] = createTools(TOOLS, { call: {}, api, hasPhone: true } as never) as llm.FunctionTool[];
  const proposed = llm.FunctionCallOutput.create({
    callId: 'c',
    name: 'propose_call_back',
    output: '',
    isError: false,
  });
  const says = (role: 'user' | 'assistant', content: string) => llm.ChatMessage.create({ role, content });
  const book = async (...items: llm.ChatItem[]) => {
    const session = { currentAgent: { chatCtx: { items: [says('assistant', 'Hello.'), proposed, ...items] } } };
    return confirm?.execute(AT, { ctx: { session } } as never);
  };
  await assert.rejects(book(says('user', 'In the afternoon, please.')), /read the time back/);
  await assert.rejects(book(says('user', 'Please.'), says('assistant', 'At three?')), /read the time back/);
  await book(says('user', 'Please.'), says('assistant', 'At three?'), says('user', 'Yes.'));
  assert.deepEqual(confirmed, [AT.date_time]);
});

test('in chats and calls, the note has no secret that the agent redacts', { timeout: 60_000 }, async (t) => {
  const note = `The card 4242 4242 4242 4242 was declined. ${'Call back. '.repeat(40)}`.slice(0, 500);
  const chats = await start(t, [['propose_call_back', { ...AT, phone_number: '+15005550100', note }]]);
  chats.add('Call me back on Saturday.', { tools: TOOLS, privacy: { redact: ['card'] } });
  await until(() => chats.outcomes.length === 1);
  const [proposed] = chats.asked('/call-backs/propose');
  assert.match(proposed.note, /^The card \[card\] was declined\./);
  assert.ok(proposed.note.length <= 500);

  const told: object[] = [];
  const api = { proposeCallBack: async (one: object) => told.push(one) };
  const redact = (speaker: string, text: string) => `${speaker}: ${text.replaceAll(/\d/g, '#')}`;
  const deps = { call: {}, api, hasPhone: true, redact };
  const [propose] = createTools(TOOLS, deps as never) as llm.FunctionTool[];
  await propose?.execute({ ...AT, note: 'Card 4242' }, {} as never);
  await propose?.execute(AT, {} as never);
  assert.deepEqual(told, [{ ...AT, note: 'AGENT: Card ####' }, AT]);
});

test('agents offer it if their configuration has it; the number of a phone is not asked for', () => {
  const deps = { call: {}, room: {}, api: {}, hangUp: () => {}, functions: {}, mute: () => () => {} };
  const made = (call_back: object, hasPhone: boolean) =>
    createTools({ call_back }, { ...deps, hasPhone } as never) as unknown as llm.FunctionTool[];
  assert.deepEqual(made({ enabled: false }, true), []);
  const [propose, confirm] = made({}, true);
  assert.deepEqual([propose?.name, confirm?.name], ['propose_call_back', 'confirm_call_back']);
  const required = (tool: llm.FunctionTool | undefined) =>
    (tool?.parameters as { required?: string[] } | undefined)?.required;
  assert.deepEqual(required(propose), ['date_time']);
  assert.deepEqual(required(made({}, false)[0]), ['date_time', 'phone_number']);
});
