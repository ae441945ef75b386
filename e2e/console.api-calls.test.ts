import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startService } from '@switchboard/testkit/service.ts';
import type { Locator, Page } from 'playwright-core';
import { missingBrowser } from './support/browser.ts';
import { openConsole, seriousViolations } from './support/console.ts';

const run = promisify(execFile);
const missing = missingBrowser();
if (missing) {
  test('forms as API calls in the console', { skip: missing }, () => {});
} else {
  const service = await startService();
  const visitor = await openConsole(service.url);
  after(visitor.close);
  const ask = (method: string, route: string, body?: object) =>
    service.request(method, route, { user: 'me', ...(body && { body }) });
  const { body: agent } = await ask('POST', '/api/agents/', { name: 'Desk', user_id: 'me' });

  /** The program that the form shows, once it has what was typed. */
  const shown = async (form: Page | Locator, typed: string, language = 'curl') => {
    const call = form.locator('.api-call');
    if ((await call.locator('pre').count()) === 0) await call.getByText('As an API call').click();
    await call.getByLabel('Language').selectOption(language);
    return eventually(
      () => call.locator('pre').innerText(),
      (text) => text.includes(typed),
    );
  };
  const bash = (text: string) => run('bash', ['-euc', text], { env: { ...process.env, NO_PROXY: '*' } });

  test('a form shows the call that it makes, follows what is typed, and sends nothing by that', async () => {
    const page = await visitor.visit('/console/costs?tab=budget');
    await page.getByRole('button', { name: 'Set a budget' }).first().click();
    await page.getByRole('textbox', { name: 'Limit' }).fill('12.50');
    assert.match(await shown(page, '12.50'), /^curl -X PUT/);
    await page.getByRole('textbox', { name: 'Limit' }).fill('99.25');
    const curl = await shown(page, '99.25');
    assert.match(await shown(page, 'urllib', 'Python'), /"monthly_limit": "99.25"/);
    assert.match(await shown(page, 'createSwitchboard', 'TypeScript'), /sb\.budgets\.set\("me", /);
    assert.equal((await ask('GET', '/api/budgets/me')).status, 404);
    await bash(curl);
    assert.equal((await ask('GET', '/api/budgets/me')).body.monthly_limit, '99.25');
    assert.deepEqual(await seriousViolations(page), []);
  });

  test('so do the form of an agent, Publish and Talk', async () => {
    const config = { greeting: 'Hello {{first_name}}.' };
    const { body: spoken } = await ask('POST', '/api/agents/', { name: 'Speaker', user_id: 'me', config });
    const page = await visitor.visit(`/console/agents/${spoken.id}`);
    const greeting = page.getByRole('textbox', { name: 'Greeting' });
    await greeting.fill('Good evening, {{first_name}}.');
    await page.getByRole('status', { name: 'State of the draft' }).getByText('Draft saved').waitFor();
    const saved = page.locator('.agent-form');
    assert.match(await shown(saved, 'Good evening'), /^curl -X PUT/);

    await page.getByRole('button', { name: 'Talk to the draft' }).click();
    const talk = page.getByRole('dialog');
    await talk.getByLabel('first_name').fill('Ada');
    await bash(await shown(talk, 'Ada'));
    const { body: calls } = await ask('GET', `/api/calls/?agent_id=${spoken.id}`);
    const { body: call } = await ask('GET', `/api/calls/${calls.items[0].call_id}`);
    assert.deepEqual([call.variables, call.agent_version], [{ first_name: 'Ada' }, 2]);
    await talk.getByRole('button', { name: 'Cancel' }).click();

    await page.getByRole('button', { name: 'Publish…' }).click();
    const publish = page.getByRole('dialog');
    await publish.getByLabel('Note', { exact: true }).fill("The evening's");
    await bash(await shown(publish, 'evening'));
    const { body: version } = await ask('GET', `/api/agents/${spoken.id}/versions/2`);
    assert.equal(version.note, "The evening's");
    assert.deepEqual(await seriousViolations(page), []);
    await page.close();
  });

  test('so do the questions before a draft is discarded, a release rolled back and an agent deleted', async () => {
    const { body: made } = await ask('POST', '/api/agents/', { name: 'Night', user_id: 'me' });
    const of = `/api/agents/${made.id}`;
    const config = { greeting: 'Good evening.' };
    await ask('PUT', `${of}/draft`, { name: 'Night', config });
    assert.equal((await ask('POST', `${of}/versions`, {})).body.number, 2);
    await ask('PUT', `${of}/release`, { arms: [{ version: 2, weight: 100 }] });
    await ask('PUT', `${of}/draft`, { name: 'Later', config });
    const page = await visitor.visit(`/console/agents/${made.id}`);
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Discard' }).click();
    await bash(await shown(dialog, 'if-match'));
    assert.equal((await ask('GET', `${of}/draft`)).body.has_changes, false);

    await page.goto(`${service.url}/console/agents/${made.id}?tab=versions`);
    await page.getByRole('button', { name: 'Roll back' }).click();
    await bash(await shown(dialog, 'rollback'));
    assert.deepEqual((await ask('GET', `${of}/release`)).body.arms, [{ version: 1, weight: 100 }]);
    assert.deepEqual(await seriousViolations(page), []);

    await page.goto(`${service.url}/console/agents/${made.id}?section=general`);
    await page.getByRole('button', { name: 'Delete' }).click();
    await bash(await shown(dialog, 'DELETE'));
    assert.equal((await ask('GET', of)).status, 404);
    await page.close();
  });

  test('so do the forms of calls, agents, policies, campaigns and numbers that are not called', async () => {
    const page = await visitor.visit('/console/policies?tab=suppressions');
    await page.getByRole('button', { name: 'Suppress a number' }).click();
    await page.getByLabel('Number', { exact: true }).fill('+15005550177');
    await bash(await shown(page, '+15005550177'));
    assert.equal((await ask('GET', '/api/suppressions')).body.items[0].phone_number, '+15005550177');

    await page.goto(`${service.url}/console/agents/${agent.id}?tab=json`);
    await bash(await shown(page, 'if-match'));
    assert.equal((await ask('GET', `/api/agents/${agent.id}/draft`)).status, 200);

    await page.goto(`${service.url}/console/campaigns`);
    await page.getByRole('button', { name: 'New campaign' }).first().click();
    await page.getByLabel('Name', { exact: true }).fill("Mayor's reminder");
    await bash(await shown(page, 'reminder'));
    assert.equal((await ask('GET', '/api/campaigns')).body.items[0].name, "Mayor's reminder");
  });
}
