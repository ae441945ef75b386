// The recording of an agent that redacts, by the real worker: who says a secret is silent while it is said.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAgent, placeCall, reaches, USER } from '@switchboard/testkit/calls.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { missingParts } from '@switchboard/testkit/lab.ts';
import { writeSection } from '@switchboard/testkit/section.ts';
import { table } from '@switchboard/testkit/table.ts';
import { missingVoice } from '@switchboard/testkit/voice.ts';
import { decode, RATE } from './support/audio.ts';
import { openRecordingLab } from './support/recording-lab.ts';

const NUMBER = '+14155554000';
const SECRET = 'When do you open on Sunday?';
const HARMLESS = 'Where can I park my car?';

const missing = missingParts() ?? missingVoice();
if (missing) {
  test('a recording with redaction', { skip: missing }, () => {});
} else {
  const { opened, voice, callers, serve, startWorker } = await openRecordingLab('lab-redacted-recorder');
  const service = await serve();
  await startWorker({ MODEL_BASE_URLS: voice.url });

  const contentsOf = async (call_id: string, speaker: string): Promise<string[]> =>
    (await service.request('GET', `/api/sessions/${call_id}/transcripts`)).body.items
      .filter((line: { speaker: string }) => line.speaker === speaker)
      .map(({ content }: { content: string }) => content);
  const says = (call_id: string, speaker: string, words: string) =>
    eventually(
      () => contentsOf(call_id, speaker),
      (contents) => contents.some((content) => content.toLowerCase().includes(words)),
    );

  /** The beginning of sound nearest to a time, both in milliseconds: after 400 ms that are quiet. */
  function onsetNear(samples: Int16Array, at: number): number {
    const size = RATE / 100;
    const loudness = Array.from({ length: Math.floor(samples.length / size) }, (_, block) =>
      Math.sqrt(samples.subarray(block * size, (block + 1) * size).reduce((sum, one) => sum + one * one, 0) / size),
    );
    const quiet = Math.max(...loudness) / 20;
    const begins = loudness.flatMap((loud, block) =>
      loud >= quiet && loudness.slice(Math.max(0, block - 40), block).every((one) => one < quiet) ? [block * 10] : [],
    );
    return begins.toSorted((one, other) => Math.abs(one - at) - Math.abs(other - at))[0] ?? Number.NaN;
  }

  test('a secret is in neither channel, everything else is, and where: silences and the beginnings of lines', async () => {
    const privacy = { custom: [{ name: 'day', pattern: 'sunday' }] };
    const config = { ...voice.config, greeting: 'Welcome to the library.', recording: { enabled: true }, privacy };
    const agent_id = await createAgent(service, { config });
    const { call_id } = await placeCall(service, NUMBER, { agent_id });
    await reaches(service, call_id, 'ANSWERED');
    const caller = callers.get(NUMBER) ?? assert.fail();
    opened.push(caller.leave);
    await says(call_id, 'AGENT', 'welcome');
    await caller.say(await voice.speak(SECRET));
    await says(call_id, 'USER', '[day]');
    await eventually(
      () => contentsOf(call_id, 'AGENT'),
      (contents) => contents.length >= 2,
    );
    await caller.say(await voice.speak(HARMLESS));
    await says(call_id, 'USER', 'park');
    await eventually(
      () => contentsOf(call_id, 'AGENT'),
      (contents) => contents.length >= 3,
    );
    await service.request('POST', `/api/calls/${call_id}/end`);
    const recording = await eventually(
      async () => {
        await service.app.reconcile();
        return (await service.request('GET', `/api/calls/${call_id}/recordings`)).body.recordings[0];
      },
      (one) => one?.state === 'stored',
    );
    const url = `${service.url}/api/calls/${call_id}/recordings/${recording.recording_id}/audio`;
    const audio = await fetch(url, { headers: { 'x-user-id': USER } });
    const { left, right } = decode(Buffer.from(await audio.arrayBuffer()));
    assert.ok(Math.abs(left.length / RATE - recording.duration_ms / 1000) < 0.1, 'nothing is left out');
    const [agent, user] = [(await voice.recognize(left)).toLowerCase(), (await voice.recognize(right)).toLowerCase()];
    assert.ok(agent.includes('library') && !agent.includes('sunday'), agent);
    assert.ok(user.includes('park') && !user.includes('sunday') && !user.includes('open'), user);
    const { gaps } = recording;
    assert.ok(gaps.length > 0 && gaps.every(({ why }: { why: string }) => why === 'redacted'), JSON.stringify(gaps));
    const spoken_ms = gaps.reduce((sum: number, { from_ms, to_ms }: (typeof gaps)[0]) => sum + to_ms - from_ms, 0);
    assert.ok(spoken_ms > 1_500 && spoken_ms < recording.duration_ms / 2, JSON.stringify(gaps));

    const { lines } = (await service.request('GET', url.slice(service.url.length).replace(/audio$/, 'levels'))).body;
    const { items } = (await service.request('GET', `/api/sessions/${call_id}/transcripts`)).body;
    const isSilent = (ms: number) => gaps.some((gap: (typeof gaps)[0]) => ms >= gap.from_ms && ms <= gap.to_ms);
    const audible = lines.filter((line: { from_ms: number }) => !isSilent(line.from_ms));
    const found = audible.map(({ transcript_id, from_ms }: { transcript_id: string; from_ms: number }) => {
      const { speaker, content } = items.find(({ id }: { id: string }) => id === transcript_id);
      return { speaker, content, from_ms, onset: onsetNear(speaker === 'AGENT' ? left : right, from_ms) };
    });
    assert.deepEqual(new Set(found.map(({ speaker }: { speaker: string }) => speaker)), new Set(['AGENT', 'USER']));
    const offsets = found.map(({ from_ms, onset }: { from_ms: number; onset: number }) => Math.abs(from_ms - onset));
    const furthest = Math.max(...offsets);
    assert.ok(furthest <= 100, JSON.stringify(found));
    const rows: [string, number][] = [
      ['lines whose sound is in the recording', found.length],
      ['largest distance of where a line begins from where its sound does, ms; at most 100', furthest],
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
}
