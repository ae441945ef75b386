// Sounds beside the agent's words, played by the library and heard on the tracks that it publishes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { initializeLogger, log, voice } from '@livekit/agents';
import { AudioFrame, AudioSource, LocalAudioTrack } from '@livekit/rtc-node';
import type { SegmentCreate } from '@switchboard/client';
import { BACKGROUND, createBackground } from '../conversation/background.ts';
import { createClips } from '../conversation/clips.ts';
import { readConfig } from '../conversation/config.ts';
import { HOLD_MUSIC, musicOf, playHoldMusic } from '../conversation/hold-music.ts';
import { createLanguageModel } from '../conversation/models.ts';
import { createWritingSession } from '../conversation/session.ts';
import { createRecorder } from '../recording/recorder.ts';
import { loudnessOf, openEars, RATE } from './room-ears.ts';
import { decode, split, tone } from './samples.ts';
import { completion, events, startStandIn } from './stand-in.ts';

initializeLogger({ pretty: false, level: 'silent' });

/** Behind words: somebody who listens for it hears it. */
const BEHIND = [60, 1_200] as const;
const SILENT = [0, 2] as const;
const AUDIBLE = [20, 32_767] as const;

const soundsOf = (sounds: object) => readConfig({ config: { sounds }, variables: {} }).sounds;

/** A call whose agent has these sounds, and a model that answers when it is told to. */
async function startCall(sounds: object) {
  const answers: (() => void)[] = [];
  const model = await startStandIn({
    http: (_asked, response) => answers.push(() => events(response, completion([{ content: 'At ten.' }]), '[DONE]')),
  });
  const baseUrls = new Map([[`${model.origin}/v1`, 'key']]);
  const config = readConfig({ config: { llm: { base_url: `${model.origin}/v1` } }, variables: {} });
  const session = createWritingSession(createLanguageModel(config, { keys: {}, baseUrls }, () => {}));
  await session.start({ agent: new voice.Agent({ instructions: 'Be brief.' }), record: false });
  const ears = openEars();
  const open = createClips(null, log());
  const background = createBackground({ session, room: ears.room, sounds: soundsOf(sounds), open, log: log() });
  background.start();
  return {
    ...ears,
    background,
    ask: () => session.generateReply({ userInput: 'When do you open?' }),
    answer: async () => {
      while (answers.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
      for (const answer of answers.splice(0)) answer();
    },
  };
}

test('the background goes on quietly behind the words, and is silent during a pause', async () => {
  const { until, background } = await startCall({ background: 'office' });
  await until(BACKGROUND, BEHIND);
  const [goOn, alsoGoOn] = [background.quieten(), background.quieten()];
  await until(BACKGROUND, SILENT);
  goOn();
  goOn();
  await until(BACKGROUND, SILENT);
  alsoGoOn();
  await until(BACKGROUND, BEHIND);
});

test('the agent is heard thinking until it answers, each time, and not while it waits for somebody', async () => {
  const { until, background, ask, answer } = await startCall({ thinking: 'keyboard' });
  await until(BACKGROUND, SILENT);
  for (let turn = 0; turn < 3; turn++) {
    ask();
    await until(BACKGROUND, AUDIBLE);
    if (turn === 0) {
      const goOn = background.silenceThinking();
      await until(BACKGROUND, SILENT);
      goOn();
      await until(BACKGROUND, AUDIBLE);
    }
    await answer();
    await until(BACKGROUND, SILENT);
  }
});

test('an agent without sounds publishes nothing, and one whose sound cannot be played thinks aloud all the same', async () => {
  const { published } = await startCall({ hold: 'music' });
  assert.deepEqual(published, []);
  const { until, ask, answer } = await startCall({ background: 'file:none.ogg', thinking: 'keyboard' });
  await until(BACKGROUND, SILENT);
  ask();
  await until(BACKGROUND, AUDIBLE);
  await answer();
  await until(BACKGROUND, SILENT);
});

test('a caller on hold hears the music of the agent, or chords in its place', async () => {
  const open = createClips(null, log());
  for (const hold of ['music', 'file:none.ogg', null]) {
    const { room, until, published } = openEars();
    const stop = await playHoldMusic(room, musicOf(soundsOf({ hold }).hold, open));
    await until(HOLD_MUSIC, [200, 4_000]);
    await stop();
    assert.deepEqual(published, [HOLD_MUSIC]);
  }
});

/** Publishes a tone; returns what ends it. */
async function playTone({ localParticipant }: ReturnType<typeof openEars>['room'], name: string, frequency: number) {
  const source = new AudioSource(RATE, 1);
  await localParticipant?.publishTrack(LocalAudioTrack.createAudioTrack(name, source), {} as never);
  let isOver = false;
  const play = async () => {
    for (let at = 0; !isOver; at += RATE / 50)
      await source.captureFrame(new AudioFrame(tone(frequency, RATE / 50, at), RATE, 1, RATE / 50));
  };
  const playing = play();
  return async () => {
    isOver = true;
    await playing;
    await source.close();
  };
}

test('a recording has the words of the agent, and neither its background nor the music on hold', async () => {
  for (const [names, expected] of [
    [
      [BACKGROUND, HOLD_MUSIC],
      [0, 5],
    ],
    [
      [BACKGROUND, 'words'],
      [3_000, 8_000],
    ],
  ] as const) {
    const { room, until } = openEars();
    const written: SegmentCreate[] = [];
    const reports = {
      state: async () => {},
      segment: async (_id: string, one: SegmentCreate) => void written.push(one),
    };
    const recorder = createRecorder(room, 'stereo', reports, log());
    recorder.start();
    const stops = await Promise.all(names.map((name) => playTone(room, name, 440)));
    for (const name of names) await until(name, [3_000, 8_000]);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    await recorder.stop();
    for (const stop of stops) await stop();
    const samples = decode(Buffer.concat(written.map(({ audio }) => Buffer.from(audio, 'base64'))));
    const [left] = split(samples);
    const loudness = loudnessOf(left.subarray(-RATE / 2));
    assert.ok(loudness >= expected[0] && loudness <= expected[1], `${loudness} of ${names}`);
  }
});
