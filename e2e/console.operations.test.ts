import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, test } from 'node:test';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { keysOf } from '@switchboard/testkit/keys.ts';
import { startReceiver } from '@switchboard/testkit/receiver.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { missingBrowser } from './support/browser.ts';
import { openConsole, seriousViolations } from './support/console.ts';

const missing = missingBrowser();
if (missing) {
  test('operations in the console', { skip: missing }, () => {});
} else {
  const service = await startService();
  const visitor = await openConsole(service.url);
  after(visitor.close);
  const { body: agent } = await service.request('POST', '/api/agents/', { body: { name: 'Desk', user_id: 'me' } });

  test('a number is assigned to an agent and released again', async () => {
    const page = await visitor.visit('/console/numbers');
    const row = page.getByRole('row', { name: /\+1 500 555 0010/ });
    await row.getByRole('button', { name: 'Assign' }).click();
    await page.getByText('routed to this service').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Assign' }).click();
    await row.getByRole('cell', { name: 'Desk', exact: true }).waitFor();
    const { body } = await service.request('GET', `/api/agents/${agent.id}`);
    assert.equal(body.phone_number, '+15005550010');
    await row.getByRole('button', { name: 'Release' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Release' }).click();
    await row.getByRole('cell', { name: 'Nobody' }).waitFor();
    await page.context().close();
  });

  test('a key is shown once, works, and is revoked', async () => {
    const strict = await startService({ env: { AUTH_MODE: 'required' } });
    const { key: root } = await keysOf(strict.database).create({ name: 'root', role: 'service' });
    const guest = await openConsole(strict.url);
    const page = await guest.visit('/console/settings?user=me');
    await page.getByLabel('API key').fill(root);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Create a key' }).click();
    await page.getByLabel('Name').fill('Backend');
    assert.equal(await page.getByText('admin', { exact: true }).count(), 0, 'only an admin makes an admin');
    const bound = page.getByLabel('User', { exact: true });
    await page.getByText('user', { exact: true }).click();
    assert.equal(await bound.inputValue(), 'me', 'the user who is chosen');
    for (const role of ['worker', 'viewer']) {
      await page.getByText(role, { exact: true }).click();
      assert.equal(await bound.inputValue(), '', `${role}: for all users, unless somebody says otherwise`);
    }
    await page.getByLabel('Valid for').selectOption('30');
    await page.getByText('The whole API').click();
    await page.getByLabel('calls', { exact: true }).check();
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    const key = await page.locator('dialog .secret code').textContent();
    assert.match(key ?? '', /^sb_[\w-]{43}$/);
    await page.getByRole('button', { name: 'I have copied it' }).click();
    const { body } = await strict.request('GET', '/api/keys', { headers: { authorization: `Bearer ${root}` } });
    const { role, user_id, scopes, expires_at } = body.items[0];
    assert.deepEqual([role, user_id, scopes], ['viewer', null, ['calls']]);
    assert.ok(Date.parse(expires_at) > Date.now() + 29 * 86_400_000, expires_at);
    assert.equal(await page.getByText(key ?? '').count(), 0);
    const row = page.getByRole('row', { name: /Backend/ });
    await row.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await row.getByText('Revoked').waitFor();
    await page.getByRole('button', { name: 'Audit log' }).click();
    await page.getByRole('row', { name: /key/ }).first().waitFor();
    await guest.close();
  });

  test('an endpoint is added, gets the events of a call, and a callback that failed is found and redelivered', async () => {
    const receiver = await startReceiver();
    const ok = receiver.answerWith;
    receiver.answerWith = () => 410;
    const page = await visitor.visit('/console/deliveries?tab=endpoints');
    await page.getByRole('button', { name: 'Add an endpoint' }).last().click();
    await page.getByLabel('Address').fill(`${receiver.url}/events`);
    await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click();
    await page
      .getByRole('row', { name: /\/events/ })
      .getByText('Active')
      .waitFor();
    await service.request('POST', '/api/calls/outbound', {
      user: 'me',
      body: { agent_id: agent.id, phone_number: '+15005550001', callback_url: `${receiver.url}/call` },
    });
    await page.goto(`${service.url}/console/deliveries?status=failed`);
    const row = page.getByRole('row', { name: /call\.failed/ }).first();
    await eventually(async () => {
      await page.reload();
      await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
      return row.isVisible();
    }, Boolean);
    await row.getByText('410').first().waitFor();
    receiver.answerWith = ok;
    const before = receiver.received.length;
    await row.getByRole('button', { name: 'Redeliver' }).click();
    await eventually(
      async () => receiver.received.length,
      (count) => count > before,
    );
    await page.getByRole('button', { name: 'Signing secret' }).click();
    await page.getByRole('button', { name: 'Reveal' }).click();
    await page.getByText(/^whsec_[\w+/]/).waitFor();
    await page.context().close();
  });

  test('a user is erased after its id was typed twice', async () => {
    await service.request('POST', '/api/agents/', { body: { name: 'Gone', user_id: 'leaver' } });
    const page = await visitor.visit('/console/settings?tab=erase');
    await page.getByLabel('User', { exact: true }).fill('leaver');
    await page.getByRole('button', { name: 'Erase the user' }).click();
    const dialog = page.getByRole('dialog');
    assert.equal(await dialog.getByRole('button', { name: 'Erase', exact: true }).isDisabled(), true);
    await dialog.getByLabel(/^Type/).fill('leaver');
    await dialog.getByRole('button', { name: 'Erase', exact: true }).click();
    await page.getByText('leaver is erased.').waitFor();
    const { body } = await service.request('GET', '/api/agents/', { user: 'leaver' });
    assert.deepEqual(body, []);
    await page.context().close();
  });

  test('the costs of the month are plotted, listed to the digit, priced by the book, and downloaded', async () => {
    const event = { session_id: '01980000-0000-7000-8000-000000000001', user_id: 'payer', provider: 'openai' };
    const known = { ...event, event_type: 'llm_tokens', quantity: '3', unit_cost: '0.1', total_cost: '0.30000000001' };
    const unknown = { ...event, event_type: 'stt_minutes', quantity: '2', model: 'whisper' };
    await service.request('POST', '/api/usage/events/batch', { body: { events: [known, unknown] } });
    const page = await visitor.visit('/console/costs?split=event_type&user=payer');
    await page
      .getByRole('row', { name: /llm tokens/ })
      .getByText('$0.30000000001')
      .waitFor();
    await page.getByText('Some usage has no price.').waitFor();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV' }).click(),
    ]);
    assert.match(file.suggestedFilename(), /^costs .*\.csv$/);
    assert.match(await readFile(await file.path(), 'utf8'), /llm_tokens,3,0\.30000000001,1,0,USD/);

    await page.getByRole('button', { name: 'Price book' }).click();
    await page.getByRole('button', { name: 'Import prices' }).click();
    const columns = 'provider,event_type,price,valid_from';
    const choose = (...lines: string[]) =>
      page.getByLabel('Choose a file').setInputFiles({
        name: 'prices.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from([columns, ...lines].join('\n')),
      });
    await choose('openai,stt_minutes,a lot,2020-01-01', 'openai,stt_minutes,0.25,yesterday');
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    const mistakes = page.getByRole('list', { name: 'Mistakes' }).getByRole('listitem');
    await mistakes.filter({ hasText: 'Line 2, price' }).waitFor();
    await mistakes.filter({ hasText: 'Line 3, valid_from' }).waitFor();
    assert.deepEqual(await seriousViolations(page), []);
    await choose('openai,stt_minutes,0.3,2020-01-01');
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByText('1 added').waitFor();
    const entry = { provider: 'openai', event_type: 'stt_minutes', price: '0.25', valid_from: '2020-01-01' };
    await page.getByRole('textbox', { name: 'Prices' }).fill(JSON.stringify([entry]));
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByText('1 replaced').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
    await page
      .getByRole('row', { name: /stt minutes/ })
      .getByText('0.25')
      .waitFor();
    await eventually(
      () => page.getByRole('row', { name: /stt minutes/ }).count(),
      (count) => count === 1,
    );
    await page.getByLabel('Show replaced prices').check();
    await page.getByRole('row', { name: /stt minutes.*0\.3/ }).waitFor();
    await page.goBack();
    await page.getByRole('button', { name: 'Price the usage' }).click();
    await page
      .getByRole('row', { name: /stt minutes/ })
      .getByText('$0.5', { exact: true })
      .waitFor();
    await page.getByText('everything is priced').waitFor();
    await page.context().close();
  });

  test('a budget is set, and shows the amount spent', async () => {
    const page = await visitor.visit('/console/costs?tab=budget&user=payer');
    await page.getByRole('button', { name: 'Set a budget' }).click();
    await page.getByLabel('Limit', { exact: true }).fill('8');
    await page.getByLabel('Refuse new calls at the limit').check();
    await page.getByLabel('Count test runs, and start none at the limit').check();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('of $8.00 in').waitFor();
    await page.getByText('Test runs count. At the limit new calls are refused and no test run starts.').waitFor();
    const { body } = await service.request('GET', '/api/budgets/payer', { user: 'payer' });
    assert.deepEqual([body.monthly_limit, body.thresholds, body.refuse_calls], ['8', [50, 80, 100], true]);
    assert.deepEqual([body.count_tests, body.end_calls], [true, false]);
    await page.context().close();
  });

  test('no page has reported an error', () => assert.deepEqual(visitor.errors, []));
}
