import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { askOf } from './support/ask.ts';
import { missingBrowser } from './support/browser.ts';
import { openConsole, seriousViolations } from './support/console.ts';

/** People of the sandbox, of whom some are busy, do not answer, or hang up. */
const PEOPLE = 60;
const SUPPRESSED = '+15005561050';
const missing = missingBrowser();
if (missing) {
  test('campaigns in the console', { skip: missing }, () => {});
} else {
  const service = await startService({
    env: { SANDBOX_RING_MS: '40', SANDBOX_CONVERSATIONS: '1000', CALLS_BURST: '1000' },
  });
  const visitor = await openConsole(service.url);
  after(visitor.close);
  const dir = await mkdtemp(path.join(tmpdir(), 'switchboard-people-'));
  after(() => rm(dir, { recursive: true }));
  const ask = askOf(service);
  const agent = await ask('POST', '/api/agents/', {
    name: 'Reminder',
    user_id: 'me',
    config: {
      greeting: 'Good morning, {{Name}}.',
      instructions: 'The practice opens at eight.',
      compliance: { opt_out: { enabled: true, confirm: 'You will not be called again.' } },
    },
  });
  await ask('POST', '/api/suppressions', { entries: [{ phone_number: SUPPRESSED }] });

  test('from a file to a finished campaign, without documentation', async () => {
    const file = path.join(dir, 'people.csv');
    const lines = Array.from(
      { length: PEOPLE },
      (_, index) => `"Person, the ${index}.",${index === 33 ? 'unknown' : `+1500556${1000 + index}`},C-${index},secret`,
    );
    await writeFile(file, ['Name,Mobile,Customer id,Notes', ...lines].join('\r\n'));
    const page = await visitor.visit('/console');
    await page.getByRole('link', { name: 'Campaigns' }).click();
    await page.getByRole('button', { name: 'New campaign' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill('Renewals');
    await dialog.getByLabel('Attempts for each person').fill('1');
    await dialog.getByLabel('Calls at the same time').fill('30');
    await dialog.getByLabel('Calls a minute').fill('60000');
    assert.deepEqual(await seriousViolations(page), []);
    await dialog.getByRole('button', { name: 'Create' }).click();

    await page.getByRole('button', { name: 'Add people from a file' }).click();
    await dialog.locator('input[type=file]').setInputFiles(file);
    assert.equal(await dialog.getByLabel('Mobile is').inputValue(), 'phone_number');
    assert.equal(await dialog.getByLabel('Customer id is').inputValue(), 'external_id');
    await dialog.getByLabel('Notes is').selectOption('');
    assert.deepEqual(await seriousViolations(page), []);
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await dialog.getByText('59 added, 1 refused.').waitFor();
    await dialog.getByText(/^Line 35/).waitFor();
    await dialog.getByRole('button', { name: 'Close' }).last().click();

    await page.getByRole('button', { name: 'Who may be called when?' }).click();
    await dialog.getByText('58 may be called now').waitFor();
    await dialog.getByText('The number is suppressed for all calls: asked.').waitFor();
    assert.deepEqual(await seriousViolations(page), []);
    await dialog.getByRole('button', { name: 'Close' }).first().click();

    await page.getByRole('button', { name: 'Start' }).click();
    await page.getByText('Completed', { exact: true }).waitFor({ timeout: 120_000 });
    assert.deepEqual(await seriousViolations(page), []);
    await page.getByLabel('State', { exact: true }).selectOption('suppressed');
    await page.getByText('The number is suppressed').waitFor();
    await page.getByLabel('State', { exact: true }).selectOption('exhausted');
    await page.getByRole('button', { name: /C-3$/ }).click();
    await dialog.getByText('Person, the 3.').waitFor();
    assert.equal(await dialog.getByText('secret').count(), 0);
    assert.deepEqual(await seriousViolations(page), []);
    await dialog.getByRole('link', { name: 'Busy' }).click();
    await page.getByRole('heading', { name: '+1 500 556 1003' }).waitFor();
    await page.context().close();

    const [campaign] = (await ask('GET', '/api/campaigns')).items;
    const { recipients, attempts } = await ask('GET', `/api/campaigns/${campaign.id}/stats`);
    assert.equal(recipients.reached + recipients.exhausted + recipients.suppressed, PEOPLE - 1);
    // By the last two digits: 0 to 9 are busy, 10 to 24 do not answer, 25 to 34 have voicemail, and 33 was refused.
    assert.deepEqual([attempts.total, attempts.busy, attempts.no_answer, attempts.voicemail], [PEOPLE - 2, 10, 15, 9]);
    // 42 to 46 have asked not to be called again.
    const suppressed = (await ask('GET', '/api/suppressions')).items.map(
      (one: { phone_number: string }) => one.phone_number,
    );
    const asked = [42, 43, 44, 45, 46].map((digits) => `+15005561${String(digits).padStart(3, '0')}`);
    assert.deepEqual(suppressed.sort(), [...asked, SUPPRESSED].sort());
    const dialled = (await ask('GET', '/api/calls/?limit=100')).items.map(
      (call: { to_number: string }) => call.to_number,
    );
    assert.equal(dialled.length, PEOPLE - 2);
    assert.equal(new Set(dialled).size, PEOPLE - 2, 'nobody is dialled twice');
  });

  let deleted: string;

  test('on a phone, pausing is in reach of the thumb; resumed, changed, canceled and deleted', async () => {
    const campaign = await ask('POST', '/api/campaigns', {
      name: 'Slow',
      agent_id: agent.id,
      pacing: { per_minute: 60 },
    });
    const recipients = Array.from({ length: 200 }, (_, index) => ({ phone_number: `+1500557${2000 + index}` }));
    await ask('POST', `/api/campaigns/${campaign.id}/recipients`, { recipients });
    const page = await visitor.visit(`/console/campaigns/${campaign.id}`, { viewport: { width: 390, height: 740 } });
    await page.getByRole('button', { name: 'Start' }).click();
    const pause = page.getByRole('button', { name: 'Pause' });
    const box = await pause.boundingBox();
    assert.ok(box && box.y > 600 && box.y + box.height < 740, JSON.stringify(box));
    assert.deepEqual(await seriousViolations(page), []);
    await pause.click();
    await page.getByText('Paused', { exact: true }).waitFor();
    const { attempts } = await ask('GET', `/api/campaigns/${campaign.id}/stats`);
    await page.getByRole('button', { name: 'Settings' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Calls a minute').fill('30');
    await dialog.getByLabel('Left to other calls, in %').fill('35');
    await dialog.getByLabel('Budget').fill('2.50');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('10 calls at the same time, 30 a minute').waitFor();
    assert.equal((await ask('GET', `/api/campaigns/${campaign.id}/stats`)).attempts.total, attempts.total);
    const { budget, pacing } = await ask('GET', `/api/campaigns/${campaign.id}`);
    assert.deepEqual([Number(budget), pacing.reserve_for_others], [2.5, 0.35]);
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByText('Running', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Cancel…' }).click();
    await dialog.getByRole('button', { name: 'Cancel the campaign' }).click();
    await page.getByText('Canceled', { exact: true }).first().waitFor();
    await eventually(
      () => ask('GET', `/api/campaigns/${campaign.id}`),
      ({ recipients: now }) => now.waiting === 0 && now.canceled > 0,
    );
    await page.getByRole('button', { name: 'Delete…' }).click();
    deleted = campaign.id;
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('row', { name: /Renewals/ }).waitFor();
    assert.equal(await page.getByRole('row', { name: /Slow/ }).count(), 0);
    await page.context().close();
  });

  /** A draft of one person, and what others do with it. */
  const draft = async (name: string) => {
    const { id } = await ask('POST', '/api/campaigns', { name, agent_id: agent.id });
    const route = `/api/campaigns/${id}`;
    const add = (phone_number: string) => ask('POST', `${route}/recipients`, { recipients: [{ phone_number }] });
    await add('+15005561061');
    return {
      add,
      rename: (to: string) => ask('PATCH', route, { name: to }),
      start: () => ask('POST', `${route}/start`),
    };
  };

  test('the board and the page of a campaign follow what others do with it, a draft too', async () => {
    const { add, rename, start } = await draft('Followed');
    const page = await visitor.visit('/console/campaigns');
    await page
      .getByRole('row', { name: /Followed/ })
      .getByText('0 of 1 reached')
      .waitFor();
    await rename('Renamed');
    const row = page.getByRole('row', { name: /Renamed/ });
    await row.waitFor();
    await add('+15005561062');
    await row.getByText('0 of 2 reached').waitFor();
    await row.getByRole('link').first().click();
    await page.getByText('Draft', { exact: true }).waitFor();
    await rename('Renamed again');
    await page.getByRole('heading', { name: 'Renamed again' }).waitFor();
    await add('+15005561063');
    await page.getByText('+1 500 556 1063').waitFor();
    await start();
    await page.getByText('Completed', { exact: true }).waitFor();
    await page.getByText('of 3, 100 %').waitFor();
    await page.getByRole('row', { name: /1063/ }).getByText('Reached').waitFor();
    await page.context().close();
  });

  test('many changes are read together', async () => {
    const CHANGES = 60;
    const { rename } = await draft('Busy');
    const page = await visitor.visit('/console/campaigns');
    await page.getByRole('row', { name: /Busy/ }).waitFor();
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/api/campaigns')) asked.push(request.url());
    });
    for (let change = 1; change <= CHANGES; change++) await rename(`Busy ${change}.`);
    await page.getByRole('row', { name: `Busy ${CHANGES}.` }).waitFor();
    assert.ok(asked.length > 0 && asked.length < CHANGES / 2, `${asked.length} requests`);
    await page.context().close();
  });

  test('without events, which a key for outreach alone is refused, it is read now and then', async () => {
    const { rename } = await draft('Alone');
    const page = await visitor.visit('/console/agents');
    const json = { detail: 'The key is not valid for this part of the API.', code: 'scope_not_allowed' };
    await page.route('**/api/events*', (route) => route.fulfill({ status: 403, json }));
    await page.goto(`${service.url}/console/campaigns`);
    await page.getByText('No live updates').waitFor();
    await page.getByRole('row', { name: /Alone/ }).waitFor();
    await rename('Not alone');
    await page.getByRole('row', { name: /Not alone/ }).waitFor();
    await page.context().close();
  });

  test('no page has reported an error but the refusal above, and the end of a campaign that it has deleted', () => {
    const expected = new RegExp(`status of (403 .*/api/events|404 .*/api/campaigns/${deleted})`);
    assert.deepEqual(
      visitor.errors.filter((error) => !expected.test(error)),
      [],
    );
  });
}
