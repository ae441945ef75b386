import type { Agent, OutboundCallStarted } from '@switchboard/client';
import { type Client, DemoError } from './client.ts';
import { pause, poll } from './pace.ts';
import type { Receiver } from './receiver.ts';
import * as screen from './screen.ts';
import { show } from './show.ts';
import { type Assignment, converse, logUsage, type UsageEvent } from './worker.ts';

const ANSWERING_PHONE = '+15005550100';
const COUNTER_PHONE = '+15005550101';
const BUSY_PHONE = '+15005550001';
const STATE_TIMEOUT_MS = 20_000;

/** Dependencies of placing calls; without a receiver, callbacks are not requested. */
export interface Caller {
  client: Client;
  agent: Agent;
  receiver: Receiver | undefined;
}

interface Call extends OutboundCallStarted {
  /** Seconds since the call was requested. */
  elapsed(): number;
}

/** A call that is answered, and a conversation on it. */
export async function talk(caller: Caller): Promise<Call> {
  const call = await place(caller, ANSWERING_PHONE);
  await reach(caller, call, 'RINGING', 'ANSWERED');
  const onUtterance = ({ speaker, content }: { speaker: string; content: string }) =>
    screen.speech(call.elapsed(), speaker, content);
  await converse(caller.client, assignmentOf(caller, call), onUtterance);
  await caller.receiver?.received('call.answered');
  return call;
}

/** Transfers the caller to another phone, which ends the call for the agent. */
export async function transfer({ client, agent, receiver }: Caller, call: Call): Promise<void> {
  await pause(300);
  await show(
    client,
    () => client.sb.calls.transfer(call.call_id, { phone_number: COUNTER_PHONE }),
    (answer) => `${answer.transfer_type}, to ${answer.transferred_to}: ${answer.status}`,
  );
  await reach({ client, agent, receiver }, call, 'ANSWERED', 'COMPLETED');
  await receiver?.received('call.transferred');
  await receiver?.received('call.completed');
}

/** Logs the worker's usage; every amount is the exact product of quantity and price. */
export async function settleUp(caller: Caller, call: Call): Promise<UsageEvent[]> {
  const events = await logUsage(caller.client, assignmentOf(caller, call));
  const { method, path, status } = caller.client.last();
  screen.request(method, path, status, `${events.length} times`);
  return events;
}

/** A call that fails. */
export async function callBusyPhone(caller: Caller): Promise<void> {
  const call = await place(caller, BUSY_PHONE);
  await reach(caller, call, 'RINGING', 'FAILED');
  const { end_reason, sip_status_code } = await caller.client.sb.calls.get(call.call_id);
  screen.line('why', `${end_reason} (SIP ${sip_status_code})`);
  await caller.receiver?.received('call.failed');
}

function assignmentOf({ agent }: Caller, call: Call): Assignment {
  return { session_id: call.call_id, room_name: call.room_name, agent_id: agent.id };
}

async function place({ client, agent, receiver }: Caller, phone_number: string): Promise<Call> {
  // The demo is the worker: a service that was there before must not simulate one.
  const metadata = { sandbox: 'agent_is_silent' };
  const body = { agent_id: agent.id, phone_number, metadata, ...(receiver && { callback_url: receiver.url }) };
  const started = performance.now();
  const elapsed = () => (performance.now() - started) / 1000;
  const answer = await client.sb.calls.start(body);
  const { method, path, status } = client.last();
  screen.request(method, path, status, `to ${phone_number}`);
  screen.state(elapsed(), 'CREATED', answer.status);
  return { ...answer, elapsed };
}

/** Waits until the call leaves a state, and shows the next one. Throws `DemoError` if that is not the expected one. */
async function reach({ client }: Caller, call: Call, from: string, expected: string): Promise<void> {
  const next = await poll(async () => {
    const state = await client.sb.calls.status(call.call_id);
    return state.call_status === from ? undefined : state;
  }, STATE_TIMEOUT_MS);
  if (next?.call_status !== expected)
    throw new DemoError(`The call should have become ${expected}; it is ${next?.call_status ?? `still ${from}`}.`);
  screen.state(call.elapsed(), next.status, next.call_status, next.duration ? `after ${next.duration} s of talk` : '');
}
