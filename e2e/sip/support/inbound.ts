import assert from 'node:assert/strict';
import type { Json } from '@switchboard/testkit/client.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { checkBills } from './bills.ts';
import { callIn } from './callers.ts';
import type { Expected } from './checks.ts';
import { recordScenario } from './seen.ts';
import type { Setup } from './setup.ts';
import { isEnded, WITHIN_MS } from './switchboard.ts';
import type { Dialogue } from './trace.ts';

/** Numbers of the sandbox carrier. */
const NUMBERS = Array.from({ length: 10 }, (_, index) => `+150055500${10 + index}`);
let taken = 0;

/** Assigns one of our numbers to a new agent, whose worker has this behavior. */
export async function ownNumber(setup: Setup, behavior: object): Promise<string> {
  return (await agentWithNumber(setup, behavior)).phone_number;
}

/** A new agent with one of our numbers. */
export async function agentWithNumber({ service, lab }: Setup, behavior: object) {
  const phone_number = NUMBERS[taken++];
  assert.ok(phone_number, 'the carrier has no number left');
  const agent_id = await service.createAgent(behavior);
  const { status } = await service.post('/api/telephony/numbers/assign', { agent_id, phone_number });
  assert.equal(status, 200);
  await eventually(
    () => lab.sip.listSipInboundTrunk(),
    (trunks) => trunks.some(({ numbers }) => numbers.includes(phone_number)),
  );
  return { agent_id, phone_number };
}

/** The session of a phone that called in. */
export async function sessionOf({ service }: Setup, caller_number: string): Promise<string> {
  const found = await eventually(
    async () => (await service.list()).find((call: Json) => call.caller_number === caller_number),
    (call) => call !== undefined,
    30_000,
  );
  return found?.call_id;
}

/** The requests of both sides, and the final answer to the INVITE. */
export function courseOf({ messages }: Dialogue): string[] {
  const course = messages.flatMap(({ method, status, cseq }) => {
    if (method !== null) return method === 'ACK' ? [] : [method];
    return status !== null && status >= 200 && status !== 487 && cseq.endsWith('INVITE') ? [String(status)] : [];
  });
  return course.filter((step, index) => course.indexOf(step) === index);
}

/** Checks the end of inbound calls, in the API and at the caller. */
export async function receiveCalls(setup: Setup, group: string) {
  const numbers = new Map<string, string>();
  async function numberOf(behavior: object): Promise<string> {
    const key = JSON.stringify(behavior);
    const number = numbers.get(key) ?? (await ownNumber(setup, behavior));
    numbers.set(key, number);
    return number;
  }
  return async function check(
    scenario: string,
    plan: { talkMs: number; patienceMs?: number; isNational?: boolean },
    expected: Expected,
    meanwhile: (call_id: string) => Promise<unknown> = async () => {},
    behavior: object = {},
  ): Promise<Json> {
    const caller = await callIn(setup.lab, await numberOf(behavior), plan);
    const call_id = await sessionOf(setup, caller.number);
    await meanwhile(call_id);
    const call = await eventually(() => setup.service.detail(call_id), isEnded, WITHIN_MS);
    const dialogue = await eventually(
      caller.dialogue,
      (seen) => seen !== undefined && courseOf(seen).length >= (expected.phone?.length ?? 0),
    );
    const { call_status, end_reason, sip_status_code } = call;
    const course = dialogue ? courseOf(dialogue) : [];
    assert.deepEqual({ call_status, end_reason, phone: course }, expected, JSON.stringify(dialogue));
    assert.equal(call.call_direction, 'INBOUND');
    if (dialogue) await checkBills(setup, call, dialogue);
    recordScenario({ group, scenario, call_status, end_reason, sip_status_code, phone: course.join(', ') });
    return call;
  };
}
