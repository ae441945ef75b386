import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { missingBrowser } from './support/browser.ts';
import { openConsole, seriousViolations } from './support/console.ts';

const missing = missingBrowser();
if (missing) {
  test('settings in the console', { skip: missing }, () => {});
} else {
  const secret = 'token-token-token-token-token-12';
  const twilio = { TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`, TWILIO_TRUNK_SID: `TK${'0'.repeat(32)}` };
  const env = {
    TRANSCRIPT_RETENTION_DAYS: '30',
    STORED_BYTES_PER_USER: '20480',
    WRITTEN_BYTES_PER_USER: '1048576',
    CALLING_ENABLED: 'false',
    TWILIO_AUTH_TOKEN: secret,
    ...twilio,
    TWILIO_BASE_URL: 'http://127.0.0.1:1',
  };
  const service = await startService({ env });
  const visitor = await openConsole(service.url);
  after(visitor.close);

  test('the configuration is shown without secrets, and searched', async () => {
    const page = await visitor.visit('/console/settings?tab=configuration');
    await page.getByText('Deleted after 30 days').waitFor();
    const token = page.getByRole('row', { name: /TWILIO_AUTH_TOKEN/ });
    await token.getByText('Set, hidden').waitFor();
    assert.ok(!(await page.content()).includes(secret));
    assert.deepEqual(await seriousViolations(page), []);
    await page.getByLabel('Search settings').fill('retention');
    await eventually(
      () => page.getByRole('row', { name: /RETENTION_DAYS/ }).count(),
      (count) => count === 5,
    );
    assert.equal(await token.count(), 0);
    await page.getByLabel('Only variables that are set').check();
    await eventually(
      () => page.getByRole('row', { name: /RETENTION_DAYS/ }).count(),
      (count) => count === 1,
    );
    // The URL has both, and the search shortcut returns to the field.
    await page.reload();
    await page.getByRole('row', { name: /TRANSCRIPT_RETENTION_DAYS/ }).waitFor();
    await eventually(
      () => page.getByRole('row').count(),
      (count) => count === 2,
    );
    await page.getByRole('heading', { level: 1 }).click();
    await page.keyboard.press('/');
    await page.keyboard.press('Control+A');
    await page.keyboard.type('token');
    await token.waitFor();
    await page.context().close();
  });

  test('stored data is shown beside its quota, and when that is used up', async () => {
    const user_id = 'keeper';
    const store = (bytes: number) =>
      service.request('POST', '/api/sessions/', { body: { user_id, session_data: { text: 'x'.repeat(bytes) } } });
    const quota = async () => (await service.request('GET', `/api/quotas/${user_id}`)).body;
    await store(10_000);
    const { stored_bytes } = await quota();
    assert.ok(stored_bytes > 10_000 && stored_bytes < 20_480);
    const page = await visitor.visit(`/console/settings?tab=storage&user=${user_id}`);
    const meter = page.getByRole('meter', { name: 'Storage used' });
    await meter.waitFor();
    const shown = (stored_bytes / 1024).toLocaleString('en-US', { maximumFractionDigits: 1 });
    assert.equal(await page.locator('.figure-value').innerText(), `${shown} KiB of 20 KiB for ${user_id}`);
    assert.equal(Number(await meter.getAttribute('value')), (stored_bytes / 20_480) * 100);
    await page.getByText('can add nothing more').waitFor();
    await page.getByText('They write 1 MiB a minute at most.').waitFor();
    assert.deepEqual(await seriousViolations(page), []);

    await store(15_000);
    await page.reload();
    await eventually(
      () => meter.getAttribute('value'),
      (value) => value === '100',
    );
    assert.match((await meter.getAttribute('class')) ?? '', /\bover\b/);
    await page.context().close();
  });

  test('the doctor names each problem and its remedy', async () => {
    const page = await visitor.visit('/console/settings?tab=doctor');
    await page.getByRole('button', { name: 'Run the checks' }).click();
    await page.getByText(/check(s have| has) failed/).waitFor();
    await page.getByText('Unset it to dial again.').waitFor();
    const database = page.getByRole('listitem').filter({ hasText: 'database' }).first();
    await database.getByText('In order').waitFor();
    await page.getByText('LIVEKIT_URL is unset: the service runs on the sandbox phone network').waitFor();
    assert.deepEqual(await seriousViolations(page), []);
    await page.getByRole('button', { name: 'Check again' }).waitFor();
    await page.context().close();
  });

  test('the overview says when others may use the service without a key, and not on this machine only', async () => {
    const page = await visitor.visit('/console');
    const answer = page.waitForResponse(/\/api\/settings$/);
    await page.reload();
    await answer;
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    assert.equal(await page.getByText('Anybody who reaches this service').count(), 0);
    await page.context().close();
    const open = await startService({ env: { HOST: '0.0.0.0', AUTH_MODE: 'open' } });
    const guest = await openConsole(open.url);
    after(guest.close);
    const wide = await guest.visit('/console');
    await wide.getByRole('heading', { name: 'Anybody who reaches this service may use it' }).waitFor();
    assert.deepEqual(await seriousViolations(wide), []);
    assert.deepEqual(guest.errors, []);
  });

  test('no page has reported an error', () => assert.deepEqual(visitor.errors, []));
}
