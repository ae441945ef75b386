/**
 * Calls that are recorded, analysed and erased while store, worker or service are killed at any moment: after the
 * consent, during the upload, the verification and the analysis, and during the erasure. One of two agents redacts
 * every word. KILL_CALLS makes more calls, KILL_SEED repeats the moments of a run.
 */
import assert from 'node:assert/strict';
import { createHash, randomInt } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Json } from '@switchboard/testkit/client.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { missingParts } from '@switchboard/testkit/lab.ts';
import { missingS3 } from '@switchboard/testkit/s3.ts';
import { type Speaker, speakIn } from '@switchboard/testkit/speaker.ts';
import { missingVoice } from '@switchboard/testkit/voice.ts';
import { BLOCK_MS, decode, loudnessOf } from './support/audio.ts';
import { filesIn, textIn } from './support/files.ts';
import { openKillable, PARTS, type Part } from './support/killable.ts';

const CALLS = Number(process.env.KILL_CALLS ?? 6);
const SEED = process.env.KILL_SEED ?? String(randomInt(1_000_000));
/** Calls that go through the same kills: a round takes little longer than a call. */
const AT_ONCE = 2;
/** From the consent to the end of a call, and to the latest kill: what follows the end takes seconds. */
const CALL_MS = 7_000;
const LATEST_MS = 11_000;
const LATEST_IN_ERASURE_MS = 600;
const LONGEST_AWAY_MS = 2_000;
/** The most that a worker that is killed may lose: docs/recordings.md. */
const MOST_LOST_MS = 5_000;
/** And one that redacts: three seconds before the question, and all since, as long as its line has not come. */
const MOST_WITHHELD_MS = LATEST_MS;
/** Until what is left to do is taken for waiting for something: an analysis takes seconds on a busy machine. */
const DONE_MS = 45_000;
/** The most that clocks and a connection make of nothing that is lost. */
const NOTHING_LOST_MS = 1_000;
/** For a busy machine. */
const SLOW = { timeout: 300_000 };
const QUESTION = 'When do you open on Sunday?';
const OUTCOME = 'opens on Sundays';
/** Every word, which agents that redact replace: any single one may be misheard on a busy machine. */
const SECRET = '[A-Za-z]{2,}';
/** The most that is taken for silence: Opus codes both sides together. */
const SILENT = 400;

interface Call {
  user: string;
  redacts: boolean;
  call_id: string;
  /** Reports of a worker name one or the other. */
  room_name: string;
  recording_id: string;
  /** When the recording began, and the call was over, in milliseconds since 1970. */
  began: number;
  ended: number;
  caller: Speaker;
}

