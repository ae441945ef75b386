// The section *Privacy* in the form of an agent.
import assert from 'node:assert/strict';
import path from 'node:path';
import { after, test } from 'node:test';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { askOf } from './support/ask.ts';
import { missingBrowser } from './support/browser.ts';
import { openConsole, seriousViolations } from './support/console.ts';

const missing = missingBrowser();
if (missing) {
  test('privacy in the form of an agent', { skip: missing }, () => {});
} else {
  const service = await startService();
  const visitor = await openConsole(service.url);
  after(visitor.close);
  const ask = askOf(service);

  for (const [width, colorScheme] of [
    [1440, 'light'],
    [390, 'dark'],
  ] as const)
    test(`secrets and patterns are chosen, and a wrong pattern is explained, at ${width} px`, async () => {
      const { id } = await ask('POST', '/api/agents/', { name: 'Front desk', user_id: 'me', config: {} });
      const page = await visitor.visit(`/console/agents/${id}?section=privacy`);
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      const draft = (isSo: (privacy: Record<string, unknown> | undefined) => boolean) =>
        eventually(
          async () => (await ask('GET', `/api/agents/${id}/draft`)).config?.privacy,
          (privacy) => isSo(privacy),
        );
      await page.getByRole('checkbox', { name: /^Card numbers/ }).check();
      await page.getByRole('checkbox', { name: /^E-mail addresses/ }).check();
      await draft((privacy) => JSON.stringify(privacy) === '{"redact":["card","email"]}');
      await page.getByRole('button', { name: 'Add a pattern' }).click();
      const card = page.getByRole('group', { name: /^(New pattern|member_id)$/ });
      await card.getByLabel('Name').fill('member_id');
      await card.getByLabel('Pattern').fill('(a');
      await card.getByText('missing closing )').waitFor();
      await card.getByLabel('Pattern').fill(String.raw`\bM-\d{6}\b`);
      await card.getByText('missing closing )').waitFor({ state: 'detached' });
      await draft(
        (privacy) => JSON.stringify(privacy?.custom) === '[{"name":"member_id","pattern":"\\\\bM-\\\\d{6}\\\\b"}]',
      );
      await page.getByLabel('Days for what was said').fill('30');
      await draft((privacy) => JSON.stringify(privacy?.keep) === '{"transcripts_days":30}');
      const tools = page.getByRole('checkbox', { name: 'Record what tools were asked and answered' });
      assert.equal(await tools.isChecked(), true);
      await tools.uncheck();
      await draft((privacy) => privacy?.tool_calls === false);
      assert.deepEqual(await seriousViolations(page), []);
      const { SCREENSHOTS } = process.env;
      if (SCREENSHOTS) await page.screenshot({ path: path.join(SCREENSHOTS, `privacy-${width}.png`), fullPage: true });
      await card.getByRole('button', { name: 'Remove member_id' }).click();
      for (const name of [/^Card numbers/, /^E-mail addresses/]) await page.getByRole('checkbox', { name }).uncheck();
      await tools.check();
      await page.getByLabel('Days for what was said').fill('');
      await draft((privacy) => privacy === undefined);
      await page.context().close();
    });
}
