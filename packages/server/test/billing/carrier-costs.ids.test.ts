import assert from 'node:assert/strict';
import { after as atEnd, test } from 'node:test';
import { createAgent } from '@switchboard/testkit/calls.ts';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { twilioCall } from '@switchboard/testkit/twilio-calls.ts';
import { startTwilioStandIn } from '@switchboard/testkit/twilio-stand-in.ts';
import { timeIds } from '../../src/lib/ids.ts';
import { readPhone } from '../../src/providers/livekit/sip-attributes.ts';
import { createTwilioCarrier } from '../../src/providers/twilio/twilio.ts';

const OWN = '+15005550010';
const clock = createTestClock('2026-01-05T09:00:00.000Z');
timeIds(() => clock.now().getTime());
atEnd(() => timeIds(Date.now));
const twilio = await startTwilioStandIn({ phone_numbers: [OWN] });
const carrier = createTwilioCarrier({ ...twilio.account, baseUrl: twilio.url });
const service = await startService({ clock, carrier });
const after = (ms: number) => new Date(clock.now().getTime() + ms);

test('the id of a call is read as Twilio writes it, and nothing else is one', () => {
  const read = (sid: string) => readPhone({ 'sip.twilio.callSid': sid }).carrier_call_sid;
  const sid = `CA${'0123456789abcdef'.repeat(2)}`;
  assert.deepEqual([sid, `${sid}0`, sid.slice(1), '', 'x\0'].map(read), [sid, null, null, null, null]);
});

test('a record that has the id of a call is that of the call, whatever its times', async () => {
  const own = await createAgent(service);
  await service.request('POST', '/api/telephony/numbers/assign', { body: { agent_id: own, phone_number: OWN } });
  const caller = '+442079460000';
  const ids: string[] = [];
  const sids = ['a', 'b'].map((digit) => `CA${digit.repeat(32)}`);
  for (const sid of sids) {
    const room_name = service.media.callIn(OWN, caller, sid);
    const { body } = await eventually(
      () => service.request('GET', `/api/sessions/by-room/${room_name}`),
      (answer) => answer.body.call_status === 'ANSWERED',
    );
    ids.push(body.id);
  }
  const started_at = after(0);
  for (const id of ids) {
    clock.advance(30_000);
    await service.request('POST', `/api/calls/${id}/end`);
  }
  const fields = { to: OWN, from: caller, started_at, direction: 'trunking-originating' } as const;
  // By their times each is that of the other call.
  const records = [
    { ...twilioCall({ ...fields, ended_at: after(0), price: '-0.0085' }), sid: sids[0] ?? '' },
    { ...twilioCall({ ...fields, ended_at: after(-30_000), price: '-0.0095' }), sid: sids[1] ?? '' },
  ];
  twilio.setUp({ calls: records });
  const { body: imported } = await service.request('POST', '/api/costs/carrier-import?date=2026-01-05');
  assert.equal(imported.imported, 2, JSON.stringify(imported));
  const costs = await Promise.all(ids.map((id) => service.request('GET', `/api/sessions/${id}/costs`)));
  assert.deepEqual(
    costs.map((one) => one.body.by_event_type.telephony_minutes),
    ['0.0085', '0.0095'],
  );
});
