import { randomInt, randomUUID } from 'node:crypto';
import { type Json, type Reply, type Request, send } from '@switchboard/testkit/client.ts';
import { systemClock } from '../../packages/server/src/lib/clock.ts';
import { count, type Holding, isUnknown, type Kind, type Ledger, type Stint } from './ledger.ts';

export interface Load {
  ledger: Ledger;
  url: string;
  /** Base URL of callbacks; each call adds its own path. */
  callbackUrl: string;
  /** Ends the load. */
  stopping: AbortSignal;
  /** The problem with a response, or null. */
  judge(reply: Reply): string | null;
}

/** Settings for this load: no limits on calls, callbacks to this machine, fast settling. */
export const LOAD_SETTINGS = {
  CALLS_CONCURRENT: '100000',
  CALLS_PER_SECOND: '10000',
  CALLS_BURST: '100000',
  CALLS_PER_DAY: '100000000',
  RECONCILE_INTERVAL_MS: '100',
  CALLBACK_ALLOW_PRIVATE: 'true',
  CALL_REPORT_DELAY_S: '0',
};

const PAUSE_MS = 50;
const PROVIDERS = ['openai', 'deepgram', 'cartesia'];
const MAGIC_NUMBERS = 7;

/** The users of the clients. */
export function usersOf({ holdings }: Ledger): string[] {
  return holdings.map((_holding, index) => `user-${index}`);
}

/** Several clients, each with its own user, that send one request after another until the load stops. */
export async function runLoad(load: Load): Promise<void> {
  await Promise.all(load.ledger.holdings.map((holding, index) => runClient(load, `user-${index}`, holding)));
}

async function runClient(load: Load, user: string, holding: Holding): Promise<void> {
  const stint = await begin(load, user);
  if (!stint) return;
  load.ledger.stints.push(stint);
  while (!load.stopping.aborted) {
    const dice = randomInt(100);
    if (dice < 55) await logEvent(load, stint);
    else if (dice < 75) await addTranscript(load, stint);
    else if (dice < 82) await placeCall(load, stint);
    else if (dice < 86) await hangUp(load, stint);
    else if (dice < 88) await createAgent(load, stint);
    else if (dice < 91) await transfer(load, stint);
    else await moveNumber(load, stint, holding);
  }
}

/** Sends a request, counts and checks its response. Clients pause after a failure, like real ones. */
async function ask(load: Load, kind: Kind | 'number' | null, request: Request): Promise<Reply & { done: boolean }> {
  const reply = await send(load.url, request);
  const done = count(load.ledger, kind, reply);
  const wrong = load.judge(reply);
  if (wrong) load.ledger.faults.push(`${request.method} ${request.path}: ${wrong}`);
  if (!done && !load.stopping.aborted) await systemClock.sleep(PAUSE_MS, load.stopping).catch(() => {});
  return { ...reply, done };
}

/** An agent and a session; null if the load ends before both are acknowledged. */
async function begin(load: Load, user: string): Promise<Stint | null> {
  const create = async (path: string, body: object): Promise<Json | null> => {
    while (!load.stopping.aborted) {
      const { done, body: answer } = await ask(load, null, { method: 'POST', path, body });
      if (done) return answer;
    }
    return null;
  };
  const agent = await create('/api/agents/', { name: 'First', user_id: user });
  const room_name = `room-${randomUUID()}`;
  const session = agent && (await create('/api/sessions/', { room_name, user_id: user, agent_id: agent.id }));
  if (!session) return null;
  const made = { attempts: [], ended: new Map(), events: [] };
  return { user, agent_id: agent.id, session_id: session.id, room_name, ...made };
}

/**
 * A request that creates something, recorded for the comparison; half of those that accept an Idempotency-Key get
 * one.
 */
async function attempt(load: Load, stint: Stint, kind: Kind, tag: string, request: Request): Promise<void> {
  const key = kind !== 'agent' && randomInt(2) === 0 ? randomUUID() : undefined;
  const kept = { kind, tag, request: { ...request, method: 'POST', key }, answer: null as Json | null };
  stint.attempts.push(kept);
  const { done, body } = await ask(load, kind, kept.request);
  if (done) kept.answer = body;
}

function logEvent(load: Load, stint: Stint): Promise<void> {
  const { session_id, user, agent_id } = stint;
  const tag = String(stint.attempts.length + 1);
  const body = {
    session_id,
    user_id: user,
    agent_id,
    provider: PROVIDERS[randomInt(PROVIDERS.length)],
    event_type: 'llm_tokens',
    quantity: tag,
    unit_cost: '0.000001',
    total_cost: `${randomInt(1_000_000)}.${String(randomInt(2 ** 47)).padStart(18, '0')}`,
  };
  return attempt(load, stint, 'event', tag, { path: '/api/usage/events', body });
}

