// The list of agents and the form of one, where they wait for something.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { askOf } from './support/ask.ts';
import { missingBrowser } from './support/browser.ts';
import { openConsole, seriousViolations } from './support/console.ts';

const missing = missingBrowser();
if (missing) {
  test('the form of an agent', { skip: missing }, () => {});
} else {
  const service = await startService();
  const visitor = await openConsole(service.url);
  after(visitor.close);
  const ask = askOf(service);
  const createAgent = async (name: string, config: object) =>
    (await ask('POST', '/api/agents/', { name, user_id: 'me', config })).id as string;

  test('what acts on the editor of the prompt can be pressed once the editor is loaded', async () => {
    const id = await createAgent('Folded', { instructions: '# One\nFirst {{name}}\n# Two\nSecond' });
    const page = await visitor.visit('/console/agents');
    const held = Promise.withResolvers<void>();
    await page.route('**/prompt-editor-*.js', async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.goto(`${service.url}/console/agents/${id}`);
    const chips = page.getByRole('group', { name: 'Insert a variable into: Prompt' });
    const buttons = ['Fold all', 'Unfold all'].map((name) => page.getByRole('button', { name, exact: true }));
    const chip = chips.getByRole('button', { name: 'name', exact: true });
    await chip.waitFor();
    for (const button of [...buttons, chip]) assert.equal(await button.isDisabled(), true);
    held.resolve();
    await buttons[0]?.click();
    const folded = page.getByRole('textbox', { name: 'Prompt' }).getByRole('button', { name: /lines?$/ });
    await folded.first().waitFor();
    await buttons[1]?.click();
    await folded.first().waitFor({ state: 'detached' });
    await chip.click();
    await page.getByRole('textbox', { name: 'Prompt' }).getByText('{{name}}').nth(1).waitFor();
    assert.deepEqual(visitor.errors, []);
    await page.context().close();
  });

  test('the list of agents asks for the versions of the rows in view only', async () => {
    for (let number = 1; number <= 40; number++) await createAgent(`Desk ${number}`, {});
    const page = await visitor.visit('/console');
    const asked = new Set<string>();
    page.on('request', (request) => {
      if (request.url().endsWith('/release')) asked.add(request.url());
    });
    await page.getByRole('link', { name: 'Agents' }).first().click();
    const cellOf = (name: string) =>
      page.getByRole('row', { name: new RegExp(`^${name} `) }).getByText('1', { exact: true });
    await cellOf('Desk 40').waitFor();
    await page.getByRole('row', { name: /^Desk 1 / }).scrollIntoViewIfNeeded();
    await cellOf('Desk 1').waitFor();
    // Rows between the two have not been in view.
    assert.ok(asked.size > 1 && asked.size < 35, `${asked.size} of 41 agents`);
    await page.context().close();
  });

  test('what is published is told by the labels of the form, and by its place where the form has no field', async () => {
    const id = await createAgent('Named', { stt: { provider: 'openai' }, name: 'kept' });
    const config = { stt: { provider: 'groq' }, silence: { timeout_s: 7 }, name: 'new', crm: { pipeline: 7 } };
    await ask('PUT', `/api/agents/${id}/draft`, { name: 'Renamed', config });
    const page = await visitor.visit(`/console/agents/${id}?section=models`);
    const card = page.getByRole('region', { name: 'Speech recognition' });
    await card.getByLabel('Provider').waitFor();
    await page.getByRole('button', { name: 'Publish…' }).click();
    const changes = page.getByRole('dialog').getByRole('list', { name: 'Changes' }).getByRole('listitem');
    await changes.first().waitFor();
    assert.deepEqual((await changes.allInnerTexts()).sort(), [
      'Name\nNamed\nRenamed',
      'Silence: silence before it asks\n7 s',
      'Speech recognition: provider\nOpenAI, or compatible\nGroq',
      'crm\n{\n  "pipeline": 7\n}',
      'name\nkept\nnew',
    ]);
    assert.deepEqual(await seriousViolations(page), []);
    await page.context().close();
  });

  for (const [width, colorScheme] of [
    [1440, 'light'],
    [390, 'dark'],
  ] as const)
    test(`models that take over are added, set, ordered and removed, at ${width} px`, async () => {
      const id = await createAgent(`Failing ${width}`, { llm: { provider: 'openai', model: 'gpt-4.1', seed: 1 } });
      const at = `/console/agents/${id}?section=models`;
      const page = await visitor.visit(at, { viewport: { width, height: 900 }, colorScheme });
      const draft = async () => (await ask('GET', `/api/agents/${id}/draft`)).config;
      const cardOf = (name: string) => page.getByRole('region', { name, exact: true });
      const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
      const first = { provider: 'openai', model: 'gpt-4.1', seed: 1 };
      assert.equal(await cardOf('Fallback').count(), 0);
      await press('Add a fallback model: Language model');
      const second = cardOf('Language model 2');
      assert.equal(await second.evaluate((card) => card === card.ownerDocument.activeElement), true);
      await second.getByLabel('Provider').selectOption('groq');
      // Problems of each model stand beside its own field.
      const missing = 'Field required: groq has no default';
      await second.getByRole('alert').filter({ hasText: missing }).waitFor();
      await press('Move up: Language model 2');
      await cardOf('Language model').getByRole('alert').filter({ hasText: missing }).waitFor();
      await second.getByRole('alert').waitFor({ state: 'detached' });
      await cardOf('Language model').getByLabel('Name of another model').fill('llama');
      await page.getByRole('alert').filter({ hasText: missing }).waitFor({ state: 'detached' });
      await cardOf('Fallback')
        .getByRole('checkbox', { name: /^Errors/ })
        .uncheck();
      await cardOf('Fallback').getByRole('slider', { name: 'Longest wait for the first word' }).fill('1500');
      const fail_over = { on: ['timeout', 'rate_limit'], first_token_ms: 1500 };
      await eventually(draft, (config) => config.fail_over?.first_token_ms === 1500);
      assert.deepEqual(await draft(), { llm: [{ provider: 'groq', model: 'llama' }, first], fail_over });
      await page.getByText('Also set: llm.1.seed.').waitFor();
      assert.deepEqual(await seriousViolations(page), []);
      const excess = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
      assert.ok(excess <= 0, `${excess} pixels too wide`);
      for (let number = 2; number <= 3; number++) await press('Add a fallback model: Language model');
      // The service takes four.
      const add = page.getByRole('button', { name: 'Add a fallback model: Language model', exact: true });
      await add.waitFor({ state: 'detached' });
      for (const name of ['Language model 4', 'Language model 3', 'Language model']) await press(`Remove: ${name}`);
      await cardOf('Fallback')
        .getByRole('checkbox', { name: /^Errors/ })
        .check();
      await cardOf('Fallback')
        .getByRole('button', { name: /^Usual value/ })
        .click();
      await cardOf('Fallback').waitFor({ state: 'detached' });
      await eventually(draft, (config) => config.fail_over === undefined);
      assert.deepEqual(await draft(), { llm: first });
      assert.deepEqual(visitor.errors, []);
      await page.context().close();
    });

  test('recordings are configured with what has to happen before, and leave nothing behind when switched off', async () => {
    const id = await createAgent('Recorded', {});
    const page = await visitor.visit(`/console/agents/${id}?section=recording`);
    const draft = async () => (await ask('GET', `/api/agents/${id}/draft`)).config;
    const choose = (group: string, name: RegExp) =>
      page.getByRole('group', { name: group }).getByRole('radio', { name }).check();
    await page.getByRole('checkbox', { name: 'Record calls' }).check();
    await choose('Before the recording starts', /^They say yes/);
    await page.getByRole('textbox', { name: 'The announcement' }).fill('May I record this, {{name}}?');
    await choose('Without consent', /^The call ends/);
    await choose('Channels', /^Mono/);
    const consent = { type: 'verbal', message: 'May I record this, {{name}}?', on_refusal: 'end' };
    await eventually(draft, (config) => config.recording?.channels === 'mono');
    assert.deepEqual(await draft(), { recording: { enabled: true, channels: 'mono', consent } });
    assert.deepEqual(await seriousViolations(page), []);
    await choose('Before the recording starts', /^Nothing/);
    await page.getByRole('textbox', { name: 'The announcement' }).waitFor({ state: 'detached' });
    await page.getByRole('checkbox', { name: 'Record calls' }).uncheck();
    await eventually(draft, (config) => config.recording === undefined);
    assert.deepEqual(visitor.errors, []);
    await page.context().close();
  });

  test('sounds are chosen by name or file, and take their loudness with them when they are removed', async () => {
    const id = await createAgent('Sounds', {});
    const page = await visitor.visit(`/console/agents/${id}?section=sounds`);
    const draft = async () => (await ask('GET', `/api/agents/${id}/draft`)).config;
    const fieldsOf = (name: string) => page.getByRole('group', { name, exact: true });
    const choose = (name: string, choice: string) => fieldsOf(name).getByRole('combobox').selectOption(choice);
    await choose('Background', 'An office');
    await fieldsOf('Background').getByRole('slider', { name: 'Loudness of the background' }).fill('0.5');
    await choose('While it thinks', 'Typing');
    await choose('On hold', 'A file of the worker');
    await fieldsOf('On hold').getByRole('alert').filter({ hasText: 'Input should be music, or file:' }).waitFor();
    await fieldsOf('On hold').getByRole('textbox', { name: 'File' }).fill('waltz.ogg');
    await fieldsOf('On hold').getByRole('alert').waitFor({ state: 'detached' });
    const sounds = { background: 'office', background_volume: 0.5, thinking: 'keyboard', hold: 'file:waltz.ogg' };
    await eventually(draft, (config) => config.sounds?.hold === 'file:waltz.ogg');
    assert.deepEqual(await draft(), { sounds });
    await page.getByRole('button', { name: /^Sounds\s*background, thinking, hold/ }).waitFor();
    assert.deepEqual(await seriousViolations(page), []);
    await choose('Background', 'None');
    await choose('While it thinks', 'None');
    await choose('On hold', 'Soft chords');
    await eventually(draft, (config) => config.sounds === undefined);
    assert.deepEqual(visitor.errors, []);
    await page.context().close();
  });

  test('what the caller enters by keys is configured, and known to functions as a variable', async () => {
    const url = 'https://example.com/pin';
    const check = {
      name: 'check',
      description: 'Checks the PIN.',
      url,
      body: '{"pin": "{{pin}}", "name": "{{name}}"}',
    };
    const id = await createAgent('Keys', { tools: { functions: [check] } });
    const page = await visitor.visit(`/console/agents/${id}?section=tools`);
    await page.getByRole('button', { name: 'Add an entry' }).click();
    const card = page.getByRole('group', { name: 'New entry' });
    await card.getByLabel('Name', { exact: true }).fill('pin');
    const entry = page.getByRole('group', { name: 'pin', exact: true });
    await entry.getByText('Functions get it as {{pin}}.').waitFor();
    await entry.getByLabel('What the caller enters').fill('the four digits of the PIN');
    await entry.getByLabel('Most keys').fill('4');
    await entry.getByLabel('Only functions may know it').check();
    assert.deepEqual(await seriousViolations(page), []);
    const { config } = await eventually(
      () => ask('GET', `/api/agents/${id}/draft`),
      (draft) => draft.config.tools.collect_digits?.[0]?.sensitive === true,
    );
    assert.deepEqual(config.tools.collect_digits, [
      { name: 'pin', description: 'the four digits of the PIN', max: 4, sensitive: true },
    ]);
    const { problems, variables } = await ask('POST', '/api/schemas/agent-config/validate', { config });
    assert.deepEqual([problems, variables], [[], ['name']]);
    await page.context().close();
  });
}
