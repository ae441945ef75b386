import assert from 'node:assert/strict';
import type { TwilioStandIn } from '@switchboard/testkit/twilio-stand-in.ts';
import type { Carrier } from '../../packages/server/src/providers/carrier.ts';
import { createTwilioCarrier } from '../../packages/server/src/providers/twilio/twilio.ts';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts';

/**
 * A carrier that uses a separate proxy for each number, so that one service sees many faults at
 * once.
 */
export async function throughProxies(twilio: TwilioStandIn, phone_numbers: string[]) {
  const port = Number(new URL(twilio.url).port);
  const ways = new Map<string, { carrier: Carrier; proxy: TcpProxy }>();
  for (const phone_number of phone_numbers) {
    const proxy = await startTcpProxy(port);
    const carrier = createTwilioCarrier({ ...twilio.account, baseUrl: `http://127.0.0.1:${proxy.port}` });
    ways.set(phone_number, { carrier, proxy }).set(twilio.number(phone_number).sid, { carrier, proxy });
  }
  const of = (number: string) => ways.get(number) ?? assert.fail(number);
  const carrier: Carrier = {
    ...createTwilioCarrier({ ...twilio.account, baseUrl: twilio.url }),
    findNumber: (phone_number) => of(phone_number).carrier.findNumber(phone_number),
    attach: (carrier_sid) => of(carrier_sid).carrier.attach(carrier_sid),
    detach: (carrier_sid, previous) => of(carrier_sid).carrier.detach(carrier_sid, previous),
  };
  return { carrier, proxyOf: (phone_number: string) => of(phone_number).proxy };
}
