import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startService } from '@switchboard/testkit/service.ts';
import { missingBrowser } from './support/browser.ts';
import { openConsole, seriousViolations } from './support/console.ts';

const missing = missingBrowser();
if (missing) {
  test('a call in the console', { skip: missing }, () => {});
} else {
  const service = await startService();
  const visitor = await openConsole(service.url);
  after(visitor.close);
  const config = { greeting: 'Hello {{name}}' };
  const { body: agent } = await service.request('POST', '/api/agents/', {
    body: { name: 'Desk', user_id: 'me', config },
  });

  test('a call shows its turns as they are reported, and the job of its worker', async () => {
    const { body: call } = await service.request('POST', '/api/calls/outbound', {
      user: 'me',
      body: { agent_id: agent.id, phone_number: '+15005550100', variables: { name: 'Ada' } },
    });
    const page = await visitor.visit(`/console/calls/${call.call_id}`);
    await page.getByText('has reported the latency of no turn').waitFor();
    const turns = [790, 1_580, 655].map((first_audio_ms, turn_index) => ({
      ...{ turn_index, first_audio_ms, model: 'gpt-4o-mini' },
      end_of_speech_at: new Date(Date.now() + turn_index * 5_000).toISOString(),
    }));
    await service.request('POST', `/api/sessions/${call.call_id}/turns`, { body: { turns } });
    await page.getByRole('row', { name: /1580 ms/ }).waitFor();
    await page.getByText('median 790 ms').waitFor();
    const late = { turn_index: 3, first_audio_ms: 1_234, end_of_speech_at: new Date().toISOString() };
    await service.request('POST', `/api/sessions/${call.call_id}/turns`, { body: { turns: [late] } });
    await page.getByRole('row', { name: /1234 ms/ }).waitFor();

    await page.getByText('Worker’s job').click();
    const job = page.locator('pre', { hasText: '"version"' });
    await job.waitFor();
    const shown = JSON.parse((await job.textContent()) ?? '');
    assert.deepEqual([shown.session_id, shown.config, shown.variables], [call.call_id, config, { name: 'Ada' }]);
    assert.deepEqual(await seriousViolations(page), []);
    assert.deepEqual(visitor.errors, []);
    await page.context().close();
  });
}
