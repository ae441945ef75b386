import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, test } from 'node:test';
import { startService } from '@switchboard/testkit/service.ts';
import type { Page } from 'playwright-core';
import { makeAnAgent } from './support/agent-story.ts';
import { askOf } from './support/ask.ts';
import { missingBrowser } from './support/browser.ts';
import { openConsole, publish, seriousViolations } from './support/console.ts';
import { npmStart } from './support/npm-start.ts';

/** Twelve sections, or a publication and a call. */
const SLOW = { timeout: 300_000 };
const missing = missingBrowser();
if (missing) {
  test('the builder of agents', { skip: missing }, () => {});
} else {
  const service = await startService({ env: { SANDBOX_CONVERSATIONS: '5' } });
  const visitor = await openConsole(service.url);
  after(visitor.close);
  const ask = askOf(service);
  const section = (page: Page, name: RegExp) =>
    page.getByRole('navigation', { name: 'Sections' }).getByRole('button', { name }).click();
  const idOf = (page: Page) => new URL(page.url()).pathname.split('/').at(-1);

  test('with npm start alone, an agent is made from a template, changed, tried in chat, published, called and rolled back', async () => {
    const beginner = await openConsole(await npmStart());
    const page = await beginner.visit('/console/agents');
    await makeAnAgent(page);
    assert.deepEqual(beginner.errors, []);
    await beginner.close();
  });

  test(
    'what the form has changed, and fields that it does not know, are stored, published and used by a call',
    SLOW,
    async () => {
      const page = await visitor.visit('/console/agents');
      await page.getByRole('button', { name: /^Appointment reminder/ }).click();
      const prompt = page.getByRole('textbox', { name: 'Prompt' });
      await prompt.getByText('{{business}}').first().waitFor();
      const { config: before } = await ask('GET', `/api/agents/${idOf(page)}`);
      const config = { ...before, crm: { pipeline: 7 } };
      await ask('PATCH', `/api/agents/${idOf(page)}`, { config });
      await page.reload();
      // The editor is loaded on demand.
      await prompt.getByText('{{business}}').first().waitFor();

      await page.getByRole('button', { name: 'Fold all', exact: true }).click();
      await prompt
        .getByRole('button', { name: /lines$/ })
        .first()
        .waitFor();
      await page.getByRole('button', { name: 'Unfold all' }).click();
      await prompt.press('Control+End');
      await page.keyboard.type('\nThere is parking behind the house for ');
      const chips = page.getByRole('group', { name: 'Insert a variable into: Prompt' });
      await chips.getByRole('button', { name: 'first_name' }).click();
      await page.getByRole('textbox', { name: 'Greeting' }).fill('Good evening, {{first_name}}.');
      await section(page, /^Models/);
      await page.getByLabel('Speech recognition').getByText('nova-2').click();
      await section(page, /^Tools/);
      await page.getByLabel('Meaning of note').fill('Anything else.');
      await section(page, /^Turn-taking/);
      await page.getByLabel('Shortest wait before an answer').press('End');
      await page.getByText('callers may think that the line is dead').waitFor();
      await section(page, /^Silence/);
      await page.getByLabel('Hang up').check();
      await page.getByText('Also set').getByText('crm').waitFor();
      await publish(page, 'Asks about parking');

      const expected = structuredClone(config);
      expected.instructions += '\nThere is parking behind the house for {{first_name}}';
      expected.greeting = 'Good evening, {{first_name}}.';
      expected.stt.model = 'nova-2';
      expected.tools.functions[0].parameters.properties.note.description = 'Anything else.';
      expected.turn_detection = { min_endpointing_delay_ms: 3000 };
      expected.voicemail.action = 'hang_up';
      assert.deepEqual((await ask('GET', `/api/agents/${idOf(page)}`)).config, expected);

      await page.getByRole('button', { name: 'Call me' }).click();
      await page.getByRole('dialog').getByLabel('first_name').fill('Ada');
      await page.getByRole('dialog').getByRole('button', { name: 'Call', exact: true }).click();
      await page.getByText('Good evening, Ada.').first().waitFor();
      await page.locator('.facts div', { hasText: 'Agent version3' }).waitFor();
      assert.deepEqual(visitor.errors, []);
      await page.context().close();
    },
  );

  test('form and JSON are one state: the cursor stays, and JSON that cannot be read is said so', async () => {
    const { id } = await ask('POST', '/api/agents/', {
      name: 'Desk',
      user_id: 'me',
      config: { llm: {}, greeting: 'Hi' },
    });
    const page = await visitor.visit(`/console/agents/${id}`);
    await page.getByRole('textbox', { name: 'Greeting' }).fill('Hello there');
    const tab = (name: string) => page.getByRole('button', { name, exact: true }).click();
    await tab('JSON');
    const json = page.getByRole('textbox', { name: 'Configuration' });
    assert.equal(await json.inputValue(), '{\n  "greeting": "Hello there",\n  "llm": {}\n}');
    const select =
      'const area = document.activeElement; area.setSelectionRange(area.value.length - 2, area.value.length - 2)';
    await json.focus();
    await page.evaluate(select);
    await tab('Build');
    await page.getByRole('textbox', { name: 'Greeting' }).fill('Hello');
    await tab('JSON');
    await page.keyboard.type('\n');
    assert.equal(await json.inputValue(), '{\n  "greeting": "Hello",\n  "llm": {}\n\n}');
    await json.fill('{');
    await tab('Build');
    await page.getByRole('alert').getByText('cannot show this configuration').waitFor();
    await page.getByRole('button', { name: 'Mend the JSON' }).click();
    await json.fill('{"tools": {"functions": [{"name": "a b"}]}}');
    await tab('Build');
    await page.getByRole('button', { name: /^Tools.*problem/ }).click();
    await page.getByRole('group', { name: 'a b' }).getByRole('alert').first().waitFor();
    assert.deepEqual(await seriousViolations(page), []);
    await page.context().close();
  });

  test('a draft is compared by fields and lines, released to some of the calls, and versions can be compared', async () => {
    const instructions = 'One\nTwo\nThree';
    const { id } = await ask('POST', '/api/agents/', { name: 'Split', user_id: 'me', config: { instructions } });
    const config = { instructions: 'One\nTwo and a half\nThree', greeting: 'Hi, I am the draft' };
    await ask('PUT', `/api/agents/${id}/draft`, { name: 'Split', config });
    const page = await visitor.visit(`/console/agents/${id}`, { colorScheme: 'dark' });
    await page.getByRole('button', { name: 'Talk to the draft' }).click();
    // The form has the greeting, too.
    await page.getByRole('heading', { name: /^Browser call with/, level: 1 }).waitFor();
    await page.locator('.transcript').getByText('Hi, I am the draft').waitFor();
    await page.goBack();
    await page.getByRole('button', { name: 'Publish…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('− Two', { exact: true }).waitFor();
    await dialog.getByText('+ Two and a half').waitFor();
    await dialog.getByText('Hi, I am the draft', { exact: true }).waitFor();
    assert.deepEqual(await seriousViolations(page), []);
    await dialog.getByLabel('Calls that get it').fill('10');
    await dialog.getByRole('button', { name: 'Publish', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Versions', exact: true }).click();
    await page.getByText('Calls get version 1 (90 %) and version 2 (10 %).').waitFor();
    assert.deepEqual(await seriousViolations(page), []);
    await page.getByRole('button', { name: 'Changes' }).click();
    const compared = page.getByRole('dialog', { name: 'Version 2, compared with version 1' });
    await compared.getByText('+ Two and a half').waitFor();
    await compared.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('row', { name: /^2/ }).getByRole('button', { name: 'Release…' }).click();
    await dialog.getByText('− Two', { exact: true }).waitFor();
    assert.deepEqual(await seriousViolations(page), []);
    await dialog.getByRole('button', { name: 'Release', exact: true }).click();
    await page.getByText('Calls get version 2 (100 %).').waitFor();
    assert.deepEqual((await ask('GET', `/api/agents/${id}`)).config, config);
    assert.deepEqual(visitor.errors, []);
    await page.context().close();
  });

  for (const colorScheme of ['light', 'dark'] as const)
    test(`no section has serious violations, or is wider than a phone: ${colorScheme}`, async () => {
      const { id } = (await ask('GET', '/api/agents/'))[0];
      const page = await visitor.visit(`/console/agents/${id}`, { colorScheme, viewport: { width: 360, height: 740 } });
      await page.getByRole('textbox', { name: 'Prompt' }).waitFor();
      const sections = page.getByRole('navigation', { name: 'Sections' }).getByRole('button');
      assert.equal(await sections.count(), 13);
      for (const one of await sections.all()) {
        await one.click();
        const name = await one.innerText();
        assert.deepEqual(await seriousViolations(page), [], name);
        const excess = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
        assert.ok(excess <= 0, `${name} is ${excess} pixels too wide`);
      }
      assert.deepEqual(visitor.errors, []);
      await page.context().close();
    });

  test('an agent is found, copied, exported and imported', async () => {
    const config = { greeting: 'Hi', unknown: [1] };
    const { id } = await ask('POST', '/api/agents/', { name: 'Night desk', user_id: 'me', config });
    const page = await visitor.visit('/console/agents');
    await page.getByLabel('Search the agents').fill('night');
    const row = page.getByRole('row', { name: /Night desk/ });
    assert.equal(await page.getByRole('row').count(), 2);
    assert.equal(await page.getByText('PIPELINE').count(), 0, 'types of agents have words');
    await row.getByRole('button', { name: 'Duplicate' }).click();
    await page.getByRole('heading', { name: 'Night desk (copy)', level: 1 }).waitFor();
    await page.goto(`${service.url}/console/agents/${id}?section=general`);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export as a file' }).click(),
    ]);
    assert.equal(file.suggestedFilename(), 'Night-desk.agent.json');
    const text = await readFile(await file.path(), 'utf8');
    await page.goto(`${service.url}/console/agents`);
    await page.getByRole('button', { name: 'New agent' }).click();
    const input = page.getByLabel('File of an agent');
    await input.setInputFiles({ name: 'a.json', mimeType: 'application/json', buffer: Buffer.from('{}') });
    await page.getByText('This is not the file of an agent').waitFor();
    const buffer = Buffer.from(text.replace('Night desk', 'Imported'));
    await input.setInputFiles({ name: 'a.json', mimeType: 'application/json', buffer });
    await page.getByRole('heading', { name: 'Imported', level: 1 }).waitFor();
    assert.deepEqual((await ask('GET', `/api/agents/${idOf(page)}`)).config, config);
    await page.context().close();
  });

  test('a file with an external key fills the draft of the agent with this key, and never replaces another draft', async () => {
    const config = { instructions: 'You are a helpful agent.' };
    const { id } = await ask('POST', '/api/agents/', { name: 'Keyed', user_id: 'me', config });
    const page = await visitor.visit(`/console/agents/${id}?section=general`);
    await page.getByLabel('External key').fill('not a key');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('alert').getByText('external_key').waitFor();
    await page.getByLabel('External key').fill('keyed');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved.', { exact: true }).waitFor();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export as a file' }).click(),
    ]);
    const text = await readFile(await file.path(), 'utf8');
    const importing = async (instructions: string) => {
      await page.goto(`${service.url}/console/agents`);
      await page.getByRole('button', { name: 'New agent' }).click();
      const buffer = Buffer.from(text.replace('a helpful agent', instructions));
      const input = page.getByLabel('File of an agent');
      await input.setInputFiles({ name: 'a.json', mimeType: 'application/json', buffer });
    };
    await importing('a sober agent');
    await page.getByRole('heading', { name: 'Keyed', level: 1 }).waitFor();
    assert.equal(idOf(page), id);
    const draft = await ask('GET', `/api/agents/${id}/draft`);
    assert.deepEqual([draft.has_changes, draft.config], [true, { instructions: 'You are a sober agent.' }]);
    await importing('another agent');
    await page.getByText('publish or discard it first').waitFor();
    assert.deepEqual((await ask('GET', `/api/agents/${id}/draft`)).config, draft.config);
    await page.context().close();
  });
}
