import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openTestDatabase } from '@switchboard/testkit/database.ts';
import { keysOf } from '@switchboard/testkit/keys.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { systemClock } from '../packages/server/src/lib/clock.ts';
import { missingBrowser } from './support/browser.ts';
import { openConsole, seriousViolations } from './support/console.ts';

const WIDE = 'Ünïcode-世界';
const UNNAMEABLE = 'tab\tinside';

const missing = missingBrowser();
if (missing) {
  test('users in the console', { skip: missing }, () => {});
} else {
  const service = await startService();
  const visitor = await openConsole(service.url);
  after(visitor.close);
  const agents = new Map<string, string>();
  for (const user_id of ['ada', 'adam', WIDE, UNNAMEABLE]) {
    const body = { name: `Desk of ${user_id.slice(0, 3)}`, user_id };
    agents.set(user_id, (await service.request('POST', '/api/agents/', { body })).body.id);
  }

  test('a user is found by the prefix of its id, in any script; ids that no request can name are not offered', async () => {
    const page = await visitor.visit('/console/agents');
    await page.getByRole('button', { name: /^User: me/ }).click();
    const users = page.getByRole('list', { name: 'Users' });
    await users.getByRole('button', { name: 'adam' }).waitFor();
    assert.ok(await users.getByRole('button', { name: /not a valid id/ }).isDisabled());
    assert.deepEqual(await seriousViolations(page), []);
    await page.getByLabel('Another user’s id').fill('Ün');
    await users.getByRole('button', { name: 'adam' }).waitFor({ state: 'detached' });
    await users.getByRole('button', { name: WIDE }).click();
    await page.getByText('Desk of Ünï').waitFor();
    assert.equal(await page.getByText('Desk of ada').count(), 0);

    const { body: call } = await service.request('POST', '/api/calls/outbound', {
      user: Buffer.from(WIDE).toString('latin1'),
      body: { agent_id: agents.get(WIDE), phone_number: '+15005550100' },
    });
    await page.getByRole('link', { name: /Live/ }).click();
    const row = page.getByRole('row', { name: /500 555 0100/ });
    await row.getByText('Answered').waitFor();
    const shared = await visitor.visit(`/console/calls/${call.call_id}?user=${encodeURIComponent(WIDE)}`);
    await shared.getByRole('heading', { name: '+1 500 555 0100' }).waitFor();
    await row.getByRole('button', { name: 'Hang up' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Hang up' }).click();
    await shared.getByRole('status').getByText('Completed').waitFor();
    assert.deepEqual(visitor.errors, []);
    await Promise.all([page.context().close(), shared.context().close()]);
  });

  test('an agent’s type is chosen, stays while its configuration does, and follows the configuration otherwise', async () => {
    const page = await visitor.visit(`/console/agents/${agents.get('ada')}?user=ada&section=general`);
    const saved = async (change: () => Promise<unknown>) => {
      const answered = page.waitForResponse((response) => response.request().method() === 'PUT');
      await change();
      return (await (await answered).json()).type;
    };
    // Slow enough to type meanwhile: the typed text has to stay.
    await page.route('**/draft', async (route) => {
      await systemClock.sleep(300);
      await route.continue();
    });
    const choose = () => page.getByLabel('Type').selectOption('LLM');
    assert.equal(await saved(choose), 'LLM');
    const describe = () => page.getByLabel('Description').fill('Changed');
    assert.equal(await saved(describe), 'LLM');
    await page.getByText('Now: language model only.').waitFor();
    assert.equal(await page.getByLabel('Description').inputValue(), 'Changed');
    await page.getByRole('option', { name: 'From the configuration', selected: true }).waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'JSON', exact: true }).click();
    const typed = page.getByRole('textbox', { name: 'Configuration' });
    assert.equal(await saved(() => typed.fill('{ "tts": {} }')), 'TTS');
    await page.getByText('Draft saved').waitFor();
    assert.equal(await typed.inputValue(), '{ "tts": {} }', 'as it was typed');
    assert.deepEqual(await seriousViolations(page), []);
    await page.context().close();
  });

  test('a key of role user is shown neither settings nor prices', async () => {
    const database = await openTestDatabase();
    const keys = keysOf(database);
    const { key } = await keys.create({ name: 'Ada', role: 'user', user_id: 'ada' });
    const { key: worker } = await keys.create({ name: 'Worker', role: 'service', user_id: null });
    const strict = await startService({ database, env: { AUTH_MODE: 'required' } });
    const event = { session_id: 'a', user_id: 'ada', provider: 'acme', event_type: 'llm_tokens', quantity: '2' };
    const headers = { authorization: `Bearer ${worker}` };
    const logged = await strict.request('POST', '/api/usage/events/batch', { headers, body: { events: [event] } });
    assert.equal(logged.status, 201);
    const guest = await openConsole(strict.url);
    const page = await guest.visit('/console/costs');
    await page.getByLabel('API key').fill(key);
    await page.getByLabel('User', { exact: true }).fill('ada');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Budget', exact: true }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Price book' }).count(), 0);
    await page.getByText('It counts as 0 until the operator of the service').waitFor();
    for (const name of ['Set a price', 'Price the usage'])
      assert.equal(await page.getByRole('button', { name }).count(), 0, name);
    assert.equal(await page.getByRole('link', { name: 'Settings' }).count(), 0);
    await page.goto(`${strict.url}/console/settings?tab=audit`);
    await page.getByRole('meter', { name: 'Storage used' }).waitFor();
    await page.getByText('The other settings need the role service or admin').waitFor();
    await guest.close();
    await database.close();
  });
}
