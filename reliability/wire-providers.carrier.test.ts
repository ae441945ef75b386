import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAgent } from '@switchboard/testkit/calls.ts';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { writeSection } from '@switchboard/testkit/section.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { startTwilioStandIn } from '@switchboard/testkit/twilio-stand-in.ts';
import { countWaiting } from '@switchboard/testkit/waiting.ts';
import { throughProxies } from './support/carrier-proxies.ts';
import type { Fault } from './support/tcp-proxy.ts';

/**
 * Maximum duration of one fault: the timeout of the operation, and of undoing it (`timeoutMs` of the adapter), with a
 * margin.
 */
const DEADLINE_S = 10 + 10 + 2.5;
/** Longer than a claim is reserved for the request that made it. */
const A_MINUTE_LATER_MS = 61_000;
const VOICE_URL = 'https://example.com/voice';

type Operation = 'assign' | 'release';

const STEPS: Record<Operation, string[]> = {
  assign: ['the search', 'the search under the claim', 'the attaching'],
  release: ['the look at the number', 'the restoring', 'the detaching'],
};
const FAULTS: Record<string, Fault> = {
  'connection reset': { kind: 'reset' },
  'port closed': { kind: 'refuse' },
  'black hole': { kind: 'hole' },
  'answer cut in its head': { kind: 'cut', bytes: 60 },
  'answer cut in its body': { kind: 'cut', bytes: 300 },
};

interface Case {
  operation: Operation;
  faultName: string;
  fault: Fault;
  /** The number of the affected request to the carrier, from 1; and whether the following ones are affected too. */
  step: number;
  lasts: boolean;
  phone_number: string;
}

const CASES = (Object.keys(STEPS) as Operation[])
  .flatMap((operation) => {
    const slow = {
      operation,
      faultName: '300 ms more each way',
      fault: { kind: 'latency', ms: 300 },
      step: 1,
      lasts: true,
    };
    const others = Object.entries(FAULTS).flatMap(([faultName, fault]) =>
      [1, 2, 3].flatMap((step) =>
        // A closed port stays closed for the next connection.
        (fault.kind === 'refuse' ? [true] : [false, true]).map((lasts) => ({
          operation,
          faultName,
          fault,
          step,
          lasts,
        })),
      ),
    );
    return [slow as (typeof others)[0], ...others];
  })
  .map((one, index): Case => ({ ...one, phone_number: `+1500555${1000 + index}` }));

const NUMBERS = CASES.map(({ phone_number }) => phone_number);
const twilio = await startTwilioStandIn({ phone_numbers: NUMBERS });
for (const phone_number of NUMBERS) twilio.number(phone_number).voice_url = VOICE_URL;
const { carrier, proxyOf } = await throughProxies(twilio, NUMBERS);
const clock = createTestClock();
// All the numbers are one user's.
const service = await startService({ carrier, clock, env: { NUMBERS_PER_USER: '1000' } });

function request(operation: Operation, agent_id: string, phone_number: string) {
  const body = operation === 'assign' ? { agent_id, phone_number } : { agent_id };
  return service.request('POST', `/api/telephony/numbers/${operation}`, { body });
}

/** State of the number here and at the carrier: completely `assigned`, completely `free`, or the differing parts. */
async function stateOf(agent_id: string, phone_number: string): Promise<string> {
  const assignments = service.database.db.selectFrom('number_assignments').selectAll();
  const claim = await assignments.where('phone_number', '=', phone_number).executeTakeFirst();
  const agent = (await service.request('GET', `/api/agents/${agent_id}`)).body;
  const { trunk_sid, voice_url } = twilio.number(phone_number);
  const parts = [claim?.state ?? 'free', agent.phone_number ? 'assigned' : 'free', trunk_sid ? 'assigned' : 'free'];
  const [first, ...rest] = parts;
  const isSame = rest.every((part) => part === first) && (first === 'assigned' || voice_url === VOICE_URL);
  return isSame ? String(first) : `claim ${parts[0]}, agent ${parts[1]}, carrier ${parts[2]}, ${voice_url}`;
}

const isWhole = (state: string) => state === 'assigned' || state === 'free';

