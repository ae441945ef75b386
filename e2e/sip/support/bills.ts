import assert from 'node:assert/strict';
import type { Json } from '@switchboard/testkit/client.ts';
import type { SipLab } from './network.ts';
import { type Switchboard, seenBy } from './switchboard.ts';
import { type Dialogue, talkOf } from './trace.ts';

/**
 * Milliseconds by which the time between answer and end may differ from the phone's on a machine with ten times the
 * work that it can do: the time of an answer is that of its report, and a BYE follows the request for it.
 */
const TOLERANCE_MS = 3_000;

/** The least that is billed: all that is known of the target of a cold transfer is that it was called. */
const LEAST_S = 1;

const differences: number[] = [];
/** Milliseconds that each phone is billed beyond those that it saw: up to a second by rounding up. */
const beyond: number[] = [];

/**
 * Checks that an ended call lasted, and that each of its phones is billed, for as long as the phones saw.
 */
export async function checkBills(
  { lab, service }: { lab: SipLab; service: Switchboard },
  call: Json,
  own: Dialogue,
): Promise<void> {
  const talk = talkOf(own);
  const targets = await talksOfTargets(lab, call.transfers);
  // A killed process sends no BYE.
  if (call.started_at === null || talk === null || targets.includes(null)) return;
  const ownMs = talk.ended - talk.answered;
  const difference = call.duration * 1000 - ownMs;
  differences.push(difference);
  const billed = await billedSeconds(service, call.call_id);
  const talked = [ownMs, ...targets.flatMap((ms) => ms ?? [])].sort((a, b) => a - b);
  const [late, lateEnd] = [Date.parse(call.started_at) - talk.answered, Date.parse(call.ended_at) - talk.ended];
  const about = `${call.end_reason}: ${call.duration} s, billed ${billed.join(' and ')} s; on the wire ${talked.join(' and ')} ms; answer recorded after ${late} ms, end after ${lateEnd} ms`;
  assert.equal(billed.length, talked.length, about);
  assert.ok(Math.abs(difference) <= TOLERANCE_MS, about);
  for (const [index, ms] of talked.entries()) {
    const [least, most] = [ms - TOLERANCE_MS, ms + TOLERANCE_MS].map((at) => Math.max(LEAST_S, Math.ceil(at / 1000)));
    const seconds = billed[index] ?? Number.NaN;
    assert.ok(seconds >= (least ?? 0) && seconds <= (most ?? 0), about);
    beyond.push(seconds * 1000 - ms);
  }
}

/** Milliseconds for which the targets of a call's transfers talked; null if that is unknown. */
async function talksOfTargets(lab: SipLab, transfers: Json[]): Promise<(number | null)[]> {
  const talks = transfers.map(async ({ transfer_type, status, phone_number }): Promise<(number | null)[]> => {
    if (transfer_type === 'COLD') return status === 'completed' ? [0] : [];
    const seen = await seenBy(lab, phone_number);
    if (!seen || !isAnswered(seen)) return [];
    const talk = talkOf(seen);
    return [talk && talk.ended - talk.answered];
  });
  return (await Promise.all(talks)).flat();
}

function isAnswered({ messages }: Dialogue): boolean {
  return messages.some(({ status, cseq }) => status === 200 && cseq.endsWith('INVITE'));
}

/** Seconds billed for each phone of a call, shortest first. */
async function billedSeconds(service: Switchboard, call_id: string): Promise<number[]> {
  const { body } = await service.get(`/api/usage/events?session_id=${call_id}&event_type=telephony_minutes`);
  return body.items
    .map(({ quantity }: Json) => Math.round(Number(quantity) * 60))
    .sort((a: number, b: number) => a - b);
}

/** Calls and phones that were compared so far. */
export const compared = () => ({ calls: differences.length, phones: beyond.length });

/**
 * The number of calls that were compared since, the median and the largest difference of their duration in ms, and the
 * least and the most that a phone was billed beyond what it saw.
 */
export function comparedBills(since = { calls: 0, phones: 0 }) {
  const billed_ms = beyond.slice(since.phones);
  const sorted = differences
    .slice(since.calls)
    .map(Math.abs)
    .sort((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
  return {
    calls: sorted.length,
    median_ms: Math.round(median),
    max_ms: Math.round(sorted.at(-1) ?? 0),
    billed_ms: [Math.min(...billed_ms), Math.max(...billed_ms)].map(Math.round),
  };
}
