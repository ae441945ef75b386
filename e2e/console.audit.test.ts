import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, test } from 'node:test';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { missingBrowser } from './support/browser.ts';
import { openConsole, seriousViolations, slowDown } from './support/console.ts';

const missing = missingBrowser();
if (missing) {
  test('the audit log in the console', { skip: missing }, () => {});
} else {
  const service = await startService();
  const visitor = await openConsole(service.url);
  after(visitor.close);
  const { body: agent } = await service.request('POST', '/api/agents/', { body: { name: 'Desk', user_id: 'me' } });
  await service.request('PATCH', `/api/agents/${agent.id}`, { user: 'me', body: { name: 'Reception' } });
  for (const user of ['me', 'other']) await service.request('GET', '/api/callbacks/secret', { user });

  test('the audit log is filtered in the URL, by choice and by a value of an entry', async () => {
    const page = await visitor.visit('/console/settings?tab=audit');
    const rows = page.getByRole('row');
    const count = (expected: number) =>
      eventually(
        () => rows.count(),
        (found) => found === expected + 1,
      );
    await count(4);
    await page.getByText('name: "Desk" → "Reception"').waitFor();
    assert.deepEqual(await seriousViolations(page), []);
    await page.getByLabel('Any action').selectOption('callback_secret.revealed');
    await count(2);
    await page.getByLabel('User', { exact: true }).fill('other');
    await count(1);
    assert.match(page.url(), /tab=audit.*action=callback_secret\.revealed.*user_id=other/);
    await page.reload();
    await count(1);
    await page.getByRole('button', { name: 'Clear' }).click();
    await count(4);
    await page
      .getByRole('button', { name: `agent/${agent.id}` })
      .first()
      .click();
    await count(2);
    await page.getByLabel('From').fill('2101-01-01');
    await page.getByText('No entry matches').waitFor();
    await page.context().close();
  });

  for (const [name, lines] of [
    ['CSV', 3],
    ['NDJSON', 2],
  ] as const)
    test(`what the filters find is exported as ${name}, which may take minutes`, async () => {
      const page = await visitor.visit('/console/settings?tab=audit&action=callback_secret.revealed');
      await slowDown(page, /\/api\/audit\?/);
      const started = page.waitForEvent('download');
      await page.getByRole('button', { name, exact: true }).click();
      const download = await started;
      assert.match(download.suggestedFilename(), new RegExp(`^audit log [\\d-]{10}\\.${name.toLowerCase()}$`));
      const text = await readFile((await download.path()) ?? '', 'utf8');
      assert.equal(text.trim().split('\n').length, lines, text);
      await page.context().close();
    });

  test('on a phone the filters are shown on demand', async () => {
    const page = await visitor.visit('/console/settings?tab=audit', { viewport: { width: 390, height: 844 } });
    await page.getByRole('row').nth(1).waitFor();
    assert.equal(await page.getByLabel('Any outcome').count(), 0);
    await page.getByRole('button', { name: 'Filters' }).click();
    await page.getByLabel('Any outcome').selectOption('refused');
    await page.getByText('No entry matches').waitFor();
    await page.getByRole('button', { name: 'Filters, 1 set' }).waitFor();
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 390);
    await page.context().close();
  });
}
