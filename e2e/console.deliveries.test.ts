import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startReceiver } from '@switchboard/testkit/receiver.ts';
import { startService } from '@switchboard/testkit/service.ts';
import type { Page } from 'playwright-core';
import { missingBrowser } from './support/browser.ts';
import { openConsole, seriousViolations } from './support/console.ts';

const missing = missingBrowser();
if (missing) {
  test('deliveries in the console', { skip: missing }, () => {});
} else {
  const service = await startService();
  const receiver = await startReceiver();
  const visitor = await openConsole(service.url);
  after(visitor.close);
  const ask = async (method: string, path: string, body?: object) =>
    (await service.request(method, path, { user: 'me', ...(body && { body }) })).body;
  const listed = (status: string, count: number) =>
    eventually(
      async () => (await ask('GET', `/api/callbacks?status=${status}`)).items,
      (items) => items.length === count,
    );

  /** Pixels by which the table of callbacks overflows its container. */
  const excessOf = async (page: Page) => {
    const table = page.getByRole('region', { name: 'Callbacks' });
    return table.evaluate<number, { scrollWidth: number; clientWidth: number }>(
      ({ scrollWidth, clientWidth }) => scrollWidth - clientWidth,
    );
  };

  test('a test event shows its receiver’s response', async () => {
    receiver.answerWith = () => 204;
    await ask('POST', '/api/webhook-endpoints', { url: `${receiver.url}/tested` });
    const page = await visitor.visit('/console/deliveries?tab=endpoints');
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Send', exact: true }).click();
    await dialog.getByText(/^HTTP 204 in \d+ ms$/).waitFor();
    assert.deepEqual(await seriousViolations(page), []);
    receiver.answerWith = () => 500;
    await dialog.getByRole('button', { name: 'Send another' }).click();
    await dialog.getByText(/HTTP 500 in \d+ ms: it will be tried again/).waitFor();
    receiver.answerWith = () => 204;
    await dialog.getByRole('link', { name: 'All callbacks' }).click();
    await eventually(
      () => page.getByRole('row', { name: /webhook\.test/ }).count(),
      (count) => count === 2,
    );
    // The second one may have been tried again already.
    assert.equal(new Set(receiver.at('/tested').map(({ headers }) => headers['webhook-id'])).size, 2);
    await page.context().close();
  });

  test('selected callbacks, and all failed ones, are redelivered', async () => {
    receiver.answerWith = (path) => (path === '/tested' ? 204 : 410);
    const agent = await ask('POST', '/api/agents/', { name: 'Desk', user_id: 'me' });
    for (const path of ['/a', '/b', '/c'])
      await ask('POST', '/api/calls/outbound', {
        agent_id: agent.id,
        phone_number: '+15005550001',
        callback_url: `${receiver.url}${path}`,
      });
    await listed('failed', 3);
    receiver.answerWith = () => 204;
    const page = await visitor.visit('/console/deliveries');
    const [state, receivers] = [page.getByLabel('State'), page.getByLabel('Endpoint')];
    await page.getByRole('columnheader', { name: 'Next attempt' }).waitFor();
    await receivers.selectOption({ label: `${receiver.url}/tested` });
    await state.selectOption({ label: 'Failed, given up' });
    await page.getByText('No callback matches').waitFor();
    await receivers.selectOption({ label: 'Any receiver' });
    await page
      .getByRole('checkbox', { name: /^Select call/ })
      .first()
      .check();
    await page.getByRole('button', { name: 'Redeliver 1 selected' }).waitFor();
    await page.getByRole('checkbox', { name: 'Select all' }).check();
    await page.getByRole('button', { name: 'Redeliver 3 selected' }).waitFor();
    assert.deepEqual(await seriousViolations(page), []);
    await page
      .getByRole('checkbox', { name: /^Select call/ })
      .last()
      .uncheck();
    await page.getByRole('button', { name: 'Redeliver 2 selected' }).click();
    await listed('failed', 1);
    await page.getByRole('button', { name: 'Redeliver failed…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Created in').selectOption({ label: 'The last hour' });
    await dialog.getByRole('button', { name: 'Redeliver', exact: true }).click();
    await dialog.getByText('1 callback is sent again.').waitFor();
    await listed('failed', 0);
    await dialog.getByRole('button', { name: 'Redeliver', exact: true }).click();
    await dialog.getByText('None failed in this period.').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await page.getByText('No callback matches').waitFor();
    await page.context().close();
  });

  test('on a phone each callback has its response, its call, and a redelivery button', async () => {
    // A user without webhook endpoints: each event is sent once.
    const own = async (method: string, route: string, body?: object) =>
      (await service.request(method, route, { user: 'walker', ...(body && { body }) })).body;
    const agent = await own('POST', '/api/agents/', { name: 'Desk', user_id: 'walker' });
    await own('POST', '/api/calls/outbound', {
      agent_id: agent.id,
      phone_number: '+15005550001',
      callback_url: `${receiver.url}/phone`,
    });
    await eventually(
      async () => (await own('GET', '/api/callbacks?status=delivered')).items,
      (items) => items.length === 1,
    );
    const options = { viewport: { width: 360, height: 740 } };
    const page = await visitor.visit('/console/deliveries?user=walker', options);
    const row = page.getByRole('row', { name: /call\.failed/ });
    await row.getByText('204').first().waitFor();
    const button = row.getByRole('button', { name: 'Redeliver' });
    const box = await button.boundingBox();
    assert.ok(box && box.x >= 0 && box.x + box.width <= 360 && box.width >= 44 && box.height >= 44);
    const before = receiver.at('/phone').length;
    await button.click();
    await eventually(
      async () => receiver.at('/phone').length,
      (count) => count > before,
    );
    assert.deepEqual(await seriousViolations(page), []);
    assert.equal(await excessOf(page), 0);
    await row.getByRole('link', { name: 'Call' }).click();
    await page.getByRole('heading', { name: '+1 500 555 0001' }).waitFor();
    // The page of a call does not hide the button either, on a phone or next to its facts.
    await page.getByRole('button', { name: 'Redeliver' }).waitFor();
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      assert.equal(await excessOf(page), 0, `${width} pixels`);
    }
    await page.context().close();
  });

  test('no page has reported an error', () => assert.deepEqual(visitor.errors, []));
}
