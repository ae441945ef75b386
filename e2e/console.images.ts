// Updates the pictures in docs/images: node e2e/console.images.ts
import path from 'node:path';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startReceiver } from '@switchboard/testkit/receiver.ts';
import { startService } from '@switchboard/testkit/service.ts';
import type { Page } from 'playwright-core';
import { openConsole } from './support/console.ts';
import { picturesOfAgent } from './support/console-agent.ts';
import { pictureOfAnalysis } from './support/console-analysis.ts';
import { createCalendar, makeMonth } from './support/console-month.ts';

const IMAGES = path.resolve(import.meta.dirname, '../docs/images');
const AGENTS = [
  ['Front desk', 'Answers questions, takes messages, and transfers callers.'],
  ['Appointment reminder', 'Calls ahead of an appointment, and confirms or moves it.'],
  ['Feedback call', 'Asks three questions after a purchase.'],
] as const;

/** Facts that the simulated caller asks for. */
const FACTS =
  'The practice opens at eight on weekdays. It is in Station Road, next to the pharmacy. There is parking behind the house.';
const OPEN = [
  'Thursday would suit me better.',
  'Yes, everything came on time.',
  'Could you say that once more, please?',
  'I am calling about my invoice of last month.',
];

/** Variables of the appointment reminder. */
const APPOINTMENT = { business: 'Station Road Practice', day: 'Thursday', first_name: 'Ada', time: 'half past two' };

/** Five hundred people, of whom some were called. */
async function showCampaign(shown: Page, agent_id: string | undefined): Promise<void> {
  const pacing = { max_concurrent: 40, per_minute: 6_000 };
  const { body } = await ask('POST', '/api/campaigns', {
    name: 'Appointments of next week',
    agent_id,
    pacing,
    purpose: 'service',
  });
  const recipients = Array.from({ length: 500 }, (_, index) => ({
    phone_number: `+1500556${1000 + index}`,
    external_id: `P-${1000 + index}`,
    variables: APPOINTMENT,
  }));
  await ask('POST', `/api/campaigns/${body.id}/recipients`, { recipients });
  await ask('POST', `/api/campaigns/${body.id}/start`);
  await eventually(
    async () => (await ask('GET', `/api/campaigns/${body.id}`)).body,
    (campaign) => campaign.recipients.reached > 60,
  );
  await shown.setViewportSize({ width: 1280, height: 820 });
  await shown.goto(`${service.url}/console/campaigns/${body.id}`);
  await shown.getByText('Answered').first().waitFor();
  await shoot(shown, 'campaign');
  await ask('POST', `/api/campaigns/${body.id}/cancel`);
}

const clock = createCalendar();
const service = await startService({ clock, env: { SANDBOX_RING_MS: '60', SANDBOX_CONVERSATIONS: '1' } });
const receiver = await startReceiver();
const ask = (method: string, route: string, body?: object) =>
  service.request(method, route, { user: 'me', ...(body && { body }) });
const agents: string[] = [];
for (const [name, description] of AGENTS) {
  const config = {
    greeting: 'Good morning, this is the front desk. How can I help you?',
    language: 'en-US',
    instructions: FACTS,
  };
  const { body } = await ask('POST', '/api/agents/', { name, description, user_id: 'me', config });
  agents.push(body.id);
}
await makeMonth(ask, clock, agents);
clock.goBack(0);
await ask('PUT', `/api/agents/${agents[0]}/callback-url`, { callback_url: `${receiver.url}/calls` });

const visitor = await openConsole(service.url);
const options = (colorScheme: 'light' | 'dark') => ({ colorScheme, viewport: { width: 1280, height: 800 } });
const shoot = async (page: Page, name: string) => {
  await page.waitForLoadState('networkidle', { timeout: 3_000 }).catch(() => {});
  await page.screenshot({ path: path.join(IMAGES, `console-${name}.png`) });
};

