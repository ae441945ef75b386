import { decimal } from '@switchboard/client';
import { type Client, DemoError } from './client.ts';
import type { Amount } from './screen.ts';
import { show } from './show.ts';

// Realistic prices in US dollars per minute, from no actual price list.
const PHONE_MINUTE = '0.014';
const MEDIA_MINUTE = '0.004';
const BILLING_INCREMENT = '60/60';

/** Puts the prices of the sandbox's line into the price book. */
export async function setPrices(client: Client): Promise<void> {
  const common = { provider: 'sandbox', billing_increment: BILLING_INCREMENT, valid_from: '2020-01-01' } as const;
  const phone = { ...common, event_type: 'telephony_minutes', prefix: '1', price: PHONE_MINUTE } as const;
  const media = { ...common, event_type: 'media_minutes', price: MEDIA_MINUTE } as const;
  await show(
    client,
    () => client.sb.prices.put({ entries: [phone, media] }),
    () => `${PHONE_MINUTE} a minute on the phone, ${MEDIA_MINUTE} in the room`,
  );
}

/**
 * The phone line costs of a call. With `arePriced`, throws `DemoError` unless they are those of a call with a
 * cold transfer at those prices: its minutes on the phone and in the room, and the first minute of the target.
 */
export async function lineCosts({ sb }: Client, call_id: string, arePriced: boolean): Promise<Amount[]> {
  const events = await sb.usage.list({ session_id: call_id, limit: 100 }).toArray();
  const line = events.filter(({ event_type }) => event_type.endsWith('_minutes') && event_type !== 'stt_minutes');
  const { duration } = await sb.calls.status(call_id);
  const minutes = String(Math.max(1, Math.ceil((duration ?? 0) / 60)));
  const expected = [
    ['media_minutes', minutes, decimal.multiply(minutes, MEDIA_MINUTE)],
    ['telephony_minutes', '1', PHONE_MINUTE],
    ['telephony_minutes', minutes, decimal.multiply(minutes, PHONE_MINUTE)],
  ];
  const billed = line.map(({ event_type, quantity, total_cost }) => [event_type, quantity, total_cost]);
  const inOrder = (rows: string[][]) => JSON.stringify(rows.map(String).sort());
  if (arePriced && inOrder(billed) !== inOrder(expected))
    throw new DemoError(`The line should have been billed as ${inOrder(expected)}; it was as ${inOrder(billed)}.`);
  return line;
}
