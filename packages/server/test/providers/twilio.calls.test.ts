import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CallResource, twilioCall } from '@switchboard/testkit/twilio-calls.ts';
import { failure, startTwilioStandIn } from '@switchboard/testkit/twilio-stand-in.ts';
import type { CarrierCall } from '../../src/providers/carrier.ts';
import { ProviderError } from '../../src/providers/provider-error.ts';
import { createTwilioCarrier } from '../../src/providers/twilio/twilio.ts';

const [FROM, TO] = [new Date('2026-01-12T00:00:00Z'), new Date('2026-01-13T00:10:00Z')];
const twilio = await startTwilioStandIn({ phone_numbers: ['+15005550010'] });
const carrier = createTwilioCarrier({ ...twilio.account, baseUrl: twilio.url });

function recorded(started: string, fields: Partial<CallResource> = {}): CallResource {
  const started_at = new Date(`2026-01-${started}Z`);
  const ended_at = new Date(started_at.getTime() + 232_000);
  return twilioCall({ to: '+442079460000', from: '+15005550010', started_at, ended_at, ...fields });
}

async function list(...calls: CallResource[]): Promise<CarrierCall[]> {
  twilio.setUp({ calls });
  const found: CarrierCall[] = [];
  for await (const page of carrier.listCalls(FROM, TO)) found.push(...page);
  return found;
}

test('the calls of a time are those that began in it, from all pages, once each', async () => {
  const calls = Array.from({ length: 125 }, (_, index) => recorded(`12T10:${String(index % 60).padStart(2, '0')}:00`));
  const edges = ['12T00:00:00', '13T00:09:59'].map((started) => recorded(started));
  const outside = ['11T23:59:59', '13T00:10:00'].map((started) => recorded(started));
  const open = recorded('12T10:00:00', { status: 'in-progress', end_time: null, price: null });
  twilio.recover();
  const found = await list(...calls, ...edges, ...outside, open);
  assert.deepEqual(
    found.map(({ carrier_call_sid }) => carrier_call_sid).sort(),
    [...calls, ...edges].map(({ sid }) => sid).sort(),
  );
  assert.equal(twilio.requests.length, 3, 'the stand-in has 50 on a page');
});

test('a record is read as it stands: SIP addresses, directions, and prices with all digits', async () => {
  const fields = { to: 'sip:+442079460000@example.pstn.twilio.com;transport=tls', from: '+15005550010@10.0.0.1' };
  const sip = recorded('12T10:00:00', { ...fields, parent_call_sid: `CA${'1'.repeat(32)}`, price_unit: 'usd' });
  assert.deepEqual(await list(sip), [
    {
      carrier_call_sid: sip.sid,
      parent_call_sid: `CA${'1'.repeat(32)}`,
      from: '+15005550010',
      to: '+442079460000',
      direction: 'OUTBOUND',
      started_at: new Date('2026-01-12T10:00:00Z'),
      ended_at: new Date('2026-01-12T10:03:52Z'),
      duration_s: 232,
      cost: '0.013',
      currency: 'USD',
    },
  ]);
  for (const [price, cost] of [
    ['-0.123456789012345678', '0.123456789012345678'],
    ['-10.00', '10'],
    ['0', '0'],
    ['-0.00', '0'],
    ['0.5', '-0.5'],
    [null, null],
  ] as const)
    assert.equal((await list(recorded('12T10:00:00', { price })))[0]?.cost, cost);
  for (const [word, direction] of [
    ['inbound', 'INBOUND'],
    ['trunking-originating', 'INBOUND'],
    ['outbound-dial', 'OUTBOUND'],
    ['sideways', null],
  ])
    assert.equal((await list(recorded('12T10:00:00', { direction: `${word}` })))[0]?.direction, direction);
});

test('a response that is not a list of calls, or contains others, is an error, as is a refusal', async () => {
  for (const fields of [{ sid: 'SM1' }, { start_time: 'yesterday' }, { price: 'free' }, { duration: '' }]) {
    const broken = { ...recorded('12T10:00:00'), ...fields };
    twilio.disturb({ answer: { status: 200, body: { calls: [broken], next_page_uri: null } } });
    await assert.rejects(list(), isError('provider_answer_invalid'), JSON.stringify(fields));
    twilio.recover();
  }
  for (const [answer, code] of [
    [{ status: 200, body: { error: 'none' } }, 'provider_answer_invalid'],
    [failure(401, 20003, 'Authenticate'), 'provider_refused'],
    [failure(500, 20500, 'Internal Server Error'), 'provider_unavailable'],
  ] as const) {
    twilio.disturb({ answer });
    await assert.rejects(list(), isError(code));
    twilio.recover();
  }
});

const isError = (code: string) => (error: unknown) => error instanceof ProviderError && error.code === code;
