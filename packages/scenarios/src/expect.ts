import { OPT_OUT_TOOL, PHRASES } from './agent.ts';
import type { Judge, Vote } from './judge.ts';
import { includes, says } from './match.ts';
import type { Expectation, Moment } from './schema.ts';
import type { Trace } from './trace.ts';

/** An expectation, checked. */
export interface Check {
  /** The expectation in a few words. */
  expected: string;
  /** `not_checked`: without a language model it says nothing, for or against the agent. */
  outcome: 'passed' | 'failed' | 'undecided' | 'not_checked';
  /** The fact that decided, in a few words. */
  found: string;
  /** Those of a judge, with their reasons. */
  votes?: Vote[];
}

/** One of the kinds of an expectation, checked; null if it is undecided. */
type Checked = Omit<Check, 'outcome'> & { outcome: boolean | 'not_checked' | null };

/** Checks everything, so that all that is wrong is told at once. */
export async function checkAll(expected: readonly Expectation[], trace: Trace, judge: Judge | null): Promise<Check[]> {
  const checks: Check[] = [];
  for (const one of expected.flatMap(apart)) {
    const { outcome, ...told } = await check(one, trace, judge);
    checks.push({ ...told, outcome: outcomeOf(outcome) });
  }
  return checks;
}

/** Limits of latencies, each by itself: what rules cannot tell of one says nothing about the other. */
function apart(one: Expectation): Expectation[] {
  const { first_word_p95_ms, first_audio_p95_ms } = one.latency ?? {};
  if (first_word_p95_ms === undefined || first_audio_p95_ms === undefined) return [one];
  return [{ latency: { first_word_p95_ms } }, { latency: { first_audio_p95_ms } }];
}

function outcomeOf(outcome: Checked['outcome']): Check['outcome'] {
  if (typeof outcome === 'string') return outcome;
  return outcome === null ? 'undecided' : outcome ? 'passed' : 'failed';
}

async function check(one: Expectation, trace: Trace, judge: Judge | null): Promise<Checked> {
  if (one.tool !== undefined) return checkTool(one.tool, one, trace);
  if (one.agent_says !== undefined) return checkWords(one.agent_says, trace, true);
  if (one.agent_never_says !== undefined) return checkWords(one.agent_never_says, trace, false);
  if (one.world) return checkWorld(one.world, trace);
  if (one.call) return checkCall(one.call, trace);
  if (one.timeline) return checkTimeline(one.timeline, trace);
  if (one.latency) return checkLatency(one.latency, trace);
  if (one.cost) return checkCost(one.cost.max, trace);
  return checkClaim(one, trace, judge);
}

const callsIn = ({ turns }: Trace) => turns.flatMap(({ calls }) => calls);
const json = (value: unknown) => JSON.stringify(value);

function checkTool(name: string, { args = {}, times }: Expectation, trace: Trace): Checked {
  const made = callsIn(trace).filter((call) => call.name === name);
  const fitting = made.filter((call) => includes(call.arguments, args)).length;
  const often = times === undefined ? 'at least once' : `${times} times`;
  const list = made.map((call) => json(call.arguments)).join(', ');
  return {
    expected: `calls ${name}${Object.keys(args).length > 0 ? ` with ${json(args)}` : ''} ${often}`,
    outcome: times === undefined ? fitting > 0 : fitting === times,
    found: made.length === 0 ? `${name} was not called` : `${fitting} of ${made.length} calls: ${list}`,
  };
}

function checkWords(said: NonNullable<Expectation['agent_says']>, { turns }: Trace, isWanted: boolean): Checked {
  const where = turns.find(({ words }) => says(words, said));
  return {
    expected: `the agent ${isWanted ? 'says' : 'never says'} ${json(said)}`,
    outcome: (where !== undefined) === isWanted,
    found: where ? `said: ${where.words}` : 'not said',
  };
}

function checkWorld(expected: Record<string, unknown>, { world }: Trace): Checked {
  return { expected: `the world has ${json(expected)}`, outcome: includes(world, expected), found: json(world) };
}

function checkCall(expected: NonNullable<Expectation['call']>, trace: Trace): Checked {
  const { end_reason, transfers, opted_out, max_turns } = expected;
  const countOf = (tool: string) => callsIn(trace).filter(({ name, isError }) => name === tool && !isError).length;
  const made = countOf('transfer');
  const isOptedOut = countOf(OPT_OUT_TOOL) > 0;
  const outcome =
    (end_reason === undefined || end_reason === trace.end_reason) &&
    (transfers === undefined || transfers === made) &&
    (opted_out === undefined || opted_out === isOptedOut) &&
    (max_turns === undefined || trace.turns.length <= max_turns);
  const found = `${trace.end_reason}, ${made} transfers, ${isOptedOut ? 'opted out, ' : ''}${trace.turns.length} turns`;
  return { expected: `the call has ${json({ end_reason, transfers, opted_out, max_turns })}`, outcome, found };
}

