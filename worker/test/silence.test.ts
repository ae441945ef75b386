// Callers who are silent because the agent does something for them, with the library's own session.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { initializeLogger, llm, voice } from '@livekit/agents';
import { watchSilence } from '../conversation/silence.ts';
import { counting } from '../conversation/tools.ts';
import { Loudspeaker } from './line.ts';
import { startSpoken } from './spoken-session.ts';
import { completion } from './stand-in.ts';
import { SPEAKS, Voice } from './voice.ts';

initializeLogger({ pretty: false, level: 'silent' });

const NO_FUNCTIONS = { tools: {}, realtime: null };

test('a caller who waits for a tool is neither prompted nor hung up on, and is prompted afterwards', async (t) => {
  const [begun, looked] = [Promise.withResolvers<void>(), Promise.withResolvers<string>()];
  const execute = () => {
    begun.resolve();
    return looked.promise;
  };
  const parameters = { type: 'object', properties: {} } as const;
  const look = llm.tool({ name: 'look', description: 'Looks it up.', parameters, execute }) as llm.FunctionTool;
  const { tools, isRunning } = counting([look], NO_FUNCTIONS, () => true);
  const { session, answer } = await startSpoken(t, tools);
  const acts: string[] = [];
  const prompted = Promise.withResolvers<void>();
  session.say = () => {
    acts.push('prompted');
    prompted.resolve();
    return undefined as never;
  };
  const silence = { timeoutMs: 100, message: 'Are you there?', maxPrompts: 1 };
  session.generateReply({ userInput: 'Where is my parcel?' });
  const call = { index: 0, id: 'call-1', type: 'function', function: { name: 'look', arguments: '{}' } };
  await answer(completion([{ content: 'One moment.' }, { tool_calls: [call] }], null, 'tool_calls'));
  await begun.promise;
  watchSilence(session, silence, () => acts.push('hung up'), isRunning)();
  // The library takes the agent for one that listens while the function goes on.
  while (session.agentState !== 'listening') await sleep(10);
  await sleep(1_000);
  assert.deepEqual([acts, isRunning()], [[], true]);
  looked.resolve('On its way.');
  await answer(completion([{ content: 'It is on its way.' }]));
  await prompted.promise;
  assert.equal(isRunning(), false);
});

test('a caller who answers prompts while the model is down is hung up on, and not once it works again', async (t) => {
  for (const isUpInTheEnd of [false, true]) {
    const session = new voice.AgentSession({ tts: new Voice(SPEAKS), vad: null, userAwayTimeout: null });
    session.output.audio = new Loudspeaker();
    await session.start({ agent: new voice.Agent({ instructions: '' }), record: false });
    t.after(() => session.close());
    const acts: string[] = [];
    session.say = () => {
      acts.push('prompted');
      return undefined as never;
    };
    watchSilence(session, { timeoutMs: 50, message: 'Are you there?', maxPrompts: 2 }, () => acts.push('hung up'))();
    const error = { type: 'llm_error', recoverable: false } as never;
    for (let turns = 1; turns <= 3; turns++) {
      session._updateUserState('speaking');
      session.emit(voice.AgentSessionEventTypes.Error, { error } as never);
      const metrics = { type: 'llm_metrics', ttftMs: turns === 3 && isUpInTheEnd ? 300 : -1 };
      session.emit(voice.AgentSessionEventTypes.MetricsCollected, { metrics } as never);
      session._updateUserState('listening');
      while (acts.length < turns) await sleep(10);
    }
    assert.deepEqual(acts, ['prompted', 'prompted', isUpInTheEnd ? 'prompted' : 'hung up']);
  }
});

test('a tool that fails runs no more', async () => {
  const execute = () => Promise.reject(new llm.ToolError('no'));
  const parameters = { type: 'object', properties: {} } as const;
  const { tools, isRunning } = counting(
    [llm.tool({ name: 'f', description: 'F.', parameters, execute })],
    NO_FUNCTIONS,
    () => true,
  );
  const [tool] = tools as llm.FunctionTool[];
  const run = tool?.execute({}, {} as never);
  assert.equal(isRunning(), true);
  await assert.rejects(async () => run, /no/);
  assert.equal(isRunning(), false);
});
