import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { initializeLogger, llm } from '@livekit/agents';
import { RoomEvent } from '@livekit/rtc-node';
import { SwitchboardError } from '@switchboard/client';
import { answerIn, consult, isAttended } from '../conversation/consultation.ts';
import { musicOf, sampleAt } from '../conversation/hold-music.ts';
import { isMachine } from '../conversation/voicemail.ts';

initializeLogger({ pretty: false, level: 'silent' });

const TARGET = { identity: 'transfer-1' };
const BRIEFING = 'It is about an invoice.';

/** A consultation whose room and voice are those of the test. */
function lab(api: object = {}, model?: object) {
  const said: string[] = [];
  const linked: string[] = [];
  let hear: ((words: string) => void) | null = null;
  let [quiet, muted] = [0, 0];
  const session = Object.assign(new EventEmitter(), {
    tts: {},
    llm: model,
    interrupt() {},
    userState: 'listening',
    say: (text: string) => {
      said.push(text);
      return { waitForPlayout: () => sleep(30) };
    },
    _roomIO: { linkedParticipant: { identity: 'phone' }, setParticipant: (one: string) => linked.push(one) },
  });
  const room = new EventEmitter();
  const deps = {
    session,
    agent: { _chatCtx: llm.ChatContext.empty() },
    room,
    intercept: (one: typeof hear) => {
      hear = one;
      return () => {
        hear = null;
      };
    },
    mute: () => {
      muted++;
      return () => muted--;
    },
    music: () => musicOf(null, () => assert.fail()),
    quieten: () => {
      quiet++;
      return () => quiet--;
    },
    log: { info() {}, error() {} },
    api: { briefing: async () => BRIEFING, endConsultation: async () => {}, ...api },
  };
  const consulted = consult(deps as never, TARGET as never);
  return {
    said,
    linked,
    consulted,
    isQuiet: () => quiet > 0,
    isMuted: () => muted > 0,
    says: (words: string) => hear?.(words),
    press: (key: string) => room.emit(RoomEvent.DtmfReceived, Number(key), key, TARGET),
    leave: () => room.emit(RoomEvent.ParticipantDisconnected, TARGET),
    until: async (text: string) => {
      while (!said.some((one) => one.includes(text))) await sleep(5);
    },
  };
}

test('whatever the target would have been told next, the caller does not hear it', async () => {
  const { said, press, leave, until, consulted } = lab();
  await until(BRIEFING);
  press('2');
  await until('Goodbye');
  leave();
  assert.equal(await consulted, 'left');
  await sleep(200);
  assert.ok(!said.some((text) => text.includes('press 1')), said.join(' '));
});

test('nothing else of the agent is heard until the caller is no longer on hold', async () => {
  for (const end of ['leave', 'press'] as const) {
    const { isQuiet, until, consulted, leave, press } = lab();
    assert.ok(isQuiet());
    await until('press 1');
    assert.ok(isQuiet());
    if (end === 'leave') leave();
    else press('1');
    await consulted;
    assert.ok(!isQuiet(), end);
  }
});

test('the agent goes back to the caller, and records again, unless the target has the call', async () => {
  for (const end of ['leave', 'press'] as const) {
    const { isMuted, linked, until, consulted, leave, press } = lab();
    await until('press 1');
    assert.ok(isMuted());
    if (end === 'leave') leave();
    else press('1');
    const isConnected = (await consulted) === 'connected';
    assert.equal(isConnected, end === 'press');
    assert.deepEqual([isMuted(), linked.at(-1)], isConnected ? [true, 'transfer-1'] : [false, 'phone']);
  }
});

test('a target that leaves before its briefing is there: the caller does not hear that', async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const { said, leave, consulted } = lab({ briefing: () => promise });
  leave();
  assert.equal(await consulted, 'left');
  resolve(BRIEFING);
  await sleep(100);
  assert.deepEqual(said, []);
});

test('the briefing is said once Switchboard keeps caller and target apart', async () => {
  let isRecorded = false;
  const { said, until, leave, consulted } = lab({ briefing: async () => (isRecorded ? BRIEFING : undefined) });
  await sleep(200);
  assert.deepEqual(said, []);
  isRecorded = true;
  await until(BRIEFING);
  leave();
  await consulted;
});

