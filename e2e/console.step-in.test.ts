/** An open call in the console while requests about it wait, or fail. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { reaches } from '@switchboard/testkit/calls.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { leavePage } from './support/agent-page.ts';
import { missingBrowser } from './support/browser.ts';
import { openConsole, seriousViolations } from './support/console.ts';
import { hold } from './support/hold.ts';

const missing = missingBrowser();
if (missing) {
  test('stepping in while requests wait or fail', { skip: missing }, () => {});
} else {
  const service = await startService({ env: { SANDBOX_RING_MS: '20', SANDBOX_CONVERSATIONS: '0' } });
  const visitor = await openConsole(service.url);
  after(visitor.close);
  const { body: agent } = await service.request('POST', '/api/agents/', { body: { name: 'Desk', user_id: 'me' } });

  async function answered() {
    const body = { agent_id: agent.id, phone_number: '+15005550100' };
    const { body: call } = await service.request('POST', '/api/calls/outbound', { user: 'me', body });
    await reaches(service, call.call_id, 'ANSWERED');
    const say = (content: string) =>
      service.request('POST', `/api/sessions/by-room/${call.room_name}/transcripts`, { body: { content } });
    return { address: `/console/calls/${call.call_id}`, say };
  }

  test('keys go one after another, in the order in which they are pressed; one that failed is told until it is seen', async () => {
    const page = await visitor.visit((await answered()).address);
    const pad = page.getByRole('group', { name: 'Keys of the telephone' });
    const sent: string[] = [];
    const answer = Promise.withResolvers<void>();
    await page.route('**/dtmf', async (route) => {
      const { digits } = route.request().postDataJSON();
      sent.push(digits);
      if (digits !== '1') return route.continue();
      await answer.promise;
      return route.fulfill({ status: 409, json: { code: 'conflict', detail: 'Nobody is in the call.' } });
    });
    for (const key of ['1', '2', '3']) await pad.getByRole('button', { name: key }).click();
    // Requests that were begun with the first would be here before these.
    for (let turn = 0; turn < 5; turn++) await page.evaluate("fetch('/console/').then((answer) => answer.text())");
    assert.deepEqual(sent, ['1']);
    answer.resolve();
    await eventually(
      async () => sent,
      ({ length }) => length === 3,
    );
    assert.deepEqual(sent, ['1', '2', '3']);
    await pad.getByRole('button', { name: '4' }).click();
    await eventually(
      async () => sent,
      ({ length }) => length === 4,
    );
    const problem = page.getByText('Perhaps not pressed: 1. Nobody is in the call.');
    assert.equal(await problem.count(), 1);
    assert.deepEqual(await seriousViolations(page), []);
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await problem.waitFor({ state: 'detached' });
    await leavePage(visitor, page, /status of 409/);
  });

  test('words that are typed while others are sent stay', async () => {
    const page = await visitor.visit((await answered()).address);
    const words = page.getByLabel('Words for the agent');
    for (const [name, route] of [
      ['Say it now', /\/say$/],
      ['Instruct the agent', /\/instructions$/],
    ] as const) {
      const button = page.getByRole('button', { name });
      const request = await hold(page, 'POST', route);
      await words.fill('One moment, please.');
      await button.click();
      await request.arrived;
      await words.fill('And what I type meanwhile.');
      request.release();
      await eventually(
        () => button.getAttribute('aria-busy'),
        (busy) => busy === null,
      );
      assert.equal(await words.inputValue(), 'And what I type meanwhile.');
      await button.click();
      await eventually(
        () => words.inputValue(),
        (text) => text === '',
      );
    }
    assert.deepEqual(visitor.errors, []);
    await page.context().close();
  });

  test('a transcript without its earlier lines says so until they are read, whatever is said meanwhile', async () => {
    const { address, say } = await answered();
    await say('Said before.');
    const page = await visitor.visit('/console/calls');
    await page.route(/\/api\/sessions\/[^/]+\/transcripts/, (route) => route.abort());
    await page.goto(`${service.url}${address}`);
    const warning = page.getByText('The transcript is incomplete.');
    await warning.waitFor();
    await say('Said now.');
    const lines = page.locator('.transcript li');
    await lines.filter({ hasText: 'Said now.' }).waitFor();
    assert.equal(await warning.count(), 1);
    assert.equal(await lines.count(), 1);
    assert.deepEqual(await seriousViolations(page), []);
    await page.unroute(/\/api\/sessions\/[^/]+\/transcripts/);
    await page.getByRole('button', { name: 'Try again' }).click();
    await lines.filter({ hasText: 'Said before.' }).waitFor();
    assert.equal(await warning.count(), 0);
    await leavePage(visitor, page, /ERR_FAILED/);
  });
}
