// Models in the console: a check of a worker's key beside a model, and what took over on the timeline of a call.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { reaches } from '@switchboard/testkit/calls.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { systemClock } from '../packages/server/src/lib/clock.ts';
import { createSandboxMedia } from '../packages/server/src/providers/sandbox/media.ts';
import { missingBrowser } from './support/browser.ts';
import { openConsole, seriousViolations } from './support/console.ts';

const missing = missingBrowser();
if (missing) {
  test('models in the console', { skip: missing }, () => {});
} else {
  const { answerChat: _, checkModel: __, ...media } = createSandboxMedia({ clock: systemClock, ringMs: 20 });
  const service = await startService({ media });
  const visitor = await openConsole(service.url);
  after(visitor.close);

  /** Does the next check as a worker does. */
  async function serve(result: object): Promise<object> {
    const claimed = { kind: 'provider_check', wait_s: 30 };
    const { body } = await service.request('POST', '/api/worker/tasks/claim', { body: claimed });
    const [{ task_id, lease_token, payload }] = body.tasks;
    const done = { lease_token, result: { outcome: 'ok', reason: null, detail: null, latency_ms: 412, ...result } };
    await service.request('POST', `/api/worker/tasks/${task_id}/complete`, { body: done });
    return payload;
  }

  for (const width of [1440, 390])
    test(`a model is checked where it is chosen, at ${width} px`, async () => {
      const config = { llm: [{ provider: 'groq', model: 'some-model' }, { provider: 'local' }] };
      const body = { name: `Checked ${width}`, user_id: 'me', config };
      const { id } = (await service.request('POST', '/api/agents/', { body })).body;
      const page = await visitor.visit(`/console/agents/${id}`, { viewport: { width, height: 900 } });
      await page.getByRole('button', { name: /^Models/ }).click();
      const card = page.getByRole('region', { name: 'Language model', exact: true });
      await card.getByRole('button', { name: 'Check the key' }).click();
      const asked = await serve({ worker: 'worker-0:8081' });
      assert.deepEqual(asked, { kind: 'llm', provider: 'groq', model: 'some-model' });
      await card.getByText('It answered after 412 ms. Asked by worker-0:8081.').waitFor();
      assert.deepEqual(await seriousViolations(page), []);
      await card.getByRole('button', { name: 'Check the key' }).click();
      const failed = { outcome: 'failed', reason: 'refused_key', detail: '401 Incorrect API key', latency_ms: null };
      await serve({ ...failed, worker: 'worker-0:8081' });
      await card.getByText('The provider refuses the worker’s key.').waitFor();
      await card.getByText('401 Incorrect API key').waitFor();
      const excess = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
      assert.ok(excess <= 0, `${excess} pixels too wide`);
      // A result is not shown beside another model.
      await card.getByLabel('Provider').selectOption('local');
      await card.getByText('401 Incorrect API key').waitFor({ state: 'detached' });
      await page.close();
    });

  test('without a worker the check says what to do', async () => {
    const body = { name: 'Alone', user_id: 'me', config: {} };
    const { id } = (await service.request('POST', '/api/agents/', { body })).body;
    const page = await visitor.visit(`/console/agents/${id}`);
    await page.getByRole('button', { name: /^Models/ }).click();
    const card = page.getByRole('region', { name: 'Voice', exact: true });
    await card.getByRole('button', { name: 'Check the key' }).click();
    await card.getByText('No worker has taken the check.').waitFor();
    await page.close();
  });

  test('a model shows the turns of calls that had it, and not those of the one that took its place', async () => {
    const of = (model: string) => ({ name: 'Measured', config: { stt: { provider: 'deepgram', model } } });
    const { id: agent_id } = (
      await service.request('POST', '/api/agents/', { body: { ...of('nova-2'), user_id: 'me' } })
    ).body;
    const placed = await service.request('POST', '/api/calls/outbound', {
      user: 'me',
      body: { agent_id, phone_number: '+15005550100' },
    });
    const { call_id } = placed.body;
    await reaches(service, call_id, 'ANSWERED');
    const used = { session_id: call_id, user_id: 'me', agent_id, provider: 'deepgram', model: 'nova-2' };
    const cost = { event_type: 'stt_minutes', quantity: '1', unit_cost: '0.01', total_cost: '0.01' };
    const booked = await service.request('POST', '/api/usage/events', { body: { ...used, ...cost } });
    assert.equal(booked.status, 201);
    const turn = { turn_index: 9000, model: 'some-model', end_of_speech_at: new Date().toISOString() };
    const reported = { turns: [{ ...turn, transcript_ms: 250, first_token_ms: 500, first_audio_ms: 800 }] };
    await service.request('POST', `/api/sessions/${call_id}/turns`, { body: reported });
    await service.request('PATCH', `/api/agents/${agent_id}`, { body: of('nova-3') });
    const page = await visitor.visit(`/console/agents/${agent_id}?section=models`);
    const card = page.getByRole('region', { name: 'Speech recognition', exact: true });
    const row = (name: string) => card.locator('label.model-row').filter({ hasText: name });
    await row('nova-2')
      .getByTitle(/^Transcript after the end of speech/)
      .waitFor();
    assert.equal(await row('nova-3').getByRole('radio').isChecked(), true);
    await row('nova-3').getByText('not measured yet').waitFor();
    // An agent without calls shows how fast the model was in those of others.
    const body = { ...of('nova-3'), user_id: 'me' };
    const { id: unused } = (await service.request('POST', '/api/agents/', { body })).body;
    await page.goto(`${service.url}/console/agents/${unused}?section=models`);
    await row('nova-2')
      .getByTitle(/^Transcript after the end of speech: 1 turn in/)
      .waitFor();
    await page.close();
  });

  test('the overview says that no worker takes chats once somebody has asked for one, until a worker does', async () => {
    const ask = async (path: string, body: object) =>
      (await service.request('POST', path, { user: 'me', body })).body as Record<string, string>;
    const page = await visitor.visit('/console/', { viewport: { width: 390, height: 900 } });
    const states = page.getByRole('listitem').filter({ hasText: /^Workers/ });
    await states.getByText(/chats.*: no worker takes them, and nobody has asked for any$/).waitFor();
    const { id: agent_id } = await ask('/api/agents/', { name: 'Asked', user_id: 'me', config: {} });
    const { chat_id } = await ask('/api/chats', { agent_id });
    const answered = ask(`/api/chats/${chat_id}/messages`, { content: 'Hello?' });
    await eventually(
      async () => (await service.request('GET', '/readyz')).body.workers.chat_turn,
      (state) => state === 'nobody',
    );
    await page.reload();
    await page.getByRole('status', { name: 'Missing workers' }).getByText('No worker takes chats').waitFor();
    await states.getByText(/chats.*: no worker takes them$/).waitFor();
    assert.deepEqual(await seriousViolations(page), []);
    const claimed = { kind: 'chat_turn', wait_s: 30 };
    const [{ task_id, lease_token }] = (await service.request('POST', '/api/worker/tasks/claim', { body: claimed }))
      .body.tasks;
    await ask(`/api/worker/tasks/${task_id}/complete`, { lease_token, result: { content: 'At nine.' } });
    await answered;
    await page.reload();
    await states.getByText(/chats.*: a worker takes them$/).waitFor();
    assert.equal(await page.getByText('No worker takes chats').count(), 0);
    await page.close();
  });

  for (const [width, colorScheme] of [
    [1440, 'light'],
    [390, 'dark'],
  ] as const)
    test(`a chat says which model took over, while the answer comes and after it, at ${width} px`, async () => {
      const body = { name: `Chatting ${width}`, user_id: 'me', config: {} };
      const { id } = (await service.request('POST', '/api/agents/', { body })).body;
      const page = await visitor.visit(`/console/agents/${id}`, { viewport: { width, height: 900 }, colorScheme });
      await page.getByRole('textbox', { name: 'Greeting' }).waitFor();
      if (width === 390) await page.getByRole('button', { name: 'Chat', exact: true }).click();
      await page.getByLabel('Message', { exact: true }).fill('When do you open?');
      await page.getByLabel('Message', { exact: true }).press('Enter');
      const claimed = { kind: 'chat_turn', wait_s: 30 };
      const { tasks } = (await service.request('POST', '/api/worker/tasks/claim', { body: claimed })).body;
      const [{ task_id, lease_token }] = tasks;
      const over = { kind: 'llm', from: 'openai/gpt-4.1-mini', to: 'groq/some-model', reason: 'timeout' };
      const events = [{ type: 'failed_over', ...over }];
      const reported = { lease_token, events };
      await service.request('POST', `/api/worker/tasks/${task_id}/events`, { body: reported });
      const log = page.getByRole('log', { name: 'Messages' });
      const said = log.getByText('OpenAI gpt-4.1-mini did not answer in time; Groq some-model took over.');
      await said.waitFor();
      const done = { lease_token, result: { content: 'At nine.' } };
      await service.request('POST', `/api/worker/tasks/${task_id}/complete`, { body: done });
      await log.getByText('At nine.').waitFor();
      await said.waitFor();
      assert.deepEqual(await seriousViolations(page), []);
      await page.close();
    });

  test('the timeline of a call says which model took over, and why', async () => {
    const { id: agent_id } = (
      await service.request('POST', '/api/agents/', { body: { name: 'Failing', user_id: 'me', config: {} } })
    ).body;
    const placed = await service.request('POST', '/api/calls/outbound', {
      user: 'me',
      body: { agent_id, phone_number: '+15005550100' },
    });
    const { call_id } = placed.body;
    await reaches(service, call_id, 'ANSWERED');
    const page = await visitor.visit(`/console/calls/${call_id}`);
    const timeline = page.getByRole('complementary', { name: 'About the call' });
    await timeline.getByText('Answered', { exact: true }).waitFor();
    const over = {
      id: randomUUID(),
      kind: 'llm',
      from: 'openai/gpt-4.1-mini',
      to: 'groq/some-model',
      reason: 'timeout',
    };
    await service.request('POST', `/api/sessions/${call_id}/failovers`, { body: over });
    await page.getByText('Language model replaced').waitFor();
    await page.getByText('OpenAI gpt-4.1-mini did not answer in time; Groq some-model took over.').waitFor();
    await page.close();
  });
}
