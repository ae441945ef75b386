/**
 * The story of what was said in a call, from the consent to the erasure: in the console, with the real worker and its
 * local models, a real media server and a real store that speaks S3; store, worker and service are killed on the way.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { createAgent, USER } from '@switchboard/testkit/calls.ts';
import { type Json, request } from '@switchboard/testkit/client.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { missingParts } from '@switchboard/testkit/lab.ts';
import { missingS3, startS3 } from '@switchboard/testkit/s3.ts';
import type { RequestOptions } from '@switchboard/testkit/service.ts';
import { type ServiceProcess, startProcess } from '@switchboard/testkit/service-process.ts';
import { missingVoice } from '@switchboard/testkit/voice.ts';
import type { Page } from 'playwright-core';
import { makeCommandDatabase } from '../packages/server/test/support/command-database.ts';
import { findStored } from '../packages/server/test/support/stored-text.ts';
import { decode } from './support/audio.ts';
import { missingBrowser } from './support/browser.ts';
import { openConsole, seriousViolations } from './support/console.ts';
import { filesIn, textIn } from './support/files.ts';
import { holdFirstQuestion } from './support/held-models.ts';
import { environmentOf } from './support/killable.ts';
import { giveVoice } from './support/page-voice.ts';
import { notePlayedLines } from './support/played-lines.ts';
import type { Worker } from './support/worker.ts';
import { openWorkerParts } from './support/worker-lab.ts';

const AGENT_NAME = 'story-recorder';
const CONSENT = 'May I record this call?';
const GREETING = 'Welcome to the library.';
const QUESTION = 'When do you open on Sunday?';
const ANSWER = 'The library opens at ten on Sundays.';
const OUTCOME = 'opens on Sundays';
/** Words of the call, which must be nowhere in the end. */
const WORDS = ['library', 'Sunday', 'sunday', 'record this'];

/** Installs the worker and starts its models; a busy machine is slow to understand. */
const SLOW = { timeout: 300_000 };
/** For each step on a busy machine. */
const PATIENCE_MS = 90_000;

