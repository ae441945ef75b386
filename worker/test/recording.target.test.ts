// The target of a warm transfer, who has not consented to the recording of the call. The tracks are real ones.
import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { initializeLogger, llm, log } from '@livekit/agents';
import { AudioFrame, AudioSource, LocalAudioTrack, RoomEvent } from '@livekit/rtc-node';
import type { SegmentCreate } from '@switchboard/client';
import { handOver } from '../agent.ts';
import { createConsultation } from '../conversation/consultation.ts';
import { musicOf } from '../conversation/hold-music.ts';
import { createRecorder } from '../recording/recorder.ts';
import { loudnessOf, openEars, RATE } from './room-ears.ts';
import { decode, split, tone } from './samples.ts';

initializeLogger({ pretty: false, level: 'silent' });

/** The loudness of the last half second of the others, of whom one with this identity makes a sound. */
async function recorded(identity: string, during: (recorder: ReturnType<typeof createRecorder>) => void = () => {}) {
  const { room } = openEars();
  const written: SegmentCreate[] = [];
  const segment = async (_id: string, one: SegmentCreate) => void written.push(one);
  const recorder = createRecorder(room, 'stereo', { state: async () => {}, segment }, log());
  recorder.start();
  const source = new AudioSource(RATE, 1);
  const track = LocalAudioTrack.createAudioTrack(identity, source);
  room.emit(RoomEvent.TrackSubscribed, track as never, {} as never, { identity } as never);
  let end = Date.now() + 3_000;
  let hasBegun = false;
  for (let at = 0; Date.now() < end; at += RATE / 50) {
    await source.captureFrame(new AudioFrame(tone(440, RATE / 50, at), RATE, 1, RATE / 50));
    if (hasBegun || Date.now() < end - 1_500) continue;
    hasBegun = true;
    during(recorder);
    // However late this is, the last half second comes after it.
    end = Date.now() + 1_500;
  }
  await recorder.stop();
  await source.close();
  const samples = decode(Buffer.concat(written.map(({ audio }) => Buffer.from(audio, 'base64'))));
  return loudnessOf(split(samples)[1].subarray(-RATE / 2));
}

test('the caller is recorded, and the target is not, from its ringing on', async () => {
  const [caller, target] = await Promise.all([recorded('phone-1'), recorded('transfer-1')]);
  assert.ok(caller > 3_000, `${caller}`);
  assert.ok(target <= 5, `${target}`);
});

test('once the target has answered, what the caller says to it is not recorded; the agent says goodbye, and leaves', async () => {
  const done: string[] = [];
  const session = { tts: {}, say: () => ({ waitForPlayout: () => sleep(10).then(() => done.push('goodbye')) }) };
  const shutdown = () => done.push('left');
  const caller = await recorded('phone-1', ({ mute }) => handOver({ shutdown }, session as never, mute));
  assert.ok(caller <= 5, `${caller}`);
  assert.deepEqual(done, ['goodbye', 'left']);
});

/** Has the agent ask a target, which answers by this key, or leaves, and says when it leaves the call to it. */
function attend(mute: () => () => void, answer: '1' | 'leaves', done: string[]): void {
  const target = { identity: 'transfer-1' } as never;
  const room = new EventEmitter();
  const session = Object.assign(new EventEmitter(), {
    tts: {},
    interrupt() {},
    say: () => ({ waitForPlayout: () => sleep(10) }),
    generateReply: () => done.push('goes on'),
    _roomIO: { linkedParticipant: { identity: 'phone-1' }, setParticipant: () => {} },
  });
  const consultation = createConsultation({
    session: session as never,
    agent: { _chatCtx: llm.ChatContext.empty() } as never,
    room: room as never,
    api: { briefing: async () => null, endConsultation: async () => ({}) as never },
    intercept: () => () => {},
    mute,
    music: () => musicOf(null, () => assert.fail()),
    quieten: () => () => {},
    log: log(),
  });
  consultation.attend(target, () => done.push('left'));
  if (answer === '1') room.emit(RoomEvent.DtmfReceived, 1, answer, target);
  else room.emit(RoomEvent.ParticipantDisconnected, target);
}

test('an attended target that takes the call: what the caller says to it is not recorded either', async () => {
  const [taken, left]: [string[], string[]] = [[], []];
  const [connected, back] = await Promise.all([
    recorded('phone-1', ({ mute }) => attend(mute, '1', taken)),
    recorded('phone-1', ({ mute }) => attend(mute, 'leaves', left)),
  ]);
  assert.deepEqual([taken, left], [['left'], ['goes on']]);
  assert.ok(connected <= 5, `${connected}`);
  assert.ok(back > 3_000, `${back}`);
});
