// Every state of the list of agents and of an agent's page, each in light and dark, wide and as on a phone. With
// SCREENSHOTS_DIR a picture of each is written there.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { startService } from '@switchboard/testkit/service.ts';
import type { Page } from 'playwright-core';
import { systemClock } from '../packages/server/src/lib/clock.ts';
import { createSandboxMedia } from '../packages/server/src/providers/sandbox/media.ts';
import { createLab } from './support/agent-lab.ts';
import { close, leavePage, press, section, stateOf } from './support/agent-page.ts';
import { ASKED, BROKEN, EVERYTHING, IMPOSSIBLE, PROMPT, TOOL_EVENTS } from './support/agent-states.ts';
import { missingBrowser } from './support/browser.ts';
import { openConsole } from './support/console.ts';
import { look } from './support/look.ts';

/** Dozens of states, each looked at four times. */
const SLOW = { timeout: 300_000 };
const WIDE = { viewport: { width: 1440, height: 900 } };
const missing = missingBrowser();
if (missing) {
  test('the states of an agent’s page', { skip: missing }, () => {});
} else {
  // The test is the worker, except for test runs and phones.
  const sandbox = createSandboxMedia({ clock: systemClock, ringMs: 20 });
  const { answerChat: _, checkModel: __, checkFunction: ___, analyseCall: ____, ...media } = sandbox;
  const service = await startService({ media, env: { CALL_REPORT_DELAY_S: '0' } });
  const visitor = await openConsole(service.url);
  after(visitor.close);

  const { ask, createAgent, putDraft, claim, complete, call } = createLab(service);
  const open = (address: string) => visitor.visit(`/console/${address}`, WIDE);
  /** Ends a page in which nothing has failed but what the browser reports of refusals that were provoked. */
  const leave = (page: Page, expected = /^$/) => leavePage(visitor, page, expected);
  await ask('POST', '/api/extractors', {
    name: 'visit',
    schema: { type: 'object', properties: { was_friendly: { type: 'boolean' } } },
    weights: { was_friendly: 1 },
  });
  const id = await createAgent('Front desk', EVERYTHING);

  test('the list of agents', SLOW, async () => {
    for (const success of [true, true, false]) {
      await call(id);
      await complete(await claim('analysis'), { values: {}, evidence: {}, summary: 'A call.', success });
    }
    await call(await createAgent('Survey', { instructions: PROMPT }));
    const inactive = await createAgent('Night desk', { instructions: 'You answer at night.' });
    await ask('PATCH', `/api/agents/${inactive}`, { is_active: false });
    const page = await open('agents?user=nobody');
    await page.getByRole('heading', { name: 'Create your first agent' }).waitFor();
    await look(page, 'list-empty');
    await page.goto(`${service.url}/console/agents?user=me`);
    const row = page.getByRole('row', { name: /Front desk/ });
    await row.getByRole('cell', { name: '67 % of 3 judged' }).waitFor();
    await page
      .getByRole('row', { name: /Survey/ })
      .getByRole('cell', { name: '100 % answered' })
      .waitFor();
    await look(page, 'list');
    await row.getByRole('button', { name: 'Call me' }).click();
    await look(page, 'list-call-me');
    await close(page);
    await row.getByRole('button', { name: 'Talk' }).click();
    await look(page, 'list-talk');
    await close(page);
    await press(page, 'New agent');
    await page
      .getByLabel('File of an agent')
      .setInputFiles({ name: 'a.json', mimeType: 'application/json', buffer: Buffer.from('{}') });
    await page.getByText('This is not the file of an agent').waitFor();
    await look(page, 'list-templates-import-refused');
    await press(page, 'New agent');
    await page.getByLabel('Search the agents').fill('nothing like it');
    await page.getByText('No agent matches').waitFor();
    await look(page, 'list-no-match');
    await page.goto(`${service.url}/console/agents/${randomUUID()}`);
    await page.getByText('This agent does not exist').waitFor();
    await look(page, 'missing');
    await page.goto(`${service.url}/console/agents/${inactive}?section=general`);
    await page.getByText('Switch on “Accepts and places calls” under General to chat.').waitFor();
    await look(page, 'inactive');
    await page.goto(`${service.url}/console/agents/${id}?tab=versions`);
    await page.getByRole('row', { name: /^1/ }).getByRole('cell', { name: '67 % of 3 judged' }).waitFor();
    await look(page, 'versions-one');
    await leave(page, /status of 404/);
  });

  test('the sections of the form', SLOW, async () => {
    const page = await open(`agents/${id}?template=front-desk`);
    await page.getByRole('button', { name: 'Add its tests' }).waitFor();
    await page.getByRole('textbox', { name: 'Prompt' }).getByText('What you know').waitFor();
    await look(page, 'form-offer');
    await press(page, 'Not now');
    await press(page, 'Fold all');
    for (const one of await page.getByRole('navigation', { name: 'Sections' }).getByRole('button').all()) {
      await one.click();
      await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
      await look(page, `form-${(await one.innerText()).split('\n')[0]?.toLowerCase().replace(/\W+/g, '-')}`);
    }
    await section(page, /^Models/);
    await page.getByLabel('One speech-to-speech model').click();
    await page.getByText('Voice', { exact: true }).first().waitFor();
    await look(page, 'form-realtime');
    await page.getByLabel('One speech-to-speech model').click();
    await page.getByRole('checkbox', { name: 'One speech-to-speech model', checked: false }).waitFor();
    await leave(page);
  });

  test('a model and a function that are tried, by a worker and by none', SLOW, async () => {
    const tried = await createAgent('Tried', EVERYTHING);
    const page = await open(`agents/${tried}?section=models`);
    const card = (name: string) => page.getByRole('region', { name, exact: true });
    await card('Voice').getByRole('button', { name: 'Check the key' }).click();
    await card('Voice').getByText('No worker has taken the check.').waitFor();
    await card('Language model').getByRole('button', { name: 'Check the key' }).click();
    const ok = { outcome: 'ok', reason: null, detail: null, latency_ms: 412, worker: 'worker-0:8081' };
    await complete(await claim('provider_check'), ok);
    await card('Language model').getByText('It answered after 412 ms').waitFor();
    await card('Speech recognition').getByRole('button', { name: 'Check the key' }).click();
    const refused = {
      ...ok,
      outcome: 'failed',
      reason: 'refused_key',
      detail: '401 Incorrect API key',
      latency_ms: null,
    };
    await complete(await claim('provider_check'), refused);
    await card('Speech recognition').getByText('401 Incorrect API key').waitFor();
    await look(page, 'models-checked');
    await section(page, /^Tools/);
    const order = page.getByRole('group', { name: 'find_order' });
    await order.getByRole('button', { name: 'Test…' }).click();
    await look(page, 'function-asks');
    await order.getByLabel('number', { exact: true }).fill('7');
    for (const [status, body, more] of [
      [200, '{"state": "shipped"}', { outcome: 'ok', reason: null, detail: null }],
      [404, '{"error": "There is no order 7."}', { outcome: 'failed', reason: 'status', detail: 'status 404' }],
    ] as const) {
      await order.getByRole('button', { name: 'Send the request' }).click();
      const response = { status, headers: [], body, is_cut: false };
      await complete(await claim('function_check'), { ...ASKED, ...more, response });
      await order.locator('pre').getByText(`Status ${status}`).waitFor();
      await look(page, `function-${more.outcome}`);
    }
    await leave(page, /status of 503/);
  });

  test('JSON, and a draft that cannot be saved, read or published', SLOW, async () => {
    const broken = await createAgent('Broken', { greeting: 'Hi' });
    await putDraft(broken, 'Broken', BROKEN);
    const page = await open(`agents/${broken}?section=analysis`);
    await page.getByText('There is no extractor').waitFor();
    await look(page, 'analysis-missing');
    await section(page, /^Tools/);
    await page.getByRole('group', { name: 'a b' }).getByRole('alert').first().waitFor();
    // A problem that no field has.
    await page.getByRole('alert').getByText('llm.seed: Extra inputs are not permitted').waitFor();
    await look(page, 'tools-problem');
    await press(page, 'Publish…');
    await page.getByRole('dialog').getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByRole('dialog').getByRole('alert').waitFor();
    await look(page, 'publish-refused');
    await close(page);
    await press(page, 'JSON');
    await page.getByRole('textbox', { name: 'Configuration' }).waitFor();
    await look(page, 'json-problems');
    await page.getByRole('textbox', { name: 'Configuration' }).fill('{"greeting":');
    await stateOf(page).getByText('Not saved while the JSON is invalid').waitFor();
    await look(page, 'json-invalid');
    await press(page, 'Build');
    await page.getByText('cannot show this configuration').waitFor();
    await look(page, 'form-of-invalid-json');
    await press(page, 'Mend the JSON');
    await page.route('**/draft', (route) => (route.request().method() === 'PUT' ? route.abort() : route.continue()));
    await page.getByRole('textbox', { name: 'Configuration' }).fill('{"greeting": "Good evening"}');
    await stateOf(page).getByText('This browser keeps your changes').waitFor();
    await look(page, 'not-saved');
    await leave(page, /status of 422|ERR_FAILED/);
  });

  test('two editors, and a draft that is given up', SLOW, async () => {
    const shared = await createAgent('Shared', { greeting: 'Hi', instructions: PROMPT });
    await putDraft(shared, 'Shared', { greeting: 'Hello', instructions: PROMPT });
    const page = await open(`agents/${shared}`);
    await page.getByText('Somebody else is editing this draft.').waitFor();
    await look(page, 'also-editing');
    await press(page, 'Discard draft');
    await look(page, 'discard');
    await close(page);
    await page.route('**/draft', (route) => (route.request().method() === 'GET' ? route.abort() : route.continue()));
    await putDraft(shared, 'Shared', { greeting: 'Good day', instructions: PROMPT });
    await page.unroute('**/draft');
    await page.getByRole('textbox', { name: 'Greeting' }).fill('Good morning');
    await page.getByRole('alert').getByText('Somebody else is editing this draft, too').waitFor();
    await stateOf(page).getByText('Not saved until you choose whose changes stay.').waitFor();
    await look(page, 'overtaken');
    await section(page, /^General/);
    await page.getByRole('region', { name: 'This agent' }).getByRole('button', { name: 'Delete' }).click();
    await look(page, 'delete');
    await leave(page, /status of 412|ERR_FAILED/);
  });

  test('publishing, the gate, and versions', SLOW, async () => {
    const gated = await createAgent('Gated', { greeting: 'Hi', instructions: PROMPT });
    await ask('PUT', `/api/agents/${gated}/publishing`, { publishing: 'gated' });
    const scenario = await ask('POST', '/api/scenarios', { text: IMPOSSIBLE });
    await ask('POST', '/api/suites', { name: 'Opening hours', scenarios: [scenario.id] });
    await putDraft(gated, 'Gated', {
      greeting: 'Good morning',
      instructions: PROMPT.replace('nine', 'eight'),
      llm: { provider: 'groq', model: 'llama' },
    });
    const page = await open(`agents/${gated}`);
    await press(page, 'Publish…');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('+ - The practice opens at eight').waitFor();
    await dialog.getByLabel('Note', { exact: true }).fill('Opens earlier');
    await dialog.getByLabel('Calls that get it').fill('20');
    await look(page, 'publish');
    await dialog.getByLabel('Tests that must pass first').selectOption({ label: 'Opening hours' });
    await dialog.getByRole('button', { name: 'Publish if it passes' }).click();
    await dialog.getByText('nothing was released').waitFor();
    await dialog.getByRole('link', { name: 'it says the word' }).waitFor();
    await look(page, 'publish-gate');
    await dialog.getByLabel('Tests that must pass first').selectOption({ label: 'None' });
    await dialog.getByRole('button', { name: 'Publish', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    await press(page, 'Versions');
    await page.getByText('Calls get version 1 (80 %) and version 2 (20 %).').waitFor();
    await look(page, 'versions-split');
    await press(page, 'Changes');
    await dialog.getByText('+ - The practice opens at eight').waitFor();
    await look(page, 'versions-changes');
    await close(page, 'Close');
    await press(page, 'Release…');
    await dialog.getByText('+ - The practice opens at eight').waitFor();
    await look(page, 'versions-release');
    await close(page);
    await press(page, 'Roll back');
    await look(page, 'versions-roll-back');
    await leave(page);
  });

  test('the chat', SLOW, async () => {
    const chatty = await createAgent('Chatty', EVERYTHING);
    const page = await open(`agents/${chatty}?tab=json`);
    const log = page.getByRole('log', { name: 'Messages' });
    const narrow = {
      before: () => press(page, 'Chat'),
      after: () => close(page, 'Close'),
    };
    const send = async (text: string) => {
      await page.getByLabel('Message', { exact: true }).fill(text);
      await page.getByLabel('Message', { exact: true }).press('Enter');
    };
    assert.match(await page.getByRole('textbox', { name: 'Configuration' }).inputValue(), /^\{\s+"instructions": /);
    await page.getByLabel('first_name').fill('Ada');
    await look(page, 'chat-begin', narrow);
    await send('When do you open?');
    const first = await claim('chat_turn');
    await log.getByText('…', { exact: true }).waitFor();
    await look(page, 'chat-waiting', narrow);
    await complete(first, { content: 'At nine.' });
    await send('Where are my orders 7 and 8?');
    const task = await claim('chat_turn');
    const { task_id, lease_token } = task;
    const over = {
      type: 'failed_over',
      kind: 'llm',
      from: 'openai/gpt-4.1-mini',
      to: 'groq/some-model',
      reason: 'timeout',
    };
    await ask('POST', `/api/worker/tasks/${task_id}/events`, { lease_token, events: [over, ...TOOL_EVENTS] });
    await complete(task, { content: 'Order 7 is on its way. There is no order 8.' });
    await log.getByText('Order 7 is on its way').waitFor();
    await look(page, 'chat-tools', narrow);
    const json = page.getByRole('textbox', { name: 'Configuration' });
    await json.fill((await json.inputValue()).replace('at nine', 'at eight'));
    await page.getByText('The draft has changed since this chat began').waitFor();
    await look(page, 'chat-changed', narrow);
    await press(page, 'Go on with the changed draft');
    await log.getByText('The changed draft goes on from here').waitFor();
    await look(page, 'chat-goes-on', narrow);
    await log.getByRole('button', { name: 'Rewind to here' }).nth(1).click();
    await log.getByText('Order 7 is on its way').waitFor({ state: 'detached' });
    await look(page, 'chat-rewound', narrow);
    await page.route('**/messages', (route) => route.abort());
    await send('Are you there?');
    await page.getByRole('alert').getByText('The service cannot be reached.').waitFor();
    await look(page, 'chat-error', narrow);
    await leave(page, /ERR_FAILED/);
  });
}