const missing = missingParts() ?? missingVoice() ?? missingS3();
if (missing) {
  test('recordings under kills', { skip: missing }, () => {});
} else {
  const lab = await openKillable('killed-recorder');
  const { voice, ask, read } = lab;
  const question = await voice.speak(QUESTION);

  async function makeAgent(user: string, redacts: boolean): Promise<string> {
    const schema = { type: 'object', properties: { outcome: { type: 'string', enum: [OUTCOME, 'parking'] } } };
    const model = { provider: 'openai', model: 'rules', base_url: voice.url };
    const made = await ask('POST', '/api/extractors', user, { name: 'visit', schema, model });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    const consent = { type: 'stay_on_line', message: 'This call is recorded.' };
    const config = {
      ...voice.config,
      instructions: 'The library opens at ten on Sundays.',
      greeting: 'Welcome to the library.',
      recording: { enabled: true, consent },
      // There is nothing left to read of a call that is redacted.
      ...(redacts ? { privacy: { custom: [{ name: 'word', pattern: SECRET }] } } : { extractors: ['visit'] }),
    };
    const { status, body } = await ask('POST', '/api/agents/', user, { name: 'Library', user_id: user, config });
    assert.equal(status, 201, JSON.stringify(body));
    return body.id;
  }

  const recordingsOf = async ({ user, call_id }: Pick<Call, 'user' | 'call_id'>): Promise<Json[]> =>
    (await read(`/api/calls/${call_id}/recordings`, user)).recordings;

  /** A call from its consent on, with the recording begun. */
  async function begin(user: string, redacts: boolean): Promise<Call> {
    const agent_id = await makeAgent(user, redacts);
    const { body } = await ask('POST', '/api/calls/web', user, { agent_id });
    const { call_id, room_name } = body;
    const caller = await speakIn(body.url, body.token);
    lab.opened.push(caller.leave);
    const [recording] = await eventually(
      () => recordingsOf({ user, call_id }),
      ([one]) => one?.state === 'recording',
    );
    // A line, for an analysis to read.
    await eventually(
      () => read(`/api/sessions/${call_id}/transcripts`, user),
      ({ items }) => items.length > 0,
    );
    const { recording_id, started_at } = recording ?? assert.fail();
    return { user, redacts, call_id, room_name, recording_id, began: Date.parse(started_at), ended: 0, caller };
  }

  /** Talks, and hangs up, whether or not anybody listens. */
  async function talk(call: Call): Promise<void> {
    const over = sleep(CALL_MS);
    await call.caller.say(question);
    await over;
    await ask('POST', `/api/calls/${call.call_id}/end`, call.user);
    const { ended_at } = await eventually(
      () => read(`/api/calls/${call.call_id}`, call.user),
      (shown) => Boolean(shown.ended_at),
    );
    call.ended = Date.parse(ended_at);
  }

  async function isDone(call: Call): Promise<boolean> {
    const recordings = await recordingsOf(call);
    const { analyses } = await read(`/api/calls/${call.call_id}/analyses`, call.user);
    const isAnalysed = (call.redacts || analyses.length > 0) && analyses.every(({ state }: Json) => state === 'done');
    return isAnalysed && recordings.every(({ state }) => state === 'stored' || state === 'failed');
  }

  /** Waits until everything is recorded and analysed. What a dead program held is free a minute or two later. */
  async function untilDone(calls: Call[], killed: Part): Promise<void> {
    await eventually(lab.waiting, (reports) => reports.length === 0);
    const all = () => Promise.all(calls.map(isDone));
    // A worker that lives may still be writing its last segment.
    const lost = killed === 'worker' ? calls.map(({ call_id }) => call_id) : [];
    for (let times = 0; times < 4; times++) {
      if (times > 0 || killed !== 'store') await lab.passTime(lost);
      const done = await eventually(all, (each) => each.every(Boolean), DONE_MS).catch(() => null);
      if (done) return;
    }
    const left = calls.map((call) => read(`/api/calls/${call.call_id}/analyses`, call.user));
    assert.fail(JSON.stringify(await Promise.all([...calls.map(recordingsOf), ...left])));
  }

  /** It is whole, or says what is missing, which is no more than is promised. */
  async function assertRecorded(call: Call, killed: Part, at: number): Promise<void> {
    const recordings = await recordingsOf(call);
    const [recording] = recordings;
    assert.ok(recording && recordings.length === 1, JSON.stringify(recordings));
    const { state, duration_ms, sha256, bytes } = recording;
    const gaps = recording.gaps.filter(({ why }: Json) => !(call.redacts && why === 'redacted'));
    const isWorker = killed === 'worker';
    const lost = Math.min(isWorker ? at : call.ended, call.ended) - call.began - duration_ms;
    const what = JSON.stringify({ ...recording, lost });
    const most = call.redacts ? MOST_WITHHELD_MS : MOST_LOST_MS;
    assert.ok(lost < (isWorker ? most : NOTHING_LOST_MS), what);
    if (!isWorker) assert.deepEqual([state, gaps], ['stored', []], what);
    if (state === 'failed') return assert.equal(duration_ms, 0, what);
    assert.ok(gaps.length > 0 || lost < NOTHING_LOST_MS, what);
    assert.ok(gaps.every(({ why }: Json) => why === 'worker_lost') && gaps.length < 2, what);
    const audio = await fetch(`${lab.url}/api/calls/${call.call_id}/recordings/${call.recording_id}/audio`, {
      headers: { 'x-user-id': call.user },
    });
    const heard = Buffer.from(await audio.arrayBuffer());
    assert.deepEqual([createHash('sha256').update(heard).digest('hex'), heard.length], [sha256, bytes], what);
    if (call.redacts) await assertRedacted(call, heard, what);
  }

  /** The call of an agent that redacts every word has no sound of either side, and no word in a line. */
  async function assertRedacted({ user, call_id }: Call, audio: Buffer, what: string): Promise<void> {
    const { left, right } = decode(audio);
    for (const [side, samples] of Object.entries({ agent: left, others: right })) {
      const loud = loudnessOf(samples).flatMap((one, block) =>
        one < SILENT ? [] : [[block * BLOCK_MS, Math.round(one)]],
      );
      assert.deepEqual(loud, [], `${side}: ${what}`);
    }
    const { items } = await read(`/api/sessions/${call_id}/transcripts`, user);
    assert.ok(items.length > 0);
    for (const { content } of items) assert.doesNotMatch(content.replaceAll('[word]', ''), new RegExp(SECRET), what);
  }

  /** Nor is any in the worker's folder, except for calls that are not redacted. */
  async function assertKeepsNoSecret(calls: Call[]): Promise<void> {
    const others = calls.filter(({ redacts }) => !redacts).flatMap(({ call_id, room_name }) => [call_id, room_name]);
    for (const file of await filesIn(lab.spoolDir)) {
      const text = await readFile(file, 'utf8').catch(() => '');
      // Words that are too long for the letters of sound in base64 to contain them by chance.
      if (!others.some((id) => text.includes(id))) assert.doesNotMatch(text, /sunday|library|recorded/i, file);
    }
  }

  /** There is one analysis of each call that is not redacted, and all usage is in the ledger once. */
  async function assertCounted(calls: Call[]): Promise<void> {
    let booked = 0;
    for (const { user, call_id, redacts } of calls) {
      const { analyses } = await read(`/api/calls/${call_id}/analyses`, user);
      assert.deepEqual(
        analyses.map((one: Json) => [one.extractor, one.state]),
        redacts ? [] : [['visit', 'done']],
      );
      const { events } = await read(`/api/sessions/${call_id}/costs`, user);
      booked += events.filter(({ event_type }: Json) => !/telephony|media/.test(event_type)).length;
    }
    const { accepted, unknown } = lab.usage.counts();
    // A worker that is killed may leave a report that was accepted, without having been told.
    assert.ok(
      accepted > 0 && booked >= accepted && booked <= accepted + unknown,
      `${booked} of ${accepted}, ${unknown}`,
    );
  }

  /** Erases the users of the calls, while a part is killed. */
  async function erase(calls: Call[], part: Part, ms: number, awayMs: number): Promise<void> {
    const killed = lab.killAfter(part, ms, awayMs, () => assertKeepsNoSecret(calls));
    const first = calls.map(({ user }) => lab.once('DELETE', `/api/users/${user}`).catch(() => null));
    await killed;
    const answers = await Promise.all(first);
    if (answers.every((answer) => answer?.status === 200)) return;
    await lab.passTime([]);
    for (const { user } of calls) assert.equal((await ask('DELETE', `/api/users/${user}`)).status, 200);
  }

  /** No object, no row and no report of a worker is left. */
  async function assertGone(calls: Call[]): Promise<void> {
    const [sessions, recordings] = [calls.map(({ call_id }) => call_id), calls.map((call) => call.recording_id)];
    const [objects, reports] = [(await lab.objects()).join('\n'), await textIn(lab.spoolDir)];
    for (const id of [...sessions, ...recordings, ...calls.map((call) => call.room_name)])
      assert.ok(!objects.includes(id) && !reports.includes(id), `${objects}\n${reports}`);
    const rows = await lab.whileStopped(async (db) => {
      const found = [
        await db.selectFrom('recordings').select('id').where('session_id', 'in', sessions).execute(),
        await db.selectFrom('analyses').select('id').where('session_id', 'in', sessions).execute(),
        await db.selectFrom('transcripts').select('id').where('session_id', 'in', sessions).execute(),
        await db.selectFrom('recording_segments').select('seq').where('recording_id', 'in', recordings).execute(),
        await db.selectFrom('recording_levels').select('seq').where('recording_id', 'in', recordings).execute(),
        await db
          .selectFrom('sessions')
          .select('id')
          .where('id', 'in', sessions)
          .where('erased_at', 'is', null)
          .execute(),
      ];
      return found.flat();
    });
    assert.deepEqual(rows, []);
  }

  for (let round = 0; round * AT_ONCE < CALLS; round++) {
    const chance = (what: string, below: number) =>
      Number.parseInt(createHash('sha256').update(`${SEED} ${round} ${what}`).digest('hex').slice(0, 12), 16) % below;
    const part = PARTS[round % PARTS.length] ?? 'store';
    const later = PARTS[chance('part', PARTS.length)] ?? 'store';
    const [ms, laterMs] = [chance('ms', LATEST_MS), chance('later', LATEST_IN_ERASURE_MS)];
    const away = chance('away', LONGEST_AWAY_MS);
    const what = `${part} killed ${ms} ms after the consent, ${later} ${laterMs} ms into the erasure`;
    test(`recorded, analysed and erased once: ${what} (KILL_SEED=${SEED})`, SLOW, async () => {
      lab.usage.forget();
      const users = Array.from({ length: AT_ONCE }, (_, index) => `caller-${round}-${index}`);
      const calls = await Promise.all(users.map((user, index) => begin(user, index === 0)));
      const keepsNoSecret = () => assertKeepsNoSecret(calls);
      const [at] = await Promise.all([lab.killAfter(part, ms, away, keepsNoSecret), ...calls.map(talk)]);
      await untilDone(calls, part);
      for (const call of calls) await assertRecorded(call, part, at);
      await assertCounted(calls);
      await erase(calls, later, laterMs, away);
      await assertGone(calls);
    });
  }
}
