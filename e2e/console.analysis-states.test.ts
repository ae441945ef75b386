/** Analysis in the console where not all is well: with workers that fail, and others who change the same. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createAgent, USER } from '@switchboard/testkit/calls.ts';
import {
  analysing,
  complete,
  endedCall,
  fail,
  next,
  resultOf,
  saveExtractor,
  served,
} from '../packages/server/test/support/analyses.ts';
import { missingBrowser } from './support/browser.ts';
import { openConsole, seriousViolations } from './support/console.ts';

/** Time in which a busy machine renders a few pages. */
const SLOW = { timeout: 180_000 };
const missing = missingBrowser();
if (missing) {
  test('analysis in the console where not all is well', { skip: missing }, () => {});
} else {
  const service = await served();
  const visitor = await openConsole(service.url);
  after(async () => {
    await visitor.close();
    await service.close();
  });

  test('an analysis that failed says why, and is tried again', SLOW, async () => {
    await saveExtractor(service, 'visit');
    const { call_id, lines } = await endedCall(service, await analysing(service, ['visit']));
    await fail(service, await next(service), false);
    const page = await visitor.visit(`/console/calls/${call_id}?user=${USER}`);
    const analysis = page.getByRole('article', { name: 'visit, version 1' });
    await analysis.getByText('Failed', { exact: true }).waitFor();
    await analysis.getByText(/^It was tried several times\. The last attempt: no JSON\.$/).waitFor();
    assert.deepEqual(await seriousViolations(page), []);
    await analysis.getByRole('button', { name: 'Try again' }).click();
    await analysis.getByText('Waiting for a worker').waitFor();
    const { status, body } = await complete(service, await next(service), resultOf({ guests: 3 }, lines[1]));
    assert.equal(status, 200, JSON.stringify(body));
    await analysis.getByText('Done', { exact: true }).waitFor();
    await analysis.getByText('Not clear whether it reached its purpose').waitFor();
    await analysis.getByRole('button', { name: /I want to come with 3 guests/ }).click();
    await page.locator('.transcript .line[aria-current]').getByText('3 guests').waitFor();
    await page.context().close();
  });

  test('a version of somebody else is not replaced unseen', SLOW, async () => {
    const { id } = await saveExtractor(service, 'shared', { instructions: 'First.' });
    const page = await visitor.visit(`/console/analysis/extractors/${id}?user=${USER}`);
    await page.getByLabel('Instructions for the model').fill('Mine.');
    await saveExtractor(service, 'shared', { instructions: 'Theirs.' });
    // Also if the page has read their version meanwhile, and tells of it without being asked to save.
    await page.getByRole('button', { name: 'Save as a new version' }).click({ force: true });
    const alert = page.getByRole('alert').filter({ hasText: 'Somebody else has saved version 2 meanwhile.' });
    await alert.waitFor();
    assert.ok(await page.getByRole('button', { name: 'Save as a new version' }).isDisabled());
    await alert.getByRole('button', { name: 'Compare' }).click();
    const changes = page.getByRole('dialog').getByRole('list', { name: 'Changes' });
    await changes.getByText('Theirs.').waitFor();
    await changes.getByText('Mine.').waitFor();
    assert.deepEqual(await seriousViolations(page), []);
    await page.keyboard.press('Escape');
    await alert.getByRole('button', { name: 'Keep mine' }).click();
    await page.getByRole('button', { name: 'Save as a new version' }).click();
    await page.getByText('Version 3', { exact: true }).waitFor();
    const kept = await service.request('GET', `/api/extractors/${id}`, { user: USER });
    assert.equal(kept.body.instructions, 'Mine.');

    // Changes that are not saved make way for an earlier version only when that is confirmed.
    await page.getByLabel('Instructions for the model').fill('Mine, not saved.');
    const dialog = page.getByRole('dialog');
    for (const [answer, left] of [
      ['Keep them', 'Mine, not saved.'],
      ['Discard them', 'First.'],
    ] as const) {
      await page.getByRole('button', { name: 'Versions', exact: true }).click();
      await page.getByRole('button', { name: 'Edit again: version 1' }).click();
      await dialog.getByRole('button', { name: answer }).click();
      await dialog.waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Questions', exact: true }).click();
      assert.equal(await page.getByLabel('Instructions for the model').inputValue(), left);
    }
    await page.getByRole('button', { name: 'Delete the extractor' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('region', { name: 'Extractors' }).waitFor();
    assert.equal(await page.getByRole('link', { name: /^shared/ }).count(), 0);
    await page.context().close();
  });

  test('the analysis of earlier calls is canceled: the rest is not read', SLOW, async () => {
    const agent_id = await createAgent(service, { name: 'Silent desk', config: {} });
    for (let call = 0; call < 3; call++) await endedCall(service, agent_id);
    await saveExtractor(service, 'earlier');
    const page = await visitor.visit(`/console/analysis?tab=earlier&user=${USER}`);
    await page.getByRole('combobox', { name: /^Agent/ }).selectOption({ label: 'Silent desk' });
    const estimate = page.getByRole('status', { name: 'Estimate' });
    await estimate.getByText('3 calls', { exact: true }).waitFor();
    await estimate.getByText('What that costs is known after the first analysis.').waitFor();
    await page.getByRole('button', { name: 'Analyse them…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Analyse', exact: true }).click();
    const row = page.getByRole('region', { name: 'Backfills' }).getByRole('row', { name: /^earlier, version 1/ });
    await row.getByText('0 of 3 so far').waitFor();
    assert.deepEqual(await seriousViolations(page), []);
    await row.getByRole('button', { name: 'Cancel the analysis with earlier' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel the analysis' }).click();
    await row.getByText('Canceled', { exact: true }).waitFor();
    await row.getByText('0 of 0').waitFor();
    assert.deepEqual(visitor.errors, []);
    await page.context().close();
  });
}
