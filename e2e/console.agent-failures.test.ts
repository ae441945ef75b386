// An agent's page while it loads, where a part of it cannot be read, for who may only read it, and while tests decide.
// With SCREENSHOTS_DIR a picture of each is written there.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openTestDatabase } from '@switchboard/testkit/database.ts';
import { keysOf } from '@switchboard/testkit/keys.ts';
import { startService } from '@switchboard/testkit/service.ts';
import type { Page, Route } from 'playwright-core';
import { createLab } from './support/agent-lab.ts';
import { close, leavePage, press } from './support/agent-page.ts';
import { EVERYTHING, IMPOSSIBLE, PROMPT } from './support/agent-states.ts';
import { missingBrowser } from './support/browser.ts';
import { openConsole } from './support/console.ts';
import { look } from './support/look.ts';

const SLOW = { timeout: 120_000 };
const WIDE = { viewport: { width: 1440, height: 900 } };
const UNREACHABLE = 'The service cannot be reached.';
const abort = (route: Route) => route.abort();
const missing = missingBrowser();
if (missing) {
  test('an agent’s page that is not whole', { skip: missing }, () => {});
} else {
  const database = await openTestDatabase();
  after(database.close);
  const service = await startService({ database, env: { SANDBOX_RING_MS: '20' } });
  const visitor = await openConsole(service.url);
  after(visitor.close);
  const { ask, createAgent, putDraft, call } = createLab(service);
  const id = await createAgent('Front desk', { ...EVERYTHING, extractors: [] });
  const open = (address: string) => visitor.visit(`/console/${address}`, WIDE);
  const leave = (page: Page) => leavePage(visitor, page, /ERR_FAILED|status of 50[03]/);
  // Unless the page has asked again by itself since, as it does for a draft that somebody else may change.
  const again = (page: Page) =>
    page
      .getByRole('alert')
      .getByRole('button', { name: 'Try again' })
      .click({ timeout: 3_000 })
      .catch(() => {});

  test('lists and pages that load, and that cannot be read until somebody tries again', SLOW, async () => {
    const page = await open('settings?user=me');
    const held: Route[] = [];
    await page.route(/\/api\/agents\//, (route) => void held.push(route));
    await page.goto(`${service.url}/console/agents/${id}`);
    await page.getByRole('status', { name: 'Loading' }).waitFor();
    await look(page, 'page-loading');
    await page.goto(`${service.url}/console/agents`);
    await page.getByRole('status', { name: 'Loading' }).waitFor();
    await look(page, 'list-loading');
    await page.unroute(/\/api\/agents\//);
    await page.route(`**/agents/${id}/draft`, abort);
    await page.goto(`${service.url}/console/agents/${id}`);
    await page.getByRole('alert').getByText(UNREACHABLE).waitFor();
    await page.getByRole('alert').getByRole('button', { name: 'Try again' }).waitFor();
    await look(page, 'page-failed');
    await page.unroute(`**/agents/${id}/draft`);
    await again(page);
    await page.getByRole('textbox', { name: 'Greeting' }).waitFor();
    await leave(page);
  });

  test('a tab that cannot be read leaves the others', SLOW, async () => {
    const page = await open('settings?user=me');
    await page.route('**/schemas/agent-config', abort);
    await page.route(`**/agents/${id}/versions*`, abort);
    await page.goto(`${service.url}/console/agents/${id}`);
    await page.getByRole('alert').getByText(UNREACHABLE).waitFor();
    await look(page, 'form-failed');
    await press(page, 'JSON');
    await page.getByRole('textbox', { name: 'Configuration' }).waitFor();
    await press(page, 'Build');
    await page.unroute('**/schemas/agent-config');
    await again(page);
    await page.getByRole('textbox', { name: 'Greeting' }).waitFor();
    await press(page, 'Versions');
    await page.getByRole('alert').getByText(UNREACHABLE).waitFor();
    await page.unroute(`**/agents/${id}/versions*`);
    await again(page);
    await page.getByText('Calls get version 1 (100 %).').waitFor();
    await leave(page);
  });

  test('without the report on analyses, calls and costs are shown', SLOW, async () => {
    await call(id);
    const page = await open('settings?user=me');
    await page.route('**/stats/analyses*', abort);
    for (const place of ['agents', `agents/${id}?tab=versions`]) {
      await page.goto(`${service.url}/console/${place}`);
      await page.getByRole('cell', { name: '100 % answered' }).waitFor();
    }
    await leave(page);
  });

  test('a page to read only', SLOW, async () => {
    const strict = await startService({ database, env: { AUTH_MODE: 'required' } });
    const guest = await openConsole(strict.url);
    const { key } = await keysOf(database).create({ name: 'reader', role: 'viewer', user_id: 'me' });
    const page = await guest.visit(`/console/agents/${id}`, WIDE);
    await page.getByLabel('API key').fill(key);
    await page.getByRole('button', { name: 'Sign in' }).click();
    assert.ok(await page.getByRole('textbox', { name: 'Greeting' }).isDisabled());
    await look(page, 'read-only');
    await leavePage(guest, page, /status of 401/);
    await guest.close();
  });

  test('tests that decide whether a version is released', SLOW, async () => {
    const gated = await createAgent('Gated', { greeting: 'Hi', instructions: PROMPT });
    const { id: scenario } = await ask('POST', '/api/scenarios', { text: IMPOSSIBLE });
    await ask('POST', '/api/suites', { name: 'Opening hours', scenarios: [scenario] });
    await putDraft(gated, 'Gated', { greeting: 'Good morning', instructions: PROMPT });
    const page = await open(`agents/${gated}?user=me`);
    const held = Promise.withResolvers<void>();
    await page.route(/\/api\/test-runs\/[^?]/, (route) => held.promise.then(() => route.continue()));
    await press(page, 'Publish…');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Tests that must pass first').selectOption({ label: 'Opening hours' });
    await dialog.getByRole('button', { name: 'Publish if it passes' }).click();
    await dialog.getByRole('list', { name: 'Tests of the release' }).getByText('Version 2').waitFor();
    await look(page, 'gate-runs');
    held.resolve();
    await dialog.getByText('nothing was released').waitFor();
    await close(page);
    await leave(page);
  });
}
