import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { answeredCall, createAgent, USER } from '@switchboard/testkit/calls.ts';
import { openTestDatabase } from '@switchboard/testkit/database.ts';
import { keysOf } from '@switchboard/testkit/keys.ts';
import { startService } from '@switchboard/testkit/service.ts';
import type { Page } from 'playwright-core';
import { missingBrowser } from './support/browser.ts';
import { openConsole, seriousViolations } from './support/console.ts';

const missing = missingBrowser();
if (missing) {
  test('roles in the console', { skip: missing }, () => {});
} else {
  const database = await openTestDatabase();
  after(database.close);
  const keys = keysOf(database);
  const open = await startService({ database });
  const agent_id = await createAgent(open);
  const { call_id } = await answeredCall(open, { agent_id });
  const hours = { days: ['mon'], from: '09:00', to: '18:00' };
  await open.request('PUT', '/api/dial-policies/office', { user: USER, body: { windows: [hours] } });
  const service = await startService({ database, env: { AUTH_MODE: 'required' } });
  const visitor = await openConsole(service.url);
  after(visitor.close);

  async function signIn(path: string, key: string): Promise<Page> {
    const page = await visitor.visit(path);
    await page.getByLabel('API key').fill(key);
    await page.getByLabel('User', { exact: true }).fill(USER);
    await page.getByRole('button', { name: 'Sign in' }).click();
    return page;
  }
  const buttons = async (page: Page, names: string[]) => {
    const shown: string[] = [];
    for (const name of names) if ((await page.getByRole('button', { name, exact: true }).count()) > 0) shown.push(name);
    return shown;
  };

  test('a viewer is shown no button that would be refused, a supervisor those of calls', async () => {
    const pages: [path: string, ready: string, all: string[], supervised: string[]][] = [
      [
        `/console/calls/${call_id}`,
        'Timeline',
        ['Listen in', 'Transfer', 'Hang up'],
        ['Listen in', 'Transfer', 'Hang up'],
      ],
      [
        `/console/agents/${agent_id}?section=general`,
        'This agent',
        ['Delete', 'Duplicate', 'Talk', 'Call me', 'Chat', 'Save', 'Publish…'],
        [],
      ],
      ['/console/deliveries?tab=endpoints', 'No webhook endpoints', ['Add an endpoint'], []],
      ['/console/costs?tab=budget', 'No budget', ['Set a budget'], []],
      ['/console/policies/of/office', 'Hours', ['Save'], []],
      ['/console/policies?tab=suppressions', 'No number is suppressed', ['Suppress a number', 'Import a file'], []],
      ['/console/policies?tab=consents', 'No consent is recorded', ['Record a consent'], []],
    ];
    for (const role of ['viewer', 'supervisor', 'service'] as const) {
      const { key } = await keys.create({ name: role, role });
      const page = await signIn('/console', key);
      await page.getByRole('heading', { name: 'Overview' }).waitFor();
      for (const [path, ready, all, supervised] of pages) {
        await page.goto(`${service.url}${path}${path.includes('?') ? '&' : '?'}user=${USER}`);
        await page.getByText(ready, { exact: true }).first().waitFor();
        const expected = { viewer: [], supervisor: supervised, service: all }[role];
        assert.deepEqual([role, path, await buttons(page, all)], [role, path, expected]);
      }
      assert.deepEqual(await seriousViolations(page), []);
      await page.goto(`${service.url}/console/policies/of/office?user=${USER}`);
      assert.equal(await page.getByRole('checkbox', { name: 'Mo' }).isDisabled(), role !== 'service');
      await page.context().close();
    }
  });

  test('signing out everywhere ends the session of another browser too', async () => {
    const { key } = await keys.create({ name: 'viewer', role: 'viewer', user_id: USER });
    const [one, other] = [await signIn('/console', key), await signIn('/console', key)];
    for (const page of [one, other]) await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await one.getByRole('button', { name: 'Sign out everywhere' }).click();
    await one.getByRole('heading', { name: 'Sign in to Switchboard' }).waitFor();
    await other.reload();
    await other.getByRole('heading', { name: 'Sign in to Switchboard' }).waitFor();
    for (const page of [one, other]) await page.context().close();
  });
}
