// Machines that ask on somebody's behalf who calls.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { initializeLogger, voice } from '@livekit/agents';
import { readConfig } from '../conversation/config.ts';
import { LocalLlm } from '../conversation/models/local.ts';
import { open } from '../conversation/opening.ts';
import type { Outcome } from '../conversation/voicemail.ts';
import { until } from './chat-service.ts';

initializeLogger({ pretty: false, level: 'silent' });

const ASKS =
  "Hi, the person you're calling is using a screening service. Go ahead and say your name, and why you're calling.";
const ANSWER = 'This is Anna of Example Ltd. I am calling about your order, Ada.';
const CONFIG = {
  instructions: 'Be brief.',
  greeting: 'Hello Ada, your order is here.',
  compliance: { disclosure: { text: 'This call is made by an AI.' } },
  recording: { enabled: true },
  screening: { identity: 'This is Anna of Example Ltd.', purpose: 'I am calling about your order, {{name}}.' },
};

/** A call that is answered by whoever says these words, one after the other, and these while the agent answers. */
async function call(
  t: TestContext,
  words: string[],
  config: object = {},
  meanwhile?: string,
  prepare: (session: voice.AgentSession) => void = () => {},
) {
  const turnHandling = { endpointing: { maxDelay: 1_200 } };
  const session = new voice.AgentSession({ vad: null, llm: new LocalLlm(), turnHandling, userAwayTimeout: null });
  const happened: string[] = [];
  session.on(voice.AgentSessionEventTypes.ConversationItemAdded, ({ item }) => {
    if (item.type === 'message' && item.role === 'assistant') happened.push(item.textContent ?? '');
  });
  await session.start({ agent: new voice.Agent({ instructions: 'Be brief.' }) });
  t.after(() => session.close());
  if (meanwhile) interject(session, meanwhile);
  prepare(session);
  const outcomes: Outcome[] = [];
  const opened = open({
    session,
    config: readConfig({ config: { ...CONFIG, ...config }, variables: { name: 'Ada' } }),
    isOutbound: true,
    detector: {},
    answered: (outcome) => outcomes.push(outcome),
    disclosed: () => {},
    record: async () => happened.push('recording') > 0,
    hangUp: () => happened.push('hung up'),
    watchCaller: () => happened.push('talking'),
  });
  let listening: voice.AMD | null = null;
  for (const said of words) {
    await until(() => session.amd !== null && session.amd !== listening);
    listening = session.amd;
    hear(session, said);
  }
  await opened;
  await until(() => outcomes.length > 0);
  return { happened, outcomes };
}

/** Somebody says this while the agent answers the machine. */
function interject(session: voice.AgentSession, transcript: string): void {
  const say = session.say.bind(session);
  session.say = (text, options) => {
    if (text === ANSWER) {
      const event = voice.createUserInputTranscribedEvent({ transcript, isFinal: true });
      queueMicrotask(() => session.emit(voice.AgentSessionEventTypes.UserInputTranscribed, event));
    }
    return say(text, options);
  };
}

/** As the library does when its speech detection and the recognizer notice something. */
function hear({ amd }: voice.AgentSession, words: string): void {
  amd?.onUserSpeechStarted();
  amd?.onUserSpeechEnded(250);
  amd?.onTranscript(words);
}

test('a machine that screens the call is told who calls and why, and the person who picks up hears the opening', async (t) => {
  const { happened, outcomes } = await call(t, [ASKS, 'Thanks. Please stay on the line.', 'Hello?']);
  assert.deepEqual(happened.slice(0, 3), [ANSWER, 'This call is made by an AI.', 'recording']);
  await until(() => happened.includes('Hello Ada, your order is here.'));
  assert.deepEqual(outcomes, [{ answered_by: 'human' }]);
});

