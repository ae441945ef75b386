import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { missingBrowser } from './support/browser.ts';
import { openConsole, seriousViolations } from './support/console.ts';

const missing = missingBrowser();
if (missing) test('scheduled calls in the console', { skip: missing }, () => {});
else {
  const service = await startService();
  const visitor = await openConsole(service.url);
  after(visitor.close);
  const ask = async (method: string, path: string, body?: object) =>
    (await service.request(method, path, { user: 'me', ...(body && { body }) })).body;

  test('a scheduled call is listed, shown at its address, and canceled there', async () => {
    const agent_id = (await ask('POST', '/api/agents/', { name: 'Front desk', user_id: 'me' })).id;
    const day = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10);
    const window = { earliest: `${day}T09:00`, latest: `${day}T17:00` };
    const booked = await ask('POST', '/api/calls/outbound', { agent_id, phone_number: '+4930123456', window });
    const page = await visitor.visit('/console/calls?user=me');
    await page.getByRole('link', { name: '+4930123456' }).click();
    await page.waitForURL(`**/calls/${booked.call_id}*`);
    await page.getByRole('status').getByText('Scheduled').waitFor();
    await page.getByText(`${day} 09:00 to 17:00, Europe/Berlin`).waitFor();
    assert.deepEqual(await seriousViolations(page), []);
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Keep it' }).click();
    assert.equal((await ask('GET', `/api/scheduled-calls/${booked.call_id}`)).status, 'SCHEDULED');
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    // Coming back to the tab asks again whether there is a call, which takes no question away.
    const asked = page.waitForResponse((response) => response.url().endsWith(`/api/calls/${booked.call_id}`));
    await page.evaluate("dispatchEvent(new Event('visibilitychange'))");
    await asked;
    await dialog.getByRole('button', { name: 'Cancel the call', exact: true }).click();
    await page.getByRole('status').getByText('Canceled').waitFor();
    assert.equal((await ask('GET', `/api/scheduled-calls/${booked.call_id}`)).status, 'CANCELED');
    // The browser notes that there is no call yet at the address.
    assert.deepEqual(
      visitor.errors.filter((error) => !error.includes('404')),
      [],
    );
    await page.context().close();
  });

  test('the tool that books calls back is switched on, with its hours', async () => {
    const agent = await ask('POST', '/api/agents/', { name: 'Booking', user_id: 'me' });
    const page = await visitor.visit(`/console/agents/${agent.id}?section=tools`);
    await page.getByRole('checkbox', { name: 'Book follow-up calls' }).check();
    await page.getByLabel('From', { exact: true }).fill('10:00');
    await page.getByLabel('Until', { exact: true }).fill('09:00');
    await page.getByText('Input should not be earlier than').waitFor();
    await page.getByLabel('Until', { exact: true }).fill('16:00');
    await page.getByLabel('Days ahead, at most').fill('5');
    assert.deepEqual(await seriousViolations(page), []);
    const call_back = { enabled: true, earliest: '10:00', latest: '16:00', max: 5 };
    const { config } = await eventually(
      () => ask('GET', `/api/agents/${agent.id}/draft`),
      (draft) => draft.config?.tools?.call_back?.max === 5,
    );
    assert.deepEqual(config.tools, { call_back });
    await page.getByRole('checkbox', { name: 'Book follow-up calls' }).uncheck();
    await eventually(
      () => ask('GET', `/api/agents/${agent.id}/draft`),
      (draft) => draft.config?.tools === undefined,
    );
    await page.context().close();
  });
}