test('a service that is away for longer than some requests still learns the end', async () => {
  let tries = 0;
  const away = async () => {
    if (++tries <= 6) throw new SwitchboardError('network_error' as never, 'away');
  };
  const { press, consulted, linked } = lab({ endConsultation: away });
  press('1');
  assert.equal(await consulted, 'connected');
  assert.deepEqual([tries, linked], [7, ['transfer-1']]);
});

test('an end that Switchboard refuses is not asked for again: another one was decided', async () => {
  let tries = 0;
  const refuse = async () => {
    tries++;
    throw new SwitchboardError('no_transfer_in_progress', 'over', { status: 409 });
  };
  const { press, leave, consulted } = lab({ endConsultation: refuse });
  press('1');
  await sleep(1_500);
  leave();
  assert.equal(await consulted, 'left');
  assert.equal(tries, 1);
});

test('only what is said after the question has begun is an answer', async () => {
  const ends: unknown[] = [];
  const { says, until, consulted } = lab({ endConsultation: async (reason: unknown) => ends.push(reason) });
  await until(BRIEFING);
  says('Yes.');
  await until('press 1');
  assert.deepEqual(ends, []);
  says('Yes, but not now.');
  says('Yes, please.');
  assert.equal(await consulted, 'connected');
  assert.deepEqual(ends, [null]);
});

test('a realtime model talks to the target itself: only keys count, and the question says so', async () => {
  const model = Object.create(llm.RealtimeModel.prototype);
  const { says, press, said, until, consulted } = lab({}, model);
  await until('press 1');
  assert.ok(!said.join(' ').includes('say yes'));
  says('No, thank you.');
  press('1');
  assert.equal(await consulted, 'connected');
});

test('a target takes the call, declines it, or is a machine, by what is said', () => {
  const said = {
    accepted: [
      'Yes, please.',
      'Sure, put them through.',
      'Ja, gerne.',
      'Sí, claro.',
      "Oui, d'accord.",
      'No problem, put him through.',
      'Yes, why not.',
      'Sure, I don\u2019t mind.',
      'Oui, sans problème.',
      'Yes, one second, let me turn the music off.',
    ],
    declined: ['No, I am in a meeting.', 'Nein, danke.', "I can't.", "No, I can't take your call now."],
    voicemail: [
      'Please leave a message after the tone.',
      'You have reached the voicemail of nobody.',
      'Bitte sprechen Sie nach dem Signalton.',
      'Deje su mensaje después de la señal.',
      'Votre correspondant est indisponible. Laissez un message après le bip.',
    ],
    undefined: [
      'Who is this?',
      'Hello?',
      '',
      'Yes, but not now.',
      'Yes, who is calling?',
      'Okay, but who is it',
      'Ja, hallo?',
      'Ja hallo',
      'Sí, dígame?',
      'Oui, allô?',
      'Sin problema.',
      'Ohne Probleme.',
    ],
  };
  for (const [answer, all] of Object.entries(said))
    for (const words of all) assert.equal(String(answerIn(words)), answer, words);
});

test('a voicemail and a menu are machines, and nobody else', () => {
  const answers = ['voicemail', 'ivr', 'human', 'unknown'] as const;
  assert.deepEqual(
    answers.map((answered_by) => isMachine({ answered_by })),
    [true, true, false, false],
  );
});

test('only targets with the mark of the service are asked first', () => {
  assert.ok(isAttended({ attributes: { 'switchboard.transfer': 'attended' } }));
  assert.ok(!isAttended({ attributes: { 'sip.callStatus': 'active' } }));
});

test('music on hold begins in silence, is quiet throughout, and goes on', () => {
  const loudest = (from: number, to: number) =>
    Math.max(...Array.from({ length: 2_000 }, (_, at) => Math.abs(sampleAt(from + ((to - from) * at) / 2_000))));
  assert.ok(loudest(0, 0.02) < 0.001);
  for (const from of [2, 60, 600]) {
    const most = loudest(from, from + 5);
    assert.ok(most > 0.02 && most < 0.2, `${most} after ${from} s`);
  }
});
