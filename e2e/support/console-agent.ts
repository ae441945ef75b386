import path from 'node:path';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startService } from '@switchboard/testkit/service.ts';
import type { Page } from 'playwright-core';
import { EXTRACTOR_TEMPLATES } from '../../packages/console/src/data/extractor-templates.ts';
import { createSandboxMedia } from '../../packages/server/src/providers/sandbox/media.ts';
import { FRONT_DESK } from '../../packages/templates/src/front-desk.ts';
import { openConsole } from './console.ts';
import { createCalendar } from './console-month.ts';

const USER = 'me';
/** The extractor that judges the calls. */
const [OUTCOME] = EXTRACTOR_TEMPLATES;

/** Models of the first version, and of the second one. */
const BEFORE = ['nova-2', 'gpt-4.1', 'sonic-2'] as const;
const AFTER = ['nova-3', 'gpt-4.1-mini', 'sonic-3'] as const;
type Models = typeof BEFORE | typeof AFTER;

const PRICES = [
  ['deepgram', 'nova-2', 'stt_minutes', '0.0058'],
  ['deepgram', 'nova-3', 'stt_minutes', '0.0077'],
  ['openai', 'gpt-4.1', 'llm_input_tokens', '0.000002'],
  ['openai', 'gpt-4.1', 'llm_output_tokens', '0.000008'],
  ['openai', 'gpt-4.1-mini', 'llm_input_tokens', '0.0000004'],
  ['openai', 'gpt-4.1-mini', 'llm_output_tokens', '0.0000016'],
  ['openai', 'gpt-4o-mini', 'llm_input_tokens', '0.00000015'],
  ['openai', 'gpt-4o-mini', 'llm_output_tokens', '0.0000006'],
  ['openai', 'gpt-4o', 'llm_input_tokens', '0.0000025'],
  ['openai', 'gpt-4o', 'llm_output_tokens', '0.00001'],
  ['cartesia', 'sonic-2', 'tts_characters', '0.00004'],
  ['cartesia', 'sonic-3', 'tts_characters', '0.00005'],
] as const;

/** Milliseconds to the transcript, the first word and the first sound, with these models. */
const LATENCIES: Record<Models[0], [number, number, number]> = {
  'nova-2': [310, 880, 1130],
  'nova-3': [190, 540, 730],
};
const PHONES = ['+15005550100', '+15005550101', '+15005550110', '+15005550120', '+15005550001', '+15005550130'];

