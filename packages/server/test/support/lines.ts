import assert from 'node:assert/strict';
import type { Json } from '@switchboard/testkit/client.ts';
import type { Service } from '@switchboard/testkit/service.ts';

/** Prices of the sandbox's line, as `[prefix, direction, price, billing_increment]` of telephony, and of media. */
export async function setPrices(of: Service, lines: [string, string | null, string, string][], media?: string) {
  const valid_from = '2020-01-01';
  const entries: Json[] = lines.map(([prefix, direction, price, billing_increment]) => ({
    provider: 'sandbox',
    event_type: 'telephony_minutes',
    price,
    billing_increment,
    valid_from,
    ...(prefix && { prefix }),
    ...(direction && { direction }),
  }));
  if (media !== undefined)
    entries.push({
      provider: 'sandbox',
      event_type: 'media_minutes',
      price: media,
      billing_increment: '1/1',
      valid_from,
    });
  const { status, body } = await of.request('PUT', '/api/prices', { body: { entries } });
  assert.equal(status, 200, JSON.stringify(body));
}

/** The line of a session as it was billed: `telephony OUTBOUND 1500 1 × 0.5 = 0.5`, sorted. */
export async function lineOf(of: Pick<Service, 'request'>, session_id: string): Promise<string[]> {
  const { body } = await of.request('GET', `/api/usage/events?limit=100&session_id=${session_id}`);
  return body.items
    .filter(({ event_type }: Json) => /^(telephony|media)_minutes$/.test(event_type))
    .map((event: Json) => {
      const { event_type, direction, model, quantity, unit_cost, total_cost, is_unpriced } = event;
      const price = is_unpriced ? 'unpriced' : `× ${unit_cost} = ${total_cost}`;
      return `${event_type.replace('_minutes', '')} ${direction} ${model ?? '-'} ${quantity} ${price}`;
    })
    .sort();
}
