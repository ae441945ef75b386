/** Changes that others make while a page or a dialog is open, and requests while the browser is offline. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startService } from '@switchboard/testkit/service.ts';
import type { Page } from 'playwright-core';
import { leavePage, press, section, stateOf } from './support/agent-page.ts';
import { askOf } from './support/ask.ts';
import { missingBrowser } from './support/browser.ts';
import { openConsole } from './support/console.ts';

const missing = missingBrowser();
if (missing) {
  test('what others change meanwhile', { skip: missing }, () => {});
} else {
  const service = await startService();
  const visitor = await openConsole(service.url);
  after(visitor.close);
  const ask = askOf(service);
  /** An agent with three versions, of which calls get the last one. */
  async function createAgent(): Promise<string> {
    const { id } = await ask('POST', '/api/agents/', { name: 'Desk', user_id: 'me', config: { greeting: 'One.' } });
    for (const greeting of ['Two.', 'Three.']) await ask('PATCH', `/api/agents/${id}`, { config: { greeting } });
    return id;
  }
  const confirm = (page: Page, name: string) => page.getByRole('dialog').getByRole('button', { name }).click();
  const armsOf = async (id: string) => (await ask('GET', `/api/agents/${id}/release`)).arms;
  const all = (version: number) => [{ version, weight: 100 }];

  test('what is pressed while the browser is offline fails at once, and is not done later', async () => {
    const id = await createAgent();
    const page = await visitor.visit(`/console/agents/${id}?tab=versions`);
    await press(page, 'Roll back');
    await page.context().setOffline(true);
    await confirm(page, 'Roll back');
    await page.getByRole('dialog').getByText('The service cannot be reached.').waitFor();
    await confirm(page, 'Cancel');
    await page.context().setOffline(false);
    // The page reads again what calls get.
    await page.waitForResponse(/\/release$/);
    await page.getByText('Calls get version 3').waitFor();
    assert.deepEqual(await armsOf(id), all(3));
    await leavePage(visitor, page, /ERR_INTERNET_DISCONNECTED/);
  });

  test('a draft that was typed while the browser is offline is saved once it is online', async () => {
    const id = await createAgent();
    const page = await visitor.visit(`/console/agents/${id}`);
    const greeting = page.getByRole('textbox', { name: 'Greeting' });
    await greeting.waitFor();
    await page.context().setOffline(true);
    await greeting.fill('Typed in a tunnel.');
    await stateOf(page).getByText('Not saved: The service cannot be reached.').waitFor();
    await page.context().setOffline(false);
    await stateOf(page).getByText('Draft saved').waitFor();
    assert.equal((await ask('GET', `/api/agents/${id}/draft`)).config.greeting, 'Typed in a tunnel.');
    await leavePage(visitor, page, /ERR_INTERNET_DISCONNECTED/);
  });

  test('of two people who roll back, the second one is told', async () => {
    const id = await createAgent();
    const page = await visitor.visit(`/console/agents/${id}?tab=versions`);
    await press(page, 'Roll back');
    await page.getByRole('dialog').getByText('before version 3').waitFor();
    await ask('POST', `/api/agents/${id}/rollback`);
    await confirm(page, 'Roll back');
    await page.getByRole('dialog').getByText('What calls get has changed since you opened this').waitFor();
    await confirm(page, 'Cancel');
    await page.getByText('Calls get version 2').waitFor();
    assert.deepEqual(await armsOf(id), all(2));
    // A dialog that is opened again begins anew.
    await press(page, 'Roll back');
    await page.getByRole('dialog').getByText('before version 2').waitFor();
    assert.equal(await page.getByRole('dialog').getByText('has changed since').count(), 0);
    await leavePage(visitor, page, /412/);
  });

  test('a version that is released in a dialog does not undo what others have released since', async () => {
    const id = await createAgent();
    const page = await visitor.visit(`/console/agents/${id}?tab=versions`);
    await page.getByRole('row', { name: /^1/ }).getByRole('button', { name: 'Release…' }).click();
    await ask('POST', `/api/agents/${id}/rollback`);
    await confirm(page, 'Release');
    await page.getByRole('dialog').getByText('What calls get has changed since you opened this').waitFor();
    assert.deepEqual(await armsOf(id), all(2));
    await leavePage(visitor, page, /412/);
  });

  test('a draft is published as it was shown, or not at all', async () => {
    const id = await createAgent();
    const path = `/api/agents/${id}/draft`;
    await ask('PUT', path, { name: 'Desk', config: { greeting: 'Four.' } });
    const page = await visitor.visit(`/console/agents/${id}`);
    await press(page, 'Publish…');
    await page.getByRole('dialog').getByText('Four.').waitFor();
    await ask('PUT', path, { name: 'Desk', config: { greeting: 'Half a sen' } });
    await confirm(page, 'Publish');
    await page.getByRole('dialog').getByText('The draft has changed since you opened this').waitFor();
    assert.deepEqual(await armsOf(id), all(3));
    await confirm(page, 'Cancel');
    await press(page, 'Publish…');
    await page.getByRole('dialog').getByText('Half a sen').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Publish', disabled: false }).waitFor();
    await ask('POST', `/api/agents/${id}/rollback`);
    await confirm(page, 'Publish');
    await page.getByRole('dialog').getByText('What calls get has changed since you opened this').waitFor();
    assert.deepEqual(await armsOf(id), all(2));
    await confirm(page, 'Cancel');
    await press(page, 'Publish…');
    await confirm(page, 'Publish');
    await page.getByText('Calls get what you see: version 4.').waitFor();
    await leavePage(visitor, page, /412/);
  });

  test('a setting that was changed and changed back is no edit, and undoes nothing', async () => {
    const { id } = await ask('POST', '/api/agents/', { name: 'Desk', user_id: 'me' });
    const page = await visitor.visit(`/console/agents/${id}?section=general`);
    const legalHold = page.getByLabel('Legal hold');
    await legalHold.check();
    await legalHold.uncheck();
    await ask('PUT', `/api/agents/${id}/legal-hold`, { legal_hold: true });
    await page.reload();
    await section(page, /^General/);
    await page.getByRole('checkbox', { name: /^Legal hold/, checked: true }).waitFor();
    assert.equal(await page.getByText('Not saved yet.').count(), 0);
    await page.getByLabel('Callback URL').fill('https://example.com/');
    await press(page, 'Save');
    await page.getByText('Saved.', { exact: true }).waitFor();
    assert.equal((await ask('GET', `/api/agents/${id}/legal-hold`)).legal_hold, true);
    assert.deepEqual(visitor.errors, []);
    await page.context().close();
  });

  test('privacy rules and budgets keep what others have set since they were shown', async () => {
    await ask('PUT', '/api/budgets/me', { monthly_limit: '10', thresholds: [50] });
    const page = await visitor.visit('/console/settings?tab=storage');
    await page.getByRole('checkbox', { name: /^Card numbers/ }).check();
    await page.getByLabel('Days for what was said').fill('30');
    const custom = [{ name: 'member', pattern: 'M-[0-9]+' }];
    await ask('PATCH', '/api/users/me', { privacy: { redact: ['email'], custom, keep: { metadata_days: 7 } } });
    await press(page, 'Save');
    await page.getByText('Saved.', { exact: true }).waitFor();
    const keep = { metadata_days: 7, transcripts_days: 30 };
    const { privacy } = await ask('GET', '/api/users/me');
    assert.deepEqual([privacy.redact.toSorted(), privacy.custom, privacy.keep], [['card', 'email'], custom, keep]);

    await page.goto(`${service.url}/console/costs?tab=budget`);
    await press(page, 'Change the budget');
    await page.getByLabel('Limit', { exact: true }).fill('20');
    await ask('PUT', '/api/budgets/me', { monthly_limit: '10', thresholds: [50], refuse_calls: true });
    await confirm(page, 'Save');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const budget = await ask('GET', '/api/budgets/me');
    assert.deepEqual([Number(budget.monthly_limit), budget.thresholds, budget.refuse_calls], [20, [50], true]);
    assert.deepEqual(visitor.errors, []);
    await page.context().close();
  });
}
