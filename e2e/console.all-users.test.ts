import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, test } from 'node:test';
import { openTestDatabase } from '@switchboard/testkit/database.ts';
import { keysOf } from '@switchboard/testkit/keys.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { missingBrowser } from './support/browser.ts';
import { openConsole, seriousViolations } from './support/console.ts';

const missing = missingBrowser();
if (missing) {
  test('all users in the console', { skip: missing }, () => {});
} else {
  const database = await openTestDatabase();
  const keys = keysOf(database);
  const { key } = await keys.create({ name: 'Backend', role: 'service' });
  const { key: own } = await keys.create({ name: 'Ada', role: 'user', user_id: 'ada' });
  const service = await startService({ database, env: { AUTH_MODE: 'required', CURRENCY: 'EUR' } });
  const visitor = await openConsole(service.url);
  after(async () => {
    await visitor.close();
    await database.close();
  });
  const ask = async (method: string, path: string, user: string, body?: object) =>
    (await service.request(method, path, { user, ...(body && { body }), headers: { authorization: `Bearer ${key}` } }))
      .body;
  const calls: Record<string, { call_id: string; agent_id: string }> = {};
  for (const [user, phone_number] of [
    ['ada', '+15005550100'],
    ['bob', '+15005550101'],
  ] as const) {
    const { id } = await ask('POST', '/api/agents/', user, { name: `Desk of ${user}`, user_id: user });
    const { call_id } = await ask('POST', '/api/calls/outbound', user, { agent_id: id, phone_number });
    calls[user] = { call_id, agent_id: id };
  }
  const use = (user: string, total_cost: string) =>
    ask('POST', '/api/usage/events', user, {
      session_id: calls[user]?.call_id,
      user_id: user,
      agent_id: calls[user]?.agent_id,
      provider: 'openai',
      event_type: 'llm_tokens',
      quantity: '1',
      unit_cost: total_cost,
      total_cost,
    });

  test('a service key that names no user shows the calls, figures and costs of all, as they change', async () => {
    await Promise.all([use('ada', '1.25'), use('bob', '2.50')]);
    const page = await visitor.visit('/console/live');
    await page.getByLabel('API key').fill(key);
    await page.getByLabel('User', { exact: true }).fill('');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'User: All users. Change' }).waitFor();
    const rowOf = (number: string, user: string) =>
      page.getByRole('row', { name: new RegExp(number) }).getByRole('cell', { name: user });
    await rowOf('500 555 0100', 'ada').waitFor();
    await rowOf('500 555 0101', 'bob').waitFor();
    await page.getByText('€1.25').waitFor();
    assert.deepEqual(await seriousViolations(page), []);

    await page.getByRole('link', { name: 'Overview' }).click();
    await page.getByText('The last 30 days of all users').waitFor();
    await page.getByText('€3.75', { exact: true }).first().waitFor();
    await use('bob', '1');
    await page.getByText('€4.75', { exact: true }).first().waitFor();
    await ask('POST', `/api/calls/${calls.bob?.call_id}/end`, 'bob');
    await page.getByRole('link', { name: 'Live 1' }).waitFor();

    await page.getByRole('link', { name: 'Costs', exact: true }).click();
    await page.getByRole('button', { name: 'User', exact: true }).click();
    await page.getByRole('row', { name: /bob/ }).getByText('€3.5', { exact: true }).waitFor();
    await page.getByRole('row', { name: /ada/ }).getByText('€1.25', { exact: true }).waitFor();

    await page.getByRole('link', { name: 'Calls', exact: true }).click();
    await rowOf('500 555 0100', 'ada').waitFor();
    await rowOf('500 555 0101', 'bob').waitFor();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV' }).click(),
    ]);
    assert.equal((await readFile(await file.path(), 'utf8')).trim().split('\r\n').length, 3);
    assert.deepEqual(
      visitor.errors.filter((error) => !error.includes('401')),
      [],
    );
    await page.context().close();
  });

  test('pages about one user ask for one, and remember the choice', async () => {
    const page = await visitor.visit(`/console/calls/${calls.bob?.call_id}`);
    await page.getByLabel('API key').fill(key);
    await page.getByLabel('User', { exact: true }).fill('');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: '+1 500 555 0101' }).waitFor();
    for (const to of ['agents', 'costs?tab=budget', 'deliveries?tab=endpoints', 'deliveries?tab=secret']) {
      await page.goto(`${service.url}/console/${to}`);
      await page.getByRole('region', { name: 'Choose a user' }).waitFor();
      assert.deepEqual(await seriousViolations(page), [], to);
    }
    await page.goto(`${service.url}/console/calls/${calls.bob?.call_id}`);
    await page.getByRole('link', { name: 'Desk of bob' }).click();
    await page.getByRole('heading', { name: 'Desk of bob', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'User: bob. Change' }).click();
    await page.getByRole('list', { name: 'Users' }).getByRole('button', { name: 'All users' }).click();
    await page.getByRole('link', { name: 'Agents' }).click();
    await page.getByRole('region', { name: 'Choose a user' }).getByRole('button', { name: 'ada' }).click();
    await page.getByRole('row', { name: 'Desk of ada' }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'User: ada. Change' }).waitFor();
    await page.context().close();
  });

  test('the history of all users is filtered by an agent of any of them', async () => {
    const page = await visitor.visit('/console/calls');
    await page.getByLabel('API key').fill(key);
    await page.getByLabel('User', { exact: true }).fill('');
    await page.getByRole('button', { name: 'Sign in' }).click();
    const rowOf = (number: string) => page.getByRole('row', { name: new RegExp(number) });
    await rowOf('500 555 0101').waitFor();
    await page.getByRole('button', { name: 'Agent: Any agent. Change' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'ada' }).click();
    await dialog.getByRole('button', { name: 'Desk of ada' }).waitFor();
    await dialog.getByRole('button', { name: 'Another user' }).click();
    await dialog.getByRole('button', { name: 'bob' }).click();
    assert.deepEqual(await seriousViolations(page), []);
    await dialog.getByRole('button', { name: 'Desk of bob' }).click();
    await rowOf('500 555 0100').waitFor({ state: 'detached' });
    await rowOf('500 555 0101').waitFor();
    // The URL has the agent, whose name is looked up again.
    assert.equal(new URL(page.url()).searchParams.get('agent_id'), calls.bob?.agent_id);
    await page.reload();
    await page.getByRole('button', { name: 'Agent: Desk of bob. Change' }).click();
    assert.equal(await rowOf('500 555 0100').count(), 0);
    await dialog.getByRole('button', { name: 'Any agent' }).click();
    await rowOf('500 555 0100').waitFor();
    await page.context().close();
  });

  test('a key of role user is not offered all users', async () => {
    const page = await visitor.visit('/console/calls');
    await page.getByLabel('API key').fill(own);
    await page.getByLabel('User', { exact: true }).fill('');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('row', { name: /500 555 0100/ }).waitFor();
    assert.equal(await page.getByRole('row', { name: /500 555 0101/ }).count(), 0);
    assert.equal(await page.getByText('All users').count(), 0);
    await page.context().close();
  });
}
