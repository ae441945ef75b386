import { median } from '@switchboard/testkit/median.ts';
import { table } from '@switchboard/testkit/table.ts';
import type { Bench } from '../support/bench.ts';
import { type Conversation, converse, percentile } from '../support/conversation.ts';
import { information, type Line, loadOfMachine, type Section, show } from '../support/report.ts';
import { ENDPOINTING_MS, startVoiceAgents, type VoiceAgent } from '../support/voice-agents.ts';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
/** Turns of a call, of which the first is not measured. */
const TURNS = 9;

interface Figures {
  name: string;
  /** One of each round. */
  conversations: Conversation[];
}

/** The wait for an answer beyond the silence that ends a turn, with models that take no time. */
export async function turns(bench: Bench): Promise<Section> {
  const agents = await startVoiceAgents(bench);
  try {
    const [worker, bare, pipecat] = await hold([agents.worker, agents.bare, agents.pipecat()]);
    if (!worker || !bare || !pipecat) throw new Error('an agent is missing');
    return {
      lines: [
        ...[worker, bare, pipecat].map(beyond),
        information('the worker: wait for an answer, of that of the bare library', ratio(worker, bare), 1),
        information('the worker: wait for an answer, of that of Pipecat', ratio(worker, pipecat), 1),
      ],
      details: `A caller in a room of a media server asks, hears the answer out, and asks again: ${ROUNDS} interleaved rounds, a call to each agent in each, ${TURNS - 1} turns of it after a first one that is left out. A wait goes from the caller’s last sound to the agent’s first one, both in the caller’s own recording, so the way of the sound to the agent and back is in it, the same for all. Of it ${ENDPOINTING_MS} ms are the silence after which all of them take a turn to be over. The models answer at once, in OpenAI’s protocol: a recognizer that is sent each sentence, a language model, and a voice that is a tone. All find speech with Silero, by the same thresholds but for that of its end (0.35 in the library, 0.5 in Pipecat). The worker has its service, to which it reports every turn; the bare library is a session of \`@livekit/agents\` in the process of a call; Pipecat is \`bench/baselines/pipecat/agent.py\`, with its own transport for the same media server. Times are of all turns, ratios medians of those of the medians of each round.

${table(
  ['', 'turns', 'without an answer', 'wait p50, ms', 'p95, ms', `p50 beyond ${ENDPOINTING_MS} ms`],
  [worker, bare, pipecat].map(({ name, conversations }) => {
    const waits = conversations.flatMap((one) => one.waits);
    const unanswered = conversations.reduce((sum, one) => sum + one.unanswered, 0);
    const [p50, p95] = [percentile(waits, 0.5), percentile(waits, 0.95)];
    return [name, String(waits.length), String(unanswered), show(p50), show(p95), show(p50 - ENDPOINTING_MS)];
  }),
)}

${loadOfMachine()}`,
    };
  } finally {
    await agents.stop();
  }
}

async function hold(agents: VoiceAgent[]): Promise<Figures[]> {
  const all = agents.map((agent) => ({ agent, name: agent.name, conversations: [] as Conversation[] }));
  for (let round = 0; round < ROUNDS; round++)
    for (const { agent, conversations } of all) {
      const caller = await agent.call();
      conversations.push(await converse(caller, (asked) => asked < TURNS));
      await caller.hangUp();
    }
  return all;
}

function beyond({ name, conversations }: Figures): Line {
  const p50 = percentile(
    conversations.flatMap(({ waits }) => waits),
    0.5,
  );
  const measured = `${show(p50 - ENDPOINTING_MS)} ms`;
  return { what: `${name}: p50 of the wait beyond the silence of ${ENDPOINTING_MS} ms`, measured, at_least: null };
}

/** Compares the medians of each round, because rounds differ by what else the machine does. */
function ratio(one: Figures, other: Figures): number {
  const p50s = ({ conversations }: Figures) => conversations.map(({ waits }) => percentile(waits, 0.5));
  const others = p50s(other);
  return median(p50s(one).map((ms, round) => ms / (others[round] ?? Number.NaN)));
}
