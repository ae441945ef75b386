import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, test } from 'node:test';
import { reaches } from '@switchboard/testkit/calls.ts';
import { startService } from '@switchboard/testkit/service.ts';
import type { Page } from 'playwright-core';
import { missingBrowser } from './support/browser.ts';
import { openConsole, seriousViolations, slowDown } from './support/console.ts';

const DAY_MS = 86_400_000;
const SESSION = '01980000-0000-7000-8000-000000000001';
const missing = missingBrowser();
if (missing) {
  test('costs in the console', { skip: missing }, () => {});
} else {
  const service = await startService();
  const visitor = await openConsole(service.url);
  after(visitor.close);
  const today = new Date().toISOString().slice(0, 10);
  const from = new Date(Date.now() - 2 * DAY_MS).toISOString().slice(0, 10);
  const { body: agent } = await service.request('POST', '/api/agents/', { body: { name: 'Desk', user_id: 'me' } });
  const use = (provider: string, event_type: string, model: string, total_cost: string) => ({
    session_id: SESSION,
    user_id: 'me',
    agent_id: agent.id,
    provider,
    event_type,
    model,
    quantity: '1',
    unit_cost: total_cost,
    total_cost,
  });
  const events = [
    use('openai', 'llm_tokens', 'gpt-4o', '1.25'),
    use('openai', 'llm_tokens', 'gpt-4o-mini', '0.25'),
    use('acme', 'tts_characters', 'voice', '0.50000000001'),
  ];
  await service.request('POST', '/api/usage/events/batch', { body: { events } });
  const rowsOf = async (page: Page) => {
    const texts = await page.getByRole('region', { name: 'Costs', exact: true }).locator('tbody tr').all();
    return Promise.all(texts.map(async (row) => (await row.locator('td').allInnerTexts()).map((cell) => cell.trim())));
  };
  /** The colors of a legend, by name. */
  const colorsOf = async (page: Page) => {
    await page.locator('.legend li').first().waitFor();
    return page.evaluate<Record<string, string>>(
      `Object.fromEntries([...document.querySelectorAll('.legend li')].map((item) =>
        [item.querySelector('.clip').textContent, getComputedStyle(item.querySelector('.swatch')).backgroundColor]))`,
    );
  };

  test('costs are grouped by several properties, in an address to share, and in the file', async () => {
    const page = await visitor.visit(`/console/costs?from=${from}&to=${today}`);
    const toggle = (name: string) => page.getByRole('button', { name, exact: true });
    await toggle('Model').click();
    await page.getByRole('cell', { name: 'gpt-4o-mini', exact: true }).waitFor();
    await toggle('What was used').click();
    await page.getByRole('columnheader', { name: 'What was used' }).waitFor();
    assert.deepEqual(
      (await rowsOf(page)).map(([day, provider, model, type, , , , cost]) => [day, provider, model, type, cost]),
      [
        [today, 'acme', 'voice', 'tts characters', '$0.50000000001'],
        [today, 'openai', 'gpt-4o', 'llm tokens', '$1.25'],
        [today, 'openai', 'gpt-4o-mini', 'llm tokens', '$0.25'],
      ],
    );
    assert.equal(new URL(page.url()).searchParams.get('split'), 'provider,model,event_type');
    assert.deepEqual(Object.keys(await colorsOf(page)), ['openai', 'acme']);
    assert.deepEqual(await seriousViolations(page), []);
    // A report on millions of events takes minutes.
    await slowDown(page, /\/api\/costs\/report\?/);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV' }).click(),
    ]);
    const [head, first] = (await readFile(await file.path(), 'utf8')).split('\r\n');
    assert.match(head ?? '', /^day,provider,model,event_type,quantity,total_cost,/);
    assert.match(first ?? '', /,acme,voice,tts_characters,1,0\.50000000001,/);

    await page.getByLabel('Plotted').selectOption('model');
    await page.getByRole('img', { name: /^Costs by model and day/ }).waitFor();
    assert.deepEqual(Object.keys(await colorsOf(page)), ['gpt-4o', 'voice', 'gpt-4o-mini']);
    const shared = await visitor.visit(`${new URL(page.url()).pathname}${new URL(page.url()).search}`);
    await shared.getByRole('columnheader', { name: 'What was used' }).waitFor();
    assert.deepEqual((await rowsOf(shared))[0]?.slice(0, 4), [today, 'gpt-4o', 'openai', 'llm tokens']);
    await Promise.all([page.context().close(), shared.context().close()]);
  });

  test('without a period the sums of the range are bars, and a grouping by nothing is the total', async () => {
    const page = await visitor.visit(`/console/costs?from=${from}&to=${today}&by=none&split=provider`);
    const bars = page.getByRole('list', { name: 'Costs by provider' }).getByRole('listitem');
    await bars.first().waitFor();
    assert.deepEqual(
      (await bars.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ').trim()),
      ['openai $1.50 75 %', 'acme $0.5000 25 %'],
    );
    assert.equal((await rowsOf(page)).length, 2);
    await page.getByLabel('Period').selectOption('month');
    await page.getByRole('button', { name: 'Provider', exact: true }).click();
    await page.getByRole('row', { name: /\$2\.00000000001/ }).waitFor();
    assert.deepEqual(Object.keys(await colorsOf(page)), ['Costs']);
    await page.context().close();
  });

  test('on a phone the dimensions are stacked, and no figure overflows the screen', async () => {
    const provider = 'a-provider-whose-name-is-rather-long';
    const event = { session_id: SESSION, user_id: 'walker', provider, event_type: 'stt_minutes', model: 'whisper' };
    await service.request('POST', '/api/usage/events/batch', { body: { events: [{ ...event, quantity: '1' }] } });
    const options = { viewport: { width: 360, height: 740 } };
    const page = await visitor.visit('/console/costs?split=provider,model&user=walker', options);
    const table = page.getByRole('region', { name: 'Costs', exact: true });
    await table.getByText('1 unpriced').waitFor();
    await table.getByText('whisper').first().waitFor();
    const excess = await table.evaluate<number, { scrollWidth: number; clientWidth: number }>(
      ({ scrollWidth, clientWidth }) => scrollWidth - clientWidth,
    );
    assert.equal(excess, 0);
    assert.deepEqual(await seriousViolations(page), []);
    await page.context().close();
  });

  test('the keyboard and the pointer read each day from the areas', async () => {
    const page = await visitor.visit(`/console/costs?from=${from}&to=${today}`);
    const slider = page.getByRole('slider', { name: /^Costs by provider and day/ });
    const spoken = async () => (await slider.getAttribute('aria-valuetext')) ?? '';
    await slider.focus();
    assert.match(await spoken(), /^Total: \$2\.00, openai \$1\.50, acme \$0\.5000$/);
    await page.keyboard.press('Home');
    assert.match(await spoken(), /: \$0\.00, openai \$0\.00, acme \$0\.00$/);
    await page.keyboard.press('End');
    assert.match(await spoken(), /: \$2\.00, openai \$1\.50, acme \$0\.5000$/);
    assert.doesNotMatch(await spoken(), /^Total/);
    const plot = await page.locator('.chart-plot').boundingBox();
    assert.ok(plot);
    await page.mouse.move(plot.x + 2, plot.y + 20);
    await page.locator('.legend-head', { hasText: '$0.00' }).waitFor();
    await page.mouse.move(plot.x, plot.y - 40);
    await page.locator('.legend-head', { hasText: 'Total $2.00' }).waitFor();
    await page.context().close();
  });

  test('a provider has the same color on each page, and after a reload', async () => {
    const page = await visitor.visit('/console');
    const overview = await colorsOf(page);
    // The first costs are from today: a week is plotted, because in a month they would be a line at the edge.
    assert.equal(await page.getByRole('slider', { name: /^Cost by day/ }).getAttribute('max'), '6');
    assert.deepEqual(Object.keys(overview).sort(), ['acme', 'openai']);
    assert.notEqual(overview.acme, overview.openai);
    await page.getByRole('link', { name: 'All costs' }).click();
    await page.getByRole('img', { name: /^Costs by provider/ }).waitFor();
    assert.deepEqual(await colorsOf(page), overview);
    await page.reload();
    assert.deepEqual(await colorsOf(page), overview);
    await page.context().close();
  });

  test('the overview has the calls a day, the latency, the cost a minute and the budget of the period', async () => {
    const user_id = 'figures';
    const of = { user: user_id };
    const desk = (await service.request('POST', '/api/agents/', { body: { name: 'Desk', user_id } })).body.id;
    const call = async (phone_number: string, call_status: string) => {
      const body = { agent_id: desk, phone_number };
      const { call_id } = (await service.request('POST', '/api/calls/outbound', { ...of, body })).body;
      await reaches(service, call_id, call_status);
      return call_id;
    };
    await call('+15005550001', 'FAILED');
    const id = await call('+15005550100', 'ANSWERED');
    const turns = [780, 790, 1_310].map((first_audio_ms, turn_index) => {
      return { turn_index, first_audio_ms, end_of_speech_at: new Date().toISOString() };
    });
    assert.equal((await service.request('POST', `/api/sessions/${id}/turns`, { body: { turns } })).status, 201);
    await service.request('POST', `/api/calls/${id}/end`);
    // As its worker measured it.
    assert.equal((await service.request('PATCH', `/api/sessions/${id}`, { body: { duration: 120 } })).status, 200);
    const used = { ...use('openai', 'llm_tokens', 'gpt-4o', '3'), session_id: id, user_id, agent_id: desk };
    await service.request('POST', '/api/usage/events/batch', { body: { events: [used] } });
    await service.request('PUT', `/api/budgets/${user_id}`, { body: { monthly_limit: '12' } });
    const latency = (await service.request('GET', '/api/stats/latency', of)).body.total.first_audio;

    const page = await visitor.visit(`/console?user=${user_id}`);
    await page.getByText(/^The last 30 days, in UTC/).waitFor();
    const figure = async (label: string) => {
      const one = page.locator('.figure').filter({ has: page.locator('dt', { hasText: new RegExp(`^${label}$`) }) });
      return (await one.locator('dd').allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ').trim());
    };
    await page.locator('.figure dt', { hasText: 'Budget' }).waitFor();
    await page.locator('.figure dt', { hasText: 'Answer latency' }).waitFor();
    await page.locator('.figure').getByText('$3.00', { exact: true }).first().waitFor();
    assert.deepEqual(await figure('Calls'), ['2', '0.07 a day · 2 today']);
    assert.deepEqual(await figure('Answer rate'), ['50 %', '50 % today']);
    assert.deepEqual(await figure('Answer latency'), [`${latency.p50_ms} ms`, `median · p95 ${latency.p95_ms} ms`]);
    assert.ok(latency.p50_ms >= 780 && latency.p95_ms >= 1_310);
    assert.deepEqual(await figure('Cost'), ['$3.00', '$3.00 today']);
    assert.deepEqual(await figure('Cost a minute'), ['$1.50', 'of talk time']);
    assert.deepEqual(await figure('Budget'), ['25 %', '$3.00 of $12.00']);
    const plotted = page.getByRole('slider', { name: /^Calls by day/ });
    assert.equal(await plotted.getAttribute('max'), '29');
    assert.match((await plotted.getAttribute('aria-valuetext')) ?? '', /^Total: 2, answered 1, not answered 1$/);

    await page.getByLabel('Period').selectOption('7');
    await page.getByText(/^The last 7 days, in UTC/).waitFor();
    await page.getByText('0.3 a day · 2 today').waitFor();
    assert.equal(await plotted.getAttribute('max'), '6');
    assert.equal(new URL(page.url()).searchParams.get('days'), '7');
    await page.context().close();
  });

  test('costs of names that every object of a browser has are plotted as any others', async () => {
    const user_id = 'objects';
    const names = ['constructor', 'toString'].map((provider) => ({
      ...use(provider, 'llm_tokens', 'm', '1'),
      user_id,
    }));
    assert.equal((await service.request('POST', '/api/usage/events/batch', { body: { events: names } })).status, 201);
    const page = await visitor.visit(`/console/costs?from=${from}&to=${today}&user=${user_id}`);
    assert.equal(new Set(Object.values(await colorsOf(page))).size, 2);
    await page.context().close();
  });

  test('no page has reported an error', () => assert.deepEqual(visitor.errors, []));
}
