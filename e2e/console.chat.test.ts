import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startService } from '@switchboard/testkit/service.ts';
import type { Page } from 'playwright-core';
import { missingBrowser } from './support/browser.ts';
import { openConsole, seriousViolations } from './support/console.ts';

const WIDE = { viewport: { width: 1440, height: 900 } };

const missing = missingBrowser();
if (missing) {
  test('a chat with the draft in the console', { skip: missing }, () => {});
} else {
  const service = await startService();
  const visitor = await openConsole(service.url);
  after(visitor.close);
  const description = 'Books a table for guests.';
  const tools = { functions: [{ name: 'book_table', description, url: 'https://example.com/book' }] };
  const createAgent = async (name: string) => {
    const config = { instructions: 'You greet {{guest}}. We open at nine on Sundays.', tools };
    return (await service.request('POST', '/api/agents/', { body: { name, user_id: 'me', config } })).body.id as string;
  };
  const send = async (page: Page, text: string) => {
    await page.getByLabel('Message', { exact: true }).fill(text);
    await page.getByLabel('Message', { exact: true }).press('Enter');
  };
  const log = (page: Page) => page.getByRole('log', { name: 'Messages' });

  test('the draft answers, a changed one goes on, and a message is rewound', async () => {
    const id = await createAgent('Restaurant');
    const page = await visitor.visit(`/console/agents/${id}?tab=json`, WIDE);
    const panel = page.getByRole('complementary', { name: 'Chat with the draft' });
    const started = page.waitForResponse((one) => one.url().endsWith('/api/chats'));
    await panel.getByLabel('guest').fill('Ada');
    await send(page, 'When do you open on Sundays?');
    await log(page).getByText('We open at nine on Sundays.').waitFor();
    const { chat_id } = await (await started).json();
    await send(page, 'Please book a table for two guests.');
    await log(page).getByText('Simulated: nothing was called').waitFor();
    await log(page).getByText('book_table', { exact: true }).waitFor();
    assert.deepEqual(await seriousViolations(page), []);

    const json = page.getByRole('textbox', { name: 'Configuration' });
    await json.fill((await json.inputValue()).replace('at nine', 'at eleven'));
    await page.getByText('The draft has changed since this chat began').waitFor();
    const forked = page.waitForResponse((one) => one.url().endsWith('/fork'));
    await page.getByRole('button', { name: 'Go on with the changed draft' }).click();
    await log(page).getByText('The changed draft goes on from here').waitFor();
    const next = (await (await forked).json()).chat_id;
    const isOver = async (chat: string) => {
      const { body } = await service.request('GET', `/api/chats/${chat}`, { user: 'me' });
      return body.status === 'COMPLETED';
    };
    await eventually(() => isOver(chat_id), Boolean);
    // At the first answer: what follows goes, and nothing comes back into the box.
    await log(page).getByRole('button', { name: 'Rewind to here' }).nth(1).click();
    await log(page).getByText('Please book a table').waitFor({ state: 'detached' });
    assert.equal(await page.getByLabel('Message', { exact: true }).inputValue(), '');
    await log(page).getByText('We open at nine').waitFor();
    await log(page).getByRole('button', { name: 'Rewind to here' }).first().click();
    await log(page).getByText('We open at nine').waitFor({ state: 'detached' });
    assert.equal(await page.getByLabel('Message', { exact: true }).inputValue(), 'When do you open on Sundays?');
    await page.getByLabel('Message', { exact: true }).press('Enter');
    await log(page).getByText('We open at eleven on Sundays.').waitFor();
    assert.deepEqual(await seriousViolations(page), []);
    await page.getByRole('link', { name: 'Agents' }).first().click();
    await eventually(() => isOver(next), Boolean);
    await page.context().close();
  });

  test('a message waits for the draft to be saved, and is not lost when the service is away; on a phone it is a dialog', async () => {
    const id = await createAgent('Away');
    const page = await visitor.visit(`/console/agents/${id}?tab=json`, { viewport: { width: 390, height: 800 } });
    const json = page.getByRole('textbox', { name: 'Configuration' });
    await json.fill('{"instructions": "We open at noon on Sundays."}');
    await page.getByRole('button', { name: 'Chat', exact: true }).click();
    await page.route('**/messages', (route) => route.abort());
    await send(page, 'When do you open on Sundays?');
    await page.getByRole('alert').getByText('The service cannot be reached.').waitFor();
    assert.equal(await page.getByLabel('Message', { exact: true }).inputValue(), 'When do you open on Sundays?');
    assert.deepEqual(await seriousViolations(page), []);
    await page.unroute('**/messages');
    await page.getByRole('button', { name: 'Send' }).click();
    await log(page).getByText('We open at noon on Sundays.').waitFor();
    await page.getByRole('button', { name: 'Start over' }).click();
    await log(page).getByText('We open at noon').waitFor({ state: 'detached' });
    visitor.errors.length = 0; // Chromium reports the request that was aborted.
    await page.context().close();
  });

  test('nothing has failed in the browser', () => assert.deepEqual(visitor.errors, []));
}
