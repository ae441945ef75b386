// The recording of an agent that redacts, by the real worker: who says a secret is silent while it is said, and its
// sound is on no disk when the worker is killed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createAgent, placeCall, reaches, USER } from '@switchboard/testkit/calls.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { missingParts } from '@switchboard/testkit/lab.ts';
import { writeSection } from '@switchboard/testkit/section.ts';
import { table } from '@switchboard/testkit/table.ts';
import { missingVoice } from '@switchboard/testkit/voice.ts';
import { decode, RATE } from './support/audio.ts';
import { textIn } from './support/files.ts';
import { besidePlayed, NEAR_MS, openRecordingLab, soundOnDisk } from './support/recording-lab.ts';

const NUMBER = '+14155554000';
const SECRET = 'When do you open on Sunday?';
const LONG_SECRET = 'When do you open on Sunday, and when do you close on Sunday evening?';
const HARMLESS = 'Where can I park my car?';

interface Told {
  speaker: string;
  content: string;
  from_ms: number;
}

const missing = missingParts() ?? missingVoice();
if (missing) {
  test('a recording with redaction', { skip: missing }, () => {});
} else {
  const { opened, voice, callers, folder, spoolDir, serve, startWorker } =
    await openRecordingLab('lab-redacted-recorder');
  const service = await serve();
  let worker = await startWorker({ MODEL_BASE_URLS: voice.url });

  const contentsOf = async (call_id: string, speaker: string): Promise<string[]> =>
    (await service.request('GET', `/api/sessions/${call_id}/transcripts`)).body.items
      .filter((line: { speaker: string }) => line.speaker === speaker)
      .map(({ content }: { content: string }) => content);
  const says = (call_id: string, speaker: string, words: string) =>
    eventually(
      () => contentsOf(call_id, speaker),
      (contents) => contents.some((content) => content.toLowerCase().includes(words)),
    );

  async function answeredCall(phone_number: string) {
    // Several words, in case one is misheard.
    const privacy = { custom: [{ name: 'day', pattern: 'open|sunday' }] };
    const config = { ...voice.config, greeting: 'Welcome to the library.', recording: { enabled: true }, privacy };
    const agent_id = await createAgent(service, { config });
    const { call_id } = await placeCall(service, phone_number, { agent_id });
    await reaches(service, call_id, 'ANSWERED');
    const caller = callers.get(phone_number) ?? assert.fail();
    opened.push(caller.leave);
    await says(call_id, 'AGENT', 'welcome');
    return { call_id, caller };
  }

  const recordingOf = async (call_id: string) =>
    (await service.request('GET', `/api/calls/${call_id}/recordings`)).body.recordings[0];

  test('a secret is in neither channel, everything else is, and where: silences and the beginnings of lines', async () => {
    const { call_id, caller } = await answeredCall(NUMBER);
    await caller.say(await voice.speak(SECRET));
    await says(call_id, 'USER', '[day]');
    await eventually(
      () => contentsOf(call_id, 'AGENT'),
      (contents) => contents.length >= 2,
    );
    await caller.say(await voice.speak(HARMLESS));
    await says(call_id, 'USER', 'my car');
    await eventually(
      () => contentsOf(call_id, 'AGENT'),
      (contents) => contents.length >= 3,
    );
    await service.request('POST', `/api/calls/${call_id}/end`);
    const recording = await eventually(
      async () => {
        await service.app.reconcile();
        return recordingOf(call_id);
      },
      (one) => one?.state === 'stored',
    );
    const url = `${service.url}/api/calls/${call_id}/recordings/${recording.recording_id}/audio`;
    const audio = await fetch(url, { headers: { 'x-user-id': USER } });
    const { left, right } = decode(Buffer.from(await audio.arrayBuffer()));
    assert.ok(Math.abs(left.length / RATE - recording.duration_ms / 1000) < 0.1, 'nothing is left out');
    const [agent, user] = [(await voice.recognize(left)).toLowerCase(), (await voice.recognize(right)).toLowerCase()];
    assert.ok(agent.includes('library') && !agent.includes('sunday'), agent);
    assert.ok(user.includes('my car') && !user.includes('sunday') && !user.includes('open'), user);
    const { gaps } = recording;
    assert.ok(gaps.length > 0 && gaps.every(({ why }: { why: string }) => why === 'redacted'), JSON.stringify(gaps));
    const spoken_ms = gaps.reduce((sum: number, { from_ms, to_ms }: (typeof gaps)[0]) => sum + to_ms - from_ms, 0);
    assert.ok(spoken_ms > 1_500 && spoken_ms < recording.duration_ms / 2, JSON.stringify(gaps));

    const { lines } = (await service.request('GET', url.slice(service.url.length).replace(/audio$/, 'levels'))).body;
    const { items } = (await service.request('GET', `/api/sessions/${call_id}/transcripts`)).body;
    const isSilent = (ms: number) => gaps.some((gap: (typeof gaps)[0]) => ms >= gap.from_ms && ms <= gap.to_ms);
    const told = lines.map(({ transcript_id, from_ms }: { transcript_id: string; from_ms: number }) => {
      const { speaker, content } = items.find(({ id }: { id: string }) => id === transcript_id);
      return { speaker, content, from_ms };
    });
    const { started_at } = recording;
    const placed = besidePlayed<Told>(told, { left, right, started_at }, caller.recording());
    const latest = Math.max(...placed.map(({ from_ms, played_ms }) => Math.abs(from_ms - played_ms)));
    assert.ok(placed.length === 5 && latest <= NEAR_MS, JSON.stringify(placed));
    const found = placed.filter(({ from_ms }) => !isSilent(from_ms));
    assert.deepEqual(new Set(found.map(({ speaker }) => speaker)), new Set(['AGENT', 'USER']));
    const furthest = Math.max(...found.map(({ from_ms, onset_ms }) => Math.abs(from_ms - onset_ms)));
    assert.ok(furthest <= 100, JSON.stringify(found));
    const rows: [string, number][] = [
      ['lines whose sound is in the recording', found.length],
      ['largest distance of where a line begins from where its sound does, ms; at most 100', furthest],
      [`largest distance from when it was played at the other end, ms, transport included; at most ${NEAR_MS}`, latest],
      ['silent because a secret was said, ms', spoken_ms],
    ];
    writeSection(
      17,
      'recordings-redacted',
      `## Recordings of agents that redact

A call in which both sides say a secret (\`e2e/recording.redaction.test.ts\`): a recognizer finds it on neither channel, and everything else on both.

${table(['Measured', ''], rows)}`,
    );
  });

  /** The loudest sample from a time on, in milliseconds. */
  const loudest = (samples: Int16Array, from_ms: number, to_ms = Number.POSITIVE_INFINITY) =>
    samples
      .subarray((from_ms * RATE) / 1000, Math.min(samples.length, (to_ms * RATE) / 1000))
      .reduce((max, one) => Math.max(max, Math.abs(one)), 0);

  const onDisk = (recording_id: string) => soundOnDisk(recording_id, folder.dir, spoolDir);
  type Moment = (recording_id: string, end_ms: number) => Promise<unknown>;
  /** Words that are said, and what resolves when the worker is to be killed; they end then in the recording. */
  const moments: [name: string, words: string, moment: Moment][] = [
    ['as it is said', LONG_SECRET, async () => {}],
    [
      'after its silence was let go',
      SECRET,
      (recording_id, end_ms) =>
        eventually(
          () => onDisk(recording_id),
          ({ right }) => (right.length * 1000) / RATE > end_ms + 1_000,
        ),
    ],
    // Without the service, which is gone then, its line and all sound since stay in the worker's folder.
    [
      'before it is cleared',
      SECRET,
      () =>
        eventually(
          () => textIn(spoolDir),
          (text) => text.includes('[day]'),
        ),
    ],
  ];
  for (const [index, [name, words, moment]] of moments.entries()) {
    const isLast = index === moments.length - 1;
    test(`a secret is on no disk when the worker is killed ${name}`, async () => {
      if (index > 0) worker = await startWorker({ MODEL_BASE_URLS: voice.url });
      const { call_id, caller } = await answeredCall(`+1415555400${index + 1}`);
      await caller.say(await voice.speak(HARMLESS));
      await says(call_id, 'USER', 'my car');
      await eventually(
        () => contentsOf(call_id, 'AGENT'),
        (contents) => contents.length >= 2,
      );
      const { recording_id, started_at } = await recordingOf(call_id);
      if (isLast) await service.close();
      const secret = await voice.speak(words);
      const [begun_ms, said_ms] = [Date.now() - Date.parse(started_at), (secret.length * 1000) / RATE];
      const spoken = caller.say(secret);
      await sleep(said_ms - 300);
      await moment(recording_id, begun_ms + said_ms);
      const lines = await contentsOf(call_id, 'USER').catch(() => []);
      await worker.kill();
      await spoken;
      const { right } = await onDisk(recording_id);
      assert.ok(loudest(right, 0, begun_ms) > 4_000 && (await voice.recognize(right)).includes('my car'), name);
      // Opus codes both sides together, so that the other one is faintly there.
      const heard = () => `${name}: ${loudest(right, begun_ms)}, with the lines ${JSON.stringify(lines)}`;
      assert.ok(loudest(right, begun_ms) < 400, heard());
      assert.doesNotMatch(await textIn(spoolDir), /sunday/i, name);
      if (!isLast) await service.request('POST', `/api/calls/${call_id}/end`);
    });
  }
}
