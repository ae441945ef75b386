import { eventually } from '@switchboard/testkit/eventually.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { EXTRACTOR_TEMPLATES } from '../../packages/console/src/data/extractor-templates.ts';
import { openConsole } from './console.ts';
import { createCalendar } from './console-month.ts';

const USER = 'me';
/** Lines of the call, each with the seconds that it takes. */
const SAID = [
  ['AGENT', 'Station Road Practice, good morning. What can I do for you?', 4],
  ['USER', 'Good morning. I would like to come in for a check, with my son, so there are 2 people.', 7],
  ['AGENT', 'Of course. Would Thursday at half past two suit you both?', 5],
  ['USER', 'Thursday is fine.', 2],
  ['AGENT', 'Then you are both booked for Thursday at half past two.', 5],
  ['USER', 'Perfect, thank you.', 2],
] as const;

/** Makes the picture of a call that was analysed: its transcript, and the values with their evidence. */
export async function pictureOfAnalysis(file: string): Promise<void> {
  const clock = createCalendar();
  const env = { SANDBOX_RING_MS: '60', SANDBOX_CONVERSATIONS: '0', CALL_REPORT_DELAY_S: '0' };
  const service = await startService({ clock, env });
  const ask = async (method: string, route: string, body?: object) =>
    (await service.request(method, route, { user: USER, ...(body && { body }) })).body;
  const [, template] = EXTRACTOR_TEMPLATES;
  await ask('POST', '/api/extractors', { name: template?.name, ...template?.content });
  const config = { instructions: 'You make appointments.', extractors: [template?.name] };
  const { id: agent_id } = await ask('POST', '/api/agents/', { name: 'Front desk', user_id: USER, config });
  const call = await ask('POST', '/api/calls/outbound', { agent_id, phone_number: '+15005550100' });
  await eventually(
    () => ask('GET', `/api/calls/${call.call_id}`),
    ({ started_at }) => started_at !== null,
  );
  for (const [speaker, content, seconds] of SAID) {
    clock.pass(seconds);
    await ask('POST', `/api/sessions/by-room/${call.room_name}/transcripts`, { speaker, content });
  }
  await ask('POST', `/api/calls/${call.call_id}/end`);
  const visitor = await openConsole(service.url);
  const page = await visitor.visit(`/console/calls/${call.call_id}?user=${USER}`, {
    viewport: { width: 1280, height: 900 },
  });
  const analysis = page.getByRole('article', { name: 'appointment, version 1' });
  await analysis.getByText('Done', { exact: true }).waitFor({ timeout: 120_000 });
  await analysis.getByRole('button', { name: /booked for Thursday/ }).click();
  await page.locator('.transcript .line[aria-current]').waitFor();
  await page.evaluate('scrollTo(0, 0)');
  await page.screenshot({ path: file });
  await visitor.close();
  await service.close();
}
