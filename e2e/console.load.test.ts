import assert from 'node:assert/strict';
import { after, type TestContext, test } from 'node:test';
import { median } from '@switchboard/testkit/median.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { sql } from 'kysely';
import { missingBrowser } from './support/browser.ts';
import { openConsole } from './support/console.ts';
import { insertCalls } from './support/console-many.ts';
import { type Frames, scrollTo, sweep, watchFrames } from './support/frames.ts';

const OPEN = 1_000;
const MANY = 10_000;
/** Maximum CPU time of the page for one frame, in milliseconds. */
const FRAME_MS = 100;
/** Rows of a virtual table in an 800-pixel window: the visible ones, and some around them. */
const MAX_ROWS = 60;
const BURSTS = 5;

const missing = missingBrowser();
if (missing) {
  test('the console under load', { skip: missing }, () => {});
} else {
  const service = await startService({ env: { RATE_LIMIT_SERVICE: '10000000' } });
  const visitor = await openConsole(service.url);
  after(visitor.close);
  for (const user_id of ['busy', 'huge', 'past'])
    await service.request('POST', '/api/agents/', { body: { name: 'Desk', user_id } });
  await insertCalls(service.database, 'busy', OPEN, 'open');
  await insertCalls(service.database, 'huge', MANY, 'open');
  await insertCalls(service.database, 'past', MANY, 'ended');

  const rowsOf = (page: Awaited<ReturnType<typeof visitor.visit>>) => page.getByRole('row').count();

  test('a thousand calls that change at once leave no frame over 100 ms on Live', async (context) => {
    const page = await visitor.visit('/console/live?user=busy');
    await page.getByRole('link', { name: `Live ${OPEN}` }).waitFor();
    const { items } = (await service.request('GET', '/api/calls/?limit=1', { user: 'busy' })).body;
    const [newest] = items;
    const calls = await sql<{ id: string }>`select id from sessions where user_id = 'busy'`.execute(
      service.database.db,
    );
    const ids = calls.rows.map(({ id }) => id);
    const measured: Frames[] = [];
    for (let burst = 1; burst <= BURSTS; burst++) {
      const frames = await watchFrames(page, async () => {
        await Promise.all([
          changeAll(ids),
          ...ids.slice(0, 100).map((id, n) => say(`busy-${n + 1}`, `${id} ${burst}`)),
        ]);
        await page
          .getByRole('row', { name: newest.to_number.slice(-4) })
          .getByText(`$${burst}.00`)
          .waitFor();
      });
      measured.push(frames);
    }
    assertFrames(context, measured);
    assert.ok((await rowsOf(page)) < MAX_ROWS);
    await page.context().close();
  });

  /** A cost for each call, in one transaction. */
  async function changeAll(ids: string[]): Promise<void> {
    const event = { user_id: 'busy', provider: 'openai', event_type: 'llm_tokens', quantity: '1' };
    const events = ids.map((session_id) => ({ ...event, session_id, unit_cost: '1', total_cost: '1' }));
    const { status } = await service.request('POST', '/api/usage/events/batch', { body: { events } });
    assert.equal(status, 201);
  }

  async function say(room: string, content: string): Promise<void> {
    await service.request('POST', `/api/sessions/by-room/${room}/transcripts`, { body: { content } });
  }

  for (const [name, path, user] of [
    ['open calls', 'live', 'huge'],
    ['calls of the past', 'calls', 'past'],
  ] as const)
    test(`ten thousand ${name} scroll without a frame over 100 ms, in a bounded number of rows`, async (context) => {
      const page = await visitor.visit(`/console/${path}?user=${user}`);
      await page.locator('.virtual-frame').waitFor();
      await scrollTo(page, MANY * 49 - 49);
      const measured: Frames[] = [];
      let most = 0;
      for (let pass = 0; pass < BURSTS; pass++) {
        const frames = await watchFrames(page, () => sweep(page));
        measured.push(frames);
        most = Math.max(most, await rowsOf(page));
      }
      assertFrames(context, measured);
      assert.ok(most < MAX_ROWS, `${most} rows`);
      await page.context().close();
    });

  test('no page has reported an error', () => assert.deepEqual(visitor.errors, []));
}

/** Fails if the page takes too much CPU time for a frame; wall time would include other programs of the machine. */
function assertFrames(context: TestContext, measured: Frames[]): void {
  const list = (name: keyof Frames) => measured.map((frames) => frames[name].toFixed(0)).join(', ');
  context.diagnostic(`longest task ${list('task_ms')} ms of the processor; longest frame ${list('longest_ms')} ms`);
  assert.ok(median(measured.map(({ task_ms }) => task_ms)) < FRAME_MS, list('task_ms'));
}
