import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { missingMediaServer } from '@switchboard/testkit/media-server.ts';
import { startProgram } from '@switchboard/testkit/program.ts';
import { missingVoice, startVoice } from '@switchboard/testkit/voice.ts';
import { installWorker } from '@switchboard/testkit/worker.ts';
import { missingBrowser, startBrowser } from './support/browser.ts';
import { closeAfterwards } from './support/worker-lab.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
/** Maximum time to start the models, the media server, the service and the worker, and to exchange three sentences. */
const STORY_MS = 180_000;

const missing = missingMediaServer() ?? missingVoice() ?? missingBrowser();
if (missing) {
  test('npm run talk', { skip: missing }, () => {});
} else {
  await installWorker();
  const opened = closeAfterwards();
  const dir = await mkdtemp(path.join(tmpdir(), 'switchboard-talk-test-'));
  opened.push(() => rm(dir, { recursive: true, force: true }));
  const voice = await startVoice();
  opened.push(voice.stop);

  test('npm run talk: a simulated caller talks to the agent, and then the person who opens the page does', {
    timeout: 2 * STORY_MS,
  }, async () => {
    const { OPENAI_API_KEY: _, ...env } = process.env;
    const talk = startProgram([process.execPath, 'demo/talk.ts', '--stay'], { cwd: ROOT, env });
    opened.push(() => talk.end('SIGKILL'));
    await talk.until((output) => /open +http\S+\n/.test(output), STORY_MS);
    const story = talk.output();
    for (const said of [
      /agent +Welcome to the library/,
      /user +When do you open on Sunday/i,
      /agent +The library opens at ten on Sundays/,
      /user +Where can I park my car/i,
      /agent +You can park for free behind the building/,
      /agent +Thank you for calling. Goodbye/,
    ])
      assert.match(story, said);
    assert.doesNotMatch(story, /no information/);
    assert.match(story, /recognized from its voice: ".*(welcome|library|help)/i, 'the agent was heard');
    assert.match(story, /cost +0\.0*[1-9]/);
    assert.match(story, /latency +transcript \d+ ms, first token \d+, first audio \d+/);

    const address = /open +(http:\/\/127\.0\.0\.1:\d+\/console\/\S+)/.exec(story)?.[1] ?? assert.fail(story);
    const speech = await voice.speak('When do you open on Sunday?');
    // Silence first, while the agent greets, and silence at the end, so that the end of the sentence is detected.
    const microphone = new Int16Array(24_000 * 6 + speech.length + 24_000 * 20);
    microphone.set(speech, 24_000 * 6);
    const browser = await startBrowser(dir, microphone);
    opened.push(() => browser.close());
    const page = await (await browser.newContext({ permissions: ['microphone'] })).newPage();
    const errors: Error[] = [];
    page.on('pageerror', (error) => errors.push(error));
    await page.goto(address);
    await page.getByRole('button', { name: 'Talk' }).click();
    const lines = page.locator('.transcript .line');
    await lines.nth(2).waitFor({ timeout: 60_000 });
    const said = await lines.locator('p').allTextContents();
    assert.equal(said[0], 'Welcome to the library. How can I help you?');
    assert.match(said[1] ?? '', /^When do you open on Sunday/i);
    assert.match(said[2] ?? '', /^The library opens at ten on Sundays/);
    await page.getByRole('region', { name: 'Your call' }).getByRole('button', { name: 'Hang up' }).click();
    await page.getByRole('status').getByText('Completed').waitFor();
    assert.deepEqual(errors, []);
    await browser.close();

    assert.equal(await talk.end('SIGINT'), 0);
    await assert.rejects(fetch(address), 'nothing of it is left');
  });
}
