import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startReceiver } from '@switchboard/testkit/receiver.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { missingBrowser } from './support/browser.ts';
import { openConsole, seriousViolations } from './support/console.ts';

const missing = missingBrowser();
if (missing) {
  test('details of the console', { skip: missing }, () => {});
} else {
  const service = await startService({ env: { SANDBOX_CONVERSATIONS: '5' } });
  const receiver = await startReceiver();
  receiver.answerWith = () => 500;
  const visitor = await openConsole(service.url);
  after(visitor.close);
  const ask = (method: string, route: string, body?: object) =>
    service.request(method, route, { user: 'me', ...(body && { body }) });
  const config = { greeting: 'Hello {{first_name}}' };
  const { body: agent } = await ask('POST', '/api/agents/', { name: 'Desk', user_id: 'me', config });
  await ask('POST', '/api/webhook-endpoints', { url: `${receiver.url}/dead` });

  test('variables of the agent are asked for before a call, by phone and in the browser', async () => {
    const page = await visitor.visit(`/console/agents/${agent.id}?tab=json`);
    await page.getByText('Variables of a call').waitFor();
    for (const [open, submit, title] of [
      ['Call me', 'Call', '+1 500 555 0100'],
      ['Talk', 'Talk', 'Browser call with Desk'],
    ] as const) {
      await page.getByRole('button', { name: open, exact: true }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('first_name').fill('Ada');
      await dialog.getByRole('button', { name: submit, exact: true }).click();
      await page.getByRole('heading', { name: title, level: 1 }).waitFor();
      await page.getByText('first_name: Ada').waitFor();
      await page.getByText('Hello Ada', { exact: true }).waitFor();
      await page.goto(`${service.url}/console/agents/${agent.id}`);
    }
    await page.context().close();
  });

  test('text that is selected past the edge of a dialog keeps it open; a click outside closes it', async () => {
    const page = await visitor.visit(`/console/agents/${agent.id}?tab=json`);
    await page.getByRole('button', { name: 'Call me' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('first_name').fill('Ada');
    await dialog.getByLabel('first_name').hover();
    await page.mouse.down();
    await page.mouse.move(5, 5);
    await page.mouse.up();
    assert.equal(await dialog.getByLabel('first_name').inputValue(), 'Ada');
    await page.mouse.click(5, 5);
    await dialog.waitFor({ state: 'detached' });
    await page.context().close();
  });

  for (const colorScheme of ['light', 'dark'] as const)
    test(`a receiver that fails is on the overview, in the list, and at its endpoint: ${colorScheme}`, async () => {
      const page = await visitor.visit('/console', { colorScheme });
      const first = page.getByRole('status', { name: 'Needs you now' });
      await first.getByText('A receiver of callbacks fails').waitFor();
      assert.equal(await page.getByText('No callback is failing').count(), 0);
      assert.deepEqual(await seriousViolations(page), []);
      await first.getByRole('link', { name: 'All failing callbacks' }).click();
      await page
        .getByRole('row', { name: /Failing, retried/ })
        .first()
        .waitFor();
      await page.goto(`${service.url}/console/deliveries?tab=endpoints`);
      await page.getByText('Failing: 500').waitFor();
      assert.deepEqual(await seriousViolations(page), []);
      await page.context().close();
    });

  test('the price of unpriced usage is set where it is missing, and a grouping by the API’s name is taken', async () => {
    const { body: calls } = await ask('GET', '/api/calls/?limit=1');
    const event = { session_id: calls.items[0].call_id, user_id: 'me', agent_id: agent.id };
    await ask('POST', '/api/usage/events/batch', {
      events: [{ ...event, provider: 'acme', event_type: 'llm_tokens', quantity: '2' }],
    });
    const page = await visitor.visit('/console/costs?group_by=agent');
    await page.getByRole('button', { name: 'Agent', exact: true, pressed: true }).waitFor();
    await page.getByRole('button', { name: 'Set a price' }).click();
    await page.getByLabel('for one unit of llm tokens').fill('0.25');
    await page.getByRole('button', { name: 'Set and price the usage' }).click();
    await page.getByText('everything is priced').waitFor();
    await page.getByLabel('Range').selectOption({ label: 'Last 7 days' });
    assert.match(page.url(), /from=\d{4}-\d\d-\d\d/);
    await page.context().close();
  });

  test('on a phone the filters of the calls are shown on demand; a call that does not exist leads to the others', async () => {
    const page = await visitor.visit('/console/calls', { viewport: { width: 390, height: 800 } });
    await page.getByLabel('Search the transcripts').waitFor();
    assert.equal(await page.getByLabel('Any state').count(), 0);
    await page.getByRole('button', { name: 'Filters' }).click();
    await page.getByLabel('Any state').selectOption('FAILED');
    await page.getByRole('button', { name: 'Filters, 1 set' }).waitFor();
    assert.deepEqual(visitor.errors, []);
    await page.goto(`${service.url}/console/calls/01980000-0000-7000-8000-000000000000`);
    await page.getByText('This call does not exist').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Try again' }).count(), 0);
    await page.getByRole('link', { name: 'All calls' }).click();
    await page.getByRole('heading', { name: 'Calls', level: 1 }).waitFor();
    await page.context().close();
  });
}
