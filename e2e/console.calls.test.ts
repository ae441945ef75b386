import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startService } from '@switchboard/testkit/service.ts';
import { leavePage } from './support/agent-page.ts';
import { missingBrowser } from './support/browser.ts';
import { openConsole } from './support/console.ts';
import { insertCalls } from './support/console-many.ts';
import { scrollTo } from './support/frames.ts';

/** More than a page of the history. */
const CALLS = 150;
const missing = missingBrowser();
if (missing) {
  test('the history of calls in the console', { skip: missing }, () => {});
} else {
  const service = await startService();
  const visitor = await openConsole(service.url);
  after(visitor.close);
  await service.request('POST', '/api/agents/', { body: { name: 'Desk', user_id: 'me' } });
  await insertCalls(service.database, 'me', CALLS, 'ended');

  test('a next page that cannot be read is asked for once, and again when somebody tries', async () => {
    const page = await visitor.visit('/console/');
    const asked = { first: 0, next: 0 };
    await page.route(/\/api\/calls\/\?/, (route) => {
      const isNext = new URL(route.request().url()).searchParams.has('cursor');
      asked[isNext ? 'next' : 'first']++;
      const refusal = { code: 'invalid_cursor', detail: 'This is no cursor.' };
      return isNext ? route.fulfill({ status: 400, json: refusal }) : route.continue();
    });
    await page.goto(`${service.url}/console/calls`);
    await page.locator('.virtual-frame').waitFor();
    await page.evaluate(`document.querySelector('.virtual-frame').scrollTop = ${CALLS * 49}`);
    const failure = page.getByRole('alert').filter({ hasText: 'This is no cursor.' });
    await failure.waitFor();
    for (let turn = 0; turn < 20; turn++) await page.evaluate("fetch('/console/').then((answer) => answer.text())");
    // Each reading of the newest calls, as when their stream has begun, lets the next page be tried once.
    assert.ok(asked.next >= 1 && asked.next <= asked.first, JSON.stringify(asked));
    await page.unroute(/\/api\/calls\/\?/);
    await failure.getByRole('button', { name: 'Try again' }).click();
    await scrollTo(page, CALLS * 49 - 49);
    assert.equal(await page.getByRole('table').getAttribute('aria-rowcount'), String(CALLS + 1));
    await failure.waitFor({ state: 'detached' });
    await leavePage(visitor, page, /status of 400/);
  });
}