const page = await visitor.visit('/console/agents', options('light'));
await page
  .getByRole('row', { name: /Front desk/ })
  .getByRole('button', { name: 'Call me' })
  .click();
await page.getByText('No phone rings').waitFor();
await page.getByRole('button', { name: 'Call', exact: true }).click();
await page.locator('.transcript li').nth(6).waitFor();
await page.locator('.total').waitFor();
await page.getByText('call.answered').waitFor();
await shoot(page, 'call');
// Calls that are open while the other pages are rendered: the page has just created the first one.
for (const [index, said] of OPEN.entries()) {
  const agent_id = agents[index % agents.length];
  const { body: call } = await ask('POST', '/api/calls/outbound', {
    agent_id,
    phone_number: `+1500555010${index + 1}`,
  });
  await ask('POST', `/api/sessions/by-room/${call.room_name}/transcripts`, { speaker: 'USER', content: said });
  const used = { session_id: call.call_id, user_id: 'me', agent_id, provider: 'openai', event_type: 'llm_tokens' };
  const cost = `0.0${4 * index + 3}`;
  await ask('POST', '/api/usage/events', { ...used, quantity: '1', unit_cost: cost, total_cost: cost });
}
await ask('POST', '/api/telephony/numbers/assign', { agent_id: agents[0], phone_number: '+15005550010' });
for (const [route, name, sight] of [
  ['live', 'live', '.virtual-row a'],
  ['calls', 'calls', '.virtual-row a'],
  ['agents', 'agents', 'table'],
  ['numbers', 'numbers', 'table'],
  ['deliveries', 'deliveries', 'table'],
  ['settings?tab=configuration', 'settings', 'table'],
] as const) {
  await page.goto(`${service.url}/console/${route}`);
  await page.locator(sight).first().waitFor();
  await shoot(page, name);
}
await page.goto(`${service.url}/console/agents`);
await page.getByRole('button', { name: 'New agent' }).click();
await page.getByRole('button', { name: /^Appointment reminder/ }).click();
await page.getByRole('textbox', { name: 'Prompt' }).waitFor();
await page.getByRole('button', { name: 'Not now' }).click();
// Wide enough for the chat at the side.
await page.setViewportSize({ width: 1440, height: 780 });
for (const [name, value] of Object.entries(APPOINTMENT)) await page.getByLabel(name, { exact: true }).fill(value);
await page.getByLabel('Message', { exact: true }).fill('When is my appointment?');
await page.getByLabel('Message', { exact: true }).press('Enter');
await page.getByRole('log', { name: 'Messages' }).getByText('on Thursday at half past two').waitFor();
await shoot(page, 'agent');
await ask('PUT', '/api/dial-policies/texas', { preset: 'us-tx', is_default: true, min_gap_s: 86_400 });
await ask('PUT', '/api/dial-policies/europe', { preset: 'eu' });
await page.setViewportSize({ width: 1280, height: 640 });
await page.goto(`${service.url}/console/policies`);
await page.getByRole('article', { name: 'texas' }).getByLabel('Where').selectOption({ label: 'United States, TX' });
await shoot(page, 'policies');
await page.setViewportSize({ width: 360, height: 740 });
await page.goto(`${service.url}/console/live`);
await page.locator('.virtual-row a').first().waitFor();
await shoot(page, 'live-phone');
const dark = await visitor.visit('/console', options('dark'));
for (const [route, name] of [
  ['', 'overview'],
  ['costs', 'costs'],
] as const) {
  await dark.goto(`${service.url}/console/${route}`);
  await dark.locator('.chart').waitFor();
  await shoot(dark, name);
}
// Hundreds of calls more, which the figures of the others are without.
await showCampaign(page, agents[1]);
await visitor.close();
await pictureOfAnalysis(path.join(IMAGES, 'console-analysis.png'));
await picturesOfAgent(IMAGES);
await service.close();
await receiver.close();
process.exit(0);
