/** Edits in the console that are not saved yet: while other sections are shown, and while earlier ones are saved. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { press, section } from './support/agent-page.ts';
import { askOf } from './support/ask.ts';
import { missingBrowser } from './support/browser.ts';
import { openConsole, seriousViolations } from './support/console.ts';
import { hold } from './support/hold.ts';

const missing = missingBrowser();
if (missing) {
  test('edits that the console keeps', { skip: missing }, () => {});
} else {
  const service = await startService();
  const visitor = await openConsole(service.url);
  after(visitor.close);
  const ask = askOf(service);

  test('settings that take effect at once are kept until they are saved, also those typed meanwhile', async () => {
    const { id } = await ask('POST', '/api/agents/', { name: 'Desk', user_id: 'me' });
    const page = await visitor.visit(`/console/agents/${id}?section=general`);
    const url = page.getByLabel('Callback URL');
    const legalHold = page.getByLabel('Legal hold');
    await url.fill('https://example.com/first');
    await legalHold.check();
    await section(page, /^Prompt/);
    await section(page, /^General/);
    assert.equal(await url.inputValue(), 'https://example.com/first');
    await press(page, 'Versions');
    await press(page, 'Build');
    assert.equal(await url.inputValue(), 'https://example.com/first');
    await page.reload();
    await section(page, /^General/);
    await page.getByText('Not saved yet.').waitFor();
    assert.equal(await url.inputValue(), 'https://example.com/first');
    assert.ok(await legalHold.isChecked());
    assert.deepEqual(await seriousViolations(page), []);

    const request = await hold(page, 'PUT', /\/callback-url$/);
    await press(page, 'Save');
    await request.arrived;
    await url.fill('https://example.com/second');
    // Back to what is still stored: an edit all the same, once the first ones are saved.
    await legalHold.uncheck();
    request.release();
    await eventually(
      () => page.getByRole('button', { name: 'Save', exact: true }).getAttribute('aria-busy'),
      (busy) => busy === null,
    );
    assert.equal(await url.inputValue(), 'https://example.com/second');
    assert.equal((await ask('GET', `/api/agents/${id}/callback-url`)).callback_url, 'https://example.com/first');
    assert.equal((await ask('GET', `/api/agents/${id}/legal-hold`)).legal_hold, true);
    assert.equal(await legalHold.isChecked(), false);
    await press(page, 'Save');
    await page.getByText('Saved.', { exact: true }).waitFor();
    assert.equal((await ask('GET', `/api/agents/${id}/legal-hold`)).legal_hold, false);
    assert.equal((await ask('GET', `/api/agents/${id}/callback-url`)).callback_url, 'https://example.com/second');
    assert.deepEqual(visitor.errors, []);
    await page.context().close();
  });

  test('rules that are typed while a policy is saved are an edit of its newest version', async () => {
    const page = await visitor.visit('/console/policies/new');
    const rules = page.getByRole('textbox', { name: 'Rules' });
    await page.getByLabel('Name', { exact: true }).fill('fresh');
    await page.getByLabel('For all agents').check();
    await press(page, 'As JSON');
    await rules.fill('{"min_gap_s": 60}');
    // It is saved as a new one, which has a page of its own, and again there.
    for (const version of [1, 2]) {
      const request = await hold(page, 'PUT', /\/api\/dial-policies\/fresh$/);
      await press(page, 'Save');
      await request.arrived;
      const typed = `{"min_gap_s": ${60 + 60 * version}}`;
      await rules.fill(typed);
      request.release();
      await page.getByRole('heading', { name: 'fresh', level: 1 }).waitFor();
      await eventually(
        () => page.getByRole('button', { name: 'Save', exact: true }).getAttribute('aria-busy'),
        (busy) => busy === null,
      );
      await page.getByText('Not saved yet.').waitFor();
      if (version === 1) await press(page, 'As JSON');
      assert.equal(await rules.inputValue(), typed);
      const stored = await ask('GET', '/api/dial-policies/fresh');
      assert.deepEqual([stored.version, stored.rules.min_gap_s, stored.is_default], [version, 60 * version, true]);
      await page.unroute(/\/api\/dial-policies\/fresh$/);
    }
    await press(page, 'Save');
    await page.getByText('Saved as version 3.').waitFor();
    assert.deepEqual((await ask('GET', '/api/dial-policies/fresh')).rules, { min_gap_s: 180 });
    assert.deepEqual(visitor.errors, []);
    await page.context().close();
  });

  test('questions that are typed while an extractor is saved are an edit of its newest version', async () => {
    const page = await visitor.visit('/console/analysis/extractors/new');
    const instructions = page.getByLabel('Instructions for the model');
    await page.getByLabel('Name', { exact: true }).first().fill('fresh');
    await press(page, 'Add a question');
    await instructions.fill('Text 1.');
    for (const version of [1, 2]) {
      const request = await hold(page, 'POST', /\/api\/extractors$/);
      await press(page, /^Save/);
      await request.arrived;
      await instructions.fill(`Text ${version + 1}.`);
      request.release();
      await page.getByText(`Version ${version}`, { exact: true }).waitFor();
      await page.getByText('Changed, and not saved yet.').waitFor();
      assert.equal(await instructions.inputValue(), `Text ${version + 1}.`);
      await page.unroute(/\/api\/extractors$/);
    }
    await press(page, /^Save/);
    await page.getByText('Version 3', { exact: true }).waitFor();
    const [{ id }] = (await ask('GET', '/api/extractors')).items;
    assert.equal((await ask('GET', `/api/extractors/${id}`)).instructions, 'Text 3.');
    assert.equal(await page.getByRole('alert').count(), 0);
    assert.deepEqual(visitor.errors, []);
    await page.context().close();
  });
}
