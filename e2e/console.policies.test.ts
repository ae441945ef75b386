import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { type EvidenceKeys, verifyDocument } from '@switchboard/client/evidence';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { missingBrowser } from './support/browser.ts';
import { openConsole, seriousViolations } from './support/console.ts';

const PHONE = '+15005550142';
const SHOWN = '+1 500 555 0142';
const missing = missingBrowser();
if (missing) {
  test('policies in the console', { skip: missing }, () => {});
} else {
  const service = await startService();
  const visitor = await openConsole(service.url);
  after(visitor.close);
  const ask = (method: string, route: string, body?: object) =>
    service.request(method, route, { user: 'me', ...(body && { body }) });
  const { body: agent } = await ask('POST', '/api/agents/', { name: 'Desk', user_id: 'me' });

  test('a policy is made from a preset, changed, and never saved over somebody else’s', async () => {
    const page = await visitor.visit('/console/policies');
    await page.getByText('Everybody may be called, at any time').waitFor();
    await page.getByRole('link', { name: 'Make a policy' }).click();
    await page.getByLabel('Name', { exact: true }).fill('office-hours');
    await page.getByLabel('Begin with').selectOption({ label: 'United States, federal law' });
    await page.getByText('This is not legal advice.').waitFor();
    await page.getByLabel('For all agents').check();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved as version 1.').waitFor();
    const { body: made } = await ask('GET', '/api/dial-policies/office-hours');
    assert.equal(made.is_default, true);
    assert.ok(made.rules.windows.length > 0);

    const first = page.getByRole('group', { name: 'Hours 1' });
    await first.getByRole('combobox', { name: 'To', exact: true }).selectOption('17:30');
    await first.getByRole('checkbox', { name: 'Su' }).uncheck();
    await page.getByText('Not saved yet.').waitFor();
    await page.getByRole('img', { name: /Sun closed/ }).waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved as version 2.').waitFor();
    const { body: changed } = await ask('GET', '/api/dial-policies/office-hours');
    assert.equal(changed.rules.windows[0].to, '17:30');
    assert.deepEqual(changed.rules.max_attempts, made.rules.max_attempts);
    assert.ok(!changed.rules.windows[0].days.includes('sun'));

    // Somebody else.
    await ask('PUT', '/api/dial-policies/office-hours', { min_gap_s: 60 });
    await first.getByRole('combobox', { name: 'From', exact: true }).selectOption('10:30');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Somebody else has made version 3 meanwhile.').waitFor();
    assert.deepEqual((await ask('GET', '/api/dial-policies/office-hours')).body.rules, { min_gap_s: 60 });
    assert.equal(await first.getByRole('combobox', { name: 'From', exact: true }).inputValue(), '10:30');
    await page.context().close();
  });

  test('an earlier version is shown by its number, as it was, and cannot be changed', async () => {
    await ask('PUT', '/api/dial-policies/earlier', { min_gap_s: 3_600, max_attempts: [{ count: 3, days: 7 }] });
    await ask('PUT', '/api/dial-policies/earlier', { min_gap_s: 900 });
    const page = await visitor.visit('/console/policies/of/earlier?version=1');
    await page.getByRole('heading', { name: 'earlier, version 1' }).waitFor();
    await page.getByText('These rules are no longer in force.').waitFor();
    const limit = page.getByRole('group', { name: 'Limit 1' });
    assert.ok(await limit.getByLabel('At most').isDisabled());
    assert.equal(await page.getByRole('button', { name: 'Save' }).count(), 0);
    assert.deepEqual(await seriousViolations(page), []);
    await page.getByRole('link', { name: 'Version 2 applies' }).click();
    await page.getByText('Saved as version 2.').waitFor();
    assert.equal(await limit.count(), 0);
    await page.context().close();
  });

  test('rules that are not touched are kept, and mistakes name their rule', async () => {
    await ask('PUT', '/api/dial-policies/odd', { max_abandoned_rate: 0.03, min_gap_s: 77 });
    const page = await visitor.visit('/console/policies/of/odd');
    await page.getByRole('button', { name: 'Add hours' }).click();
    const row = page.getByRole('group', { name: 'Hours 1' });
    await row.getByRole('combobox', { name: 'To', exact: true }).selectOption('08:00');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText(/windows\.0\.to: The window never opens/).waitFor();
    await row.getByRole('combobox', { name: 'To', exact: true }).selectOption('12:00');
    await row.getByLabel('Country').fill('de');
    await page.getByText('Germany', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'As JSON' }).click();
    const editor = page.getByRole('textbox', { name: 'Rules' });
    const text = await editor.inputValue();
    await editor.fill(`${text}!`);
    await page.getByText('This is not a JSON object.').waitFor();
    assert.ok(await page.getByRole('button', { name: 'Save' }).isDisabled());
    for (const [odd, place] of [
      ['{"windows":[{"country":"US"}]}', 'windows.0.days'],
      ['{"windows":{}}', 'windows'],
    ] as const) {
      await editor.fill(odd);
      await page.getByText(`The form cannot show this: ${place} is missing`).waitFor();
      assert.ok(await page.getByRole('button', { name: 'As a form' }).isDisabled());
    }
    await editor.fill(text.replace('"12:00"', '"13:00"'));
    await page.getByRole('button', { name: 'As a form' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved as version 2.').waitFor();
    const { rules } = (await ask('GET', '/api/dial-policies/odd')).body;
    assert.deepEqual([rules.max_abandoned_rate, rules.min_gap_s], [0.03, 77]);
    assert.deepEqual([rules.windows[0].country, rules.windows[0].to], ['DE', '13:00']);
    await page.context().close();
  });

  test('a limit on abandoned calls is a percentage, with its seconds and days, and is taken away again', async () => {
    const page = await visitor.visit('/console/policies/new');
    await page.getByLabel('Name', { exact: true }).fill('patient');
    const rate = page.getByLabel('At most, in %');
    const seconds = page.getByLabel('Seconds to wait for an agent');
    await seconds.fill('4');
    await page.getByText('Without a limit in %, the other two have no effect.').waitFor();
    await rate.fill('2.9');
    await page.getByText('the other two have no effect').waitFor({ state: 'detached' });
    await page.getByLabel('Counted over days').fill('14');
    await page.getByText('As an API call').click();
    await eventually(
      () => page.locator('.api-call pre').innerText(),
      (text) => /"max_abandoned_rate": ?0\.029/.test(text),
    );
    assert.deepEqual(await seriousViolations(page), []);
    // The browser says so, and nothing is sent.
    await rate.fill('101');
    await page.getByRole('button', { name: 'Save' }).click();
    assert.equal(
      await rate.evaluate((input: { validity: { rangeOverflow: boolean } }) => input.validity.rangeOverflow),
      true,
    );
    assert.equal((await ask('GET', '/api/dial-policies/patient')).status, 404);
    await rate.fill('2.9');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved as version 1.').waitFor();
    const { rules } = (await ask('GET', '/api/dial-policies/patient')).body;
    assert.deepEqual([rules.max_abandoned_rate, rules.abandoned_after_s, rules.abandoned_days], [0.029, 4, 14]);
    await page.getByRole('link', { name: 'Policies', exact: true }).first().click();
    await page
      .getByRole('article', { name: 'patient' })
      .getByText(/more than 2\.9 % of the calls/)
      .waitFor();
    await page.getByRole('link', { name: 'patient', exact: true }).click();
    assert.equal(await rate.inputValue(), '2.9');
    await rate.fill('');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved as version 2.').waitFor();
    assert.equal((await ask('GET', '/api/dial-policies/patient')).body.rules.max_abandoned_rate ?? null, null);
    await page.context().close();
  });

  test('a policy that is not saved is kept while other pages are looked at, and discarded only when asked', async () => {
    const page = await visitor.visit('/console/policies/new');
    const preset = page.getByLabel('Begin with');
    const dialog = page.getByRole('dialog');
    const go = async (link: string) => page.getByRole('link', { name: link, exact: true }).first().click();
    await page.getByLabel('Name', { exact: true }).fill('kept');
    await preset.selectOption({ label: 'United States, federal law' });
    await page.getByRole('group', { name: 'Hours 1' }).getByRole('checkbox', { name: 'Su' }).uncheck();
    const most = page.getByRole('group', { name: 'Limit 1' }).getByLabel('At most');
    await page.getByRole('button', { name: 'Add limit' }).click();
    await most.fill('');
    assert.equal(await most.inputValue(), '');
    await most.fill('4');
    // Rules of one's own are not replaced without asking.
    await preset.selectOption({ label: 'No rules' });
    await dialog.getByRole('button', { name: 'Keep them' }).click();
    await go('Calls');
    await go('Policies');
    await page.getByRole('link', { name: 'Make a policy' }).click();
    assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'kept');
    assert.equal(await most.inputValue(), '4');
    assert.deepEqual(await seriousViolations(page), []);
    await page.getByRole('button', { name: 'As JSON' }).click();
    await preset.selectOption({ label: 'No rules' });
    await dialog.getByRole('button', { name: 'Replace them' }).click();
    await dialog.waitFor({ state: 'detached' });
    assert.equal(await page.getByRole('textbox', { name: 'Rules' }).inputValue(), '{}');
    await page.getByRole('button', { name: 'Begin again' }).click();
    await dialog.getByRole('button', { name: 'Discard them' }).click();
    await page.getByText('Not saved yet.').waitFor({ state: 'detached' });
    assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), '');
    await page.context().close();
  });

  test('a number is suppressed, the refused call is explained, and the number is allowed again', async () => {
    const page = await visitor.visit('/console/policies?tab=suppressions');
    await page.getByRole('button', { name: 'Suppress a number' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Number' }).fill('+1 (500) 555-0142');
    await dialog.getByLabel('Until').fill('2999-12-31');
    await dialog.getByRole('button', { name: 'Suppress', exact: true }).click();
    await page.getByRole('row', { name: new RegExp(`${SHOWN.replace('+', '\\+')}.*Asked not to be called`) }).waitFor();
    // The day that was chosen is part of it.
    const [stored] = (await ask('GET', '/api/suppressions')).body.items;
    assert.equal(Date.parse(stored.expires_at), new Date(3000, 0, 1).getTime());
    const refused = await ask('POST', '/api/calls/outbound', { agent_id: agent.id, phone_number: PHONE });
    assert.equal(refused.status, 409);

    await page.getByRole('button', { name: 'Decisions' }).click();
    const found = page.waitForResponse((response) => response.url().includes('phone_number='));
    await page.getByRole('searchbox').fill(SHOWN);
    await found;
    const row = page.getByRole('row', { name: /The number is suppressed for all calls/ });
    await row.waitFor();
    await row.getByText('Decided from').click();
    await row.getByText(/"purpose": "marketing"/).waitFor();
    const download = page.waitForEvent('download');
    await row.getByRole('button', { name: 'Download' }).click();
    const text = readFileSync(await (await download).path(), 'utf8');
    const published = await fetch(`${service.url}/.well-known/switchboard-evidence.json`);
    const evidence = verifyDocument(text, (await published.json()) as EvidenceKeys);
    assert.equal('decision' in evidence && evidence.decision.phone_number, PHONE);
    assert.deepEqual(await seriousViolations(page), []);
    await page.getByRole('button', { name: 'May a number be called now?' }).click();
    assert.equal(await dialog.getByRole('textbox', { name: 'Number' }).inputValue(), PHONE);
    await dialog.getByRole('button', { name: 'Check', exact: true }).click();
    await dialog.getByText('Denied').waitFor();
    assert.deepEqual(await seriousViolations(page), []);
    await dialog.getByRole('button', { name: 'Close' }).first().click();

    // A call that is allowed under a policy says why on its own page.
    const other = { agent_id: agent.id, phone_number: '+15005550143', purpose: 'emergency' };
    const { body: call } = await ask('POST', '/api/calls/outbound', other);
    await page.goto(`${service.url}/console/calls/${call.call_id}`);
    await page.getByRole('complementary', { name: 'About the call' }).getByText('office-hours, version 3').waitFor();

    await page.goto(`${service.url}/console/policies?tab=suppressions`);
    await page.getByRole('button', { name: 'Allow', exact: true }).click();
    await dialog.getByRole('button', { name: 'Allow', exact: true }).click();
    await page.getByText('No number is suppressed').waitFor();
    assert.equal(
      (await ask('GET', `/api/suppressions?phone_number=${encodeURIComponent(PHONE)}`)).body.items.length,
      0,
    );
    await page.context().close();
  });

  test('a large file is imported in parts; a mistake names its line, and the file may be sent again', async () => {
    const dir = await mkdtemp(path.join(tmpdir(), 'switchboard-numbers-'));
    after(() => rm(dir, { recursive: true }));
    const file = path.join(dir, 'numbers.csv');
    const lines = Array.from({ length: 5_003 }, (_, index) => `+1500${5_560_000 + index},registry`);
    const write = (all: string[]) => writeFile(file, ['phone_number,reason', ...all].join('\n'));
    await write(lines.with(5_001, 'nobody,registry'));
    const page = await visitor.visit('/console/policies?tab=suppressions');
    await page.getByRole('button', { name: 'Import a file' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.locator('input[type=file]').setInputFiles(file);
    await dialog.getByRole('button', { name: 'Import', exact: true }).click();
    await dialog.getByText('One mistake. 5000 entries before them were imported.').waitFor();
    await dialog.getByText(/^Line 5003/).waitFor();
    assert.deepEqual(await seriousViolations(page), []);
    await write(lines);
    await dialog.locator('input[type=file]').setInputFiles(file);
    await dialog.getByRole('button', { name: 'Import', exact: true }).click();
    await dialog.getByText('3 added, 5000 replaced.').waitFor();
    await page.context().close();
  });

  test('a consent is recorded, revoked, and recorded again within the same minute', async () => {
    const page = await visitor.visit('/console/policies?tab=consents');
    const dialog = page.getByRole('dialog');
    const open = () => page.getByRole('button', { name: 'Record a consent' }).click();
    const record = async (words: string) => {
      await dialog.getByRole('textbox', { name: 'Number' }).fill(SHOWN);
      await dialog.getByLabel('What was agreed to').fill(words);
      await dialog.getByLabel('How it was obtained').fill('web form');
      await dialog.getByLabel('Kind').fill('express_written');
      await dialog.getByRole('button', { name: 'Record', exact: true }).click();
    };
    await open();
    assert.deepEqual(await seriousViolations(page), []);
    await record('Yes, call me.');
    const row = page.getByRole('row', { name: /Yes, call me\./ });
    await row.getByRole('button', { name: 'Revoke' }).click();
    await dialog.getByRole('button', { name: 'Revoke', exact: true }).click();
    await row.getByText('Revoked').waitFor();
    await open();
    await record('Call me after all.');
    await page.getByRole('row', { name: /Call me after all\./ }).waitFor();
    const [again, revoked] = (await ask('GET', '/api/consents')).body.items;
    assert.deepEqual([again.phone_number, revoked.phone_number], [PHONE, PHONE]);
    assert.ok(Date.parse(again.obtained_at) > Date.parse(revoked.revoked_at), again.obtained_at);
    await page.context().close();
  });

  test('no page reported an error but the refusals above', () => {
    assert.deepEqual(
      visitor.errors.filter((error) => !/status of (409|422)/.test(error)),
      [],
    );
  });
}
