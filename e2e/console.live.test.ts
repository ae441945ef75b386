import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { missingBrowser } from './support/browser.ts';
import { openConsole, openLine, seriousViolations } from './support/console.ts';

const missing = missingBrowser();
if (missing) {
  test('live calls in the console', { skip: missing }, () => {});
} else {
  const service = await startService();
  const line = await openLine(service.url);
  const visitor = await openConsole(line.url);
  after(async () => {
    await visitor.close();
    await line.close();
  });
  const createAgent = async (user: string) => {
    const { body } = await service.request('POST', '/api/agents/', { body: { name: 'Desk', user_id: user } });
    return body.id as string;
  };
  const agents = { me: await createAgent('me'), other: await createAgent('other') };
  const call = async (user: keyof typeof agents, phone_number: string) => {
    const body = { agent_id: agents[user], phone_number };
    return (await service.request('POST', '/api/calls/outbound', { user, body })).body;
  };
  const say = (room: string, content: string) =>
    service.request('POST', `/api/sessions/by-room/${room}/transcripts`, { body: { content } });
  const use = (session_id: string) => {
    const event = { session_id, user_id: 'me', provider: 'openai', event_type: 'llm_tokens' };
    const body = { ...event, quantity: '3', unit_cost: '0.5', total_cost: '1.5' };
    return service.request('POST', '/api/usage/events', { body });
  };

  test('a call appears, speaks, costs and goes, without the page asking; a call of another user does not', async () => {
    const page = await visitor.visit('/console/live');
    await page.getByText('No call is open').waitFor();
    await call('other', '+15005550133');
    const mine = await call('me', '+15005550100');
    const row = page.getByRole('row', { name: /500 555 0100/ });
    await row.getByText('Answered').waitFor();
    await say(mine.room_name, 'A word about pears');
    await row.getByText('A word about pears').waitFor();
    await use(mine.call_id);
    await row.getByText('$1.50').waitFor();
    assert.equal(await page.getByText('500 555 0133').count(), 0);
    await row.getByRole('button', { name: 'Hang up' }).click();
    const dialog = page.getByRole('dialog', { name: 'Hang up on +1 500 555 0100?' });
    assert.deepEqual(await seriousViolations(page), []);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await row.getByRole('button', { name: 'Hang up' }).click();
    await dialog.getByRole('button', { name: 'Hang up' }).click();
    await row.waitFor({ state: 'detached' });
    await page.getByText('No call is open').waitFor();
    await page.context().close();
  });

  test('a call that was open before the page has its whole cost and its last sentence, also after a cut', async () => {
    const mine = await call('me', '+15005550104');
    await use(mine.call_id);
    await say(mine.room_name, 'Said before');
    const page = await visitor.visit('/console/live');
    const row = page.getByRole('row', { name: /500 555 0104/ });
    await row.getByText('$1.50').waitFor();
    await row.getByText('Said before').waitFor();
    await use(mine.call_id);
    await row.getByText('$3.00').waitFor();
    line.cut();
    await page.getByText('Reconnecting…').waitFor();
    await use(mine.call_id);
    line.mend();
    await row.getByText('$4.50').waitFor();
    await service.request('POST', `/api/calls/${mine.call_id}/end`, { user: 'me' });
    await row.waitFor({ state: 'detached' });
    await page.context().close();
  });

  test('calls that cannot be read are reported, and can be read again', async () => {
    const page = await visitor.visit('/console/agents');
    await page.route('**/api/calls/?*', (route) => route.fulfill({ status: 500, json: { code: 'internal_error' } }));
    await page.goto(`${line.url}/console/live`);
    await page.getByRole('alert').waitFor();
    await page.unroute('**/api/calls/?*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('No call is open').waitFor();
    await page.context().close();
  });

  for (const colorScheme of ['light', 'dark'] as const)
    test(`on a phone a row has buttons as large as a finger: ${colorScheme}`, async () => {
      const page = await visitor.visit('/console/live', { colorScheme, viewport: { width: 360, height: 740 } });
      const mine = await call('me', '+15005550105');
      const row = page.getByRole('row', { name: /500 555 0105/ });
      await row.getByText('Answered').waitFor();
      await say(mine.room_name, 'A sentence that is far too long for a phone, and is cut off where there is no room');
      await row.getByText('A sentence').waitFor();
      assert.deepEqual(await seriousViolations(page), []);
      const place = await row.boundingBox();
      for (const name of ['Listen in', 'Transfer', 'Hang up']) {
        const box = await row.getByRole('button', { name }).boundingBox();
        assert.ok(box && place && box.width >= 44 && box.height >= 44, `${name}: ${box?.width} × ${box?.height}`);
        assert.ok(box.x + box.width <= 360 && box.y + box.height <= place.y + place.height, `${name} is cut off`);
      }
      await row.getByRole('button', { name: 'Transfer' }).click();
      await page
        .getByRole('dialog', { name: /^Transfer the call/ })
        .getByRole('button', { name: 'Cancel' })
        .click();
      await row.getByRole('button', { name: 'Listen in' }).click();
      await page.getByRole('region', { name: 'Listening in' }).waitFor();
      await row.getByRole('button', { name: 'Hang up' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Hang up' }).click();
      await row.waitFor({ state: 'detached' });
      await page.context().close();
    });

  test('a call is transferred and listened to from its row; the sandbox says that there is nothing to hear', async () => {
    const page = await visitor.visit('/console/live');
    const mine = await call('me', '+15005550102');
    const row = page.getByRole('row', { name: /500 555 0102/ });
    await row.getByText('Answered').waitFor();
    await row.getByRole('button', { name: 'Listen in' }).click();
    const bar = page.getByRole('region', { name: 'Listening in' });
    await bar.getByText('there is nothing to hear').waitFor();
    assert.deepEqual(await seriousViolations(page), []);
    await bar.getByRole('button', { name: 'Stop' }).click();
    await bar.waitFor({ state: 'detached' });
    await row.getByRole('button', { name: 'Listen in' }).click();
    await row.getByRole('button', { name: 'Transfer' }).click();
    const dialog = page.getByRole('dialog', { name: 'Transfer the call with +1 500 555 0102' });
    await dialog.getByRole('radio', { name: /Warm/ }).check();
    await dialog.getByRole('button', { name: 'Transfer', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    await bar.getByRole('link').click();
    await page.getByText('Transfer connected').waitFor();
    await service.request('POST', `/api/calls/${mine.call_id}/end`, { user: 'me' });
    await bar.waitFor({ state: 'detached' });
    await page.context().close();
  });

  test('a call in the browser is simulated in the sandbox, and the page says so', async () => {
    const talking = await startService({ env: { SANDBOX_CONVERSATIONS: '1' } });
    const config = { greeting: 'Hello!', instructions: 'We are open from nine to five.' };
    const desk = { name: 'Desk', user_id: 'me', config };
    const { body: agent } = await talking.request('POST', '/api/agents/', { body: desk });
    const page = await visitor.visit('/console/agents');
    // Whether it is a sandbox is not known yet when the button is pressed.
    await page.route('**/readyz', async (route) => {
      await sleep(1_000);
      await route.continue();
    });
    await page.goto(`${talking.url}/console/agents/${agent.id}`);
    await page.getByRole('button', { name: 'Talk' }).click();
    await page.getByRole('heading', { name: /^Browser call with/, level: 1 }).waitFor();
    await page.getByText('are simulated').waitFor();
    await page.locator('.transcript li').nth(1).waitFor();
    // A closed page stops nothing: the conversation is the service's.
    const call = page.url();
    await page.goto('about:blank');
    const lines = async () => {
      const route = `/api/sessions/${call.split('/').at(-1)}/transcripts`;
      return (await talking.request('GET', route)).body.items.length;
    };
    await eventually(lines, (count) => count >= 4);
    await page.goto(call);
    await page.locator('.transcript li').nth(3).waitFor();
    await page.getByRole('button', { name: 'Hang up' }).click();
    await page.getByRole('status').getByText('Completed').waitFor();
    await page.context().close();
    await talking.close();
  });

  test('a line that is cut in the middle of a call is reported, and resumes without a gap or a repetition', async () => {
    const mine = await call('me', '+15005550101');
    const page = await visitor.visit(`/console/calls/${mine.call_id}`);
    await page.getByRole('status').getByText('Answered').waitFor();
    await say(mine.room_name, 'before');
    await page.getByText('before', { exact: true }).waitFor();
    line.cut();
    await page.getByText('Reconnecting…').waitFor();
    await say(mine.room_name, 'meanwhile');
    line.mend();
    await page.getByText('meanwhile', { exact: true }).waitFor();
    await page.getByText('Reconnecting…').waitFor({ state: 'detached' });
    await say(mine.room_name, 'after');
    await page.getByText('after', { exact: true }).waitFor();
    assert.deepEqual(await page.locator('.transcript p').allTextContents(), ['before', 'meanwhile', 'after']);
    await service.request('POST', `/api/calls/${mine.call_id}/end`, { user: 'me' });
    await page.getByRole('status').getByText('Completed').waitFor();
    await page.context().close();
    const others = visitor.errors.filter(
      (error) => !/ERR_(CONNECTION|EMPTY|INCOMPLETE|SOCKET)|Failed to fetch|status of 500/.test(error),
    );
    assert.deepEqual(others, []);
  });
}
