import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startService } from '@switchboard/testkit/service.ts';
import type { Page } from 'playwright-core';
import { missingBrowser } from './support/browser.ts';
import { openConsole, seriousViolations } from './support/console.ts';
import { typeAfterSave } from './support/type-after-save.ts';

const missing = missingBrowser();
if (missing) {
  test('edited agents in the console', { skip: missing }, () => {});
} else {
  const service = await startService();
  const visitor = await openConsole(service.url);
  after(visitor.close);
  const createAgent = async (name: string) => {
    const body = { name, user_id: 'me', config: { greeting: 'Hello' } };
    return (await service.request('POST', '/api/agents/', { body })).body.id as string;
  };
  const draftOf = async (id: string) => (await service.request('GET', `/api/agents/${id}/draft`, { user: 'me' })).body;
  const putTheirs = async (id: string, change: object) => {
    const { name, config } = await draftOf(id);
    await service.request('PUT', `/api/agents/${id}/draft`, { user: 'me', body: { name, config, ...change } });
  };
  const nameOf = (page: Page) => page.getByLabel('Name', { exact: true });
  const saved = (page: Page) => page.getByText('Draft saved').waitFor();

  test('a draft saves itself; what could not be saved is kept in the browser, and saved on the next visit', async () => {
    const id = await createAgent('Left');
    const page = await visitor.visit(`/console/agents/${id}?tab=json`);
    const json = page.getByRole('textbox', { name: 'Configuration' });
    await json.fill('{"greeting":');
    await page.getByText('Not saved while the JSON is invalid').waitFor();
    await page.reload();
    await page.getByText('Not saved while the JSON is invalid').waitFor();
    assert.equal(await json.inputValue(), '{"greeting":');
    await page.route('**/draft', (route) => (route.request().method() === 'PUT' ? route.abort() : route.continue()));
    await json.fill('{"greeting": "Good evening"}');
    await page.getByRole('alert').getByText('This browser keeps your changes').waitFor();
    assert.deepEqual(await seriousViolations(page), []);
    assert.equal((await draftOf(id)).has_changes, false);
    await page.unroute('**/draft');
    await page.reload();
    await saved(page);
    const { has_changes, config } = await draftOf(id);
    assert.deepEqual([has_changes, config], [true, { greeting: 'Good evening' }]);
    await page.getByRole('button', { name: 'Discard draft' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Discard draft' }).click();
    await page.getByText('Calls get what you see').waitFor();
    assert.match(await json.inputValue(), /"Hello"/);
    visitor.errors.length = 0; // Chromium reports the requests that were aborted.
    await page.context().close();
  });

  test('a page says who is editing before anything is typed in it, and shows what they have saved', async () => {
    const id = await createAgent('Shared');
    const [first, second] = [
      await visitor.visit(`/console/agents/${id}?section=general`),
      await visitor.visit(`/console/agents/${id}?section=general`),
    ];
    await nameOf(second).waitFor();
    await nameOf(first).fill('Of the first');
    await saved(first);
    await second.getByText('Somebody else is editing this draft.').waitFor();
    assert.equal(await nameOf(second).inputValue(), 'Of the first');
    assert.equal(await first.getByText('is editing this draft').count(), 0);
    await first.reload();
    await saved(first);
    assert.equal(await first.getByText('is editing this draft').count(), 0);
    assert.deepEqual(await seriousViolations(second), []);
    await first.context().close();
    await second.context().close();
  });

  test('what is typed in the moment in which a save ends is saved too, and nobody is said to have overtaken it', async () => {
    const id = await createAgent('Fast');
    const page = await visitor.visit(`/console/agents/${id}?section=general`);
    const description = page.getByLabel('Description');
    for (let turns = 1; turns <= 6; turns++) {
      const value = `typed after ${turns}`;
      await typeAfterSave(page, 'Description', value, turns);
      await description.fill(`saved before ${turns}`);
      await eventually(
        () => draftOf(id),
        (draft) => draft.description === value,
      );
    }
    await page.context().close();
  });

  test('a second editor is told, and sees the draft of the first: mine go on top, or theirs are taken', async () => {
    const id = await createAgent('Both');
    const page = await visitor.visit(`/console/agents/${id}?section=general`);
    await nameOf(page).waitFor();
    await putTheirs(id, { name: 'Theirs', config: { greeting: 'Their greeting' } });
    await nameOf(page).fill('Mine');
    const alert = page.getByRole('alert');
    await alert.getByText('Somebody else is editing this draft, too').waitFor();
    await alert.getByText('Theirs', { exact: true }).waitFor();
    assert.equal((await draftOf(id)).name, 'Theirs');
    assert.deepEqual(await seriousViolations(page), []);
    await page.getByRole('button', { name: 'Put my changes on top' }).click();
    await saved(page);
    const { name, config } = await draftOf(id);
    assert.deepEqual([name, config], ['Mine', { greeting: 'Their greeting' }]);

    await putTheirs(id, { name: 'Theirs again' });
    await nameOf(page).fill('Mine again');
    await page.getByRole('button', { name: 'Take theirs' }).click();
    assert.equal(await nameOf(page).inputValue(), 'Theirs again');
    await putTheirs(id, { config: { greeting: 'Only theirs' } });
    await nameOf(page).fill('Beside theirs');
    await eventually(
      () => draftOf(id),
      (draft) => draft.name === 'Beside theirs',
    );
    assert.deepEqual((await draftOf(id)).config, { greeting: 'Only theirs' });
    visitor.errors.length = 0; // Chromium reports the 412s that were asked for.
    await page.context().close();
  });

  test('a draft with problems is saved, and not published; settings outside of it take effect at once', async () => {
    const id = await createAgent('Invalid');
    const page = await visitor.visit(`/console/agents/${id}?tab=json`);
    await page.getByRole('textbox', { name: 'Configuration' }).fill('{"greeting": 7}');
    await saved(page);
    await page.getByRole('button', { name: 'Publish…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Publish', exact: true }).click();
    await dialog.getByRole('alert').getByText('greeting').waitFor();
    assert.deepEqual(await seriousViolations(page), []);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Build', exact: true }).click();
    await page.getByRole('button', { name: /^General/ }).click();
    const url = page.getByLabel('Callback URL');
    await url.fill('ftp://example.com/');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('alert').getByText('callback_url').waitFor();
    await url.fill('https://example.com/');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved.', { exact: true }).waitFor();
    const { body } = await service.request('GET', `/api/agents/${id}/callback-url`, { user: 'me' });
    assert.equal(body.callback_url, 'https://example.com/');
    assert.deepEqual((await draftOf(id)).config, { greeting: 7 });
    await page.context().close();
  });
}
