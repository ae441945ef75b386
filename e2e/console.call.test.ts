import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { reaches } from '@switchboard/testkit/calls.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { recorder, segment } from '@switchboard/testkit/recordings.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { missingBrowser } from './support/browser.ts';
import { openConsole, seriousViolations } from './support/console.ts';

/** Longer than the console waits before it refreshes what has changed. */
const REFRESHED_MS = 2_500;

/** The agent speaks for three seconds, the caller from the third on for two, and then nobody. */
function levelsOfTenSeconds(): string {
  const at = (tenth: number) => [tenth < 30 ? 190 : 20, tenth >= 25 && tenth < 50 ? 170 : 10];
  return Buffer.from(Array.from({ length: 100 }, (_, tenth) => at(tenth)).flat()).toString('base64');
}

const missing = missingBrowser();
if (missing) {
  test('a call in the console', { skip: missing }, () => {});
} else {
  const env = { SIP_HEADERS_IN: 'X-Account,Diversion', SIP_HEADERS_OUT: 'X-Account' };
  const service = await startService({ env });
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
    await page.getByText('has not reported the latency of any turn').waitFor();
    const turns = [790, 1_580, 655].map((first_audio_ms, turn_index) => ({
      turn_index,
      first_audio_ms,
      model: 'gpt-4o-mini',
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

  test('a recording is heard on the page of its call, a line of the transcript goes to its place, and it is deleted', async () => {
    const { body: call } = await service.request('POST', '/api/calls/outbound', {
      user: 'me',
      body: { agent_id: agent.id, phone_number: '+15005550100' },
    });
    const page = await visitor.visit(`/console/calls/${call.call_id}`);
    await page.getByText('no sound to record').waitFor();
    const started = Date.now();
    for (const [after, speaker, content] of [
      [2_000, 'AGENT', 'Hello Ada.'],
      [6_000, 'USER', 'When do you open?'],
    ] as const) {
      const timestamp = new Date(started + after).toISOString();
      const body = { speaker, content, timestamp };
      await service.request('POST', `/api/sessions/by-room/${call.room_name}/transcripts`, { body });
    }
    // The second is after the recording, and the third has no sound.
    const turns = [
      [5_000, 1_250],
      [20_000, 800],
      [7_000, null],
    ].map(([after = 0, first_audio_ms], turn_index) => ({
      turn_index,
      first_audio_ms,
      end_of_speech_at: new Date(started + (after ?? 0)).toISOString(),
    }));
    await service.request('POST', `/api/sessions/${call.call_id}/turns`, { body: { turns } });
    const of = recorder(service, call.call_id);
    await of.report('recording', { started_at: new Date(started).toISOString() });
    const audio = await readFile(path.join(import.meta.dirname, 'support/ten-seconds.ogg'));
    const sha256 = createHash('sha256').update(audio).digest('hex');
    const ten = segment(0, 10_000);
    await of.add(ten, { sha256, audio: audio.toString('base64'), levels: levelsOfTenSeconds() });
    await of.report('ended', { segments: 1, started_at: new Date(started).toISOString() });
    await eventually(
      async () => {
        await service.app.reconcile();
        return (await service.request('GET', `/api/calls/${call.call_id}/recordings`)).body.recordings[0].state;
      },
      (state) => state === 'stored',
    );
    await page.getByRole('button', { name: 'Listen (0:10)' }).click();
    const player = page.locator('audio');
    await player.waitFor({ state: 'attached' });
    await page.getByRole('img', { name: '1 silence, 1 time in which both speak' }).waitFor();
    const waits = page.locator('.wave .waits [title]');
    await waits.first().waitFor({ state: 'attached' });
    assert.deepEqual(
      await waits.evaluateAll((all) => all.map((one) => [one.getAttribute('title'), one.getAttribute('style')])),
      [['1250 ms to the first sound', 'inset-inline-start: 50%; inline-size: 12.5%;']],
    );
    // Slowly: on a busy machine it would be over before it is paused.
    await player.evaluate((element) => Object.assign(element, { playbackRate: 0.1 }));
    await page.getByRole('button', { name: /Hear: When do you open/ }).click();
    await eventually(
      () => player.evaluate((element) => (element as unknown as { currentTime: number }).currentTime),
      (time) => time >= 2 && time < 10,
    );
    await page.getByRole('button', { name: 'Pause' }).click();
    // The position is a slider, with the keys of one.
    const slider = page.getByRole('slider', { name: 'Position in the recording' });
    await slider.fill('3');
    await page.locator('li[aria-current]', { hasText: 'When do you open?' }).waitFor();
    await slider.press('Home');
    await page.locator('li[aria-current]', { hasText: 'Hello Ada.' }).waitFor();
    await slider.press('ArrowRight');
    await page.getByRole('timer').getByText('0:01 / 0:10').waitFor();
    await slider.press(' ');
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
    await page.getByLabel('Speed').selectOption({ label: '1.5 ×' });
    assert.equal(
      await player.evaluate((element) => (element as unknown as { playbackRate: number }).playbackRate),
      1.5,
    );
    assert.deepEqual(await seriousViolations(page), []);
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Deleted.').waitFor();
    assert.deepEqual(visitor.errors, []);
    await page.context().close();
  });

  test('a supervisor steps in: words for the agent, an instruction, and keys of the telephone', async () => {
    const { body: call } = await service.request('POST', '/api/calls/outbound', {
      user: 'me',
      body: { agent_id: agent.id, phone_number: '+15005550100' },
    });
    const page = await visitor.visit(`/console/calls/${call.call_id}`);
    const words = page.getByLabel('Words for the agent');
    await words.fill('One moment, please.');
    await page.getByRole('button', { name: 'Say it now' }).click();
    await page.getByText('The agent says it.').waitFor();
    await page.locator('.transcript li', { hasText: 'One moment, please.' }).waitFor();
    assert.equal(await words.inputValue(), '');
    await words.fill('Offer a refund.');
    await page.getByRole('button', { name: 'Instruct the agent' }).click();
    await page.getByText('The agent knows.').waitFor();
    await page.getByRole('group', { name: 'Keys of the telephone' }).getByRole('button', { name: '#' }).click();
    assert.deepEqual(await seriousViolations(page), []);
    await service.request('POST', `/api/calls/${call.call_id}/end`, { user: 'me' });
    await words.waitFor({ state: 'detached' });
    assert.deepEqual(visitor.errors, []);
    await page.context().close();
  });

  test('the timeline tells who pressed which keys, and hides those that nobody may know', async () => {
    const entries = [
      { name: 'order_number', description: 'The number of the order' },
      { name: 'pin', description: 'The PIN', sensitive: true },
    ];
    const tools = { dtmf: true, collect_digits: entries };
    const { body: keypad } = await service.request('POST', '/api/agents/', {
      body: { name: 'Keypad', user_id: 'me', config: { tools, privacy: { redact: ['card'] } } },
    });
    const { body: call } = await service.request('POST', '/api/calls/outbound', {
      user: 'me',
      body: { agent_id: keypad.id, phone_number: '+15005550100' },
    });
    await reaches(service, call.call_id, 'ANSWERED');
    const called = (name: string, result: string, after: number, args: object = {}) => {
      const called_at = new Date(Date.now() + after * 1000).toISOString();
      return { call_id: `${name} ${after}`, name, arguments: args, result, called_at };
    };
    const tool_calls = [
      called('send_dtmf', 'Pressed 2#.', 4, { digits: '2#' }),
      called('collect_order_number', '4021', 12),
      called('collect_pin', 'The caller has pressed 4 keys, which only functions may know.', 25),
      called('collect_order_number', '4111111111111111', 41),
    ];
    await service.request('POST', `/api/sessions/${call.call_id}/turns`, { body: { tool_calls } });
    const page = await visitor.visit(`/console/calls/${call.call_id}`);
    const timeline = page.locator('.timeline');
    await timeline.getByText('The agent pressed 2#').waitFor();
    const told = await timeline.locator('li', { hasText: 'pressed' }).allInnerTexts();
    assert.deepEqual(
      told.map((text) => text.split('\n').slice(0, -1).filter(Boolean)),
      [
        ['The agent pressed 2#'],
        ['The caller pressed 4021', 'For order_number.'],
        ['The caller pressed ••••', 'For pin, sensitive.'],
        ['The caller pressed ••••', 'For order_number, redacted.'],
      ],
    );
    assert.ok(!(await page.content()).includes('4111111111111111'));
    assert.deepEqual(await seriousViolations(page), []);
    assert.deepEqual(visitor.errors, []);
    await page.context().close();
  });

  test('a call shows its SIP facts: ids to copy, codec, jitter, loss and headers', async () => {
    const sip_headers = { 'X-Account': 'C-17' };
    const { body: call } = await service.request('POST', '/api/calls/outbound', {
      user: 'me',
      body: { agent_id: agent.id, phone_number: '+15005550100', sip_headers },
    });
    const page = await visitor.visit(`/console/calls/${call.call_id}`);
    const sip = page.locator('section', { has: page.getByRole('heading', { name: 'SIP', exact: true }) });
    await sip.getByText('X-Account: C-17').waitFor();
    await service.request('POST', `/api/calls/${call.call_id}/end`, { user: 'me' });
    const figures = { codec: 'PCMU', q850_cause: 16, jitter_ms: 2.4, packet_loss_percent: 0 };
    await service.request('POST', `/api/calls/${call.call_id}/outcome`, { user: 'me', body: { sip: figures } });
    await eventually(
      async () => (await service.request('GET', `/api/calls/${call.call_id}`, { user: 'me' })).body.sip.call_id,
      (id) => id !== null,
    );
    await page.reload();
    for (const text of ['PCMU', '16', '2.4 ms', '0 %']) await sip.getByText(text, { exact: true }).waitFor();
    await sip.getByText('@sandbox.invalid').waitFor();
    assert.equal(await sip.getByRole('button', { name: 'Copy the Call-ID' }).count(), 1);
    assert.deepEqual(await seriousViolations(page), []);
    await page.context().close();
  });

  test('all cost lines of a call are shown, page by page, under the sum of all', async () => {
    const { body: call } = await service.request('POST', '/api/calls/outbound', {
      user: 'me',
      body: { agent_id: agent.id, phone_number: '+15005550100' },
    });
    const line = { session_id: call.call_id, user_id: 'me', provider: 'openai', event_type: 'llm_tokens' };
    const events = Array.from({ length: 101 }, (_, index) => ({
      ...line,
      quantity: String(index + 1),
      unit_cost: '0.01',
      total_cost: '0.01',
    }));
    await service.request('POST', '/api/usage/events/batch', { body: { events } });
    const page = await visitor.visit(`/console/calls/${call.call_id}`);
    const lines = page.getByRole('region', { name: 'Cost lines' });
    await page.locator('.total').getByText('$1.01', { exact: true }).waitFor();
    const kinds = page.getByRole('region', { name: 'Costs by kind' });
    await kinds.getByRole('row', { name: /^llm tokens \$1\.01$/ }).waitFor();
    assert.match((await page.getByRole('heading').allTextContents()).join(), /Turns.*Costs/, 'latency is seen first');
    await page.getByText('Each entry (100+)').click();
    await eventually(
      () => lines.getByRole('row').count(),
      (count) => count === 1 + 100,
    );
    // A change while a page is loaded refreshes its list, and does not drop it.
    await page.route(/usage\/events\?.*cursor=/, async (route) => {
      await service.request('POST', `/api/calls/${call.call_id}/end`, { user: 'me' });
      await sleep(REFRESHED_MS);
      await route.continue();
    });
    await page.getByRole('button', { name: 'Show more' }).click();
    await lines.getByRole('row').nth(101).waitFor();
    await kinds.getByRole('row', { name: /^openai llm tokens 101 5151 \$1\.01$/ }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Show more' }).count(), 0);
    await page.context().close();
  });

  test('a cost line without a price says so, until it has one', async () => {
    const { body: call } = await service.request('POST', '/api/calls/outbound', {
      user: 'me',
      body: { agent_id: agent.id, phone_number: '+15005550100' },
    });
    const line = { session_id: call.call_id, user_id: 'me', provider: 'acme', event_type: 'llm_tokens', quantity: '2' };
    await service.request('POST', '/api/usage/events/batch', { body: { events: [line] } });
    const page = await visitor.visit(`/console/calls/${call.call_id}`);
    const lines = page.getByRole('region', { name: 'Cost lines' });
    await page.getByText('Each entry (1)').click();
    await lines.getByText('unpriced').waitFor();
    await page.locator('.total').getByText('+ 1 unpriced', { exact: true }).waitFor();
    assert.equal(await lines.getByText('$0', { exact: true }).count(), 0);
    const valid_from = new Date().toISOString().slice(0, 10);
    const price = { provider: 'acme', event_type: 'llm_tokens', price: '0.25', valid_from };
    await service.request('PUT', '/api/prices', { body: { entries: [price] } });
    assert.equal((await service.request('POST', '/api/prices/apply')).status, 200);
    await page.reload();
    await page.getByText('Each entry (2)').click();
    await lines.getByText('$0.5', { exact: true }).waitFor();
    assert.equal(await page.getByText('unpriced').count(), 0);
    await page.context().close();
  });
}
