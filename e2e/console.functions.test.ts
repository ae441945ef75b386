// Functions in the console: headers, method and templates are edited, and a test shows request and answer.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startService } from '@switchboard/testkit/service.ts';
import { systemClock } from '../packages/server/src/lib/clock.ts';
import { createSandboxMedia } from '../packages/server/src/providers/sandbox/media.ts';
import { missingBrowser } from './support/browser.ts';
import { openConsole, seriousViolations } from './support/console.ts';

const missing = missingBrowser();
if (missing) {
  test('functions in the console', { skip: missing }, () => {});
} else {
  const { checkFunction: _, ...media } = createSandboxMedia({ clock: systemClock, ringMs: 20 });
  const service = await startService({ media });
  const visitor = await openConsole(service.url);
  after(visitor.close);

  const find = {
    name: 'find_order',
    description: 'Finds an order.',
    url: 'https://example.com/{{tenant}}/orders',
    parameters: { type: 'object', properties: { number: { type: 'integer' } }, required: ['number'] },
  };

  for (const [width, colorScheme] of [
    [1440, 'light'],
    [390, 'dark'],
  ] as const)
    test(`a function is edited and tested where it stands, at ${width} px`, async () => {
      const body = { name: `Orders ${width}`, user_id: 'me', config: { tools: { functions: [find] } } };
      const { id } = (await service.request('POST', '/api/agents/', { body })).body;
      const page = await visitor.visit(`/console/agents/${id}`, { viewport: { width, height: 900 }, colorScheme });
      await page.getByRole('button', { name: /^Tools/ }).click();
      const card = page.getByRole('group', { name: 'find_order' });
      await card.getByLabel('Method').selectOption('PUT');
      await card.getByRole('button', { name: 'Add a header' }).click();
      await card.getByLabel('Name of the header').fill('x-api-key');
      await card.getByLabel('Value of x-api-key').fill('key of {{tenant}}');
      await card.getByLabel('Body').fill('{"order": {{number}}}');
      // On its way to its own name it is called as another one for a moment.
      await card.getByRole('button', { name: 'Add an argument' }).click();
      const name = card.getByLabel('Name of the argument').nth(1);
      await name.fill('numbe');
      await name.press('r');
      await card.getByText('Already taken.').waitFor();
      await name.pressSequentially('_of');
      await card.getByText('Already taken.').waitFor({ state: 'detached' });
      assert.equal(await name.inputValue(), 'number_of');
      await card.getByRole('button', { name: 'Remove number_of' }).click();
      await card.getByRole('button', { name: 'Test…' }).click();
      await card.getByLabel('number', { exact: true }).fill('7');
      await card.getByLabel('tenant', { exact: true }).fill('acme');
      await card.getByRole('button', { name: 'Send the request' }).click();
      const claimed = { kind: 'function_check', wait_s: 30 };
      const { tasks } = (await service.request('POST', '/api/worker/tasks/claim', { body: claimed })).body;
      const [{ task_id, lease_token, payload }] = tasks;
      const edited = { method: 'PUT', headers: { 'x-api-key': 'key of {{tenant}}' }, body: '{"order": {{number}}}' };
      assert.deepEqual(payload.function, { ...find, ...edited });
      assert.deepEqual([payload.arguments, payload.variables], [{ number: 7 }, { tenant: 'acme' }]);
      const request = {
        method: 'PUT',
        url: 'https://example.com/acme/orders',
        headers: [{ name: 'x-api-key', value: '••••' }],
        body: '{"order":7}',
      };
      const response = { status: 404, headers: [], body: '{"error": "There is no order 7."}', is_cut: false };
      const said = {
        outcome: 'failed',
        reason: 'status',
        detail: 'status 404',
        latency_ms: 84,
        worker: 'worker-0:8081',
      };
      const done = { lease_token, result: { ...said, request, response } };
      await service.request('POST', `/api/worker/tasks/${task_id}/complete`, { body: done });
      await card.getByText('Answered after 84 ms.').waitFor();
      await card.getByText('PUT https://example.com/acme/orders').waitFor();
      await card.getByText('There is no order 7.').waitFor();
      assert.deepEqual(await seriousViolations(page), []);
      const excess = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
      assert.ok(excess <= 0, `${excess} pixels too wide`);
      // A result is not shown beside another function.
      await card.getByLabel('Body').fill('{"order": 1}');
      await card.getByText('There is no order 7.').waitFor({ state: 'detached' });
      await page.close();
    });
}