function addTranscript(load: Load, stint: Stint): Promise<void> {
  const content = `sentence ${stint.attempts.length}`;
  const path = `/api/sessions/by-room/${stint.room_name}/transcripts`;
  return attempt(load, stint, 'transcript', content, { path, body: { speaker: 'USER', content } });
}

function placeCall(load: Load, stint: Stint): Promise<void> {
  const nth = stint.attempts.filter(({ kind }) => kind === 'call').length + 1;
  // Every other one of the first is busy, not answered, declined, refused by trunks or hangs up; each number once per
  // stint, in an order of its user's: few stints come to the end.
  const isMagic = nth % 2 === 0 && nth <= 2 * MAGIC_NUMBERS;
  const magic = 1 + ((Number(stint.user.split('-')[1]) + nth / 2) % MAGIC_NUMBERS);
  const phone_number = `+1500555${String(isMagic ? magic : 1000 + nth).padStart(4, '0')}`;
  const callback_url = randomInt(3) === 0 ? `${load.callbackUrl}/${randomUUID()}` : null;
  const body = { agent_id: stint.agent_id, phone_number, callback_url };
  return attempt(load, stint, 'call', phone_number, { path: '/api/calls/outbound', user: stint.user, body });
}

async function hangUp(load: Load, stint: Stint): Promise<void> {
  const calls = stint.attempts.filter(({ kind, answer }) => kind === 'call' && answer !== null);
  const id = calls[randomInt(Math.max(1, calls.length))]?.answer?.call_id;
  if (!id) return;
  const { done, body } = await ask(load, null, { method: 'POST', path: `/api/calls/${id}/end` });
  if (done) stint.ended.set(id, body.call_status);
}

/** Transfers a call, if it is answered, cold or warm. */
async function transfer(load: Load, stint: Stint): Promise<void> {
  const id = stint.attempts.findLast(({ kind, answer }) => kind === 'call' && answer !== null)?.answer?.call_id;
  if (!id) return;
  const body = { phone_number: '+15005550100', type: randomInt(2) === 0 ? 'WARM' : 'COLD' };
  await ask(load, null, { method: 'POST', path: `/api/sessions/${id}/transfer`, body });
}

/** Sets a budget for each client that its usage will exceed, and an endpoint that is notified. */
export async function setBudgets({ ledger, url, callbackUrl }: Pick<Load, 'ledger' | 'url' | 'callbackUrl'>) {
  for (const user of usersOf(ledger)) {
    const endpoint = { url: `${callbackUrl}/${user}`, events: ['budget.threshold'] };
    const budget = { monthly_limit: '20000000', thresholds: [1, 5, 10, 20, 40, 60, 80, 100, 200, 500] };
    const answers = [
      await send(url, { method: 'POST', path: '/api/webhook-endpoints', user, body: endpoint }),
      await send(url, { method: 'PUT', path: `/api/budgets/${user}`, body: budget }),
    ];
    for (const { status, body } of answers)
      if (status >= 300) throw new Error(`setting a budget: ${status} ${JSON.stringify(body)}`);
  }
}

function createAgent(load: Load, stint: Stint): Promise<void> {
  const name = `Agent ${randomUUID()}`;
  return attempt(load, stint, 'agent', name, { path: '/api/agents/', body: { name, user_id: stint.user } });
}

/** Assigns the client's number to its agent, or releases it from the agent that has it. */
async function moveNumber(load: Load, stint: Stint, holding: Holding): Promise<void> {
  if (holding.pending !== null) return;
  const { phone_number, holder } = holding;
  const [step, agent_id] = holder === null ? ['assign', stint.agent_id] : ['release', holder];
  const body = { agent_id, ...(holder === null && { phone_number }) };
  const path = `/api/telephony/numbers/${step}`;
  const reply = await ask(load, 'number', { method: 'POST', path, user: stint.user, body });
  if (reply.done) Object.assign(holding, { holder: holder === null ? agent_id : null, mayBeIncomplete: false });
  else if (isUnknown(reply)) holding.pending = agent_id;
  else if (!holding.mayBeIncomplete)
    load.ledger.faults.push(`${step} ${phone_number}: ${reply.status} ${reply.body.code}`);
}
