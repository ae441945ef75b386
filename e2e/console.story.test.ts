/** The story of an agent's page with a real worker, local models and a real media server; without: console.builder. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { missingParts } from '@switchboard/testkit/lab.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { missingVoice } from '@switchboard/testkit/voice.ts';
import { missingBrowser } from './support/browser.ts';
import { openConsole, publish } from './support/console.ts';
import { openWorkerLab } from './support/worker-lab.ts';

/** Installs the worker, starts its models, and holds two spoken calls. */
const SLOW = { timeout: 300_000 };
const missing = missingParts() ?? missingVoice() ?? missingBrowser();
if (missing) {
  test('the story of an agent with the worker', { skip: missing }, () => {});
} else {
  const { voice, lab, database, media, startWorker } = await openWorkerLab('story-worker');
  const env = {
    PORT: String(lab.webhookPort),
    LIVEKIT_URL: lab.url,
    LIVEKIT_API_KEY: lab.apiKey,
    LIVEKIT_API_SECRET: lab.apiSecret,
    LIVEKIT_SIP_TRUNK_ID: 'ST_unknown',
    LIVEKIT_AGENT_NAME: 'story-worker',
    CALLING_COUNTRIES: 'US',
  };
  const service = await startService({ media, database, env });
  const worker = await startWorker({ MODEL_BASE_URLS: voice.url });
  // A person who listens: the beeps of Chromium's own stand-in would interrupt the greeting at times.
  const visitor = await openConsole(service.url, new Int16Array(24_000));
  after(visitor.close);

  test(
    'an agent is made from a template, changed, tried in chat, published, talked to and rolled back',
    SLOW,
    async () => {
      const page = await visitor.visit('/console/agents', { permissions: ['microphone'] });
      await page.getByRole('button', { name: /^Front desk/ }).click();
      const prompt = page.getByRole('textbox', { name: 'Prompt' });
      await prompt.getByText('How you talk').waitFor();
      const route = `/api/agents/${new URL(page.url()).pathname.split('/').at(-1)}`;
      const ask = async (method: string, rest = '', body?: object) =>
        (await service.request(method, route + rest, { user: 'me', ...(body && { body }) })).body;
      // The models of this machine, as the operator of the worker has them.
      const { config } = await ask('GET');
      await ask('PATCH', '', { config: { ...config, ...voice.config, greeting: 'Good evening.' } });
      await page.reload();

      await prompt.press('Control+End');
      await page.keyboard.type('\nThe pharmacy next door sells stamps.');
      await page.getByRole('textbox', { name: 'Greeting' }).fill('Good morning.');
      await page.getByRole('button', { name: 'Chat', exact: true }).click();
      await page.getByLabel('Message', { exact: true }).fill('Who sells stamps?');
      await page.getByLabel('Message', { exact: true }).press('Enter');
      await page.getByRole('log', { name: 'Messages' }).getByText('The pharmacy next door sells stamps.').waitFor();
      assert.equal(await page.getByText('Simulated').count(), 0);
      await page.getByRole('button', { name: 'Close' }).click();
      await publish(page, 'Stamps');

      const greets = async (greeting: string, version: number) => {
        await page.getByRole('button', { name: 'Talk', exact: true }).click();
        await page
          .locator('.transcript')
          .getByText(greeting)
          .waitFor()
          .catch(async (error) => assert.fail(`${error}\n${await page.innerText('main')}\n${worker.output()}`));
        await page.locator('.facts div', { hasText: `Agent version${version}` }).waitFor();
        await page.getByRole('region', { name: 'Your call' }).getByRole('button', { name: 'Hang up' }).click();
        await page.getByRole('status').getByText('Completed').waitFor();
        await page.goBack();
      };
      await greets('Good morning.', 3);
      await page.getByRole('button', { name: 'Versions', exact: true }).click();
      await page.getByRole('button', { name: 'Roll back' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Roll back' }).click();
      await page.getByText('Calls get version 2 (100 %).').waitFor();
      await greets('Good evening.', 2);
      await page.context().close();
    },
  );
}
