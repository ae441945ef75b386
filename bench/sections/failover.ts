import { setTimeout as sleep } from 'node:timers/promises';
import { median } from '@switchboard/testkit/median.ts';
import { soundsIn } from '@switchboard/testkit/sounds.ts';
import type { Recording } from '@switchboard/testkit/speaker.ts';
import { table } from '@switchboard/testkit/table.ts';
import type { Wait } from '@switchboard/testkit/waits.ts';
import type { Bench } from '../support/bench.ts';
import { converse } from '../support/conversation.ts';
import { type Line, loadOfMachine, type Section, show } from '../support/report.ts';
import { startVoiceAgents, type VoiceAgent } from '../support/voice-agents.ts';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const FIRST_TOKEN_MS = 1_000;
/** Time that a failure may cost once it is noticed: a request to the next model, on a busy machine. */
const MORE_MS = 500;
/** Questions of a call: the first is left out, and at the last one the model fails (`servers/models.ts`). */
const QUESTIONS = 4;
/** Shorter silence is between packets. */
const GAP_MS = 20;

/** Models by how they fail, how much later the answer may begin, and how much sound is most of it. */
const FAILURES = [
  { model: 'stalls', what: 'sends nothing', limit: FIRST_TOKEN_MS + MORE_MS, leastMs: 300 },
  { model: 'is-busy', what: 'answers 429', limit: MORE_MS, leastMs: 300 },
  { model: 'breaks-off', what: 'breaks off in its answer', limit: MORE_MS, leastMs: 700 },
];

/** An answer as the caller heard it. */
interface Heard {
  waitMs: number;
  /** Longest silence in it. */
  silenceMs: number;
  soundMs: number;
}

interface Figures {
  of: (typeof FAILURES)[number];
  /** Answers of the first model, and of the next one after the first one failed. */
  first: Heard[];
  next: Heard[];
  /** Calls in which an answer, or the rest of one, was missing: their times are left out. */
  incomplete: number;
}

/** How much later callers hear an answer whose first model fails. */
export async function failover(bench: Bench): Promise<Section> {
  const agents = await startVoiceAgents(bench);
  try {
    const all: (Figures & { agent: VoiceAgent })[] = [];
    for (const of of FAILURES) {
      const agent = await agents.withModels([of.model, 'model'], FIRST_TOKEN_MS);
      all.push({ of, agent, first: [], next: [], incomplete: 0 });
    }
    for (let round = 0; round < ROUNDS; round++) for (const one of all) await measure(one.agent, one);
    return { lines: [...all.flatMap(linesOf), missing(all)], details: details(all) };
  } finally {
    await agents.stop();
  }
}

async function measure(agent: VoiceAgent, figures: Figures): Promise<void> {
  const caller = await agent.call();
  const { waits } = await converse(caller, (asked) => asked < QUESTIONS);
  // An answer with a silence in the middle may not be over.
  await sleep(2 * FIRST_TOKEN_MS);
  const answers = answersIn(caller.recording(), waits);
  await caller.hangUp();
  const isComplete = answers.length === QUESTIONS - 1 && answers.every(({ soundMs }) => soundMs >= figures.of.leastMs);
  const last = answers.pop();
  if (!isComplete || !last) {
    figures.incomplete += 1;
    return;
  }
  figures.first.push(...answers);
  figures.next.push(last);
}

/** The answers that followed these waits. */
function answersIn({ start, rate, heard }: Recording, waits: Wait[]): Heard[] {
  const sounds = soundsIn(heard, rate, GAP_MS);
  return waits.map(({ end, ms }, index) => {
    const begin = end - start + ms;
    const until = (waits[index + 1]?.end ?? Number.POSITIVE_INFINITY) - start;
    const parts = sounds.filter((one) => one.begin >= begin && one.begin < until);
    const gaps = parts.slice(1).map((part, at) => part.begin - (parts[at]?.end ?? part.begin));
    const soundMs = parts.reduce((sum, part) => sum + part.end - part.begin, 0);
    return { waitMs: ms, silenceMs: Math.max(0, ...gaps), soundMs };
  });
}

const waitsOf = (answers: Heard[]): number[] => answers.map(({ waitMs }) => waitMs);
const silencesOf = (answers: Heard[]): number[] => answers.map(({ silenceMs }) => silenceMs);

/** The slowest answer after the failure counts, beside the median without one. */
function linesOf({ of: { model, what, limit }, first, next }: Figures): Line[] {
  const later = Math.max(...waitsOf(next)) - median(waitsOf(first));
  const begins = atMostMs(`the first model ${what}: how much later the slowest answer is heard`, later, limit);
  if (model !== 'breaks-off') return [begins];
  const silence = Math.max(...silencesOf(next), next.length > 0 ? 0 : Number.POSITIVE_INFINITY);
  return [begins, atMostMs(`the first model ${what}: the longest silence in the middle of it`, silence, MORE_MS)];
}

function missing(all: Figures[]): Line {
  const incomplete = all.reduce((sum, one) => sum + one.incomplete, 0);
  const measured = `${incomplete} of ${ROUNDS * all.length}`;
  return {
    what: 'calls in which an answer was not heard to its end',
    measured,
    at_least: '0',
    reached: incomplete === 0,
  };
}

function atMostMs(what: string, ms: number, limit: number): Line {
  return { what, measured: `${show(ms)} ms`, at_least: `at most ${show(limit)} ms`, reached: ms <= limit };
}

function details(all: Figures[]): string {
  const rows = all.flatMap(({ of: { model, what }, first, next }) => [
    [`${model}: without a failure`, ...figuresOf(first)],
    [`${model}: ${what}`, ...figuresOf(next)],
  ]);
  return `A caller in a room of a media server asks ${QUESTIONS} times in a call: ${ROUNDS} interleaved rounds, a call to each agent in each. The language models of an agent are a list of two, with \`first_token_ms\` ${FIRST_TOKEN_MS}. The first one answers until the last question; then it sends nothing, answers 429, or sends one and a half of two sentences and closes the connection. The second one answers, or continues. A wait goes from the caller’s last sound to the agent’s first one, both in the caller’s own recording, as in [turns](#turns); that of the first question is left out. How much later is the longest of the waits with a failure beyond the median of those without one in the same calls. Silence is the longest gap within an answer, and sound all that is heard of it: a sentence is a tone of 400 ms, shorter than any spoken one, so that there is little time to continue while it sounds.

${table(['agent, by its first model', 'answers', 'wait p50, ms', 'longest', 'silence p50, ms', 'longest', 'sound p50, ms'], rows)}

${loadOfMachine()}`;
}

function figuresOf(answers: Heard[]): string[] {
  const times = [waitsOf(answers), silencesOf(answers)].flatMap((all) => [median(all), Math.max(...all)]);
  return [String(answers.length), ...[...times, median(answers.map(({ soundMs }) => soundMs))].map(show)];
}
