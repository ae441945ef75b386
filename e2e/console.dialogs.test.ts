// Dialogs and small buttons: the focus, the keyboard, and what somebody has typed or wants to keep.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startService } from '@switchboard/testkit/service.ts';
import { missingBrowser } from './support/browser.ts';
import { openConsole } from './support/console.ts';

const missing = missingBrowser();
if (missing) {
  test('dialogs', { skip: missing }, () => {});
} else {
  const service = await startService();
  const visitor = await openConsole(service.url);
  after(visitor.close);
  const { body: agent } = await service.request('POST', '/api/agents/', { body: { name: 'Desk', user_id: 'me' } });
  const { body: call } = await service.request('POST', '/api/calls/outbound', {
    user: 'me',
    body: { agent_id: agent.id, phone_number: '+15005550100' },
  });

  test('a dialog that is closed gives the focus back; Esc leaves an editor in it before the dialog', async () => {
    const page = await visitor.visit('/console/costs?tab=prices');
    const opener = page.getByRole('button', { name: 'Import prices' });
    const prices = page.getByRole('textbox', { name: 'Prices' });
    const focused = () => page.evaluate<string>('document.activeElement.textContent');
    await opener.click();
    await prices.fill('provider,event_type');
    await prices.press('Escape');
    assert.equal(await prices.inputValue(), 'provider,event_type');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await prices.waitFor({ state: 'detached' });
    assert.equal(await focused(), 'Import prices');
    await page.keyboard.press('Enter');
    await prices.focus();
    await prices.press('Escape');
    await prices.press('Escape');
    await prices.waitFor({ state: 'detached' });
    assert.equal(await focused(), 'Import prices');
    await page.context().close();
  });

  test('what the browser does not copy is not called copied', async () => {
    const page = await visitor.visit('/console/settings?user=me', {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
    await page.goto(`${service.url}/console/calls/${call.call_id}`);
    const copy = page.getByRole('button', { name: 'Copy the call’s id' }).first();
    await copy.click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    assert.equal(await page.evaluate('navigator.clipboard.readText()'), call.call_id);
    await copy.waitFor();
    // As on a page that came over HTTP from another host.
    await page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })");
    await copy.click();
    await page.getByRole('alert').getByText('copy it yourself').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Copied' }).count(), 0);
    await page.context().close();
  });
}
