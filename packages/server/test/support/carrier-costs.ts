import assert from 'node:assert/strict';
import { createAgent, placeCall, reaches } from '@switchboard/testkit/calls.ts';
import type { Json } from '@switchboard/testkit/client.ts';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { openTestDatabase } from '@switchboard/testkit/database.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { type CallResource, twilioCall } from '@switchboard/testkit/twilio-calls.ts';
import { startTwilioStandIn } from '@switchboard/testkit/twilio-stand-in.ts';
import { timeIds } from '../../src/lib/ids.ts';
import { createTwilioCarrier } from '../../src/providers/twilio/twilio.ts';

export const OWN = '+15005550010';
export const clock = createTestClock('2026-01-01T09:00:00.000Z');
timeIds(() => clock.now().getTime());
export const twilio = await startTwilioStandIn({ phone_numbers: [OWN] });
const carrier = createTwilioCarrier({ ...twilio.account, baseUrl: twilio.url });
export const database = await openTestDatabase();
const env = { CALLS_PER_SECOND: '1000', CALLS_BURST: '1000' };
export const service = await startService({ clock, carrier, database, env });
export const replica = await startService({ clock, carrier, database, env });
export const agent_id = await createAgent(service);
const price = { provider: 'twilio', event_type: 'telephony_minutes', valid_from: '2026-01-01' };
const entries = [{ ...price, prefix: '1500', price: '0.02', billing_increment: '60/60' }];
assert.equal((await service.request('PUT', '/api/prices', { body: { entries } })).status, 200);

/** Each test uses a day of its own, so that the tests do not see one another's calls. */
let today = 1;
export function nextDay(): string {
  today += 1;
  const date = `2026-01-${String(today).padStart(2, '0')}`;
  clock.set(`${date}T09:00:00.000Z`);
  twilio.setUp({ calls: [] });
  return date;
}
export const record = (...calls: CallResource[]) => twilio.setUp({ calls });
export const after = (ms: number) => new Date(clock.now().getTime() + ms);
export const importDay = async (date: string, on = service) => {
  const { status, body } = await on.request('POST', `/api/costs/carrier-import?date=${date}`);
  assert.equal(status, 200, JSON.stringify(body));
  return body;
};
export const end = (call_id: string) => service.request('POST', `/api/calls/${call_id}/end`);

/** A call to this phone of this duration, and the carrier's record of it, which includes the ringing. */
export async function call(phone: string, ms: number, fields: Partial<CallResource> = {}) {
  const { call_id } = await placeCall(service, phone, { agent_id });
  await reaches(service, call_id, 'ANSWERED');
  const started_at = after(-8_000);
  clock.advance(ms);
  await end(call_id);
  const found = twilioCall({ to: phone, from: OWN, started_at, ended_at: after(700), ...fields });
  clock.advance(600_000);
  return { call_id, found };
}

export const eventsOf = async (session_id: string): Promise<[Json, Json, ...Json[]]> => {
  const { body } = await service.request('GET', `/api/usage/events?limit=100&session_id=${session_id}`);
  return body.items.filter(({ event_type }: Json) => event_type === 'telephony_minutes');
};
export const costOf = async (session_id: string): Promise<string> =>
  (await service.request('GET', `/api/sessions/${session_id}/costs`)).body.by_event_type.telephony_minutes;
export const report = async (date: string) =>
  (
    await service.request(
      'GET',
      `/api/costs/report?group_by=provider&provider=twilio&start_date=${date}&end_date=${date}`,
    )
  ).body;
