import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { median } from '@switchboard/testkit/median.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { missingBrowser } from './support/browser.ts';
import { openConsole } from './support/console.ts';
import { insertCalls } from './support/console-many.ts';

const CALLS = 10_000;
const VISITS = 5;
const FIRST_PAINT_MS = 1_000;
/** The page's own measurement, in milliseconds since the navigation began. It may come after the heading. */
const READ_FIRST_PAINT = `new Promise((resolve) => {
  new PerformanceObserver((list) => {
    for (const { startTime } of list.getEntriesByName('first-contentful-paint')) resolve(startTime);
  }).observe({ type: 'paint', buffered: true });
})`;

const missing = missingBrowser();
if (missing) {
  test('the first paint of the console', { skip: missing }, () => {});
} else {
  const service = await startService();
  const visitor = await openConsole(service.url);
  after(visitor.close);
  for (const user_id of ['huge', 'past'])
    await service.request('POST', '/api/agents/', { body: { name: 'Desk', user_id } });
  await insertCalls(service.database, 'huge', CALLS, 'open');
  await insertCalls(service.database, 'past', CALLS, 'ended');

  test('the overview of a month is painted within a second', async (context) => {
    const painted: number[] = [];
    for (let visit = 0; visit < VISITS; visit++) {
      const page = await visitor.visit('/console?user=past');
      await page.getByRole('heading', { name: 'Overview' }).waitFor();
      painted.push(await page.evaluate<number>(READ_FIRST_PAINT));
      await page.context().close();
    }
    context.diagnostic(`first paint: median ${median(painted).toFixed(0)} ms`);
    assert.ok(Math.min(...painted) < FIRST_PAINT_MS, painted.join(', '));
  });

  test('no page has reported an error', () => assert.deepEqual(visitor.errors, []));
}
