import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { keysOf } from '@switchboard/testkit/keys.ts';
import { missingParts } from '@switchboard/testkit/lab.ts';
import { freePort } from '@switchboard/testkit/ports.ts';
import { startProgram } from '@switchboard/testkit/program.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { missingVoice } from '@switchboard/testkit/voice.ts';
import { missingBrowser, startBrowser } from './support/browser.ts';
import { openWorkerLab } from './support/worker-lab.ts';

const EXAMPLE = path.resolve(import.meta.dirname, '../examples/web-call');
const USER_ID = 'web-site';

const missing = missingParts() ?? missingVoice() ?? missingBrowser();
if (missing) {
  test('a call in a browser', { skip: missing }, () => {});
} else {
  if (!existsSync(path.join(EXAMPLE, 'node_modules')))
    execFileSync('npm', ['ci', '--prefix', EXAMPLE], { stdio: ['ignore', 'ignore', 'inherit'] });
  const { opened, voice, lab, database, media, startWorker } = await openWorkerLab('lab-web');
  const dir = await mkdtemp(path.join(tmpdir(), 'switchboard-web-call-'));
  opened.push(() => rm(dir, { recursive: true, force: true }));
  const port = String(await freePort());
  const site = `http://127.0.0.1:${port}`;
  const ours = await keysOf(database).create({ name: 'Site', role: 'service' });
  const service = await startService({
    media,
    database,
    env: { PORT: String(lab.webhookPort), AUTH_MODE: 'required', CORS_ORIGINS: site },
  });
  const ask = (method: string, route: string, body?: object) =>
    service.request(method, route, { headers: { authorization: `Bearer ${ours.key}` }, ...(body && { body }) });
  await startWorker({ MODEL_BASE_URLS: `${voice.url}=MODEL_KEY`, MODEL_KEY: 'key-of-the-worker' });

  test('the button of examples/web-call starts a call; speech into the microphone is transcribed and answered', async () => {
    const instructions = 'The library opens at ten on Sundays.';
    const config = { instructions, greeting: 'Welcome to the library.', ...voice.config };
    const agent = await ask('POST', '/api/agents/', { name: 'Library', user_id: USER_ID, config });
    const example = startProgram([process.execPath, 'server.js'], {
      cwd: EXAMPLE,
      env: {
        PORT: port,
        SWITCHBOARD_URL: service.url,
        SWITCHBOARD_API_KEY: ours.key,
        USER_ID,
        AGENT_ID: agent.body.id,
      },
    });
    opened.push(() => example.end('SIGKILL'));
    await example.until((output) => output.includes('http://'));
    const speech = await voice.speak('When do you open on Sunday?');
    // Silence first, while the agent greets, and silence at the end, so that the end of the sentence is detected.
    const microphone = new Int16Array(24_000 * 6 + speech.length + 24_000 * 20);
    microphone.set(speech, 24_000 * 6);
    const browser = await startBrowser(dir, microphone);
    opened.push(() => browser.close());
    const page = await browser.newPage();
    const errors: Error[] = [];
    page.on('pageerror', (error) => errors.push(error));
    await page.goto(site);
    await page.getByRole('button', { name: 'Talk to us' }).click();
    const words = page.getByRole('log');
    await words.getByText(/AGENT The library opens .*\n/).waitFor({ timeout: 40_000 });
    const [greeting, question, reply] = ((await words.textContent()) ?? '').split('\n');
    assert.equal(greeting, 'AGENT Welcome to the library.');
    assert.match(question ?? '', /^USER When do you open on Sunday/i);
    assert.equal(reply, `AGENT ${instructions}`);

    const { items } = (await ask('GET', '/api/calls/')).body;
    assert.deepEqual([items.length, items[0]?.call_status], [1, 'ANSWERED']);
    await page.getByRole('button', { name: 'Hang up' }).click();
    await page.getByText('The call has ended.').waitFor();
    await page.getByRole('button', { name: 'Talk to us' }).waitFor();
    const call = await eventually(
      async () => (await ask('GET', `/api/calls/${items[0].call_id}`)).body,
      ({ call_status }) => call_status === 'COMPLETED',
    );
    assert.equal(call.end_reason, 'hangup');
    assert.deepEqual(errors, []);

    await ask('PATCH', `/api/agents/${agent.body.id}`, { is_active: false });
    await page.getByRole('button', { name: 'Talk to us' }).click();
    await words.getByText('- The agent is not active.').waitFor();
  });

  test('the page and the server of the example are as short as they claim to be', async () => {
    const lines = async (name: string) => (await readFile(path.join(EXAMPLE, name), 'utf8')).split('\n').length - 1;
    assert.ok((await lines('index.html')) <= 30);
    assert.ok((await lines('server.js')) <= 20);
  });
}
