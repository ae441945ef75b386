import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { callIn } from './support/callers.ts';
import { ownNumber, sessionOf } from './support/inbound.ts';
import { setUp } from './support/setup.ts';
import { isEnded, seenBy, WITHIN_MS } from './support/switchboard.ts';
import { headerOf } from './support/trace.ts';

const setup = await setUp({
  SIP_HEADERS_IN: 'X-Account,Diversion,P-Asserted-Identity',
  SIP_HEADERS_OUT: 'X-Account,User-to-User',
});
const { lab, service } = setup;

test('a caller’s headers arrive with the call, those of the list alone, and the Call-ID is the caller’s', async () => {
  const diversion = '<sip:+14155550111@127.0.0.1>;reason=no-answer';
  const headers = ['X-Account: C-17', `Diversion: ${diversion}`, 'X-Secret: token', 'P-Asserted-Identity: '];
  const caller = await callIn(lab, await ownNumber(setup, {}), { talkMs: 1_000, headers });
  const call_id = await sessionOf(setup, caller.number);
  const { sip } = await eventually(() => service.detail(call_id), isEnded, WITHIN_MS);
  assert.deepEqual(sip.headers_in, { 'x-account': 'C-17', diversion });
  assert.equal(sip.call_id, (await caller.dialogue())?.callId);
  assert.match(sip.bridge_call_id, /^SCL_/);
});

test('a phone gets the headers of its call in the INVITE, and the Call-ID of an answered one is known at its end', async () => {
  const sip_headers = { 'X-Account': 'C-18', 'User-to-User': '5468;encoding=hex' };
  const { call_id, number } = await service.call('hangsUpAfterASecond', { sip_headers });
  const { sip } = await eventually(
    () => service.detail(call_id),
    (call) => isEnded(call) && call.sip.call_id !== null,
    WITHIN_MS,
  );
  const seen = (await seenBy(lab, number)) ?? assert.fail('the phone has not rung');
  const invite = seen.messages.find(({ method }) => method === 'INVITE')?.text ?? '';
  for (const [name, value] of Object.entries(sip_headers)) assert.equal(headerOf(invite, name), value);
  assert.deepEqual([sip.call_id, sip.headers_out], [seen.callId, sip_headers]);
});

test('a phone that refuses leaves only the bridge’s id', async () => {
  const { call_id } = await service.call(486);
  const { sip } = await eventually(
    () => service.detail(call_id),
    (call) => isEnded(call) && call.sip !== null,
    WITHIN_MS,
  );
  assert.equal(sip.call_id, null);
  assert.match(sip.bridge_call_id, /^SCL_/);
});
