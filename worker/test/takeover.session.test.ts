// A colleague talks in place of the agent, with the library's own session and a model that is asked.
import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { initializeLogger, llm, log, voice } from '@livekit/agents';
import { RoomEvent } from '@livekit/rtc-node';
import { readConfig } from '../conversation/config.ts';
import { createLanguageModel } from '../conversation/models.ts';
import { createWritingSession } from '../conversation/session.ts';
import { HearingAgent } from '../conversation/sounds.ts';
import { createTakeover } from '../conversation/takeover.ts';
import { completion, events, startStandIn } from './stand-in.ts';

initializeLogger({ pretty: false, level: 'silent' });

const COLLEAGUE = { identity: 'colleague-1' };

/** A session with a model that is the test's, and a colleague who can take over. */
async function start(tools: readonly llm.FunctionTool[] = []) {
  const waiting: ServerResponse[] = [];
  const model = await startStandIn({ http: (_asked, response) => void waiting.push(response) });
  const answer = async (content: string) => {
    while (waiting.length === 0) await sleep(10);
    for (const one of waiting.splice(0)) events(one, completion([{ content }]), '[DONE]');
  };
  const baseUrls = new Map([[`${model.origin}/v1`, 'key']]);
  const config = readConfig({ config: { llm: { base_url: `${model.origin}/v1` } }, variables: {} });
  const session = createWritingSession(createLanguageModel(config, { keys: {}, baseUrls }, () => {}));
  const said: string[] = [];
  session.on(voice.AgentSessionEventTypes.ConversationItemAdded, ({ item }) => {
    if (item.type === 'message') said.push(`${item.role}: ${item.textContent}`);
  });
  const agent = new HearingAgent({ instructions: 'Be brief.', tools }, () => 0);
  await session.start({ agent, record: false });
  const remoteParticipants = new Map<string, object>();
  const room = Object.assign(new EventEmitter(), { remoteParticipants });
  const isOff = () => false;
  const takeover = createTakeover({
    session,
    agent,
    room: room as never,
    farewell: { isBegun: isOff },
    consultation: { isOn: isOff },
    isEntering: isOff,
    quieten: () => () => {},
    log: log(),
  });
  takeover.possibleFrom(() => {})();
  // As the library's own recognition of speech ends a turn.
  const { activity } = session as unknown as {
    activity: { onEndOfTurn(info: object): Promise<boolean>; _currentSpeech?: object };
  };
  const turn = (newTranscript: string) => activity.onEndOfTurn({ newTranscript, transcriptConfidence: 1 });
  const until = async (line: string) => {
    while (!said.includes(line)) await sleep(10);
  };
  return { model, waiting, answer, session, activity, said, takeover, room, turn, until };
}

test('turns of the caller are in the transcript, have no answer meanwhile, and are known afterwards', async () => {
  const { model, waiting, answer, session, said, takeover, room, turn, until } = await start();
  await turn('When do you open?');
  await answer('At ten.');
  await until('assistant: At ten.');
  await turn('And on Sunday?');
  while (waiting.length === 0) await sleep(10);
  assert.equal(takeover.take(), null);
  room.remoteParticipants.set(COLLEAGUE.identity, COLLEAGUE);
  room.emit(RoomEvent.ParticipantConnected, COLLEAGUE);
  await answer('Too late.').catch(() => {});
  const asked = model.asked.length;
  await turn('I have lost my card.');
  await until('user: I have lost my card.');
  session.generateReply({ userInput: 'Is anybody there?' });
  await sleep(300);
  assert.equal(model.asked.length, asked);
  room.remoteParticipants.clear();
  room.emit(RoomEvent.ParticipantDisconnected, COLLEAGUE);
  await answer('I am there again.');
  await until('assistant: I am there again.');
  const told = JSON.stringify(model.asked.at(-1)?.body.messages);
  for (const text of ['I have lost my card.', 'A colleague of yours has talked', 'Do not greet'])
    assert.ok(told.includes(text), text);
  await turn('Thank you.');
  await answer('You are welcome.');
  await until('assistant: You are welcome.');
  assert.deepEqual(
    said.filter((line) => line.startsWith('assistant')),
    ['assistant: At ten.', 'assistant: I am there again.', 'assistant: You are welcome.'],
  );
});

test('a function that runs goes on to its end, and is not spoken of, even if the reply must not be interrupted', async () => {
  const [begun, looked] = [Promise.withResolvers<void>(), Promise.withResolvers<string>()];
  const execute = async () => {
    begun.resolve();
    return looked.promise;
  };
  const parameters = { type: 'object', properties: {} } as const;
  const { model, waiting, session, activity, takeover } = await start([
    llm.tool({ name: 'look', description: 'Looks it up.', parameters, execute }) as llm.FunctionTool,
  ]);
  const reply = session.generateReply({ userInput: 'Where is my parcel?', allowInterruptions: false });
  while (waiting.length === 0) await sleep(10);
  const call = { index: 0, id: 'call-1', type: 'function', function: { name: 'look', arguments: '{}' } };
  for (const one of waiting.splice(0)) events(one, completion([{ tool_calls: [call] }], null, 'tool_calls'), '[DONE]');
  await begun.promise;
  // Other speech could begin then.
  while (activity._currentSpeech) await sleep(10);
  assert.equal(takeover.take(), null);
  looked.resolve('On its way.');
  await reply.waitForPlayout();
  await sleep(100);
  assert.deepEqual([model.asked.length, reply.interrupted], [1, true]);
});
