// Callers who interrupt a sentence in which a tool was called, with the library's own session.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { initializeLogger, llm } from '@livekit/agents';
import { outlasting } from '../conversation/outlasting.ts';
import type { ToolRun } from '../conversation/tool-reports.ts';
import { counting, createTools } from '../conversation/tools.ts';
import { createStandIns } from '../scenario/stand-ins.ts';
import { startSpoken } from './spoken-session.ts';
import { completion } from './stand-in.ts';

initializeLogger({ pretty: false, level: 'silent' });

const SENTENCE = 'I am booking Tuesday at three for you, in the name that you have given me before.';
const FUNCTIONS = [{ name: 'book', description: 'Books.', url: 'https://example.com' }];
const CONFIG = { tools: { functions: FUNCTIONS }, realtime: null };
const ALONE = { isRunning: () => false, maySpeak: () => true };
const parameters = { type: 'object', properties: {} } as const;

/** A session whose agent calls a tool in a sentence that the caller interrupts once the tool runs. */
async function interrupted(t: TestContext, tool: llm.ToolContextEntry, args = {}) {
  const { model, session, answer } = await startSpoken(t, [tool]);
  const { name } = tool as llm.FunctionTool;
  const call = { index: 0, id: 'call-1', type: 'function', function: { name, arguments: JSON.stringify(args) } };
  const reply = session.generateReply({ userInput: 'Tuesday at three.' });
  await answer(completion([{ content: SENTENCE }, { tool_calls: [call] }], null, 'tool_calls'));
  const isCalled = () => session.history.items.some(({ type }) => type === 'function_call');
  while (!isCalled() || session.agentState !== 'speaking') await sleep(10);
  await session.interrupt().await;
  assert.equal(reply.interrupted, true);
  /** The messages of the next request to the model. */
  const asked = async () => {
    await answer(completion([{ content: 'Of course.' }]));
    return JSON.stringify(model.asked.at(-1)?.body.messages);
  };
  const ask = (userInput: string) => {
    session.generateReply({ userInput });
    return asked();
  };
  return { session, model, asked, ask };
}

test('a function whose sentence is interrupted goes on, and the agent tells its result once it is there', async (t) => {
  const booked = Promise.withResolvers<string>();
  const execute = async (_args: object, { abortSignal }: { abortSignal?: AbortSignal }) => {
    const result = await booked.promise;
    return abortSignal?.aborted ? 'given up' : result;
  };
  const book = llm.tool({ name: 'book', description: 'Books.', parameters, execute });
  const { tools, isRunning } = counting([book], CONFIG, () => true);
  const { ask, asked } = await interrupted(t, tools[0] ?? assert.fail());
  assert.match(await ask('Great, thanks.'), /"tool_call_id":"call-1".*Do not call it again/s);
  // Nobody prompts the caller meanwhile.
  assert.equal(isRunning(), true);
  booked.resolve('Booked: 4711.');
  const messages = await asked();
  assert.match(messages, /"tool_call_id":"call-1".*Booked: 4711/s);
  assert.doesNotMatch(messages, /Do not call it again/);
  assert.equal(isRunning(), false);
});

test('a result that comes while the agent answers is told afterwards, once, and calls nothing', async (t) => {
  const booked = Promise.withResolvers<string>();
  const book = llm.tool({ name: 'book', description: 'Books.', parameters, execute: () => booked.promise });
  const { ask, asked, model, session } = await interrupted(t, outlasting(book, CONFIG, ALONE));
  await ask('Make it Wednesday.');
  while (session.agentState !== 'speaking') await sleep(10);
  const asks = model.asked.length;
  booked.resolve('Booked: 4711.');
  assert.match(await asked(), /Booked: 4711/);
  assert.deepEqual([model.asked.length, model.asked.at(-1)?.body.tool_choice], [asks + 1, 'none']);
  await ask('And the address?');
  await sleep(300);
  assert.equal(model.asked.length, asks + 2);
});

