import { compilePattern } from './match.ts';
import { type Expectation, MAX_RING_MS, type Step } from './schema.ts';

interface Mistake {
  path: string;
  message: string;
}

/** A part of a scenario, which may have any form: mistakes of form do not hide these. */
type Part = Readonly<Record<string, unknown>>;

/** Fields of which a step, an expectation or a moment has exactly one. */
const STEPS = ['say', 'interrupt', 'dtmf', 'hang_up'] as const satisfies readonly (keyof Step)[];
const KINDS = [
  'tool',
  'agent_says',
  'agent_never_says',
  'world',
  'call',
  'timeline',
  'latency',
  'cost',
  'judge',
] as const satisfies readonly (keyof Expectation)[];
const MOMENTS = ['tool', 'agent_says', 'caller_says'] as const;
const WORDS = ['agent_says', 'agent_never_says', 'caller_says'] as const;
/** Fields that go with one of these alone. */
const ONLY_WITH = { args: 'tool', times: 'tool', votes: 'judge', model: 'judge' } as const;

/** Mistakes of meaning, which a JSON schema cannot say clearly, in a text of whatever form. */
export function ambiguities(scenario: unknown): Mistake[] {
  const { caller, expect, mode, line } = partOf(scenario) ?? {};
  return [
    ...inCaller(partOf(caller)),
    ...inLine(partOf(line) ?? {}, mode ?? 'text'),
    ...partsOf(expect, '/expect').flatMap(inExpectation),
  ];
}

/** Parts of a line that a mode does not have: words in writing have no packets, and nobody here is a fax machine. */
function inLine({ loss = 0, answered_by, ring_ms }: Part, mode: unknown): Mistake[] {
  if (mode === 'text' && loss !== 0)
    return [{ path: '/line/loss', message: 'has no effect with mode: text, which has no packets: take mode: audio' }];
  const mistakes: Mistake[] = [];
  if (mode !== 'text' && answered_by === 'fax')
    mistakes.push({ path: '/line/answered_by', message: `cannot be fax with mode: ${mode}` });
  if (mode === 'phone' && typeof ring_ms === 'number' && ring_ms > MAX_RING_MS)
    mistakes.push({ path: '/line/ring_ms', message: `must be at most ${MAX_RING_MS} with mode: phone` });
  return mistakes;
}

function inCaller(caller: Part | null): Mistake[] {
  if (!caller) return [];
  const hasOne = Object.hasOwn(caller, 'script') !== Object.hasOwn(caller, 'persona');
  const steps = partsOf(caller.script, '/caller/script');
  return [
    ...(hasOne ? [] : [{ path: '/caller', message: 'must have either a script or a persona' }]),
    ...steps.flatMap(({ part, path }) => exactlyOne(part, STEPS, path)),
    ...afterTheEnd(steps),
  ];
}

function inExpectation({ part, path }: Placed): Mistake[] {
  const moments = partsOf(part.timeline, `${path}/timeline`);
  return [
    ...exactlyOne(part, KINDS, path),
    ...companions(part, path),
    ...moments.flatMap((moment) => exactlyOne(moment.part, MOMENTS, moment.path)),
    ...[{ part, path }, ...moments].flatMap(patternsOf),
  ];
}

interface Placed {
  part: Part;
  path: string;
}

function partOf(value: unknown): Part | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Part) : null;
}

function partsOf(list: unknown, path: string): Placed[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((value, at) => {
    const part = partOf(value);
    return part ? [{ part, path: `${path}/${at}` }] : [];
  });
}

function exactlyOne(part: Part, names: readonly string[], path: string): Mistake[] {
  const given = names.filter((name) => Object.hasOwn(part, name));
  if (given.length === 1) return [];
  const problem = given.length === 0 ? `must have one of ${names.join(', ')}` : `has ${given.join(' and ')}: take one`;
  return [{ path, message: problem }];
}

function companions(part: Part, path: string): Mistake[] {
  return Object.entries(ONLY_WITH).flatMap(([name, other]) =>
    Object.hasOwn(part, name) && !Object.hasOwn(part, other)
      ? [{ path: `${path}/${name}`, message: `goes with ${other} only` }]
      : [],
  );
}

function afterTheEnd(steps: readonly Placed[]): Mistake[] {
  const end = steps.findIndex(({ part }) => part.hang_up);
  const next = steps[end + 1];
  return end === -1 || !next ? [] : [{ path: next.path, message: 'comes after the caller has hung up' }];
}

function patternsOf({ part, path }: Placed): Mistake[] {
  return WORDS.flatMap((name) => {
    const pattern = partOf(part[name])?.pattern;
    if (typeof pattern !== 'string') return [];
    try {
      compilePattern(pattern);
      return [];
    } catch (error) {
      return [{ path: `${path}/${name}/pattern`, message: (error as Error).message }];
    }
  });
}
