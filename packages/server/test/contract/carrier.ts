import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Carrier } from '../../src/providers/carrier.ts';

/** The contract of every carrier. `open` gives an account that owns `owned`, and not `foreign`. */
export function carrierContract(
  name: string,
  open: () => Promise<{ carrier: Carrier; owned: string; foreign: string }>,
): void {
  const subject = open();

  test(`${name}: a number is found only when the account owns exactly it`, async () => {
    const { carrier, owned, foreign } = await subject;
    const number = await carrier.findNumber(owned);
    assert.equal(number?.phone_number, owned);
    assert.match(number.carrier_sid, /^PN[0-9a-f]{32}$/i);
    assert.equal(number.voice, true);
    for (const other of [foreign, owned.slice(0, -1), `${owned}0`, '*', ''])
      assert.equal(await carrier.findNumber(other), null, other);
  });

  test(`${name}: ping succeeds while the carrier answers`, async () => {
    await (await subject).carrier.ping();
  });

  test(`${name}: every owned number is listed`, async () => {
    const { carrier, owned, foreign } = await subject;
    const listed = (await carrier.listNumbers()).map(({ phone_number }) => phone_number);
    assert.ok(listed.includes(owned) && !listed.includes(foreign));
    assert.equal(new Set(listed).size, listed.length);
  });

  test(`${name}: attaching routes the number to the media provider, detaching restores its routing; both can be repeated`, async () => {
    const { carrier, owned } = await subject;
    const before = await carrier.findNumber(owned);
    assert.ok(before);
    await carrier.attach(before.carrier_sid);
    await carrier.attach(before.carrier_sid);
    const attached = await carrier.findNumber(owned);
    assert.ok(attached?.routing.trunk_sid);
    assert.notDeepEqual(attached.routing, before.routing);
    await carrier.detach(before.carrier_sid, before.routing);
    await carrier.detach(before.carrier_sid, before.routing);
    assert.deepEqual(await carrier.findNumber(owned), before);
  });

  test(`${name}: detaching leaves a number alone that has been rerouted in the meantime`, async () => {
    const { carrier, owned } = await subject;
    const before = await carrier.findNumber(owned);
    assert.ok(before);
    await carrier.detach(before.carrier_sid, { ...before.routing, voice_url: 'https://example.com/old' });
    assert.deepEqual(await carrier.findNumber(owned), before);
  });
}
