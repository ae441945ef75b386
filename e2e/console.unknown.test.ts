// Figures while they are not known: none of another user, no zero, and no refresh that never ends.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startService } from '@switchboard/testkit/service.ts';
import type { Page, Route } from 'playwright-core';
import { missingBrowser } from './support/browser.ts';
import { openConsole } from './support/console.ts';

const missing = missingBrowser();
if (missing) {
  test('figures that are not known', { skip: missing }, () => {});
} else {
  const service = await startService();
  const visitor = await openConsole(service.url);
  after(visitor.close);

  const agentOf = async (user: string) =>
    (await service.request('POST', '/api/agents/', { body: { name: `Desk of ${user}`, user_id: user } })).body;

  /** Logs usage in a call of the user, which has one from then on. */
  async function caller(user: string) {
    const agent = await agentOf(user);
    const { body: call } = await service.request('POST', '/api/calls/outbound', {
      user,
      body: { agent_id: agent.id, phone_number: '+15005550100' },
    });
    return (cost: string) => {
      const used = { provider: 'acme', event_type: 'llm_tokens', quantity: '1', unit_cost: cost, total_cost: cost };
      const event = { session_id: call.call_id, user_id: user, agent_id: agent.id, ...used };
      return service.request('POST', '/api/usage/events/batch', { body: { events: [event] } });
    };
  }
  const [ada, bob] = [await caller('ada'), await caller('bob')];
  await ada('7.77');
  await bob('3.33');

  async function costsOfAda(): Promise<Page> {
    const page = await visitor.visit('/console/settings?user=ada');
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
    await page.goto(`${service.url}/console/costs`);
    await page.getByText('$7.77').first().waitFor();
    return page;
  }

  test('when the user is changed, nothing of the former one is shown while the figures of the other are read', async () => {
    const page = await costsOfAda();
    const held: Route[] = [];
    await page.route(/\/api\/costs/, (route) => void held.push(route));
    await page.getByRole('button', { name: /^User: ada/ }).click();
    await page.getByLabel('Another user’s id').fill('bob');
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await page.getByRole('button', { name: /^User: bob/ }).waitFor();
    assert.equal(await page.getByText('$7.77').count(), 0);
    await page.unroute(/\/api\/costs/);
    // Those of the former user have been given up.
    for (const route of held) await route.continue().catch(() => {});
    await page.getByText('$3.33').first().waitFor();
    await page.context().close();
  });

  test('figures that take longer than a second are read to their end while more and more is used', async () => {
    const page = await costsOfAda();
    await page.route(/\/api\/costs\/report/, async (route) => {
      await sleep(2_500);
      await route.continue().catch(() => {});
    });
    let isOver = false;
    const using = (async () => {
      for (; !isOver; await sleep(250)) await ada('0.01');
    })();
    try {
      await page.getByText('$7.77').first().waitFor({ state: 'detached' });
    } finally {
      isOver = true;
      await using;
    }
    await page.context().close();
  });

  test('what was priced later is not called unpriced while the entries that price it are not loaded', async () => {
    const { body: call } = await service.request('POST', '/api/calls/outbound', {
      user: 'cleo',
      body: { agent_id: (await agentOf('cleo')).id, phone_number: '+15005550100' },
    });
    const of = {
      session_id: call.call_id,
      user_id: 'cleo',
      provider: 'late',
      event_type: 'stt_minutes',
      quantity: '1',
    };
    const priced = { ...of, provider: 'acme', unit_cost: '0.01', total_cost: '0.01' };
    const events = [of, ...Array(100).fill(priced)];
    const logged = await service.request('POST', '/api/usage/events/batch', { body: { events } });
    assert.equal(logged.status, 201, JSON.stringify(logged.body));
    const valid_from = new Date().toISOString().slice(0, 10);
    const price = { provider: 'late', event_type: 'stt_minutes', price: '0.25', valid_from };
    await service.request('PUT', '/api/prices', { body: { entries: [price] } });
    assert.equal((await service.request('POST', '/api/prices/apply')).status, 200);
    const page = await visitor.visit('/console/settings?user=cleo');
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
    await page.goto(`${service.url}/console/calls/${call.call_id}`);
    await page.getByText('Each entry (100+)').click();
    assert.equal(await page.locator('.total').innerText(), '$1.25');
    await page.getByRole('button', { name: 'Show more' }).click();
    await page.getByText('Each entry (102)').waitFor();
    assert.equal(await page.locator('.total').innerText(), '$1.25');
    await page.context().close();
  });

  test('costs that cannot be read are not zero', async () => {
    const page = await visitor.visit('/console/settings?user=bob');
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
    await page.route(/\/api\/costs/, (route) => route.abort());
    await page.goto(`${service.url}/console/`);
    await page.getByRole('alert').first().waitFor();
    const figures = page.locator('.figure', { hasText: 'Cost' });
    assert.deepEqual(
      (await figures.allInnerTexts()).map((text) => text.split('\n').filter(Boolean)[1]),
      ['–', '–'],
    );
    await page.context().close();
  });
}
