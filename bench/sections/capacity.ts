import { setTimeout as sleep } from 'node:timers/promises';
import { median } from '@switchboard/testkit/median.ts';
import { table } from '@switchboard/testkit/table.ts';
import type { Bench } from '../support/bench.ts';
import { converse, percentile } from '../support/conversation.ts';
import { cpuMs, familyOf } from '../support/cpu.ts';
import { residentMiB } from '../support/process-memory.ts';
import { information, type Line, loadOfMachine, type Section, show } from '../support/report.ts';
import { type Caller, startVoiceAgents, type WorkingAgent } from '../support/voice-agents.ts';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
/** Calls at the same time, one number after the other. */
const LEVELS = [1, 3, 6];
const MOST = Math.max(...LEVELS);
/** Processes of new calls start, and the one that is kept ready for the next. */
const SETTLE_MS = 5_000;
const MEASURED_MS = 10_000;

interface Figures {
  /** Processor time of all processes of the worker, for a minute of a call. */
  cpu_s: number;
  /** Memory of the process of a call. */
  call_mib: number;
  /** Memory of the process that starts them. */
  own_mib: number;
  p50_ms: number;
  p95_ms: number;
}

/** An agent, and its figures of each number of calls in each round. */
interface Filled {
  name: string;
  rounds: Figures[][];
}

const LAST = LEVELS.indexOf(MOST);

/** Processor time and memory of a call, and how many of them a core carries. */
export async function capacity(bench: Bench): Promise<Section> {
  const [worker, bare] = await fillBoth(bench);
  const ratio = (what: keyof Figures) =>
    median(worker.rounds.map((one, round) => (one[LAST]?.[what] ?? 0) / (bare.rounds[round]?.[LAST]?.[what] ?? 0)));
  const carried = (agent: Filled): Line => {
    const what = `${agent.name}: calls that a core carries, by their processor time`;
    return { what, measured: show(60 / of(agent, 'cpu_s', LAST)), at_least: null };
  };
  return {
    lines: [
      ...[worker, bare].map(carried),
      information('the worker: processor time of a call, of that of the bare library', ratio('cpu_s'), 1),
      information('the worker: memory of the process of a call, of that of the bare library', ratio('call_mib'), 1),
    ],
    details: `The calls and models of \`turns\`, ${LEVELS.join(', ')} at the same time, all of whose callers ask again and again, about every three seconds: medians of ${ROUNDS} interleaved rounds of ${MEASURED_MS / 1_000} s for each number, after ${SETTLE_MS / 1_000} s in which processes start. Processor time is that of the worker with all of its processes, for a minute of a call, without the service, the media server and the callers, which are on the same machine. The calls that a core carries are derived from it, at ${MOST} calls: 60 s by the processor time of a minute. They would use the whole core: a worker needs room beside them, because each call that begins starts a process. Memory is resident, and counts what processes share in each of them.

${table(
  ['', 'calls', 'CPU s, a minute', 'a call’s process, MiB', 'the worker’s own, MiB', 'wait p50, ms', 'p95, ms'],
  [worker, bare].flatMap((agent) =>
    LEVELS.map((calls, level) => [
      agent.name,
      String(calls),
      ...(['cpu_s', 'call_mib', 'own_mib', 'p50_ms', 'p95_ms'] as const).map((what) => show(of(agent, what, level))),
    ]),
  ),
)}

${loadOfMachine()}`,
  };
}

const of = ({ rounds }: Filled, what: keyof Figures, level: number) =>
  median(rounds.map((one) => one[level]?.[what] ?? Number.NaN));

async function fillBoth(bench: Bench): Promise<[worker: Filled, bare: Filled]> {
  const agents = await startVoiceAgents(bench, MOST);
  try {
    const worker: Filled = { name: agents.worker.name, rounds: [] };
    const bare: Filled = { name: agents.bare.name, rounds: [] };
    for (let round = 0; round < ROUNDS; round++) {
      worker.rounds.push(await fill(agents.worker));
      bare.rounds.push(await fill(agents.bare));
    }
    return [worker, bare];
  } finally {
    await agents.stop();
  }
}

/** Figures of each number of calls. */
async function fill(agent: WorkingAgent): Promise<Figures[]> {
  const callers: Caller[] = [];
  const talks: ReturnType<typeof converse>[] = [];
  let isOver = false;
  const join = async () => {
    const caller = await agent.call();
    callers.push(caller);
    talks.push(converse(caller, () => !isOver));
  };
  const watched = [];
  for (const level of LEVELS) {
    await Promise.all(Array.from({ length: level - callers.length }, join));
    await sleep(SETTLE_MS);
    watched.push(await watch(agent.pid, level));
  }
  isOver = true;
  const waits = (await Promise.all(talks)).flatMap((talk) => talk.waits);
  await Promise.all(callers.map((caller) => caller.hangUp()));
  return watched.map(({ from, to, ...figures }) => {
    const meanwhile = waits.filter(({ end }) => end >= from && end <= to);
    return { ...figures, p50_ms: percentile(meanwhile, 0.5), p95_ms: percentile(meanwhile, 0.95) };
  });
}

async function watch(pid: number, calls: number) {
  const before = new Map(familyOf(pid).map((one) => [one, cpuMs(one)]));
  const from = Date.now();
  await sleep(MEASURED_MS);
  const to = Date.now();
  const used = familyOf(pid).map((one) => ({ pid: one, ms: cpuMs(one) - (before.get(one) ?? 0) }));
  // One more process waits for the next call, and takes no time meanwhile.
  const busiest = used.filter((one) => one.pid !== pid).toSorted((a, b) => b.ms - a.ms);
  return {
    from,
    to,
    cpu_s: (used.reduce((sum, { ms }) => sum + ms, 0) / calls / (to - from)) * 60,
    call_mib: median(busiest.slice(0, calls).map((one) => residentMiB(one.pid))),
    own_mib: residentMiB(pid),
  };
}