test('a result waits for the answer to another tool, which came before it and does not have it', async (t) => {
  let isRunning = true;
  const booked = Promise.withResolvers<string>();
  const book = llm.tool({ name: 'book', description: 'Books.', parameters, execute: () => booked.promise });
  const around = { ...ALONE, isRunning: () => isRunning };
  const { asked, model } = await interrupted(t, outlasting(book, CONFIG, around));
  const asks = model.asked.length;
  booked.resolve('Booked: 4711.');
  await sleep(300);
  assert.equal(model.asked.length, asks);
  isRunning = false;
  assert.match(await asked(), /The result of book has arrived.*Booked: 4711/s);
});

test('a function that runs when the session closes is given up, and does not hold it up', async (t) => {
  const given = Promise.withResolvers<boolean>();
  const execute = (_args: object, { abortSignal }: { abortSignal: AbortSignal }) =>
    new Promise<never>((_resolve, reject) => {
      abortSignal.addEventListener('abort', () => {
        given.resolve(true);
        reject(abortSignal.reason);
      });
    });
  const book = llm.tool({ name: 'book', description: 'Books.', parameters, execute });
  const { session } = await interrupted(t, outlasting(book, CONFIG, { ...ALONE, maySpeak: () => false }));
  assert.equal(await Promise.race([given.promise, sleep(500, false)]), false);
  await session.close();
  assert.equal(await given.promise, true);
});

test('a function that a scenario plays goes on, too, and what a caller has prevented is recorded as not done', async (t) => {
  const played = Promise.withResolvers<{ text: string; isError: false; endsCall: false }>();
  const tools = { hang_up: true, functions: FUNCTIONS };
  const keys = { room: {}, variables: {}, collects: assert.fail, isPlayed: () => true, state: ALONE };
  const standIns = createStandIns(
    { tools, compliance: { optOut: null }, realtime: null } as never,
    () => played.promise,
    keys as never,
  );
  const { asked } = await interrupted(t, standIns.at(-1) ?? assert.fail());
  played.resolve({ text: '"Booked."', isError: false, endsCall: false });
  assert.match(await asked(), /"tool_call_id":"call-1".*Booked/s);

  const runs: ToolRun[] = [];
  const deps = { call: { variables: {} }, hangUp: assert.fail, ran: (run: ToolRun) => runs.push(run) };
  const [hangUp] = createTools({ hang_up: true }, deps as never);
  await (await interrupted(t, hangUp ?? assert.fail())).ask('Wait.');
  assert.deepEqual(
    runs.map(({ result }) => result),
    [{ error: 'Not done: the caller interrupted.' }],
  );
});

test('keys that are pressed twice in one answer are pressed one after the other', async () => {
  const pressed: string[] = [];
  const localParticipant = { publishDtmf: async (_code: number, key: string) => pressed.push(key) };
  const deps = { call: { variables: {} }, room: { localParticipant } } as never;
  const [tool] = createTools({ dtmf: true }, deps) as llm.FunctionTool[];
  const press = (digits: string) => tool?.execute({ digits }, {} as never);
  await Promise.all([press('12'), press('34')]);
  assert.deepEqual(pressed, ['1', '2', '3', '4']);
});

test('a line that talks into each goodbye is hung up on in the end', async () => {
  let hungUp = 0;
  const [tool] = createTools({ hang_up: true }, { call: { variables: {} }, hangUp: () => hungUp++ } as never);
  const options = { ctx: { waitForPlayout: async () => {} }, abortSignal: AbortSignal.abort() } as never;
  const goodbye = async () => (tool as llm.FunctionTool).execute({} as never, options);
  for (let times = 0; times < 3; times++) await assert.rejects(goodbye, /Not done/);
  await goodbye();
  assert.equal(hungUp, 1);
});

test('whoever interrupts the goodbye, or the announcement of a transfer, is neither hung up on nor transferred', async (t) => {
  const acts: string[] = [];
  const call = { variables: {} };
  const deps = { call, hangUp: () => acts.push('hung up'), api: { transfer: async () => acts.push('transferred') } };
  const destinations = [{ name: 'sales', phone_number: '+15005550100' }];
  const tools = createTools({ hang_up: true, transfer: { destinations } } as object, deps as never);
  for (const [tool, args] of [
    [tools[0], {}],
    [tools[1], { destination: 'sales' }],
  ] as [llm.ToolContextEntry, object][]) {
    const { ask } = await interrupted(t, tool, args);
    await ask('Wait, one more question.');
  }
  assert.deepEqual(acts, []);
});
