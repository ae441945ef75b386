// A consultation with the library's own session, and a model that is asked.
import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { initializeLogger, llm, log, voice } from '@livekit/agents';
import { RoomEvent } from '@livekit/rtc-node';
import { readConfig } from '../conversation/config.ts';
import { createConsultation } from '../conversation/consultation.ts';
import { musicOf } from '../conversation/hold-music.ts';
import { createLanguageModel } from '../conversation/models.ts';
import { createWritingSession } from '../conversation/session.ts';
import { HearingAgent } from '../conversation/sounds.ts';
import { completion, events, startStandIn } from './stand-in.ts';

initializeLogger({ pretty: false, level: 'silent' });

const TARGET = { identity: 'transfer-1' };
const BRIEFING = 'It is about an invoice.';
const BACK = 'I am with you again.';

/** A consultation of an agent that has welcomed a caller. */
async function lab() {
  const model = await startStandIn({
    http: (_asked, response) => events(response, completion([{ content: BACK }]), '[DONE]'),
  });
  const baseUrls = new Map([[`${model.origin}/v1`, 'key']]);
  const config = readConfig({ config: { llm: { base_url: `${model.origin}/v1` } }, variables: {} });
  const session = createWritingSession(createLanguageModel(config, { keys: {}, baseUrls }, () => {}));
  const said: string[] = [];
  session.on(voice.AgentSessionEventTypes.ConversationItemAdded, ({ item }) => {
    if (item.type === 'message') said.push(item.textContent ?? '');
  });
  const until = async (words: string) => {
    while (!said.some((text) => text.includes(words))) await sleep(10);
  };
  const agent = new HearingAgent({ instructions: 'Be brief.' }, () => 0);
  await session.start({ agent, record: false });
  await session.say('Welcome.').waitForPlayout();
  const room = new EventEmitter();
  const consultation = createConsultation({
    session,
    agent,
    room: room as never,
    api: { briefing: async () => BRIEFING, endConsultation: async () => ({}) as never },
    intercept: agent.intercept,
    mute: () => () => {},
    music: () => musicOf(null, () => assert.fail()),
    quieten: () => () => {},
    log: log(),
  });
  const close = async () => {
    await session.close();
    await model.close();
  };
  return { model, session, agent, room, consultation, until, close };
}

test('a target that decides before it is known who has answered: what follows is said at once', async () => {
  const { room, consultation, until, close } = await lab();
  const begun = performance.now();
  consultation.attend(TARGET as never, () => assert.fail());
  room.emit(RoomEvent.DtmfReceived, 2, '2', TARGET);
  await until('Goodbye.');
  room.emit(RoomEvent.ParticipantDisconnected, TARGET);
  await until(BACK);
  const ms = performance.now() - begun;
  assert.ok(ms < 3_500, `${ms} ms: as long as somebody may be silent who has answered`);
  await close();
});

test('after a target has declined, the model knows nothing of what was said to it, and all that the caller has heard', async () => {
  const { model, session, agent, room, consultation, until, close } = await lab();
  consultation.attend(TARGET as never, () => assert.fail());
  await until(BRIEFING);
  room.emit(RoomEvent.DtmfReceived, 2, '2', TARGET);
  await until('Goodbye.');
  room.emit(RoomEvent.ParticipantDisconnected, TARGET);
  await until(BACK);
  assert.match(JSON.stringify(model.asked.at(-1)?.body.messages), /did not take the call/);
  // As the library adds words whose sound was cut off: once that has ended, however long after the consultation.
  const { ConversationItemAdded } = voice.AgentSessionEventTypes;
  const cut = (content: string) => {
    const item = llm.ChatMessage.create({ role: 'assistant', content, interrupted: true });
    agent._chatCtx.insert(item);
    session.emit(ConversationItemAdded, voice.createConversationItemAddedEvent(item));
  };
  for (const words of ['To take the', 'We open at']) cut(words);
  await session.generateReply({ userInput: 'Are you there?' }).waitForPlayout();
  const told = JSON.stringify(model.asked.at(-1)?.body.messages);
  for (const text of ['Welcome.', 'We open at', BACK]) assert.ok(told.includes(text), told);
  for (const text of [BRIEFING, 'Goodbye.', 'To take the']) assert.ok(!told.includes(text), told);
  await close();
});
