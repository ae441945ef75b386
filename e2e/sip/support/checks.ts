import assert from 'node:assert/strict';
import type { Json } from '@switchboard/testkit/client.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { checkBills } from './bills.ts';
import type { SipLab } from './network.ts';
import type { Phone } from './phones.ts';
import { recordScenario } from './seen.ts';
import { allOver, isEnded, type PlacedCall, type Switchboard, seenBy, WITHIN_MS } from './switchboard.ts';
import { type Dialogue, isOver, requestsOf } from './trace.ts';

/** The expected end of a call, in the API and at the phone. */
export interface Expected {
  call_status: 'COMPLETED' | 'FAILED' | 'NO_ANSWER';
  end_reason: string;
  sip_status_code?: number | null;
  /** The requests from the bridge to the phone, in order: above all, a single INVITE. Null if no phone is reached. */
  phone: string[] | null;
}

/** A scenario of the table, in its group. */
interface Scenario extends Expected {
  group: string;
  scenario: string;
  /** The target of a transfer, and the requests that it has seen, in its only dialog. */
  target?: { number: string; requests: string[] };
}

/** Places a call, runs the scenario on it, and checks its end on both sides. */
export async function check(
  { lab, service }: { lab: SipLab; service: Switchboard },
  phone: Phone,
  expected: Scenario,
  meanwhile: (call: PlacedCall) => Promise<unknown> = async () => {},
  fields: object = {},
): Promise<{ call: Json; seen: Dialogue | undefined }> {
  const placed = await service.call(phone, fields);
  await meanwhile(placed);
  return ended({ lab, service }, placed, expected);
}

/** Waits for the end of a call and of the phone's dialog, and compares both with the expected end. */
export async function ended(
  { lab, service }: { lab: SipLab; service: Switchboard },
  { call_id, number }: PlacedCall,
  expected: Scenario,
): Promise<{ call: Json; seen: Dialogue | undefined }> {
  const call = await eventually(() => service.detail(call_id), isEnded, WITHIN_MS);
  const seen = await eventually(
    () => seenBy(lab, number),
    (dialogue) => (expected.phone ? dialogue !== undefined && isOver(dialogue) : true),
    40_000,
  );
  const { group, scenario, target, ...about } = expected;
  if (target) assert.deepEqual(await allOver(lab, target.number), [target.requests], scenario);
  const { call_status, end_reason, sip_status_code } = call;
  const requests = seen ? requestsOf(seen) : null;
  assert.deepEqual(
    { call_status, end_reason, sip_status_code, phone: requests },
    { sip_status_code: null, ...about },
    `${scenario}: ${JSON.stringify(seen?.messages)}`,
  );
  assertDuration(call, seen);
  if (seen) await checkBills({ lab, service }, call, seen);
  recordScenario({
    group,
    scenario,
    call_status,
    end_reason,
    sip_status_code,
    phone: [requests ?? ['nothing'], target?.requests ?? []].flatMap((seen) => seen.join(', ') || []).join('; '),
  });
  return { call, seen };
}

/** Checks that the duration is the time from answer to end, and that neither is earlier than at the phone. */
function assertDuration({ started_at, ended_at, duration }: Json, seen: Dialogue | undefined): void {
  if (started_at === null) {
    assert.equal(duration, 0);
    return;
  }
  assert.equal(duration, (Date.parse(ended_at) - Date.parse(started_at)) / 1000);
  const answered = seen?.messages.find(({ status, cseq }) => status === 200 && cseq.endsWith('INVITE'));
  // Both sides truncate to milliseconds.
  if (answered) assert.ok(Date.parse(started_at) >= answered.at - 1, 'answered before the phone was');
}
