import { randomUUID } from 'node:crypto';
import { createSwitchboard } from '@switchboard/client';
import { query } from '@switchboard/testkit/postgres.ts';
import { table } from '@switchboard/testkit/table.ts';
import { systemClock } from '../../packages/server/src/lib/clock.ts';
import { createAgents } from '../support/api.ts';
import type { Bench } from '../support/bench.ts';
import { cpuMs, postgresCpuMs } from '../support/cpu.ts';
import { type Section, show } from '../support/report.ts';

const USERS = 200;
const SECONDS = Number(process.env.BENCH_COST_S ?? 60);
/** Calls begun a second, whatever the responses take: the rates of 180 and 1,800 three-minute calls at once. */
const RATES = (process.env.BENCH_CALL_RATES ?? '1,10').split(',').map(Number);
/** Answers, and stays. */
const PHONE = '+15005550123';
const TURNS = 18;
/** A call of three minutes in little time: what a call costs does not depend on how long it lasts. */
const TURN_MS = 250;
const EVENTS = [
  { provider: 'deepgram', event_type: 'stt_minutes', quantity: '0.1', unit_cost: '0.0043' },
  { provider: 'openai', event_type: 'llm_tokens', quantity: '812', unit_cost: '0.0000006' },
  { provider: 'cartesia', event_type: 'tts_characters', quantity: '140', unit_cost: '0.000038' },
] as const;

interface Cost {
  calls: number;
  /** Milliseconds a call. */
  service: number;
  postgres: number;
  lateMs: number;
}

/** *The cost of a call*: whole calls at fixed rates, and the processor time of the service and of PostgreSQL. */
export async function cost(bench: Bench): Promise<Section> {
  const database = await bench.database();
  const { url, child } = await bench.startService('Switchboard', { DATABASE_URL: database, SANDBOX_RING_MS: '100' });
  const agents = [...(await createAgents(url, USERS))];
  const measure = async (rate: number, seconds: number): Promise<Cost> => {
    const before = [cpuMs(child.pid ?? 0), await postgresCpuMs(database)] as const;
    const { calls, lateMs } = await place(url, agents, rate, seconds);
    const [service, postgres] = [cpuMs(child.pid ?? 0) - before[0], (await postgresCpuMs(database)) - before[1]];
    return { calls, service: service / calls, postgres: postgres / calls, lateMs };
  };
  await measure(Math.max(...RATES), 5);
  const rows: (string | number)[][] = [];
  for (const rate of RATES) {
    const one = await measure(rate, SECONDS);
    const cores = (ms: number) => show((ms * rate) / 1000);
    rows.push(
      [rate, one.calls, show(one.service), show(one.postgres), cores(one.service), cores(one.postgres)].concat(
        show(one.lateMs),
      ),
    );
  }
  const open = await query<{ open: string }>(
    database,
    "select count(*) as open from sessions where status in ('CREATED', 'ACTIVE')",
  );
  return {
    lines: [],
    details: `*The cost of a call*: calls are placed at a fixed rate for ${SECONDS} s (an open loop). Each is answered, has ${TURNS} turns with a batch of ${EVENTS.length} usage events and two
transcripts each (${TURNS * EVENTS.length} events, ${TURNS * 2} transcripts), and is ended: ${2 + TURNS * 3} requests, and what follows from them. A turn is there every ${TURN_MS} ms. The time that the
processes use without calls is part of it, so that the cost of a call falls with the rate. Calls left open at the end: ${open[0]?.open}.

${table(
  [
    'calls a second',
    'calls',
    'service, CPU ms a call',
    'PostgreSQL, CPU ms a call',
    'service, cores',
    'PostgreSQL, cores',
    'p99 of a request, ms',
  ],
  rows,
)}`,
  };
}

async function place(url: string, agents: [user: string, agent: string][], rate: number, seconds: number) {
  const times: number[] = [];
  const going: Promise<void>[] = [];
  const begun = performance.now();
  for (let index = 0; index < rate * seconds; index++) {
    const [user, agent] = agents[index % agents.length] ?? ['', ''];
    await systemClock.sleep(Math.max(0, begun + (index / rate) * 1000 - performance.now()));
    going.push(call(url, user, agent, times));
  }
  await Promise.all(going);
  times.sort((a, b) => a - b);
  return { calls: going.length, lateMs: times[Math.floor(times.length * 0.99)] ?? 0 };
}

/** One call from its request to its end. */
async function call(url: string, user_id: string, agent_id: string, times: number[]): Promise<void> {
  const client = createSwitchboard({ baseUrl: url }).forUser(user_id);
  const timed = async <T>(request: Promise<T>): Promise<T> => {
    const begun = performance.now();
    const answer = await request;
    times.push(performance.now() - begun);
    return answer;
  };
  const { call_id, room_name } = await timed(client.calls.start({ agent_id, phone_number: PHONE }));
  for (let turn = 0; turn < TURNS; turn++) {
    await systemClock.sleep(TURN_MS);
    const events = EVENTS.map((event) => ({ ...event, session_id: call_id, user_id, agent_id }));
    await timed(client.usage.logBatch({ events }, { idempotencyKey: randomUUID() }));
    await timed(
      client.sessions.addTranscript(room_name, { speaker: 'USER', content: 'I would like a table for two.' }),
    );
    await timed(client.sessions.addTranscript(room_name, { speaker: 'AGENT', content: 'For which evening, please?' }));
  }
  await timed(client.calls.end(call_id));
}
