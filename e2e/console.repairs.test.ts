import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startService } from '@switchboard/testkit/service.ts';
import { missingBrowser } from './support/browser.ts';
import { openConsole, openLine } from './support/console.ts';

const missing = missingBrowser();
if (missing) {
  test('pages of the console repair themselves', { skip: missing }, () => {});
} else {
  const service = await startService();
  const line = await openLine(service.url);
  const visitor = await openConsole(line.url);
  after(async () => {
    await visitor.close();
    await line.close();
  });
  const { body: agent } = await service.request('POST', '/api/agents/', { body: { name: 'Desk', user_id: 'me' } });
  const { body: call } = await service.request('POST', '/api/calls/outbound', {
    user: 'me',
    body: { agent_id: agent.id, phone_number: '+15005550100' },
  });

  test('pages that were opened while the service was away repair themselves once it is back', async () => {
    const page = await visitor.visit('/console/live');
    await page.getByRole('row', { name: /500 555 0100/ }).waitFor();
    line.cut();
    await page.getByRole('link', { name: 'Costs', exact: true }).click();
    await page.getByText('The service cannot be reached.').first().waitFor();
    line.mend();
    await page.getByText('No costs in this period').waitFor();
    assert.equal(await page.getByText('The service cannot be reached.').count(), 0);
    await page.context().close();
  });

  test('the sum of an open call follows its lines', async () => {
    const page = await visitor.visit(`/console/calls/${call.call_id}`);
    await page.locator('.total').getByText('$0', { exact: true }).waitFor();
    const event = { session_id: call.call_id, user_id: 'me', provider: 'openai', event_type: 'llm_tokens' };
    const use = () =>
      service.request('POST', '/api/usage/events', {
        body: { ...event, quantity: '1', unit_cost: '0.001', total_cost: '0.001' },
      });
    // A page reads everything again when its stream begins, a second later.
    for (const sum of ['$0.001', '$0.002', '$0.003']) {
      await use();
      await page.locator('.total').getByText(sum, { exact: true }).waitFor({ timeout: 5_000 });
      await page.waitForTimeout(1_500);
    }
    await page.context().close();
  });
}
