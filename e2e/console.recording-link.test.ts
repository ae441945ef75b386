import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { after, test } from 'node:test';
import { answeredCall, USER } from '@switchboard/testkit/calls.ts';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { openTestDatabase } from '@switchboard/testkit/database.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { keysOf } from '@switchboard/testkit/keys.ts';
import { recorder, segment } from '@switchboard/testkit/recordings.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { createFolderStorage } from '../packages/server/src/providers/storage/folder.ts';
import { missingBrowser } from './support/browser.ts';
import { openConsole } from './support/console.ts';
import { makeSpool } from './support/worker.ts';

/** Longer than a link to the audio is good for. */
const EXPIRED_MS = 3_600_001;

const missing = missingBrowser();
if (missing) {
  test('links to recordings in the console', { skip: missing }, () => {});
} else {
  const database = await openTestDatabase();
  after(database.close);
  const folder = await makeSpool();
  after(folder.remove);
  const storage = createFolderStorage(folder.dir);
  const clock = createTestClock();
  const open = await startService({ database, storage, clock });
  // Links expire where keys are needed.
  const service = await startService({ database, storage, clock, env: { AUTH_MODE: 'required' } });
  const visitor = await openConsole(service.url);
  after(visitor.close);
  const audio = await readFile(path.join(import.meta.dirname, 'support/ten-seconds.ogg'));
  const sha256 = createHash('sha256').update(audio).digest('hex');

  /** The page of a call with a recording of ten seconds, for somebody who has signed in. */
  async function openRecorded() {
    const { call_id } = await answeredCall(open);
    const of = recorder(open, call_id);
    const started_at = clock.now().toISOString();
    await of.report('recording', { started_at });
    await of.add(segment(0, 10_000), { sha256, audio: audio.toString('base64') });
    await of.report('ended', { segments: 1, started_at });
    await eventually(
      async () => {
        await open.app.reconcile();
        const { body } = await open.request('GET', `/api/calls/${call_id}/recordings`, { user: USER });
        return body.recordings[0].state;
      },
      (state) => state === 'stored',
    );
    const { key } = await keysOf(database).create({ name: 'Ada', role: 'user', user_id: USER });
    const page = await visitor.visit(`/console/calls/${call_id}`, { acceptDownloads: true });
    await page.getByLabel('API key').fill(key);
    await page.getByLabel('User', { exact: true }).fill(USER);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Recordings' }).waitFor();
    // The page had asked whether somebody is signed in.
    visitor.errors.splice(0);
    return page;
  }

  test('a recording whose link has expired can be listened to again from where it was, and downloaded', async () => {
    const page = await openRecorded();
    const listen = page.getByRole('button', { name: 'Listen (0:10)' });
    const player = page.locator('audio');
    const time = page.getByRole('timer');
    const play = page.getByRole('button', { name: 'Play', exact: true });
    await listen.click();
    // Slowly: on a busy machine it would be over before the link expires.
    await player.evaluate((element) => Object.assign(element, { playbackRate: 0.1 }));
    await play.click();
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    clock.advance(EXPIRED_MS);
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download' }).click();
    assert.deepEqual(await readFile(await (await download).path()), audio);

    assert.deepEqual(visitor.errors.splice(0), []);
    // The browser has kept all of so short a file, and has to be told to read it again.
    await player.evaluate('document.querySelector("audio").src += "#again"');
    await page.getByRole('alert').getByText('Listen again to go on').waitFor();
    assert.match(visitor.errors.splice(0).join(), /status of 401/);
    await listen.click();
    await play.waitFor();
    await page.getByRole('slider', { name: 'Position in the recording' }).fill('5');
    await time.getByText('0:05 / 0:10').waitFor();
    // As at a place that the browser has not kept.
    await player.evaluate('document.querySelector("audio").dispatchEvent(new Event("error"))');
    await listen.click();
    await time.getByText('0:05 / 0:10').waitFor();
    assert.equal(await player.evaluate('document.querySelector("audio").currentTime'), 5);
    await play.click();
    await time.getByText('0:10 / 0:10').waitFor();
    assert.equal(await page.getByRole('alert').count(), 0);
    assert.deepEqual(visitor.errors, []);
    await page.context().close();
  });
}
