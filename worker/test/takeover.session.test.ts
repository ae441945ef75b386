// A colleague talks in place of the agent, with the library's own session and a model that is asked.
import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { initializeLogger, log, voice } from '@livekit/agents';
import { RoomEvent } from '@livekit/rtc-node';
import { readConfig } from '../conversation/config.ts';
import { createLanguageModel } from '../conversation/models.ts';
import { createWritingSession } from '../conversation/session.ts';
import { HearingAgent } from '../conversation/sounds.ts';
import { createTakeover } from '../conversation/takeover.ts';
import { completion, events, startStandIn } from './stand-in.ts';

initializeLogger({ pretty: false, level: 'silent' });

const COLLEAGUE = { identity: 'colleague-1' };

test('turns of the caller are in the transcript, have no answer meanwhile, and are known afterwards', async () => {
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
  const agent = new HearingAgent({ instructions: 'Be brief.' }, () => 0);
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
  const { activity } = session as unknown as { activity: { onEndOfTurn(info: object): Promise<boolean> } };
  const turn = (newTranscript: string) => activity.onEndOfTurn({ newTranscript, transcriptConfidence: 1 });
  const until = async (line: string) => {
    while (!said.includes(line)) await sleep(10);
  };

  await turn('When do you open?');
  await answer('At ten.');
  await until('assistant: At ten.');
  await turn('And on Sunday?');
  while (waiting.length === 0) await sleep(10);
  assert.equal(takeover.take(), null);
  remoteParticipants.set(COLLEAGUE.identity, COLLEAGUE);
  room.emit(RoomEvent.ParticipantConnected, COLLEAGUE);
  await answer('Too late.').catch(() => {});
  const asked = model.asked.length;
  await turn('I have lost my card.');
  await until('user: I have lost my card.');
  session.generateReply({ userInput: 'Is anybody there?' });
  await sleep(300);
  assert.equal(model.asked.length, asked);
  remoteParticipants.clear();
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
