/** The story of an agent's page with a real worker, local models and a real media server; without: console.builder. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { missingParts } from '@switchboard/testkit/lab.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { missingVoice } from '@switchboard/testkit/voice.ts';
import { makeAnAgent } from './support/agent-story.ts';
import { missingBrowser } from './support/browser.ts';
import { openConsole } from './support/console.ts';
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
      // The models of this machine, as the operator of the worker has them; the templates name others.
      await page.route('**/api/agents/', (route) => {
        const body = route.request().postDataJSON();
        const postData = { ...body, config: { ...body?.config, ...voice.config } };
        return route.request().method() === 'POST' ? route.continue({ postData }) : route.continue();
      });
      await makeAnAgent(page, worker.output);
      assert.equal(await page.getByText('Simulated').count(), 0);
      await page.context().close();
    },
  );
}
