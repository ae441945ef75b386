// Recordings of calls by the real worker through a real media server, with nothing captured before consent, and with
// worker and service killed in between.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { after, test } from 'node:test';
import { createAgent, placeCall, reaches, USER } from '@switchboard/testkit/calls.ts';
import type { Json } from '@switchboard/testkit/client.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { missingParts } from '@switchboard/testkit/lab.ts';
import { writeSection } from '@switchboard/testkit/section.ts';
import type { Service } from '@switchboard/testkit/service.ts';
import { table } from '@switchboard/testkit/table.ts';
import { missingVoice } from '@switchboard/testkit/voice.ts';
import { sql } from 'kysely';
import type { Media } from '../packages/server/src/providers/media.ts';
import { BLOCK_MS, correlate, decode, loudnessOf, RATE } from './support/audio.ts';
import { textIn } from './support/files.ts';
import { besidePlayed, NEAR_MS, openRecordingLab } from './support/recording-lab.ts';

/** Part of a report of the worker that has audio. */
const AUDIO = '"audio":"';
const missing = missingParts() ?? missingVoice();
if (missing) {
  test('a recorded call', { skip: missing }, () => {});
} else {
  const { opened, voice, callers, folder, spoolDir, serve, startWorker } = await openRecordingLab('lab-recorder');
  let service: Service<Media> = await serve();
  const workerEnv = { MODEL_BASE_URLS: voice.url };
  let worker = await startWorker(workerEnv);
  let calls = 0;
  const figures: [what: string, measured: string | number][] = [];
  after(() =>
    writeSection(
      16,
      'recordings',
      `## Recordings

Calls by the real worker through a real media server, and what is in the stored file (\`e2e/recording.test.ts\`).

${table(['Measured', ''], figures)}`,
    ),
  );

  async function answeredCall(recording: object, config: object = {}) {
    const agent_id = await createAgent(service, {
      config: { ...voice.config, greeting: 'Welcome to the library.', tools: { hang_up: true }, recording, ...config },
    });
    const phone_number = `+1415555${3000 + calls++}`;
    const { call_id } = await placeCall(service, phone_number, { agent_id });
    await reaches(service, call_id, 'ANSWERED');
    const caller = callers.get(phone_number) ?? assert.fail();
    opened.push(caller.leave);
    return { call_id, caller };
  }

  async function lines(call_id: string, count: number) {
    return eventually(
      async () => (await service.request('GET', `/api/sessions/${call_id}/transcripts`)).body.items,
      (items) => items.length >= count,
    );
  }

  function recordingOf(call_id: string, state: string) {
    return eventually(
      async () => {
        await service.app.reconcile();
        return (await service.request('GET', `/api/calls/${call_id}/recordings`)).body.recordings[0];
      },
      (recording) => recording?.state === state,
    );
  }

  const end = (call_id: string) => service.request('POST', `/api/calls/${call_id}/end`);

  /** The samples of both channels, and the bytes. */
  async function heard(call_id: string, recording_id: string) {
    const response = await fetch(`${service.url}/api/calls/${call_id}/recordings/${recording_id}/audio`, {
      headers: { 'x-user-id': USER },
    });
    assert.equal(response.status, 200);
    const bytes = Buffer.from(await response.arrayBuffer());
    return { bytes, ...decode(bytes) };
  }

  /** Where each line begins, by who says it. */
  async function placesOf({ call_id, recording_id }: { call_id: string; recording_id: string }) {
    const url = `/api/calls/${call_id}/recordings/${recording_id}/levels`;
    const { lines: places } = (await service.request('GET', url)).body;
    const speakers = new Map<string, string>((await lines(call_id, 0)).map(({ id, speaker }: Json) => [id, speaker]));
    return places.map(({ transcript_id, from_ms }: Json) => ({ from_ms, speaker: speakers.get(transcript_id) }));
  }

  const energy = (samples: Int16Array) =>
    samples.reduce((sum, one) => sum + one * one, 0) / Math.max(1, samples.length);

  test('the agent is heard left and the caller right, each when it was said, and the file is whole', async () => {
    const { call_id, caller } = await answeredCall({ enabled: true });
    await lines(call_id, 1);
    await caller.say(await voice.speak('When do you open on Sunday?'));
    await lines(call_id, 3);
    await end(call_id);
    const recording = await recordingOf(call_id, 'stored');
    const { bytes, left, right } = await heard(call_id, recording.recording_id);
    assert.equal(createHash('sha256').update(bytes).digest('hex'), recording.sha256);
    assert.deepEqual(recording.gaps, []);
    assert.ok(Math.abs(left.length / RATE - recording.duration_ms / 1000) < 0.1);

    const room = caller.recording();
    const from = Math.max(0, Date.parse(recording.started_at) - room.start);
    const at = Math.round((from * RATE) / 1000);
    const [agent, user] = [loudnessOf(left), loudnessOf(right)];
    const [heardBy, saidBy] = [loudnessOf(room.heard.subarray(at)), loudnessOf(room.said.subarray(at))];
    const [ofAgent, ofUser] = [correlate(agent, heardBy, 50), correlate(user, saidBy, 50)];
    assert.ok(ofAgent.share > 0.8 && ofUser.share > 0.8, JSON.stringify({ ofAgent, ofUser }));
    for (const [side, { share, shift }] of [
      ['agent, and what was heard of it in the room', ofAgent],
      ['caller, and what was said there', ofUser],
    ] as const) {
      const distance_ms = Math.abs(shift * BLOCK_MS);
      assert.ok(distance_ms <= NEAR_MS, `${distance_ms} ms between the channel of the ${side}`);
      figures.push([`correlation of loudness: the channel of the ${side}`, share.toFixed(2)]);
      figures.push([`time between these two, ms, transport included; at most ${NEAR_MS}`, distance_ms]);
    }
    assert.ok(correlate(agent, saidBy, 5).share < 0.4 && correlate(user, heardBy, 5).share < 0.4);
    assert.ok((await voice.recognize(left)).toLowerCase().includes('library'));
    const placed = besidePlayed(await placesOf(recording), { left, right, ...recording }, room);
    const away = placed.map(({ from_ms, onset_ms }) => Math.abs(from_ms - onset_ms));
    assert.ok(placed.length === 3 && Math.max(...away) <= 100, JSON.stringify(placed));
    figures.push(['distance of where a line begins from where its sound does, ms; at most 100', Math.max(...away)]);
    // Each channel is quiet while the other speaks.
    const loudest = Math.max(...user);
    const talking = user.flatMap((one, index) => (one > loudest / 3 ? [index] : []));
    const leaks = talking.filter((index) => (agent[index] ?? 0) > (user[index] ?? 0) / 10);
    assert.ok(leaks.length < talking.length / 5, `${leaks.length} of ${talking.length} blocks`);
  });

  test('nothing of the time before consent is captured', async () => {
    const consent = { type: 'verbal', message: 'May I record this call?' };
    const { call_id, caller } = await answeredCall({ enabled: true, consent });
    await recordingOf(call_id, 'waiting_for_consent');
    await lines(call_id, 1);
    // The recording of the call before is there.
    const stored = (await readdir(folder.dir)).length - 1;
    assert.equal(stored, 0);
    const inSpool = (await textIn(spoolDir)).split(AUDIO).length - 1;
    assert.equal(inSpool, 0);
    figures.push(['recordings of which something is stored before consent', stored]);
    figures.push(['segments in the folder of the worker before consent', inSpool]);
    await caller.say(await voice.speak('Yes.'));
    // Consent, question and greeting.
    const items = await lines(call_id, 3);
    assert.deepEqual(
      items.map(({ speaker }: { speaker: string }) => speaker),
      ['AGENT', 'USER', 'AGENT'],
    );
    await end(call_id);
    const recording = await recordingOf(call_id, 'stored');
    const { left, right } = await heard(call_id, recording.recording_id);
    const words = (await voice.recognize(left)).toLowerCase();
    assert.ok(words.includes('library') && !words.includes('record'), words);
    assert.ok(energy(right) < 100, `the caller said yes before: ${energy(right)}`);
    assert.ok(energy(left) > 10_000);
    const loud = Math.round(energy(right));
    figures.push(['mean square of the channel of a caller who has said yes before, of 16-bit samples', loud]);
  });

  test('without consent no sample is stored, and the call goes on or ends as configured', async () => {
    const consent = { type: 'verbal', message: 'May I record this call?' };
    const goesOn = await answeredCall({ enabled: true, consent });
    await lines(goesOn.call_id, 1);
    await goesOn.caller.say(await voice.speak('No, I do not agree.'));
    await recordingOf(goesOn.call_id, 'refused');
    const items = await lines(goesOn.call_id, 3);
    assert.equal(items.at(-1).content, 'Welcome to the library.');
    await end(goesOn.call_id);

    const ends = await answeredCall({ enabled: true, consent: { ...consent, on_refusal: 'end' } });
    await lines(ends.call_id, 1);
    await ends.caller.say(await voice.speak('No, I do not agree.'));
    assert.equal((await reaches(service, ends.call_id, 'COMPLETED')).end_reason, 'ended_by_agent');
    for (const { call_id } of [goesOn, ends]) {
      const { recording_id, bytes, duration_ms } = await recordingOf(call_id, 'refused');
      assert.deepEqual([bytes, duration_ms], [0, 0]);
      await assert.rejects(readdir(path.join(folder.dir, recording_id)));
    }
  });

  test('by key, 1 consents and any other refuses; by staying on the line, the end of the message consents', async () => {
    const byKey = { enabled: true, consent: { type: 'dtmf', message: 'Press 1 to be recorded.' } };
    const [presses1, presses2] = [await answeredCall(byKey), await answeredCall(byKey)];
    for (const [{ call_id, caller }, digit] of [
      [presses1, 1],
      [presses2, 2],
    ] as const) {
      await lines(call_id, 1);
      // The transcript may have the message before the agent has said it.
      await eventually(
        async () => {
          await caller.press(digit);
          return (await service.request('GET', `/api/sessions/${call_id}/transcripts`)).body.items;
        },
        (items) => items.length >= 2,
      );
    }
    await end(presses2.call_id);
    await recordingOf(presses2.call_id, 'refused');
    const stays = await answeredCall({
      enabled: true,
      consent: { type: 'stay_on_line', message: 'This call is recorded.' },
    });
    for (const { call_id } of [presses1, stays]) {
      await lines(call_id, 2);
      await end(call_id);
      const { recording_id } = await recordingOf(call_id, 'stored');
      const words = (await voice.recognize((await heard(call_id, recording_id)).left)).toLowerCase();
      assert.ok(words.includes('library') && !words.includes('record'), words);
    }
  });

  test('a worker that is killed loses less than five seconds, and the gap is declared', async () => {
    const { call_id } = await answeredCall({ enabled: true });
    await lines(call_id, 1);
    await eventually(
      () => recordingOf(call_id, 'recording'),
      ({ duration_ms }) => duration_ms > 6_000,
    );
    const killedAt = Date.now();
    await worker.kill();
    worker = await startWorker(workerEnv);
    await eventually(
      () => worker.waiting(),
      (reports) => reports.length === 0,
    );
    await end(call_id);
    await reaches(service, call_id, 'COMPLETED');
    const { db } = service.database;
    // As three quiet minutes after the end of the call: it and its recording are that much earlier until it is stored.
    const moveBy = async (minutes: number) => {
      const by = (column: string) => sql<Date>`${sql.ref(column)} + ${minutes} * interval '1 minute'`;
      await db
        .updateTable('sessions')
        .set({ ended_at: by('ended_at') })
        .where('id', '=', call_id)
        .execute();
      const times = { started_at: by('started_at'), updated_at: by('updated_at') };
      await db.updateTable('recordings').set(times).where('session_id', '=', call_id).execute();
    };
    await moveBy(-3);
    await recordingOf(call_id, 'stored');
    await moveBy(3);
    const recording = await recordingOf(call_id, 'stored');
    const { ended_at } = (await service.request('GET', `/api/calls/${call_id}`)).body;
    const to_ms = Date.parse(ended_at) - Date.parse(recording.started_at);
    assert.deepEqual(recording.gaps, [{ from_ms: recording.duration_ms, to_ms, why: 'worker_lost' }]);
    const lost = killedAt - Date.parse(recording.started_at) - recording.duration_ms;
    assert.ok(lost < 5_000, `${lost} ms`);
    figures.push(['missing after the worker was killed, ms; at most 5,000', lost]);
    const { left } = await heard(call_id, recording.recording_id);
    assert.ok(Math.abs(left.length / RATE - recording.duration_ms / 1000) < 0.1);
    const { pieces } = await db
      .selectFrom('recordings')
      .select('pieces')
      .where('session_id', '=', call_id)
      .executeTakeFirstOrThrow();
    assert.ok(pieces.length >= 2);
  });

  test('a service that is away during the upload gets every segment once', async () => {
    const { call_id, caller } = await answeredCall({ enabled: true });
    await lines(call_id, 1);
    await recordingOf(call_id, 'recording');
    await service.close();
    await caller.say(await voice.speak('When do you open on Sunday?'));
    await eventually(
      () => worker.waiting(),
      (reports) => reports.length > 3,
    );
    assert.ok((await textIn(spoolDir)).includes(AUDIO), 'segments wait where none is before consent');
    // Closed when this test ends, which is the last one.
    service = await serve();
    await lines(call_id, 3);
    await end(call_id);
    const recording = await recordingOf(call_id, 'stored');
    const { bytes, right } = await heard(call_id, recording.recording_id);
    assert.equal(bytes.length, recording.bytes);
    assert.deepEqual(recording.gaps, []);
    assert.ok(energy(right) > 1_000);
    const files = (await readdir(path.join(folder.dir, recording.recording_id))).sort();
    const stored = await Promise.all(
      files.map((file) => readFile(path.join(folder.dir, recording.recording_id, file))),
    );
    assert.ok(Buffer.concat(stored).equals(bytes));
  });
}
