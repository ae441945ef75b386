import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { keysOf } from '@switchboard/testkit/keys.ts';
import { startService } from '@switchboard/testkit/service.ts';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { missingBrowser } from './support/browser.ts';
import { openConsole } from './support/console.ts';

const PHONE = { width: 390, height: 844 };
const DESK = { width: 1440, height: 900 };

const missing = missingBrowser();
if (missing) {
  test('the reference of the API', { skip: missing }, () => {});
} else {
  const service = await startService({ env: { AUTH_MODE: 'required' } });
  const { key } = await keysOf(service.database).create({ name: 'reader', role: 'service', user_id: null });
  const visitor = await openConsole(service.url);
  after(visitor.close);
  const requests: string[] = [];

  const open = async (options: BrowserContextOptions): Promise<Page> => {
    const page = await visitor.visit('/docs', options);
    page.on('request', (request) => requests.push(request.url()));
    await page.getByRole('heading', { name: 'Switchboard', exact: true }).waitFor();
    return page;
  };

  test('it has each part of the API, the events and the errors', async () => {
    const page = await open({ viewport: DESK });
    assert.equal(await page.title(), 'Switchboard API');
    for (const name of ['Authentication', 'Errors', 'Events'])
      await page.getByRole('heading', { name, exact: true }).waitFor();
    await page.getByText('too_many_calls', { exact: true }).waitFor();
    const { tags } = (await (await fetch(`${service.url}/openapi.json`)).json()) as { tags: { name: string }[] };
    const sidebar = page.locator('.t-doc__sidebar');
    for (const { name } of tags) await sidebar.getByText(name, { exact: true }).waitFor();
    await sidebar.getByText('callbacks', { exact: true }).click();
    await sidebar.getByText(/^The call has ended normally/).click();
    await page.getByRole('heading', { name: /The call has ended normally/ }).waitFor();
    await page.context().close();
  });

  test('an operation has samples in curl, Python and TypeScript, and search finds it', async () => {
    const page = await open({ viewport: DESK });
    await page.locator('.t-doc__sidebar').getByText('Create an agent', { exact: true }).click();
    const section = page.locator('section', { has: page.getByRole('heading', { name: 'Create an agent' }) }).last();
    for (const [name, code] of [
      ['Requests', 'requests.post('],
      ['TypeScript client', 'sb.agents.create({'],
      ['Curl', 'curl http'],
    ] as const) {
      await section.getByRole('button', { name: /Curl|Requests|client/ }).click();
      await page.getByRole('option', { name }).click();
      await section.getByText(code).first().waitFor();
    }
    await page
      .getByRole('button', { name: /Search/ })
      .first()
      .click();
    await page.keyboard.type('transfer an answered');
    await page.getByRole('option', { name: /Transfer an answered call/ }).waitFor();
    await page.context().close();
  });

  test('a key of a service that requires one is entered on the page, and used', async () => {
    const page = await open({ viewport: DESK });
    await page.getByLabel('Bearer Token').first().fill(key);
    await page.locator('.t-doc__sidebar').getByText('List the users that have agents').click();
    const section = page.locator('section', { has: page.getByRole('heading', { name: /^List the users/ }) }).last();
    await section.getByRole('button', { name: /Test Request/ }).click();
    const answer = page.waitForResponse((response) => response.url().startsWith(`${service.url}/api/users`));
    await page.getByRole('button', { name: /^Send .*request to/ }).click();
    assert.equal((await answer).status(), 200);
    await page.context().close();
  });

  for (const colorScheme of ['light', 'dark'] as const)
    test(`it has the colors of the console on a phone, ${colorScheme}`, async () => {
      const page = await open({ viewport: PHONE, colorScheme });
      const [width, background, expected] = await page.evaluate<[number, string, string]>(`(() => {
        const probe = document.body.appendChild(document.createElement('div'));
        probe.style.cssText = 'background: var(--background)';
        const colorOf = (element) => getComputedStyle(element).backgroundColor;
        return [document.documentElement.scrollWidth, colorOf(document.body), colorOf(probe)];
      })()`);
      assert.deepEqual([width, background], [PHONE.width, expected]);
      assert.equal(background, colorScheme === 'light' ? 'rgb(255, 255, 255)' : 'rgb(15, 16, 18)');
      await page.context().close();
    });

  test('a theme chosen here is the console’s, and the other way round', async () => {
    const page = await open({ viewport: DESK, colorScheme: 'light' });
    await page.locator('.darklight-reference button').click();
    await page.waitForFunction(`localStorage.getItem('switchboard.theme') === 'dark'`);
    await page.reload();
    await page.locator('body.dark-mode').waitFor();
    await page.context().close();
  });

  test('nothing violated the policy, and nothing was requested elsewhere', () => {
    assert.deepEqual(visitor.errors, []);
    assert.ok(requests.length > 0);
    assert.deepEqual(
      requests.filter((url) => !url.startsWith(`${service.url}/`)),
      [],
    );
  });
}
