import { compilePattern } from './match.ts';
import type { Expectation, Said, Scenario, Step } from './schema.ts';

interface Mistake {
  path: string;
  message: string;
}

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
/** Fields that go with one of these alone. */
const ONLY_WITH = { args: 'tool', times: 'tool', votes: 'judge' } as const;

/** Rules that a JSON schema cannot say clearly: mistakes of a scenario that has the right form. */
export function ambiguities(scenario: Scenario): Mistake[] {
  const { script, persona } = scenario.caller;
  const expectations = scenario.expect.map((one, at) => ({ one, path: `/expect/${at}` }));
  return [
    ...((script === undefined) === (persona === undefined)
      ? [{ path: '/caller', message: 'must have either a script or a persona' }]
      : []),
    ...(script ?? []).flatMap((step, at) => exactlyOne(step, STEPS, `/caller/script/${at}`)),
    ...afterTheEnd(script ?? []),
    ...expectations.flatMap(({ one, path }) => [
      ...exactlyOne(one, KINDS, path),
      ...companions(one, path),
      ...(one.timeline ?? []).flatMap((moment, at) => exactlyOne(moment, MOMENTS, `${path}/timeline/${at}`)),
      ...patternsOf(one, path),
    ]),
  ];
}

function exactlyOne(value: object, names: readonly string[], path: string): Mistake[] {
  const given = names.filter((name) => Object.hasOwn(value, name));
  if (given.length === 1) return [];
  const problem = given.length === 0 ? `must have one of ${names.join(', ')}` : `has ${given.join(' and ')}: take one`;
  return [{ path, message: problem }];
}

function companions(one: Expectation, path: string): Mistake[] {
  return Object.entries(ONLY_WITH).flatMap(([name, other]) =>
    Object.hasOwn(one, name) && !Object.hasOwn(one, other)
      ? [{ path: `${path}/${name}`, message: `goes with ${other} only` }]
      : [],
  );
}

function afterTheEnd(script: readonly Step[]): Mistake[] {
  const end = script.findIndex(({ hang_up }) => hang_up);
  if (end === -1 || end === script.length - 1) return [];
  return [{ path: `/caller/script/${end + 1}`, message: 'comes after the caller has hung up' }];
}

function patternsOf({ agent_says, agent_never_says, timeline = [] }: Expectation, path: string): Mistake[] {
  const all: [string, Said | undefined][] = [
    ['agent_says', agent_says],
    ['agent_never_says', agent_never_says],
    ...timeline.flatMap(({ agent_says, caller_says }, at): [string, Said | undefined][] => [
      [`timeline/${at}/agent_says`, agent_says],
      [`timeline/${at}/caller_says`, caller_says],
    ]),
  ];
  return all.flatMap(([name, said]) => {
    if (said === undefined || typeof said === 'string') return [];
    try {
      compilePattern(said.pattern);
      return [];
    } catch (error) {
      return [{ path: `${path}/${name}/pattern`, message: (error as Error).message }];
    }
  });
}