test('a person who answers an agent that must not be interrupted hears the opening', async (t) => {
  let reply: voice.SpeechHandle | undefined;
  const { happened } = await call(t, ['Hello?'], {}, undefined, (session) => {
    const replies = async () => {
      await until(() => session.amd !== null);
      reply = session.generateReply({ userInput: 'Hello?', allowInterruptions: false });
    };
    void replies();
  });
  assert.deepEqual(happened.slice(0, 2), ['This call is made by an AI.', 'recording']);
  assert.ok(reply?.interrupted);
});

test('a call that nobody picks up ends as screening, and so does one that is refused', async (t) => {
  const screening = { ...CONFIG.screening, timeout_s: 1 };
  const [silent, refused] = await Promise.all([
    call(t, [ASKS], { screening }),
    call(t, [ASKS, 'The person you are calling is not available.']),
  ]);
  for (const { happened, outcomes } of [silent, refused]) {
    assert.deepEqual(happened, [ANSWER]);
    assert.deepEqual(outcomes, [{ answered_by: 'screening', hang_up: true }]);
  }
});

test('a machine that goes on asking is answered three times, and one that takes a message after all gets it', async (t) => {
  const voicemail = { action: 'leave_message', message: 'Please call us back.', wait_for_beep: false };
  const [asked, recorded] = await Promise.all([
    call(t, [ASKS, ASKS, ASKS, ASKS], { screening: { ...CONFIG.screening, timeout_s: 3 } }),
    call(t, [ASKS, 'Please leave a message after the tone.'], { voicemail }),
  ]);
  assert.deepEqual(asked.happened, [ANSWER, ANSWER, ANSWER]);
  assert.deepEqual(asked.outcomes, [{ answered_by: 'screening', hang_up: true }]);
  assert.deepEqual(recorded.happened, [ANSWER, 'This call is made by an AI.', 'Please call us back.']);
  assert.deepEqual(recorded.outcomes, [{ answered_by: 'voicemail' }, { answered_by: 'voicemail', hang_up: true }]);
});

test('somebody who picks up while the machine is answered is heard, and the rest of its question is not taken for one', async (t) => {
  const screening = { ...CONFIG.screening, timeout_s: 1 };
  const [person, rest] = await Promise.all([
    call(t, [ASKS], { screening }, 'Hello?'),
    call(t, [ASKS], { screening }, "And I'll see if this person is available."),
  ]);
  assert.deepEqual(person.outcomes, [{ answered_by: 'human' }]);
  assert.deepEqual(rest.outcomes, [{ answered_by: 'screening', hang_up: true }]);
});

test('somebody who asks is answered; whoever asks for a moment is waited for, and the call goes on', async (t) => {
  const screening = { ...CONFIG.screening, timeout_s: 3 };
  const [asks, waits, machine] = await Promise.all([
    call(t, [ASKS, 'Just a moment, who is this?']),
    call(t, [ASKS, 'Just a moment.'], { screening }),
    call(t, [ASKS, 'Please stay on the line.'], { screening }),
  ]);
  assert.deepEqual(asks.outcomes, [{ answered_by: 'human' }]);
  assert.deepEqual(waits.outcomes, [{ answered_by: 'human' }]);
  await until(() => waits.happened.includes('Hello Ada, your order is here.'));
  assert.deepEqual(machine.outcomes, [{ answered_by: 'screening', hang_up: true }]);
});

test('a mailbox that offers to hold is a mailbox', async (t) => {
  const voicemail = { action: 'leave_message', message: 'Please call us back.', wait_for_beep: false };
  const words = 'Please stay on the line or leave a message after the tone.';
  const { happened, outcomes } = await call(t, [ASKS, words], { voicemail });
  assert.deepEqual(outcomes, [{ answered_by: 'voicemail' }, { answered_by: 'voicemail', hang_up: true }]);
  assert.equal(happened.at(-1), 'Please call us back.');
});

test('without words for it the call goes on, and who answered is said all the same', async (t) => {
  const { happened, outcomes } = await call(t, [ASKS], { screening: null, voicemail: {} });
  assert.deepEqual(outcomes, [{ answered_by: 'screening' }]);
  assert.equal(happened[0], 'This call is made by an AI.');
});