const missing = missingParts() ?? missingVoice() ?? missingBrowser() ?? missingS3();
if (missing) {
  test('the story of a recorded call', { skip: missing }, () => {});
} else {
  const { opened, voice, lab, startWorker, spoolDir } = await openWorkerParts(AGENT_NAME);
  const { directory, where, inDatabase } = await makeCommandDatabase();
  const store = await startS3(path.join(directory, 's3'));
  opened.push(store.kill);
  const files = path.join(directory, 's3', store.settings.bucket);
  /** Without what the store was killed over before it had taken it. */
  const objects = async () => (await filesIn(files)).filter((file) => !file.includes('/.sgwtmp/'));
  const env = { ...where, ...environmentOf(lab, AGENT_NAME, store.settings), LOG_LEVEL: 'trace' };
  const services: ServiceProcess[] = [];
  const workers: Worker[] = [];
  const reader = await holdFirstQuestion(voice.url);
  opened.push(reader.close);

  async function startService(): Promise<void> {
    const service = await startProcess(env);
    services.push(service);
    opened.push(() => service.end('SIGKILL'));
  }
  async function startAWorker(): Promise<void> {
    workers.push(await startWorker({ MODEL_BASE_URLS: `${voice.url} ${reader.url}` }));
  }
  const killService = () => services.at(-1)?.end('SIGKILL');
  const ask = (method: string, route: string, options: RequestOptions = {}) =>
    request(`http://127.0.0.1:${env.PORT}`, { method, path: route, user: USER, ...options });
  const read = async (route: string): Promise<Json> => (await ask('GET', route)).body;
  const recordingOf = async (call: string): Promise<Json> => (await read(`${call}/recordings`)).recordings[0] ?? {};

  /** An agent that asks for consent, and whose calls a model reads. */
  async function makeAgent(): Promise<string> {
    const schema = { type: 'object', properties: { outcome: { type: 'string', enum: [OUTCOME, 'parking'] } } };
    const model = { provider: 'openai', model: 'rules', base_url: reader.url };
    const { status, body } = await ask('POST', '/api/extractors', { body: { name: 'visit', schema, model } });
    assert.equal(status, 201, JSON.stringify(body));
    const recording = { enabled: true, consent: { type: 'verbal', message: CONSENT } };
    const config = { ...voice.config, instructions: ANSWER, greeting: GREETING, recording, extractors: ['visit'] };
    return createAgent({ request: ask }, { config });
  }

  /** Talks, and is recorded from the consent on; meanwhile the store is away. Returns the address of the call. */
  async function talk(page: Page): Promise<string> {
    const speak = await giveVoice(page);
    const say = async (words: string) => speak(await voice.speak(words));
    const line = (words: string) => page.locator('.transcript .line p').getByText(words).waitFor();
    await page.getByRole('button', { name: 'Talk', exact: true }).click();
    await line(CONSENT);
    const call = `/api/calls/${new URL(page.url()).pathname.split('/').at(-1)}`;
    assert.equal((await recordingOf(call)).state, 'waiting_for_consent');
    assert.deepEqual(await objects(), []);
    await say('Yes.');
    await line(GREETING);
    await eventually(objects, (found) => found.length > 0);
    await store.kill();
    await say(QUESTION);
    await line(ANSWER);
    // A segment that the store has not taken.
    await workers[0]?.prints('addRecordingSegment');
    await page.getByRole('region', { name: 'Your call' }).getByRole('button', { name: 'Hang up' }).click();
    await page.getByRole('status').getByText('Completed').waitFor();
    await store.start();
    return call;
  }

  /** The worker is killed while it reads the call, and the service with it; others go on. */
  async function killReader(): Promise<void> {
    await reader.asked;
    await Promise.all([workers[0]?.kill(), killService()]);
    await inDatabase(async (db) => {
      const tables = (await findStored(db, WORDS)).map((found) => found.split(':')[0]);
      assert.ok(tables.includes('transcripts') && tables.includes('agents'), tables.join());
      // As a minute without a sign of life would.
      await db
        .updateTable('work')
        .set({ leased_until: new Date(0) })
        .where('leased_until', 'is not', null)
        .execute();
    });
    await Promise.all([startService(), startAWorker()]);
  }

  /** Hears the call again on its page: the line that is marked is the one that is played. */
  async function hear(page: Page, call: string): Promise<void> {
    await page.reload();
    await page.getByRole('button', { name: /^Listen/ }).click();
    await page.locator('audio').waitFor({ state: 'attached' });
    const played = await notePlayedLines(page);
    await page.getByRole('button', { name: 'Play', exact: true }).click();
    await page.locator('.transcript [aria-current] p').getByText(ANSWER).waitFor();
    const marked = await played();
    await page.getByLabel('Speed').selectOption({ label: '2 ×' });
    assert.equal(await page.evaluate("document.querySelector('audio').playbackRate"), 2);
    const { recording_id, started_at } = await recordingOf(call);
    const lines: Json[] = (await read(call.replace('/calls/', '/sessions/').concat('/transcripts'))).items;
    // Those before the consent cannot be heard.
    const heard = lines.filter(({ timestamp }) => timestamp > started_at).map((line) => line.id);
    assert.deepEqual(
      marked.map((line) => line.id),
      heard,
    );
    const levels: Json = await read(`${call}/recordings/${recording_id}/levels`);
    const begins = new Map<string, number>(levels.lines.map((line: Json) => [line.transcript_id, line.from_ms]));
    // A line is marked from the second on in which it begins.
    for (const { id, at } of marked)
      assert.ok(Math.floor(at) >= Math.floor((begins.get(id) ?? assert.fail()) / 1000), `${id} at ${at}`);
    assert.deepEqual(await seriousViolations(page), []);
  }

  /** The audio that the page gives away is that of the call, from the consent on. */
  async function downloadAudio(page: Page, call: string): Promise<void> {
    const download = page.waitForEvent('download');
    const recordings = page.locator('section', { has: page.getByRole('heading', { name: 'Recordings' }) });
    await recordings.getByRole('button', { name: 'Download' }).click();
    const audio = await readFile(await (await download).path());
    const { sha256, gaps } = await recordingOf(call);
    assert.equal(createHash('sha256').update(audio).digest('hex'), sha256);
    assert.deepEqual(gaps, []);
    const { left, right } = decode(audio);
    const [agent, caller] = [await voice.recognize(left), await voice.recognize(right)];
    assert.ok(/library/i.test(agent) && !/record/i.test(agent), agent);
    assert.match(caller, /sunday/i);
  }

  /** A value of the analysis leads to the sentence that says so. */
  async function seeEvidence(page: Page): Promise<void> {
    const analysis = page.getByRole('article', { name: 'visit, version 1' });
    await analysis.getByText('Done', { exact: true }).waitFor();
    await analysis.getByText(OUTCOME, { exact: true }).waitFor();
    await analysis.getByRole('button', { name: new RegExp(ANSWER) }).click();
    await page.locator('.transcript [aria-current] p').getByText(ANSWER).waitFor();
  }

  /** Finds the call by its outcome in the list, and exports what is found. */
  async function findAndExport(page: Page, call: string): Promise<void> {
    await page.getByRole('link', { name: 'Calls', exact: true }).first().click();
    await page.getByRole('button', { name: 'Analysis…' }).click();
    const dialog = page.getByRole('dialog', { name: 'What was found' });
    await dialog.getByRole('button', { name: 'Add a condition' }).click();
    await dialog.getByLabel('Value of outcome').selectOption('parking');
    await dialog.getByLabel('outcome', { exact: true }).check();
    await dialog.getByRole('button', { name: 'Show', exact: true }).click();
    await page.getByText('No call matches').waitFor();
    await page.getByRole('button', { name: 'outcome: parking' }).click();
    await dialog.getByLabel('Value of outcome').selectOption(OUTCOME);
    await dialog.getByRole('button', { name: 'Show', exact: true }).click();
    const row = page.getByRole('table', { name: 'Calls' }).getByRole('row').nth(1);
    await row.getByRole('cell', { name: OUTCOME }).waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'CSV' }).click();
    const [head = '', found = '', ...others] = (await readFile(await (await download).path(), 'utf8'))
      .trim()
      .split('\r\n');
    assert.ok(head.includes('analysis.outcome') && found.includes(OUTCOME), `${head}\n${found}`);
    assert.ok(found.includes(path.basename(call)), found);
    assert.deepEqual(others, []);
  }

  /** Erases the user while the store is away: nothing is forgotten, although the service is killed. */
  async function erase(page: Page, url: string): Promise<void> {
    await store.kill();
    await page.goto(`${url}/console/settings?tab=erase`);
    await page.getByLabel('User', { exact: true }).fill(USER);
    await page.getByRole('button', { name: 'Erase the user' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(/^Type/).fill(USER);
    await dialog.getByRole('button', { name: 'Erase', exact: true }).click();
    await dialog.getByRole('alert').getByText('storage of recordings').waitFor();
    await killService();
    await Promise.all([store.start(), startService()]);
    // By itself, with nobody who asks again.
    await eventually(
      () => read('/api/agents/'),
      (agents) => agents.length === 0,
    );
  }

  test('a call is heard again, analysed, found, exported and erased, whatever is killed meanwhile', SLOW, async () => {
    await Promise.all([startService(), startAWorker()]);
    const { url } = services[0] ?? assert.fail();
    const visitor = await openConsole(url);
    opened.push(visitor.close);
    const options = { permissions: ['microphone'], acceptDownloads: true };
    const page = await visitor.visit(`/console/agents/${await makeAgent()}?user=${USER}`, options);
    page.setDefaultTimeout(PATIENCE_MS);
    const call = await talk(page).catch((error) => assert.fail(`${error}\n${workers[0]?.output()}`));
    await eventually(
      () => recordingOf(call),
      ({ state }) => state === 'stored',
    );
    await killReader();
    await hear(page, call);
    await downloadAudio(page, call);
    await seeEvidence(page);
    await findAndExport(page, call);
    await erase(page, url);

    // Not killed: it still writes down that this is done.
    await services.at(-1)?.end('SIGTERM');
    assert.deepEqual(await inDatabase((db) => findStored(db, [...WORDS, USER])), []);
    // The proof that the audio is gone: what is stored is encrypted, and has no words to look for.
    assert.deepEqual(await objects(), []);
    // A part of an upload that a killed store keeps is encrypted with a key that is gone: it has no header of audio.
    assert.doesNotMatch(await textIn(files), /OggS/);
    assert.deepEqual(await workers.at(-1)?.waiting(), []);
    const logs = [...services, ...workers].map((one) => one.output());
    for (const text of [await textIn(spoolDir), ...logs])
      for (const word of WORDS)
        assert.ok(
          !text.includes(word),
          text.split('\n').find((line) => line.includes(word)),
        );
    // Chromium reports what it could not load while the store or the service was away.
    const errors = visitor.errors.filter((error) => !/net::ERR|status of 503|data ?channel/i.test(error));
    assert.deepEqual(errors, []);
  });
}
