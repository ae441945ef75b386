import { randomUUID } from 'node:crypto';
import { type Agent, decimal, SwitchboardError } from '@switchboard/client';
import { type Caller, callBusyPhone, settleUp, talk, transfer } from './calls.ts';
import { type Client, createClient, DemoError } from './client.ts';
import { lineCosts, setPrices } from './line.ts';
import { interruption, listenForInterruption, pause, SPEED } from './pace.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import * as screen from './screen.ts';
import { findOrStart, type Service } from './service.ts';
import { show } from './show.ts';

const BASE_URL = process.env.BASE_URL || 'http://127.0.0.1:8000';
const SANDBOX_NUMBER = /^\+1500555001\d$/;

async function run(): Promise<void> {
  if (SPEED !== 'fast' && SPEED !== 'normal') throw new DemoError(`DEMO_SPEED must be fast or normal, not "${SPEED}".`);
  if (!URL.canParse(BASE_URL)) throw new DemoError(`BASE_URL must be a URL, not "${BASE_URL}".`);
  screen.title(
    'Switchboard: an agent, two calls and what they cost',
    'On the sandbox phone network: no real phone rings.',
  );
  console.log();
  const service = await findOrStart(BASE_URL, () =>
    screen.line('service', `none at ${BASE_URL}: starting one for the demo`),
  );
  const client = createClient(service.url, `demo-${randomUUID().slice(0, 8)}`);
  try {
    introduce(service, client);
    await runScript(client, service);
  } finally {
    await service.stop();
  }
  const look = `Look around: curl -s ${client.url}/api/calls/ -H 'x-user-id: ${client.user_id}'`;
  screen.title('Done.', service.isOwn ? 'The service is stopped and its data removed. Next: npm start' : look);
}

function introduce({ url, isOwn, startedInMs }: Service, { user_id }: Client): void {
  if (isOwn) {
    screen.line('ready', `${url}, after ${(startedInMs / 1000).toFixed(1)} s`);
  } else {
    screen.line('service', `${url}, which was running`);
    screen.line('callbacks', 'skipped: only a service that the demo itself started may call back to this machine');
  }
  screen.line('user', user_id);
}

async function runScript(client: Client, { isOwn }: Service): Promise<void> {
  await assertSandbox(client);
  const number = await findFreeNumber(client);
  screen.heading(1, 'An agent');
  const agent = await createAgent(client);
  screen.heading(2, 'Assign a phone number, and release it');
  await borrowNumber(client, agent, number);
  const receiver = isOwn ? await openReceiver(client) : undefined;
  // The price book of a running service belongs to its operator.
  if (isOwn) await setPrices(client);
  try {
    const caller: Caller = { client, agent, receiver };
    screen.heading(3, 'A call');
    const call = await talk(caller);
    screen.heading(4, 'A transfer');
    await transfer(caller, call);
    screen.heading(5, 'Usage of the worker and of the phone line');
    const used = await settleUp(caller, call);
    const line = await lineCosts(client, call.call_id, isOwn);
    await pause(350);
    screen.usage([...used, ...line]);
    screen.heading(6, 'A call to a phone that is busy');
    await callBusyPhone(caller);
    screen.heading(7, 'The exact costs');
    await showCosts(client, [...used, ...line]);
  } finally {
    await receiver?.close();
  }
}

/**
 * Throws `DemoError` if phones are real: then events of the media provider are signed, and an unsigned one is
 * refused.
 */
async function assertSandbox(client: Client): Promise<void> {
  await client.sb.service.receiveMediaEvent({ event: 'demo_started' }).catch((error: Error) => {
    throw new DemoError(`The service at ${client.url} is not on the sandbox phone network. ${error.message}`);
  });
}

/** An unassigned number. Throws `DemoError` if the carrier account is a real one. */
async function findFreeNumber(client: Client): Promise<string> {
  const items = await client.sb.numbers.list({ limit: 100 }).toArray();
  if (!items.every(({ phone_number }) => SANDBOX_NUMBER.test(phone_number)))
    throw new DemoError(`The service at ${client.url} has a real carrier account; the demo is for the sandbox only.`);
  const free = items.find(({ agent_id }) => agent_id === null);
  if (!free)
    throw new DemoError(`All numbers of the sandbox carrier at ${client.url} are assigned; release one first.`);
  return free.phone_number;
}

function createAgent(client: Client): Promise<Agent> {
  const config = { stt: { provider: 'deepgram' }, llm: { provider: 'openai' }, tts: { provider: 'elevenlabs' } };
  return show(
    client,
    () => client.sb.agents.create({ name: 'Bicycle workshop', config }),
    ({ name, type }) => `${name} (${type})`,
  );
}

async function borrowNumber(client: Client, { id: agent_id }: Agent, phone_number: string): Promise<void> {
  const { numbers } = client.sb;
  await show(
    client,
    () => numbers.assign({ agent_id, phone_number }),
    () => `${phone_number} leads to the agent`,
  );
  await show(
    client,
    () => numbers.release({ agent_id }),
    () => `${phone_number} stays in the account`,
  );
}

async function openReceiver(client: Client): Promise<Receiver> {
  const { secret } = await client.sb.callbacks.secret();
  return startReceiver(secret, (type) => screen.line('callback', `${type}, signature verified`));
}

async function showCosts(client: Client, events: { total_cost: string }[]): Promise<void> {
  await pause(350);
  const { costs } = client.sb;
  const [summary, agents, timeline] = [await costs.summary(), await costs.byAgent(), await costs.timeline()];
  screen.table([
    ['in total', '', summary.total_cost],
    ['this month', '', summary.this_month_cost],
    ...Object.entries(summary.by_provider).map(([provider, cost]) => ['by provider', provider, cost]),
    ...agents.map(({ agent_name, total_cost }) => ['by agent', agent_name, total_cost]),
    ...timeline.map(({ date, total_cost }) => ['by day', date, total_cost]),
  ]);
  const expected = decimal.sum(events.map(({ total_cost }) => total_cost));
  if (decimal.compare(summary.total_cost, expected) !== 0)
    throw new DemoError(`The events add up to ${expected}, but the service says ${summary.total_cost}.`);
  screen.line('checked', `the ${events.length} events add up to ${expected}, computed without the service`);
}

listenForInterruption();
try {
  await run();
} catch (error) {
  if (interruption.aborted) process.exit(130);
  screen.failure(
    error instanceof DemoError || error instanceof SwitchboardError ? error.message : String((error as Error).stack),
  );
  process.exit(1);
}