/** Makes the pictures of an agent's models, of publishing it, of its versions, and of a test that it fails. */
export async function picturesOfAgent(folder: string): Promise<void> {
  const clock = createCalendar();
  // The calls have figures of models, which are not those of the sandbox's own conversations, nor are their analyses.
  const { analyseCall: _, ...media } = createSandboxMedia({ clock, ringMs: 60 });
  const service = await startService({ clock, media, env: { CALL_REPORT_DELAY_S: '0' } });
  const ask = async (method: string, route: string, body?: object) =>
    (await service.request(method, route, { user: USER, ...(body && { body }) })).body;
  // A draft that was saved just now would be said to have another editor.
  clock.pass(-7_200);
  const agent = await makeVersions(ask, clock.pass);
  const visitor = await openConsole(service.url);
  const page = await visitor.visit(`/console/tests?user=${USER}`, { viewport: { width: 1440, height: 900 } });
  page.setDefaultTimeout(120_000);
  const shoot = async (name: string) => {
    await page.waitForLoadState('networkidle', { timeout: 3_000 }).catch(() => {});
    await page.screenshot({ path: path.join(folder, `console-${name}.png`) });
  };
  await page.getByRole('button', { name: 'Tests of a template' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click();
  await page.getByRole('button', { name: 'Run Front desk' }).waitFor();
  const at = async (tab: string, height: number) => {
    await page.setViewportSize({ width: 1440, height });
    await page.goto(`${service.url}/console/agents/${agent.id}?${tab}`);
  };
  // High enough for two kinds of models.
  await at('section=models', 1180);
  await page
    .getByTitle(/^First word after the end of speech/)
    .first()
    .waitFor();
  await shoot('agent-models');
  await page.setViewportSize({ width: 1440, height: 900 });
  await showPublish(page);
  await shoot('publish');
  await ask('POST', `${agent.route}/versions`, { note: 'Knows about the holidays' });
  const arms = [
    { version: 2, weight: 80 },
    { version: 3, weight: 20 },
  ];
  await ask('PUT', `${agent.route}/release`, { arms, sticky_by: 'number' });
  await agent.call(3, AFTER, 5);
  await at('tab=versions', 700);
  const row = page.getByRole('row', { name: /Knows about the holidays/ });
  await row.getByRole('cell', { name: / judged$/ }).waitFor();
  await shoot('versions');
  await showFailedTest(ask, page, `${service.url}/console/tests/runs`, agent);
  await shoot('test-run');
  await visitor.close();
  await service.close();
}

type Ask = (method: string, route: string, body?: object) => Promise<ReturnType<typeof JSON.parse>>;

/** An agent with two versions that had calls, and a draft. */
async function makeVersions(ask: Ask, pass: (seconds: number) => void) {
  const entries = PRICES.map(([provider, model, event_type, price]) => {
    return { provider, model, event_type, price, valid_from: '2026-01-01' };
  });
  await ask('PUT', '/api/prices', { entries });
  await ask('POST', '/api/extractors', { name: OUTCOME?.name, ...OUTCOME?.content });
  const { name, description, config } = FRONT_DESK;
  const configOf = ([stt, llm, tts]: Models, more: object = {}) => {
    const models = { stt: { provider: 'deepgram', model: stt }, llm: { provider: 'openai', model: llm } };
    return { ...config, ...models, tts: { provider: 'cartesia', model: tts }, ...more };
  };
  const { id } = await ask('POST', '/api/agents/', { name, description, user_id: USER, config: configOf(BEFORE) });
  const route = `/api/agents/${id}`;
  const call = async (agent_version: number, models: Models, calls: number) => {
    for (let place = 0; place < calls; place++)
      await makeCall(ask, pass, { agent_id: id, agent_version }, models, place);
  };
  await call(1, BEFORE, 14);
  await ask('PUT', `${route}/draft`, { name, description, config: configOf(AFTER) });
  await ask('POST', `${route}/versions`, { note: 'Newer recognition, a smaller model' });
  await ask('PUT', `${route}/release`, { arms: [{ version: 2, weight: 100 }], sticky_by: 'number' });
  await call(2, AFTER, 22);
  const instructions = config.instructions?.replace(
    '\n- It is in Market Street',
    '\n- It is closed from 24 December to 1 January; the practice in Station Road takes urgent cases then.\n- It is in Market Street',
  );
  const greeting = 'Hello, this is the front desk of Market Street Practice. How can I help you?';
  await ask('PUT', `${route}/draft`, { name, description, config: configOf(AFTER, { instructions, greeting }) });
  /** A draft that says something else than the version does. */
  const draftWith = (before: string, after: string) => {
    const changed = configOf(AFTER, { instructions: config.instructions?.replace(before, after) });
    return ask('PUT', `${route}/draft`, { name, description, config: changed });
  };
  return { id, route, call, draftWith };
}

type Called = { agent_id: string; agent_version: number };

/** A call with the usage of the models and the latencies of four turns. */
async function makeCall(ask: Ask, pass: (s: number) => void, called: Called, models: Models, place: number) {
  const phone_number = PHONES[place % PHONES.length];
  const { call_id, room_name } = await ask('POST', '/api/calls/outbound', { ...called, phone_number });
  const { call_status } = await eventually(
    () => ask('GET', `/api/calls/${call_id}/status`),
    (answer) => answer.call_status !== 'RINGING',
  );
  if (call_status !== 'ANSWERED') return;
  const [stt, llm, tts] = models;
  const minutes = 1 + (place % 3);
  const used = [
    ['deepgram', stt, 'stt_minutes', minutes],
    ['openai', llm, 'llm_input_tokens', 4200 * minutes],
    ['openai', llm, 'llm_output_tokens', 120 * minutes],
    ['cartesia', tts, 'tts_characters', 450 * minutes],
  ].map(([provider, model, event_type, quantity]) => {
    const session = { session_id: call_id, user_id: USER, agent_id: called.agent_id };
    return { ...session, provider, model, event_type, quantity: String(quantity) };
  });
  await ask('POST', '/api/usage/events/batch', { events: used });
  const turns = Array.from({ length: 4 }, (_, turn_index) => {
    // Longer ones are rarer.
    const [transcript_ms, first_token_ms, first_audio_ms] = LATENCIES[stt].map((ms, kind) =>
      Math.round(ms * (0.9 + ((place * 7 + turn_index * 3 + kind) % 10) ** 2 / 160)),
    );
    const end_of_speech_at = new Date().toISOString();
    return { turn_index, model: llm, end_of_speech_at, transcript_ms, first_token_ms, first_audio_ms };
  });
  await ask('POST', `/api/sessions/${call_id}/turns`, { turns });
  await ask('POST', `/api/sessions/by-room/${room_name}/transcripts`, { speaker: 'USER', content: 'Good morning.' });
  pass(60 * minutes - 7);
  await ask('POST', `/api/calls/${call_id}/end`);
  await judge(ask, call_id, place % (stt === BEFORE[0] ? 4 : 9) !== 1);
}

/** Has the call judged, as a worker does. */
async function judge(ask: Ask, call_id: string, success: boolean): Promise<void> {
  await ask('POST', `/api/calls/${call_id}/analyses`, { extractors: [OUTCOME?.name] });
  const { tasks } = await ask('POST', '/api/worker/tasks/claim', { kind: 'analysis', wait_s: 30 });
  const [{ task_id, lease_token }] = tasks;
  const result = { values: {}, evidence: {}, summary: 'A call.', success };
  await ask('POST', `/api/worker/tasks/${task_id}/complete`, { lease_token, result });
}

/** Runs the suite with a draft that has lost a fact, and shows what failed. */
async function showFailedTest(ask: Ask, page: Page, runs: string, agent: Awaited<ReturnType<typeof makeVersions>>) {
  await agent.draftWith('opens at nine and closes', 'opens early and closes');
  const [suite] = (await ask('GET', '/api/suites')).items;
  const run = await ask('POST', '/api/test-runs', { agent_id: agent.id, agent_version: 'draft', suite: suite.id });
  await page.setViewportSize({ width: 1280, height: 960 });
  await page.goto(`${runs}/${run.id}`);
  await page.getByRole('button', { name: 'Run again' }).waitFor();
  await page.getByText('Turn 2').first().waitFor();
}

/** Opens the dialog that publishes the draft, with everything that it asks for. */
async function showPublish(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Publish…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Note', { exact: true }).fill('Knows about the holidays');
  await dialog.getByLabel('Calls that get it').fill('20');
  await dialog.getByLabel('Tests that must pass first').selectOption({ label: 'Front desk' });
}
