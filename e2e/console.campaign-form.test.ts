import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startService } from '@switchboard/testkit/service.ts';
import { askOf } from './support/ask.ts';
import { missingBrowser } from './support/browser.ts';
import { openConsole, seriousViolations } from './support/console.ts';

const missing = missingBrowser();
if (missing) {
  test('the form and the board of campaigns', { skip: missing }, () => {});
} else {
  const service = await startService({ env: { SANDBOX_RING_MS: '40' } });
  const visitor = await openConsole(service.url);
  after(visitor.close);
  const ask = askOf(service);
  const agent = await ask('POST', '/api/agents/', { name: 'Reminder', user_id: 'me' });

  test('the form has all of a campaign: who is called again, caller IDs, an end, and a circuit', async () => {
    const number = '+15005550010';
    await ask('POST', '/api/telephony/numbers/assign', { agent_id: agent.id, phone_number: number });
    const { number: version } = await ask('POST', `/api/agents/${agent.id}/versions`, { from: 'draft' });
    const page = await visitor.visit('/console/campaigns');
    await page.getByRole('button', { name: 'New campaign' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill('Complete');
    await dialog.getByText('More: who is reached').click();
    const again = dialog.getByRole('group', { name: 'Called again after' });
    const reached = dialog.getByRole('group', { name: 'Reached by' });
    await again.getByLabel('Voicemail').check();
    await again.getByLabel('Failed').uncheck();
    // Outcomes that count as reached are not called again.
    await reached.getByLabel('Phone menu').check();
    assert.equal(await again.getByLabel('Phone menu').count(), 0);
    await dialog.getByLabel('Only with one of these results').fill('booked\nmoved');
    await again.getByLabel('Answered').check();
    await dialog.getByLabel('Times vary by, in %').fill('25');
    await dialog.getByLabel('Version of the agent').selectOption(`Version ${version}`);
    await dialog.getByLabel('+1 500 555 0010').check();
    await dialog.getByLabel('Ends at').fill('2099-12-31T12:00');
    await dialog.getByLabel('Wait while too many calls fail').check();
    await dialog.getByLabel('Failing calls, in %').fill('30');
    assert.deepEqual(await seriousViolations(page), []);
    await dialog.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'Complete' }).waitFor();
    const route = `/api/campaigns/${page.url().split('/').at(-1)}`;
    const made = await ask('GET', route);
    assert.deepEqual(made.retries, {
      attempts: 3,
      delays_s: [3_600],
      on: ['busy', 'no_answer', 'unavailable', 'answered', 'voicemail', 'abandoned', 'interrupted'],
      spread: 0.25,
    });
    assert.deepEqual(
      [made.reached_by, made.reached_dispositions],
      [
        ['answered', 'ivr'],
        ['booked', 'moved'],
      ],
    );
    assert.deepEqual([made.agent_version, made.from_numbers], [version, [number]]);
    assert.deepEqual(made.circuit, { failure_rate: 0.3, window_s: 300, min_calls: 20 });
    assert.match(made.expires_at, /^(2099-12-31|2100-01-01)T/);

    // While it runs, only its end and its circuit. This one is busy, and will be called again tomorrow.
    await ask('POST', `${route}/recipients`, { recipients: [{ phone_number: '+15005561005' }] });
    await ask('PATCH', route, { retries: { on: ['busy'], delays_s: [86_400] } });
    await ask('POST', `${route}/start`);
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    await page.getByRole('button', { name: 'Settings' }).click();
    await dialog.getByText('More: its end, failing calls').click();
    assert.equal(await again.count(), 0);
    await dialog.getByLabel('Ends at').fill('2020-01-01T12:00');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('expires_at: Input should be in the future').waitFor();
    await dialog.getByLabel('Ends at').fill('');
    await dialog.getByLabel('Wait while too many calls fail').uncheck();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'hidden' });
    const changed = await ask('GET', route);
    assert.deepEqual([changed.expires_at, changed.circuit, changed.retries.on], [null, null, ['busy']]);
    await page.context().close();
  });

  test('shares may have fractions of a percent', async () => {
    const shares = {
      pacing: { reserve_for_others: 0.125 },
      retries: { spread: 0.125 },
      circuit: { failure_rate: 0.125, window_s: 300, min_calls: 20 },
    };
    const { id } = await ask('POST', '/api/campaigns', { name: 'Shares', agent_id: agent.id, ...shares });
    const page = await visitor.visit(`/console/campaigns/${id}`);
    await page.getByRole('button', { name: 'Settings' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('More: who is reached').click();
    assert.equal(await dialog.getByLabel('Times vary by, in %').inputValue(), '12.5');
    assert.equal(await dialog.getByLabel('Failing calls, in %').inputValue(), '12.5');
    await dialog.getByLabel('Left to other calls, in %').fill('0.5');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'hidden' });
    const { pacing, retries, circuit } = await ask('GET', `/api/campaigns/${id}`);
    const saved = [pacing.reserve_for_others, retries.spread, circuit.failure_rate];
    assert.deepEqual(saved, [0.005, 0.125, 0.125]);
    await page.context().close();
  });

  test('the board has who waits, who may not be called, and when each ends', async () => {
    await ask('POST', '/api/suppressions', { entries: [{ phone_number: '+15005561051' }] });
    await ask('PUT', '/api/dial-policies/never-now', { windows: [{ days: [farDay()], from: '09:00', to: '10:00' }] });
    const run = async (name: string, phones: string[], fields: object = {}) => {
      const { id } = await ask('POST', '/api/campaigns', { name, agent_id: agent.id, ...fields });
      const recipients = phones.map((phone_number) => ({ phone_number, time_zone: 'UTC' }));
      await ask('POST', `/api/campaigns/${id}/recipients`, { recipients });
      await ask('POST', `/api/campaigns/${id}/start`);
    };
    await run('Done', ['+15005561051', '+15005561052']);
    await run('Later', ['+15005561053', '+15005561054', '+15005561055'], { policy: 'never-now' });
    const page = await visitor.visit('/console/campaigns', { viewport: { width: 1440, height: 800 } });
    await page.getByRole('row', { name: /^Done.*Completed/ }).waitFor();
    const titles = (await page.getByRole('columnheader').allInnerTexts()).map((title) => title.toLowerCase());
    const cell = (row: string, title: string) => {
      const at = titles.indexOf(title);
      assert.notEqual(at, -1, `no column ${title} in ${titles.join(', ')}`);
      const cells = page.getByRole('row', { name: new RegExp(`^${row}`) }).getByRole('cell');
      return cells.nth(at);
    };
    await cell('Done', 'not allowed').getByText('1', { exact: true }).waitFor();
    await cell('Done', 'waiting').getByText('0', { exact: true }).waitFor();
    await cell('Done', 'end').getByText(/\d/).waitFor();
    await cell('Later', 'deferred').getByText('3', { exact: true }).waitFor();
    await cell('Later', 'end').getByText('–').waitFor();
    assert.deepEqual(await seriousViolations(page), []);
    await page.context().close();
  });

  test('no page has reported an error but the refused date', () => {
    assert.deepEqual(
      visitor.errors.filter((error) => !/status of 422 .*\/api\/campaigns\//.test(error)),
      [],
    );
  });
}

/** A day of the week that begins nowhere within the next two days. */
function farDay(): string {
  const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
  return days[(new Date().getUTCDay() + 4) % 7] ?? 'sun';
}
