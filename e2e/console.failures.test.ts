/** Pages of the console that have been read, while something that they ask for fails. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startService } from '@switchboard/testkit/service.ts';
import type { Route } from 'playwright-core';
import { createLab } from './support/agent-lab.ts';
import { leavePage } from './support/agent-page.ts';
import { missingBrowser } from './support/browser.ts';
import { openConsole, seriousViolations } from './support/console.ts';

const WIDE = { viewport: { width: 1440, height: 900 } };
const UNREACHABLE = 'The service cannot be reached.';
const PROMPT = 'We open at nine on Sundays.';
const SCENARIO = `scenario: opens
caller: { script: [{ say: "When do you open on Sundays?" }] }
expect: [{ agent_says: nine }]`;

const missing = missingBrowser();
if (missing) {
  test('pages of the console while something fails', { skip: missing }, () => {});
} else {
  const service = await startService();
  const visitor = await openConsole(service.url);
  after(visitor.close);
  const { ask, createAgent } = createLab(service);
  const abort = (route: Route) => route.abort();

  test('an agent’s page that cannot be read again keeps its chat and its dialog, until the agent is gone', async () => {
    const id = await createAgent('Kept', { instructions: PROMPT });
    const page = await visitor.visit(`/console/agents/${id}?tab=json`, WIDE);
    await page.getByLabel('Message', { exact: true }).fill('When do you open on Sundays?');
    await page.getByLabel('Message', { exact: true }).press('Enter');
    const answer = page.getByRole('log', { name: 'Messages' }).getByText(PROMPT);
    await answer.waitFor();
    await page.getByRole('button', { name: 'Call me' }).click();
    const number = page.getByRole('dialog').getByLabel('Phone number');
    await number.fill('+1 500 555 0199');

    // The page reads the draft again by itself.
    await page.route(`**/agents/${id}/draft`, abort);
    const failure = page.getByRole('alert').getByText(UNREACHABLE);
    await failure.waitFor();
    assert.equal(await number.inputValue(), '+1 500 555 0199');
    assert.ok(await answer.isVisible());
    assert.deepEqual(await seriousViolations(page), []);
    await page.unroute(`**/agents/${id}/draft`);
    await failure.waitFor({ state: 'detached' });
    assert.equal(await number.inputValue(), '+1 500 555 0199');
    assert.ok(await answer.isVisible());

    await ask('DELETE', `/api/agents/${id}`);
    await page.getByText('This agent does not exist').waitFor();
    assert.equal(await number.count(), 0);
    await leavePage(visitor, page, /ERR_FAILED|status of 404/);
  });

  test('a call that cannot be read again keeps its conversation and its dialog', async () => {
    const agent_id = await createAgent('Desk', {});
    const placed = await ask('POST', '/api/calls/outbound', { agent_id, phone_number: '+15005550100' });
    const { call_id, room_name } = placed;
    const page = await visitor.visit(`/console/calls/${call_id}`);
    await page.getByRole('button', { name: 'Transfer' }).click();
    const line = { speaker: 'USER', content: 'Hello?' };
    await ask('POST', `/api/sessions/by-room/${room_name}/transcripts`, line);
    const said = page.getByText('Hello?', { exact: true });
    await said.waitFor();
    const number = page.getByRole('dialog').getByLabel('To', { exact: true });
    await number.fill('+1 500 555 0199');
    await page.route(new RegExp(`/api/calls/${call_id}$`), abort);
    await ask('POST', `/api/calls/${call_id}/end`);
    await page.getByRole('alert').getByText(UNREACHABLE).waitFor();
    assert.equal(await number.inputValue(), '+1 500 555 0199');
    assert.ok(await said.isVisible());
    await leavePage(visitor, page, /ERR_FAILED/);
  });

  test('a run of tests that cannot be canceled says so', async () => {
    const agent_id = await createAgent('Tested', { instructions: PROMPT });
    const { id: scenario } = await ask('POST', '/api/scenarios', { text: SCENARIO });
    const run = await ask('POST', '/api/test-runs', { agent_id, agent_version: 1, scenarios: [scenario] });
    const page = await visitor.visit('/console/tests');
    // It stays open, however soon it has ended.
    await page.route(`**/api/test-runs/${run.id}`, (route) => route.fulfill({ json: { ...run, status: 'running' } }));
    await page.route(`**/api/test-runs/${run.id}/cancel`, abort);
    await page.goto(`${service.url}/console/tests/runs/${run.id}`);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('alert').getByText(UNREACHABLE).waitFor();
    await leavePage(visitor, page, /ERR_FAILED/);
  });
}