/** Everything that a moment can name, in the order in which it happened. */
function eventsOf({ turns }: Trace): { heard?: string; words?: string; tool?: string }[] {
  return turns.flatMap(({ heard, words, calls }) => [
    ...(heard === null ? [] : [{ heard }]),
    ...calls.map(({ name }) => ({ tool: name })),
    ...(words ? [{ words }] : []),
  ]);
}

function checkTimeline(moments: readonly Moment[], trace: Trace): Checked {
  const events = eventsOf(trace);
  let reached = 0;
  for (const { heard, words, tool } of events) {
    const { agent_says, caller_says, tool: named } = moments[reached] ?? {};
    const isIt =
      (named !== undefined && named === tool) ||
      (agent_says !== undefined && words !== undefined && says(words, agent_says)) ||
      (caller_says !== undefined && heard !== undefined && says(heard, caller_says));
    if (isIt) reached++;
  }
  return {
    expected: `in this order: ${moments.map(json).join(', ')}`,
    outcome: reached === moments.length,
    found: reached === moments.length ? 'in this order' : `not reached: ${json(moments[reached])}`,
  };
}

/** Checks one limit. */
function checkLatency(limits: NonNullable<Expectation['latency']>, { turns }: Trace): Checked {
  const answers = turns.filter(({ heard }) => heard !== null);
  const { first_word_p95_ms, first_audio_p95_ms: sound } = limits;
  const expected = `latency ${json(limits)}`;
  // In text nobody hears a sound.
  if (sound !== undefined)
    return within(expected, sound, p95Of(answers.map((turn) => turn.first_audio_ms)), 'until the first sound');
  const models = ({ decisions }: Trace['turns'][number]) => decisions.map(({ model }) => model);
  const asked = answers.filter((turn) => models(turn).some((model) => model !== PHRASES));
  // Words of the configuration take no time.
  if (asked.length === 0 && answers.some((turn) => turn.first_word_ms !== null))
    return { expected, outcome: 'not_checked', found: 'no model has answered' };
  const p95 = p95Of(asked.map((turn) => turn.first_word_ms));
  const checked = within(expected, first_word_p95_ms ?? Number.POSITIVE_INFINITY, p95, 'until the first word');
  // A model takes longer than rules: it can only exceed what the tools alone exceed.
  if (checked.outcome === true && asked.some((turn) => models(turn).some((model) => RULES.includes(model))))
    return { ...checked, outcome: 'not_checked', found: `rules take no time: ${checked.found} by the tools alone` };
  return checked;
}

function within(expected: string, limit: number, p95: number | undefined, until: string): Checked {
  if (p95 === undefined) return { expected, outcome: null, found: 'not measured in this run' };
  return { expected, outcome: p95 <= limit, found: `${p95} ms ${until}` };
}

/** Rules in place of a model, and those of the worker's provider `local`. */
const RULES = ['rules', 'local/rules'];

function p95Of(values: readonly (number | null | undefined)[]): number | undefined {
  const sorted = values.filter((value) => typeof value === 'number').sort((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * 0.95) - 1];
}

function checkCost(max: string, { cost, by_rules }: Trace): Checked {
  const expected = `costs at most ${max}`;
  // The agent's own model would cost something; `local` is one that does not.
  if (by_rules) return { expected, outcome: 'not_checked', found: 'rules ask no model' };
  if (cost === null) return { expected, outcome: null, found: 'a price is not known' };
  return { expected, outcome: Number(cost) <= Number(max), found: cost };
}

/** Votes come one after the other, so that they are the same ones when they are replayed. */
async function checkClaim({ judge: claim = '', votes = 1, model }: Expectation, trace: Trace, judge: Judge | null) {
  const expected = `judged: ${claim}`;
  if (!judge) return { expected, outcome: null, found: 'no language model judges here' };
  const given: Vote[] = [];
  for (let at = 0; at < votes; at++) given.push(await judge(claim, trace, model ?? null));
  const yes = given.filter(({ holds }) => holds === true).length;
  const open = given.filter(({ holds }) => holds === null).length;
  // Votes that decide nothing leave it open if they could have turned it.
  const outcome = yes * 2 > votes ? true : (yes + open) * 2 > votes ? null : false;
  const reason = given.find(({ holds }) => holds === outcome)?.reason ?? given[0]?.reason ?? '';
  return { expected, outcome, found: `${yes} of ${votes} votes: ${reason}`, votes: given };
}
