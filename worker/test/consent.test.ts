// Consent to a recording: whether the caller has heard what they are asked, and who answers.
import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { ReadableStream } from 'node:stream/web';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { initializeLogger, llm, voice } from '@livekit/agents';
import { RoomEvent } from '@livekit/rtc-node';
import { createFarewell, type Disclosure, disclose } from '../conversation/compliance.ts';
import { HearingAgent } from '../conversation/sounds.ts';
import { askForConsent } from '../recording/consent.ts';
import { Loudspeaker } from './line.ts';
import { BREAKS_OFF, type Course, FAILS, SPEAKS, STALLS, Voice } from './voice.ts';

initializeLogger({ pretty: false, level: 'silent' });

const MESSAGE = 'This call is recorded.';
/** The library's own session with such a voice, and a room with the caller. */
async function start(t: TestContext, course: Course) {
  // Ten seconds, unless it is told otherwise.
  const session = new voice.AgentSession({ tts: new Voice(course), vad: null, ttsReadIdleTimeout: 500 });
  session.output.audio = new Loudspeaker();
  const agent = new HearingAgent({ instructions: '' }, () => 0);
  await session.start({ agent, record: false });
  t.after(() => session.close());
  const room = Object.assign(new EventEmitter(), { remoteParticipants: new Map([['phone', {}]]) });
  const intercepted: unknown[] = [];
  const ask = (type: 'stay_on_line' | 'verbal' | 'dtmf', isAway = () => false) =>
    askForConsent(
      session,
      room as never,
      { type, message: MESSAGE, onRefusal: 'continue_unrecorded' },
      (hear) => {
        intercepted.push(hear);
        return agent.intercept(hear);
      },
      isAway,
    );
  /** A turn of the caller, as the library tells of it. It is rejected unless a model would answer. */
  const says = (content: string) =>
    agent.onUserTurnCompleted(llm.ChatContext.empty(), llm.ChatMessage.create({ role: 'user', content }));
  return { session, agent, room, intercepted, ask, says };
}

test('who stays on the line consents only to a message that was heard to its end', async (t) => {
  for (const [course, expected] of [
    [SPEAKS, 'given'],
    [FAILS, 'refused'],
    [BREAKS_OFF, 'refused'],
    [STALLS, 'refused'],
  ] as const) {
    const { ask } = await start(t, course);
    assert.equal(await ask('stay_on_line'), expected, course.join());
  }
});

test('a message is whole, or is not, whatever other words of the agent are prepared beside it or given up', async (t) => {
  for (const [course, expected] of [
    [SPEAKS, 'given'],
    [STALLS, 'refused'],
  ] as const) {
    const { ask, agent, session } = await start(t, course);
    const answer = ask('stay_on_line');
    const other = (await agent.ttsNode(ReadableStream.from(['Hello?']), {})) ?? assert.fail();
    await (course === SPEAKS ? other.getReader().read() : other.cancel());
    assert.equal(await answer, expected, course.join());
    await session.close();
  }
});

test('a message right after other words of the agent is heard too', async (t) => {
  const { ask, session } = await start(t, SPEAKS);
  await disclose(session, MESSAGE, () => {});
  assert.equal(await ask('stay_on_line'), 'given');
  session.say(MESSAGE);
  assert.equal(await ask('stay_on_line'), 'given');
});

test('a question that nobody has heard is not waited for: the caller has nothing to answer', async (t) => {
  const { ask } = await start(t, FAILS);
  for (const type of ['verbal', 'dtmf'] as const) {
    const begun = performance.now();
    assert.equal(await ask(type), 'refused');
    // The time that an answer is waited for.
    assert.ok(performance.now() - begun < 10_000, type);
  }
});

test('a disclosure that breaks off is not complete, and one without a sound was not made', async (t) => {
  const told: Disclosure[] = [];
  for (const course of [SPEAKS, BREAKS_OFF, STALLS, FAILS])
    await disclose((await start(t, course)).session, MESSAGE, (one) => told.push(one));
  assert.deepEqual(
    told.map(({ is_complete }) => is_complete),
    [true, false, false],
  );
});

test('a key of the target of a transfer, who takes the call by it, is no consent of the caller', async (t) => {
  const { ask, room } = await start(t, SPEAKS);
  const press = (key: string, identity: string) => room.emit(RoomEvent.DtmfReceived, Number(key), key, { identity });
  const answer = ask('dtmf');
  while (room.listenerCount(RoomEvent.DtmfReceived) === 0) await sleep(10);
  press('1', 'transfer-1');
  press('2', 'phone');
  assert.equal(await answer, 'refused');
  const consent = ask('dtmf');
  while (room.listenerCount(RoomEvent.DtmfReceived) === 0) await sleep(10);
  press('1', 'phone');
  assert.equal(await consent, 'given');
});

test('a caller who is on hold meanwhile has not consented, and nothing is taken from the one who is asked then', async (t) => {
  const { ask, intercepted, session } = await start(t, SPEAKS);
  let isAway = false;
  session.once(voice.AgentSessionEventTypes.AgentStateChanged, () => {
    isAway = true;
  });
  assert.equal(await ask('stay_on_line', () => isAway), 'refused');
  intercepted.length = 0;
  assert.equal(await ask('verbal', () => isAway), 'refused');
  assert.deepEqual(intercepted, []);
});

test('nothing is answered beside last words that begin as the caller answers', async (t) => {
  for (const isLast of [true, false]) {
    const { ask, session, agent, says } = await start(t, SPEAKS);
    const { finish } = createFarewell({ session, silence: () => agent.intercept(() => {}), hangUp: () => {} });
    const said = once(session, voice.AgentSessionEventTypes.ConversationItemAdded);
    const answer = ask('verbal');
    await said;
    await sleep(100);
    const turn = says('No, never call me again.');
    if (isLast) finish('Goodbye.');
    await assert.rejects(turn, voice.StopResponse);
    assert.equal(await answer, 'refused');
    const next = says('Are you there?');
    await (isLast ? assert.rejects(next, voice.StopResponse) : next);
  }
});
