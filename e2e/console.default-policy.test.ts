import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { missingBrowser } from './support/browser.ts';
import { openConsole } from './support/console.ts';

const missing = missingBrowser();
if (missing) {
  test('the default policy in the console', { skip: missing }, () => {});
} else {
  const service = await startService();
  const visitor = await openConsole(service.url);
  after(visitor.close);
  const ask = (method: string, route: string, body?: object) =>
    service.request(method, route, { user: 'me', ...(body && { body }) });

  test('what others make the default meanwhile stays the default', async () => {
    await ask('PUT', '/api/dial-policies/later', { min_gap_s: 60 });
    const page = await visitor.visit('/console/policies/of/later');
    await page.getByRole('button', { name: 'Add hours' }).click();
    await page.getByText('Not saved yet.').waitFor();
    await ask('PUT', '/api/dial-policies/later', { min_gap_s: 60, is_default: true });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved as version 2.').waitFor();
    assert.equal((await ask('GET', '/api/dial-policies/later')).body.is_default, true);
    const box = page.getByLabel('For all agents');
    await eventually(() => box.isChecked(), Boolean);
    await box.uncheck();
    await page.getByText('Not saved yet.').waitFor();
    await box.check();
    assert.equal(await page.getByText('Not saved yet.').count(), 0);
    await page.context().close();
  });
}
