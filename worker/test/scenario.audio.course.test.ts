// The course of a call in a test, step by step, and what ends it early: without a room, with a caller of no sound.
import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { test } from 'node:test';
import { RoomEvent } from '@livekit/rtc-node';
import { NotHeld, type Spoken } from '@switchboard/scenarios/agent';
import type { Step } from '@switchboard/scenarios/schema';
import { createNoticed, type SpokenAgent } from '../scenario/audio/agent.ts';
import { type Caller, createMicrophone } from '../scenario/audio/caller.ts';
import { createLimit } from '../scenario/audio/limit.ts';
import { play } from '../scenario/audio/play.ts';
import { RATE } from '../scenario/audio/sound.ts';
import { stepsOf } from '../scenario/audio/steps.ts';
import { createTurns } from '../scenario/audio/turns.ts';

const QUESTION = 'When do you open on Sunday?';
const COLLECTED = { name: 'collect_pin', arguments: {}, text: '42', isError: false, ms: 0 };
/** Longer than the silence after which an answer is over. */
const WHILE_MS = 1_500;

/** A call of which a test decides what the agent does while the caller speaks, or presses keys. */
function createCall() {
  const turns = createTurns(
    () => 0,
    null,
    () => 'p/m',
  );
  const call = {
    turns,
    ends: null as Spoken['ends'],
    collects: false,
    said: (): void => {},
    pressed: (): void => {},
    hungUp: false,
    closed: (): void => {},
    play: (...script: Step[]) =>
      play(stepsOf({ script }, null), { agent, caller, speak, beep: null, signal: AbortSignal.timeout(60_000) }, false),
  };
  const speak = async () => new Int16Array();
  const agent = {
    ...turns,
    ends: () => call.ends,
    isSpeaking: () => false,
    isBusy: () => false,
    noticed: () => true,
    collects: () => call.collects,
    close: async () => call.closed(),
  } as unknown as SpokenAgent;
  const caller = {
    say: async () => call.said(),
    press: async () => call.pressed(),
    hangUp: async () => {
      call.hungUp = true;
    },
    hears: () => false,
    answeredMs: () => null,
  } as unknown as Caller;
  return call;
}

test('a caller is heard after words that nobody has answered', async () => {
  const call = createCall();
  call.turns.transcript('USER', 'Please hold on.');
  call.said = () => {
    call.turns.transcript('USER', QUESTION);
    call.turns.transcript('AGENT', 'At ten.');
  };
  assert.deepEqual(await call.play({ say: QUESTION }), { end: 'script_over', missing: [] });
  assert.deepEqual(
    call.turns.turns.map(({ heard }) => heard),
    ['Please hold on.', QUESTION],
  );
});

test('keys are pressed while the agent waits for them, and nothing else happens then', async () => {
  const lasts: Step[] = [{ dtmf: '2' }, { hang_up: true }];
  for (const last of lasts) {
    const times = last.dtmf === undefined ? 1 : 2;
    const call = createCall();
    const pressed: boolean[] = [];
    call.said = () => {
      call.turns.transcript('USER', 'Take my number.');
      call.collects = true;
    };
    const stop = () => {
      call.turns.called(COLLECTED);
      call.collects = false;
    };
    call.pressed = () => {
      pressed.push(call.collects);
      if (pressed.length === times) setTimeout(stop, WHILE_MS);
    };
    const { missing } = await call.play({ say: 'Take my number.' }, { dtmf: '4' }, last);
    assert.deepEqual([missing, call.collects, call.hungUp], [[], false, last.hang_up === true]);
    assert.deepEqual(pressed, Array(times).fill(true));
    assert.deepEqual(call.turns.turns.at(-1)?.calls, [COLLECTED]);
  }
});

test('a call that the agent ends while the caller speaks has ended, with the words until then', async () => {
  const call = createCall();
  call.said = () => {
    call.ends = 'agent_hung_up';
  };
  call.closed = () => call.turns.transcript('USER', 'When');
  assert.deepEqual(await call.play({ say: QUESTION }), { end: 'agent_hung_up', missing: [] });
  assert.equal(call.turns.turns[0]?.heard, 'When');
});

test('somebody who speaks into noise is noticed, for the noise has already been', () => {
  const session = Object.assign(new EventEmitter(), { userState: 'listening' });
  const noticed = createNoticed(session as never);
  session.userState = 'speaking';
  session.emit('user_state_changed', { newState: 'speaking' });
  const later = Date.now() + 1_000;
  assert.equal(noticed(later), true);
  session.userState = 'listening';
  assert.equal(noticed(later), false);
  assert.equal(noticed(0), true);
});

test('what lasts too long, or loses its room, is given up', async () => {
  const never = new Promise<void>(() => {});
  const late = createLimit(60);
  assert.equal(await late.race(Promise.resolve(1)), 1);
  await assert.rejects(
    late.race(never),
    (error) => error instanceof NotHeld && /longer than 0.001 min/.test(`${error}`),
  );
  assert.equal(late.signal.aborted, true);

  const room = new EventEmitter();
  const lost = createLimit(60_000);
  lost.follow(room as never);
  room.emit(RoomEvent.Disconnected);
  await assert.rejects(lost.race(never), (error) => error instanceof NotHeld && /lost/.test(`${error}`));
  assert.equal(lost.signal.aborted, true);
  lost.clear();
});

test('a caller whose sound is no longer taken says so, now and later', async () => {
  let frames = 0;
  const send = async () => {
    await new Promise((resolve) => setImmediate(resolve));
    if (++frames === 3) throw new Error('the source is closed');
  };
  const microphone = createMicrophone(send, (frame) => frame);
  const speech = new Int16Array(RATE).fill(1_000);
  for (const _ of ['now', 'later']) await assert.rejects(microphone.say(speech), NotHeld);
  await microphone.close();
});

test('a line is told which packets are words, and what it makes of them is sent', async () => {
  const sent: (Int16Array | null)[] = [];
  const send = async (packet: Int16Array | null) => {
    await new Promise((resolve) => setImmediate(resolve));
    sent.push(packet);
  };
  const told: boolean[] = [];
  const microphone = createMicrophone(send, (packet, isSpoken) => {
    told.push(isSpoken);
    return isSpoken ? null : packet.fill(7);
  });
  await microphone.say(new Int16Array(RATE / 10).fill(1_000));
  await microphone.close();
  assert.equal(told.filter(Boolean).length, 5);
  assert.deepEqual(
    sent.map((packet) => packet?.[0] ?? null),
    told.map((isSpoken) => (isSpoken ? null : 7)),
  );
});
