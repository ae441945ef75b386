// A colleague talks in place of the agent, in a room and with a voice that are those of the test.
import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { test } from 'node:test';
import { initializeLogger, llm, voice } from '@livekit/agents';
import { RoomEvent } from '@livekit/rtc-node';
import { HearingAgent } from '../conversation/sounds.ts';
import { createTakeover } from '../conversation/takeover.ts';

initializeLogger({ pretty: false, level: 'silent' });

const COLLEAGUE = { identity: 'colleague-1' };

function lab({
  model = {},
  isBusy = false,
  isTaken = false,
}: {
  model?: object;
  isBusy?: boolean;
  isTaken?: boolean;
} = {}) {
  const done: unknown[] = [];
  let [isConsulting, isEntering, isUninterruptible, isClosing] = [false, false, false, false];
  let quiet = 0;
  const agent = new HearingAgent({ instructions: 'Be kind.' }, () => 0);
  const session = Object.assign(new EventEmitter(), {
    llm: model,
    interrupt: (options?: { force: boolean }) => {
      if (isClosing) throw new Error('AgentSession is not running');
      if (isUninterruptible && !options?.force) throw new Error('The speech disallows interruptions.');
      done.push(['interrupt', options]);
    },
    generateReply: ({ instructions }: { instructions: string }) => done.push(['reply', instructions]),
    input: { setAudioEnabled: (isEnabled: boolean) => done.push(['hears', isEnabled]) },
  });
  // The library sets it as the agent starts.
  Object.defineProperty(agent, 'session', { value: session });
  const remoteParticipants = new Map<string, object>(isTaken ? [[COLLEAGUE.identity, COLLEAGUE]] : []);
  const room = Object.assign(new EventEmitter(), { remoteParticipants });
  const takeover = createTakeover({
    session: session as never,
    agent,
    room: room as never,
    farewell: { isBegun: () => isBusy },
    consultation: { isOn: () => isConsulting },
    isEntering: () => isEntering,
    quieten: () => {
      quiet++;
      return () => quiet--;
    },
    log: { info() {}, error: (about) => assert.fail(String(about)) },
  });
  if (!isTaken) assert.equal(takeover.take(), 'busy');
  takeover.possibleFrom(() => {})();
  const says = (content: string) =>
    agent.onUserTurnCompleted(llm.ChatContext.empty(), llm.ChatMessage.create({ role: 'user', content }));
  return {
    done,
    agent,
    takeover,
    isQuiet: () => quiet > 0,
    consults: (isOn: boolean) => {
      isConsulting = isOn;
    },
    enters: (isOn: boolean) => {
      isEntering = isOn;
    },
    speaksOn: () => {
      isUninterruptible = true;
    },
    closes: () => {
      isClosing = true;
    },
    /** Whether what the caller says now is answered. */
    isAnswered: (words: string) =>
      says(words).then(
        () => true,
        (error: unknown) => {
          assert.ok(error instanceof voice.StopResponse);
          return false;
        },
      ),
    comes: () => {
      remoteParticipants.set(COLLEAGUE.identity, COLLEAGUE);
      room.emit(RoomEvent.ParticipantConnected, COLLEAGUE);
    },
    leaves: () => {
      remoteParticipants.delete(COLLEAGUE.identity);
      room.emit(RoomEvent.ParticipantDisconnected, COLLEAGUE);
    },
    /** A function of the agent ends. */
    isTold: () => session.emit(voice.AgentSessionEventTypes.FunctionToolsExecuted, {}),
    /** Begins a speech of the agent; returns how it has been interrupted. */
    says: () => {
      const interruptions: unknown[] = [];
      const speechHandle = { interrupt: (force: boolean) => interruptions.push(force), done: () => false };
      session.emit(voice.AgentSessionEventTypes.SpeechCreated, { speechHandle });
      return interruptions;
    },
    /** Whether something that the agent would say now is kept back. */
    isKeptBack: () => {
      let wasInterrupted = false;
      const speechHandle = { interrupt: () => (wasInterrupted = true), done: () => true };
      session.emit(voice.AgentSessionEventTypes.SpeechCreated, { speechHandle });
      return wasInterrupted;
    },
  };
}

