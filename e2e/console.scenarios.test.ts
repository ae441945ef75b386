/** The text of a scenario in the console, where others change it too, and where whoever writes it goes elsewhere. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startService } from '@switchboard/testkit/service.ts';
import type { Page } from 'playwright-core';
import { scenario } from '../packages/server/test/support/tests.ts';
import { missingBrowser } from './support/browser.ts';
import { openConsole, seriousViolations } from './support/console.ts';
import { hold } from './support/hold.ts';

const missing = missingBrowser();
if (missing) {
  test('the text of a scenario in the console', { skip: missing }, () => {});
} else {
  const service = await startService();
  const visitor = await openConsole(service.url);
  after(visitor.close);
  const save = async (text: string): Promise<string> =>
    (await service.request('POST', '/api/scenarios', { user: 'me', body: { text } })).body.id;
  const textOf = async (id: string): Promise<string> =>
    (await service.request('GET', `/api/scenarios/${id}`, { user: 'me' })).body.text;
  const editorOf = (page: Page) => page.getByRole('textbox', { name: 'Scenario' });
  const stateOf = (page: Page, text: string) =>
    page.getByRole('status', { name: 'State of the scenario' }).getByText(text).waitFor();
  const saveIn = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click();

  test('what somebody else has saved meanwhile is not replaced unseen', async () => {
    const [first, theirs, mine] = ['nine', 'ten', 'eleven'].map((hour) => scenario('shared', hour)) as [
      string,
      string,
      string,
    ];
    const id = await save(first);
    const page = await visitor.visit(`/console/tests/scenarios/${id}`);
    await stateOf(page, 'Saved.');
    // Until it is saved, the page does not see what the other one saves, also if it reads the scenario again.
    const known = { json: (await service.request('GET', `/api/scenarios/${id}`, { user: 'me' })).body };
    await page.route(`**/api/scenarios/${id}`, (route) => route.fulfill(known));
    const other = await visitor.visit(`/console/tests/scenarios/${id}`);
    await editorOf(other).fill(theirs);
    await saveIn(other);
    await stateOf(other, 'Saved.');

    await editorOf(page).fill(mine);
    await page.unroute(`**/api/scenarios/${id}`);
    await saveIn(page);
    const alert = page.getByRole('alert').filter({ hasText: 'Somebody else has saved this scenario meanwhile.' });
    await alert.waitFor();
    assert.equal(await textOf(id), theirs);
    assert.equal(await editorOf(page).inputValue(), mine);
    assert.ok(await page.getByRole('button', { name: 'Save', exact: true }).isDisabled());
    await alert.getByRole('button', { name: 'Compare' }).click();
    await page.getByRole('dialog').getByText('+   - { agent_says: "eleven" }').waitFor();
    assert.deepEqual(await seriousViolations(page), []);
    await page.keyboard.press('Escape');
    await alert.getByRole('button', { name: 'Keep mine' }).click();
    await saveIn(page);
    await stateOf(page, 'Saved.');
    assert.equal(await textOf(id), mine);

    // The other one has changed nothing since, and gets the newest text.
    await editorOf(other).fill(`${theirs}# More\n`);
    await saveIn(other);
    await other.getByRole('button', { name: 'Take theirs' }).click();
    await stateOf(other, 'Saved.');
    assert.equal(await editorOf(other).inputValue(), mine);
    assert.deepEqual(visitor.errors, []);
    await page.context().close();
    await other.context().close();
  });

  test('a text that is not saved is kept while other pages are read, and made way for when that is confirmed', async () => {
    const stored = scenario('kept');
    const page = await visitor.visit(`/console/tests/scenarios/${await save(stored)}`);
    const typed = `${stored}# Not saved\n`;
    await editorOf(page).fill(typed);
    await page.getByRole('link', { name: 'Scenarios', exact: true }).click();
    await page.getByRole('link', { name: 'kept', exact: true }).click();
    await stateOf(page, 'Not saved yet.');
    assert.equal(await editorOf(page).inputValue(), typed);
    await page.getByRole('button', { name: 'Discard the changes' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Discard them' }).click();
    await stateOf(page, 'Saved.');
    assert.equal(await editorOf(page).inputValue(), stored);
    assert.deepEqual(visitor.errors, []);
    await page.context().close();
  });

  test('what is typed while the text is saved stays, and is an edit of the saved one', async () => {
    const page = await visitor.visit('/console/tests/scenarios/new');
    let text = scenario('typed on');
    await editorOf(page).fill(text);
    // It is saved as a new one, which has a page of its own, and again there.
    for (const line of ['# First\n', '# Second\n']) {
      const request = await hold(page, 'POST', /\/api\/scenarios$/);
      await saveIn(page);
      await request.arrived;
      const sent = text;
      text += line;
      await editorOf(page).fill(text);
      request.release();
      await page.getByRole('heading', { name: 'typed on', level: 1 }).waitFor();
      const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
      await eventually(
        () => textOf(id),
        (now) => now === sent,
      );
      await stateOf(page, 'Not saved yet.');
      assert.equal(await editorOf(page).inputValue(), text);
      await page.unroute(/\/api\/scenarios$/);
    }
    await saveIn(page);
    await stateOf(page, 'Saved.');
    assert.equal(await page.getByRole('alert').count(), 0);
    await page.getByRole('link', { name: 'Scenarios', exact: true }).click();
    await page.goto(`${service.url}/console/tests/scenarios/new`);
    assert.match(await editorOf(page).inputValue(), /^scenario: asks when we open$/m);
    assert.deepEqual(visitor.errors, []);
    await page.context().close();
  });
}
