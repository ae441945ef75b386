import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, test } from 'node:test';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startReceiver } from '@switchboard/testkit/receiver.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { missingBrowser } from './support/browser.ts';
import { openConsole, publish } from './support/console.ts';

const NAME = '<img src=x onerror="document.title=1"> Desk';
const SAID = '<script>document.title = 2</script> and a pineapple';
const missing = missingBrowser();
if (missing) {
  test('the console', { skip: missing }, () => {});
} else {
  // Long enough to be seen.
  const service = await startService({ env: { SANDBOX_RING_MS: '4000', SANDBOX_CONVERSATIONS: '5' } });
  const receiver = await startReceiver();
  const visitor = await openConsole(service.url);
  after(visitor.close);

  test('from an empty console to a call that was watched, transferred, explained and redelivered', async () => {
    const page = await visitor.visit('/');
    assert.equal(new URL(page.url()).pathname.startsWith('/console'), true);

    await page.getByRole('button', { name: /^Front desk/ }).click();
    await page.getByRole('heading', { name: 'Front desk', level: 1 }).waitFor();
    await page.getByRole('button', { name: /^General/ }).click();
    await page.getByLabel('Name').fill(NAME);
    await page.getByLabel('Callback URL').fill(`${receiver.url}/calls`);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.', { exact: true }).waitFor();
    await page.getByRole('heading', { name: NAME, level: 1 }).waitFor();
    await publish(page);

    await page.getByRole('button', { name: 'Call me' }).click();
    await page.getByText('No phone rings').waitFor();
    await page.getByRole('button', { name: 'Call', exact: true }).click();
    await page.getByRole('status').getByText('Ringing').waitFor();
    await page.getByRole('status').getByText('Answered').waitFor();
    await page.getByText('Hello, this is the front desk.').waitFor();
    await page.locator('.transcript li').nth(2).waitFor();
    const callId = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    const { body: call } = await service.request('GET', `/api/calls/${callId}`);
    await service.request('POST', `/api/sessions/by-room/${call.room_name}/transcripts`, {
      body: { speaker: 'USER', content: SAID },
    });
    await page.getByText(SAID).waitFor();

    await page.getByRole('button', { name: 'Transfer' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Transfer', exact: true }).click();
    await page.getByRole('status').getByText('Completed').waitFor();
    await page.getByText('It was transferred to another phone.').first().waitFor();
    await page.getByText('Transfer completed').waitFor();

    const { body: costs } = await service.request('GET', `/api/sessions/${callId}/costs`, { user: 'me' });
    await page.locator('.total').getByText(`$${costs.total_cost}`, { exact: true }).waitFor();

    await page.getByText('call.completed').waitFor();
    await eventually(
      async () => receiver.at('/calls').map(({ headers }) => headers['webhook-id']),
      (ids) => ids.length >= 3,
    );
    const before = receiver.at('/calls').length;
    await page
      .getByRole('row', { name: /call\.completed/ })
      .getByRole('button', { name: 'Redeliver' })
      .click();
    await eventually(
      async () => receiver.at('/calls').length,
      (count) => count > before,
    );

    await page.getByRole('link', { name: 'Calls', exact: true }).first().click();
    await page
      .getByRole('row', { name: /500 555 0100/ })
      .getByText('Completed')
      .waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('avocado');
    await page.getByText('No call matches').waitFor();
    await page.getByLabel('Search the transcripts').fill('pineap');
    await page
      .getByRole('row', { name: /500 555 0100/ })
      .getByText('Completed')
      .waitFor();
    assert.equal(new URL(page.url()).searchParams.get('q'), 'pineap');
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV' }).click(),
    ]);
    const rows = (await readFile(await file.path(), 'utf8')).trim().split('\r\n');
    assert.equal(rows.length, 2);
    assert.ok(
      rows[1]?.startsWith(callId) && rows[1].endsWith(`,${costs.total_cost},2`),
      `${rows[1]}: cost, and the published version`,
    );
    assert.match(await page.title(), /Switchboard$/, 'a name and a transcript are text, whatever is in them');
    assert.deepEqual(visitor.errors, []);
    await page.context().close();
  });

  test('a user sees nothing of another one, not even by the address of a call', async () => {
    const { body } = await service.request('GET', '/api/calls/?limit=1');
    const page = await visitor.visit(`/console/calls/${body.items[0].call_id}?user=stranger`);
    await page.getByText('does not exist').or(page.getByRole('alert')).first().waitFor();
    assert.equal(await page.getByText('pineapple').count(), 0);
    await page.getByRole('link', { name: 'Calls', exact: true }).first().click();
    await page.getByText('No calls yet').waitFor();
    await page.getByRole('button', { name: /^User: stranger/ }).click();
    await page.getByLabel('Another user’s id').fill('me');
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await page.getByRole('row', { name: /500 555 0100/ }).waitFor();
    visitor.errors.length = 0; // Chromium reports the 404 that was asked for.
    await page.context().close();
  });
}