/** Lets promises that are settled be handled. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

test('the agent stops at once, and answers nothing, until the colleague has left', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { done, takeover, agent, isAnswered, isKeptBack, isQuiet, comes, leaves } = lab();
  assert.ok((await isAnswered('Hello?')) && !isKeptBack());
  assert.equal(takeover.take(), null);
  assert.deepEqual(done, [['interrupt', undefined]]);
  comes();
  t.mock.timers.tick(600_000);
  assert.ok(!(await isAnswered('I have lost my card.')) && isKeptBack() && isQuiet() && takeover.isOn());
  leaves();
  t.mock.timers.tick(2_000);
  await settle();
  assert.ok((await isAnswered('Are you there?')) && !isKeptBack() && !isQuiet() && !takeover.isOn());
  assert.equal(done.length, 2);
  assert.match(String(done[1]), /given the caller back to you.*Do not greet/);
  assert.match(String(agent.instructions), /^Be kind\.\n\nA colleague of yours has talked to the caller/);
  const last = agent.chatCtx.items.at(-1);
  const words = agent.chatCtx.items.flatMap((item) => (item.type === 'message' ? (item.textContent ?? []) : []));
  assert.ok(words.includes('I have lost my card.'), JSON.stringify(last));
});

test('a colleague who does not come: the agent goes on, and knows of nobody', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { done, takeover, agent } = lab();
  takeover.take();
  t.mock.timers.tick(24_000);
  assert.ok(takeover.isOn());
  t.mock.timers.tick(1_000);
  await settle();
  assert.ok(!takeover.isOn());
  assert.match(String(done[1]), /interrupted by mistake/);
  assert.equal(agent.instructions, 'Be kind.');
});

test('a colleague who comes late, or whose browser reconnects, is not talked over', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { done, takeover, comes, leaves } = lab();
  comes();
  assert.ok(takeover.isOn());
  leaves();
  t.mock.timers.tick(1_900);
  comes();
  t.mock.timers.tick(60_000);
  assert.ok(takeover.isOn());
  assert.deepEqual(done, [['interrupt', undefined]]);
});

test('nobody takes over twice, nor from an agent that must not be interrupted', () => {
  const { takeover } = lab();
  assert.deepEqual([takeover.take(), takeover.take()], [null, 'taken']);
  const busy = lab({ isBusy: true });
  assert.equal(busy.takeover.take(), 'busy');
  assert.deepEqual([busy.done, busy.takeover.isOn()], [[], false]);
});

test('a realtime model hears nothing meanwhile: it would answer', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { done, takeover } = lab({ model: Object.create(llm.RealtimeModel.prototype) });
  takeover.take();
  t.mock.timers.tick(25_000);
  await settle();
  assert.deepEqual(done.slice(0, 3), [
    ['hears', false],
    ['interrupt', undefined],
    ['hears', true],
  ]);
});

test('last words wait until the colleague has left, and the agent says nothing else then', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { done, takeover } = lab();
  takeover.whenBack(() => done.push('at once'));
  takeover.take();
  takeover.whenBack(() => done.push('last words'));
  assert.deepEqual(done, ['at once', ['interrupt', undefined]]);
  t.mock.timers.tick(25_000);
  await settle();
  assert.deepEqual(done.slice(2), ['last words']);
});

test('the agent still talks to the target of an attended transfer that has answered meanwhile', () => {
  const { takeover, consults, isKeptBack } = lab();
  takeover.take();
  consults(true);
  assert.ok(!isKeptBack());
  consults(false);
  assert.ok(isKeptBack());
});

test('keys are entered to their end, without anybody taking over; words that must not be interrupted are', () => {
  const { done, takeover, enters, speaksOn } = lab();
  enters(true);
  assert.equal(takeover.take(), 'busy');
  enters(false);
  speaksOn();
  assert.equal(takeover.take(), null);
  assert.deepEqual(done, [['interrupt', { force: true }]]);
});

test('what the agent would say of a function that runs is not said to a colleague, even if nothing may interrupt it', () => {
  const { takeover, says, isTold } = lab();
  const interruptions = says();
  isTold();
  takeover.take();
  // By these, the library would end the function.
  assert.deepEqual(interruptions, []);
  isTold();
  assert.deepEqual(interruptions, [true]);
});

test('an agent that comes into a room in which a colleague talks already is silent', () => {
  const { takeover, isKeptBack } = lab({ isTaken: true });
  assert.ok(takeover.isOn() && isKeptBack());
});

test('a colleague whom nobody hears any more, because the session closes, does not end the process', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { takeover, enters, comes, closes } = lab();
  enters(true);
  comes();
  closes();
  enters(false);
  t.mock.timers.tick(500);
  assert.ok(takeover.isOn());
});
