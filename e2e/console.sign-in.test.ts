import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openTestDatabase } from '@switchboard/testkit/database.ts';
import { keysOf } from '@switchboard/testkit/keys.ts';
import { startService } from '@switchboard/testkit/service.ts';
import type { Page } from 'playwright-core';
import { missingBrowser } from './support/browser.ts';
import { openConsole, publish, seriousViolations } from './support/console.ts';

const missing = missingBrowser();
if (missing) {
  test('signing in to the console', { skip: missing }, () => {});
} else {
  const database = await openTestDatabase();
  after(database.close);
  const keys = keysOf(database);
  const [ada, bob, backend, worker] = await Promise.all([
    keys.create({ name: 'Ada', role: 'user', user_id: 'ada' }),
    keys.create({ name: 'Bob', role: 'user', user_id: 'bob' }),
    keys.create({ name: 'Backend', role: 'service' }),
    keys.create({ name: 'Worker', role: 'worker' }),
  ]);
  const service = await startService({ database, env: { AUTH_MODE: 'required', SANDBOX_CONVERSATIONS: '5' } });
  const visitor = await openConsole(service.url);
  after(visitor.close);

  async function signIn(page: Page, key: string, user: string): Promise<void> {
    await page.getByLabel('API key').fill(key);
    await page.getByLabel('User', { exact: true }).fill(user);
    await page.getByRole('button', { name: 'Sign in' }).click();
  }

  test('each user sees its own agents and calls, and never the other’s', async () => {
    for (const [key, user, other] of [
      [ada, 'ada', 'bob'],
      [bob, 'bob', 'ada'],
    ] as const) {
      const page = await visitor.visit('/');
      await signIn(page, key.key, user);
      await page.getByRole('button', { name: /^Front desk/ }).click();
      await page.getByRole('button', { name: /^General/ }).click();
      await page.getByLabel('Name').fill(`Desk of ${user}`);
      await publish(page);
      await page.getByRole('heading', { name: `Desk of ${user}` }).waitFor();
      await page.getByRole('button', { name: 'Call me' }).click();
      await page.getByText('No phone rings').waitFor();
      await page.getByRole('button', { name: 'Call', exact: true }).click();
      await page.getByText('Hello, this is the front desk.').waitFor();
      await page.getByRole('link', { name: 'Calls', exact: true }).first().click();
      await page.getByRole('row', { name: `Desk of ${user}` }).waitFor();
      assert.equal(await page.getByText(`Desk of ${other}`).count(), 0);
      await page.getByRole('button', { name: 'Sign out', exact: true }).click();
      await page.getByRole('heading', { name: 'Sign in to Switchboard' }).waitFor();
      assert.equal(await page.getByText(`Desk of ${user}`).count(), 0);
      await page.context().close();
    }
  });

  test('a service key shows any user', async () => {
    const page = await visitor.visit('/console/agents');
    await signIn(page, backend.key, 'ada');
    await page.getByText('Desk of ada').waitFor();
    await page.getByRole('button', { name: /^User: ada/ }).click();
    await page.getByLabel('Another user’s id').fill('bob');
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await page.getByText('Desk of bob').waitFor();
    assert.equal(await page.getByText('Desk of ada').count(), 0);
    await page.context().close();
  });

  test('no other key gets in, no script can read the session, and signing out ends it', async () => {
    const page = await visitor.visit('/console');
    await page.getByRole('heading', { name: 'Sign in to Switchboard' }).waitFor();
    assert.deepEqual(await seriousViolations(page), []);
    await signIn(page, 'sb_unknown', 'ada');
    await page.getByText('does not know this key').waitFor();
    await signIn(page, worker.key, 'ada');
    await page.getByText('A key of role worker cannot sign in').waitFor();
    await signIn(page, ada.key, 'bob');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.getByText('ada', { exact: true }).waitFor();
    const kept = await page.evaluate<string>(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])',
    );
    assert.ok(
      kept.includes('ada') && !kept.includes(ada.key) && kept.endsWith(',""]'),
      'no script can read the session',
    );
    await page.reload();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.route('**/api/console/session', (route) => route.abort());
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByText('Not signed out: The service cannot be reached.').waitFor();
    await page.unroute('**/api/console/session');
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByRole('heading', { name: 'Sign in to Switchboard' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Sign in to Switchboard' }).waitFor();
    await page.context().close();
  });

  test('a session that cannot be read is no open mode: it is read again on request', async () => {
    const page = await visitor.visit('/console');
    await signIn(page, ada.key, 'ada');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.route('**/api/console/session', (route) => route.fulfill({ status: 503, body: 'Unavailable' }));
    await page.reload();
    const retry = page.getByRole('alert').getByRole('button', { name: 'Try again' });
    await retry.waitFor();
    assert.equal(await page.getByRole('heading', { name: 'Overview' }).count(), 0);
    assert.deepEqual(await seriousViolations(page), []);
    await page.unroute('**/api/console/session');
    await retry.click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.getByRole('button', { name: 'Sign out', exact: true }).waitFor();
    await page.context().close();
  });
}