/** Prepares the number for the operation. One after another: no fault may affect this. */
async function prepare({ operation, phone_number }: Case): Promise<string> {
  const agent_id = await createAgent(service);
  if (operation === 'assign') return agent_id;
  assert.equal((await request('assign', agent_id, phone_number)).status, 200);
  // Otherwise there would be nothing to restore.
  twilio.number(phone_number).voice_url = 'https://example.com/meanwhile';
  return agent_id;
}

async function run({ operation, fault, step, lasts, phone_number }: Case, agent_id: string) {
  const proxy = proxyOf(phone_number);
  await proxy.set(fault, lasts ? { from: step } : { from: step, to: step });
  const waited = countWaiting();
  const { status, body } = await request(operation, agent_id, phone_number);
  const seconds = waited() / 1000;
  await proxy.set({ kind: 'pass' });
  return { agent_id, status, code: body.code, seconds, at_once: await stateOf(agent_id, phone_number) };
}

const nameOf = ({ operation, faultName, step, lasts }: Case) =>
  `${operation}, ${faultName} ${lasts ? 'from' : 'at'} ${STEPS[operation][step - 1]}${lasts ? ' on' : ''}`;

test('with any fault on the carrier connection, a number is assigned and released in time or refused clearly, and in the end completely', async () => {
  const prepared = new Map<Case, string>();
  for (const one of CASES) prepared.set(one, await prepare(one));
  const results = await Promise.all(
    [...prepared].map(async ([one, agent_id]) => ({ ...one, ...(await run(one, agent_id)) })),
  );
  clock.advance(A_MINUTE_LATER_MS);
  await service.app.reconcile();
  const wrong: string[] = [];
  for (const one of results) {
    const { operation, fault, agent_id, phone_number, status, code, seconds } = one;
    const state = await stateOf(agent_id, phone_number);
    const said = `${nameOf(one)}: ${status} ${code ?? ''} after ${seconds.toFixed(1)} s, then ${one.at_once}, in the end ${state}`;
    const isClear = [503, 504].includes(status) && /^provider_(unavailable|timeout)$/.test(code);
    const isDone = status === 200 && state === (operation === 'assign' ? 'assigned' : 'free');
    if (!isDone && !(isClear && fault.kind !== 'latency')) wrong.push(said);
    if (seconds > DEADLINE_S || !isWhole(state)) wrong.push(said);
    // A single failed request is compensated at once, unless it may still be executed.
    const isDue = !one.lasts && !(operation === 'release' && status === 504);
    if (isDue && !isWhole(one.at_once)) wrong.push(said);
    const next = state === 'assigned' ? 'release' : 'assign';
    const again = await request(next, agent_id, phone_number);
    if (again.status !== 200) wrong.push(`${said}; ${next}: ${again.status} ${again.body.code}`);
  }
  assert.deepEqual(wrong, []);
  report(results);
});

function report(results: (Case & { status: number; code?: string; seconds: number; at_once: string })[]): void {
  const groups = Object.entries(Object.groupBy(results, ({ operation, faultName }) => `${faultName} | ${operation}`));
  const rows = groups.map(([group, all = []]) => {
    const byAnswer = Object.entries(Object.groupBy(all, ({ status }) => status));
    const answers = byAnswer.map(([status, some]) => `${some?.length} × ${status}`).join(', ');
    const slowest = Math.max(...all.map(({ seconds }) => seconds)).toFixed(1);
    const repaired = all.filter(({ at_once }) => !isWhole(at_once)).length;
    return `| ${group} | ${answers} | ${slowest} s | ${all.length - repaired} at once, ${repaired} by the reconciler |`;
  });
  const text = `## Faults on the connection to the carrier

A proxy between the service and a stand-in for the carrier. Assigning and releasing a number are three requests to the carrier each;
each of the three met each fault, alone and with all that followed. A request to the carrier takes up to 10 s, and so does
reverting it. 503 is \`provider_unavailable\`, 504 \`provider_timeout\`. A minute later each number was either completely assigned or
completely free, in the database and at the carrier, and could be used.

| Fault | Request | Responses | Slowest | Settled |
| --- | --- | --- | --- | --- |
${rows.join('\n')}`;
  writeSection(4, 'wire-providers-carrier', text);
}
