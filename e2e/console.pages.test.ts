import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startService } from '@switchboard/testkit/service.ts';
import { ANSWERS, type Answer, withAnswer, withField } from '../packages/console/src/data/extractor-content.ts';
import { EMPTY_EXTRACTOR, EXTRACTOR_TEMPLATES } from '../packages/console/src/data/extractor-templates.ts';
import { missingBrowser } from './support/browser.ts';
import { openConsole, seriousViolations } from './support/console.ts';

/** Compressed bytes of JavaScript loaded before the first page is complete. */
const MAX_JAVASCRIPT = 250_000;
const PAGES = [
  '',
  'agents',
  'calls',
  'live',
  'tests',
  'tests?tab=scenarios',
  'tests?tab=runs',
  'tests/scenarios/new',
  'analysis',
  'analysis?tab=results',
  'analysis?tab=earlier',
  'analysis/extractors/new/quality',
  'calls?columns=answered,score&analysis.answered=true&sort=-analysis.score',
  'campaigns',
  'policies',
  'policies?tab=suppressions',
  'policies?tab=consents',
  'policies?tab=decisions',
  'policies/new',
  'policies/of/texas',
  'numbers',
  'deliveries',
  'deliveries?tab=endpoints',
  'deliveries?tab=secret',
  'settings',
  'settings?tab=audit',
  'settings?tab=erase',
  'costs',
  'costs?tab=budget',
  'costs?tab=prices',
];
/** Sixty pages, each checked in detail. */
const SLOW = { timeout: 400_000 };
/** Rules of axe that depend on colors. */
const OF_COLORS = ['color-contrast', 'link-in-text-block'];
const missing = missingBrowser();
if (missing) {
  test('the pages of the console', { skip: missing }, () => {});
} else {
  const service = await startService();
  const visitor = await openConsole(service.url);
  after(visitor.close);
  const { body: agent } = await service.request('POST', '/api/agents/', { body: { name: 'Desk', user_id: 'busy' } });
  await service.request('PUT', '/api/dial-policies/texas', { user: 'busy', body: { preset: 'us-tx' } });
  const { body: call } = await service.request('POST', '/api/calls/outbound', {
    user: 'busy',
    body: { agent_id: agent.id, phone_number: '+15005550100', variables: { first_name: 'Ada' } },
  });

  const schema = { type: 'object', properties: { answered: { type: 'boolean' } } };
  const { body: extractor } = await service.request('POST', '/api/extractors', {
    user: 'busy',
    body: { name: 'outcome', schema, weights: { answered: 1 } },
  });

  test('the service takes the templates of extractors, and every type of answer that the form offers', async () => {
    const answers = (Object.keys(ANSWERS) as Answer[]).map((answer) => ({
      name: answer,
      content: withField(EMPTY_EXTRACTOR, 'answered', withAnswer({ type: 'boolean', description: 'Is it?' }, answer)),
    }));
    for (const { name, content } of [...EXTRACTOR_TEMPLATES, ...answers]) {
      const body = { name: `of-${name}`, ...content };
      const answer = await service.request('POST', '/api/extractors', { user: 'templates', body });
      assert.equal(answer.status, 201, JSON.stringify(answer.body));
    }
  });

  test('a policy without exceptions, assets for good, the page afresh', async () => {
    const page = await fetch(`${service.url}/console/calls/some-id`, { headers: { 'accept-encoding': 'br' } });
    const policy = page.headers.get('content-security-policy') ?? '';
    assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self';/);
    assert.doesNotMatch(policy, /unsafe|\*|data:|blob:|http/);
    assert.deepEqual(
      [page.headers.get('cache-control'), page.headers.get('content-encoding'), page.headers.get('vary')],
      ['no-cache', 'br', 'accept-encoding'],
    );
    const html = await page.text();
    const assets = [...html.matchAll(/(?:src|href)="(\/console\/assets\/[^"]+)"/g)].map(([, name = '']) => name);
    assert.equal(assets.length, 4);
    for (const asset of assets) {
      const { headers } = await fetch(`${service.url}${asset}`, { headers: { 'accept-encoding': 'gzip' } });
      assert.match(headers.get('cache-control') ?? '', /max-age=31536000, immutable/);
      assert.equal(headers.get('content-encoding'), asset.endsWith('.woff2') ? null : 'gzip');
    }
    const known = { 'accept-encoding': 'br', 'if-none-match': page.headers.get('etag') ?? '' };
    assert.equal((await fetch(`${service.url}/console`, { headers: known })).status, 304);
    assert.equal((await fetch(`${service.url}/console/assets/index.html`)).status, 404);
    assert.equal((await fetch(`${service.url}/console/assets/..%2findex.html`)).status, 404);
  });

  test(`the first page takes at most ${MAX_JAVASCRIPT / 1000} kB of JavaScript, and asks no other host`, async () => {
    const page = await visitor.visit('/console');
    await page.getByRole('heading', { level: 1 }).waitFor();
    const loaded = await page.evaluate<{ name: string; bytes: number }[]>(
      'performance.getEntriesByType("resource").map(({ name, encodedBodySize: bytes }) => ({ name, bytes }))',
    );
    const scripts = loaded.filter(({ name }) => name.endsWith('.js'));
    const bytes = scripts.reduce((sum, script) => sum + script.bytes, 0);
    assert.ok(scripts.length >= 2 && bytes > 10_000 && bytes <= MAX_JAVASCRIPT, `${bytes} bytes`);
    assert.deepEqual(
      loaded.filter(({ name }) => !name.startsWith(service.url)),
      [],
    );
    await page.context().close();
  });

  for (const width of [360, 1280]) {
    test(
      `axe finds nothing serious in light and dark, and nothing is wider than the page: ${width} pixels`,
      SLOW,
      async () => {
        const page = await visitor.visit('/console', { viewport: { width, height: 800 } });
        const addresses = ['nobody', 'busy'].flatMap((user) =>
          PAGES.map((name) => `${name}${name.includes('?') ? '&' : '?'}user=${user}`),
        );
        for (const to of [
          ...addresses,
          `agents/${agent.id}?user=busy`,
          `agents/${agent.id}?section=analysis&user=busy`,
          ...['form', 'json', 'versions'].map((tab) => `analysis/extractors/${extractor.id}?tab=${tab}&user=busy`),
          `calls/${call.call_id}?user=busy`,
          'nowhere',
        ]) {
          await page.goto(`${service.url}/console/${to}`);
          await page.getByRole('heading', { level: 1 }).waitFor();
          await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
          // The style sheets alone follow the scheme: loaded in the dark, a page is the same but for its colors.
          for (const colorScheme of ['light', 'dark'] as const) {
            await page.emulateMedia({ colorScheme });
            const rules = colorScheme === 'dark' ? OF_COLORS : undefined;
            assert.deepEqual(await seriousViolations(page, rules), [], `${to}, ${colorScheme}`);
            const excess = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
            assert.ok(excess <= 0, `${to} is ${excess} pixels too wide, ${colorScheme}`);
          }
        }
        assert.deepEqual(visitor.errors, []);
        await page.context().close();
      },
    );
  }

  test('the keyboard reaches the search, the list of keys, and leaves both', async () => {
    const page = await visitor.visit('/console/agents?user=busy');
    await page.getByRole('heading', { name: 'Agents', level: 1 }).waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor({ state: 'hidden' });
    await page.keyboard.press('g');
    await page.keyboard.press('c');
    await page.getByRole('heading', { name: 'Calls', level: 1 }).waitFor();
    await page.setViewportSize({ width: 360, height: 740 });
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('link', { name: 'Overview' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Overview' }).waitFor({ state: 'hidden' });
    await page.context().close();
  });
}
