import type { Static } from 'typebox';
import { Compile } from 'typebox/compile';
import { toProblem } from '../../http/validation-problems.ts';
import type { Problem } from '../../lib/invalid.ts';
import { isObject, type JsonObject } from '../../lib/json.ts';
import { closestName } from '../../lib/misspelled.ts';
import { AgentConfig, type ConfigCheck, TEXTS } from './config-schema.ts';

const PLACE = 'config';
/** Maximum problems that one check reports. */
export const MAX_CONFIG_PROBLEMS = 100;
/** Maximum unknown fields that are compared with the known ones; each takes some microseconds. */
const MAX_COMPARED = 1000;
/** `{{name}}`, with or without spaces. */
const PLACEHOLDER = /\{\{([^{}]*)\}\}/g;
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;

/** Compiled on first use, like the schemas of requests. */
let compiled: ReturnType<typeof Compile<typeof AgentConfig>> | undefined;

/** Validates a configuration; returns all problems, and the variables that its texts use. */
export function checkConfig(config: JsonObject): Static<typeof ConfigCheck> {
  compiled ??= Compile(AgentConfig);
  const errors = compiled.Check(config) ? [] : compiled.Errors(config);
  const problems = errors.flatMap((error) => toProblem(error, AgentConfig.properties, config, PLACE));
  const names = placeholdersOf(config);
  const all = [...oneForEachPlace(problems), ...misspelled(config), ...names.flatMap(({ problem }) => problem ?? [])];
  const variables = names.flatMap(({ name, problem }) => (problem ? [] : name));
  return {
    valid: all.length === 0,
    problems: all.slice(0, MAX_CONFIG_PROBLEMS),
    variables: [...new Set(variables)].sort(),
  };
}

/** A value of the wrong type breaks several rules; the first one says enough. */
function oneForEachPlace(problems: Problem[]): Problem[] {
  return [
    ...new Map(problems.toReversed().map((problem) => [JSON.stringify(problem.loc), problem])).values(),
  ].reverse();
}

/** Unknown fields are kept, but one that resembles a known field is probably a typo. */
function misspelled(config: JsonObject): Problem[] {
  const known = Object.keys(AgentConfig.properties);
  const unknown = Object.keys(config).filter((name) => !known.includes(name));
  return unknown.slice(0, MAX_COMPARED).flatMap((name) => {
    const intended = closestName(name, known);
    if (intended === undefined) return [];
    return { loc: [PLACE, name], msg: `Unknown field: did you mean ${intended}?`, type: 'extra_forbidden' };
  });
}

function placeholdersOf(config: JsonObject): { name: string; problem?: Problem }[] {
  return TEXTS.flatMap((path) => {
    const text = path.reduce<unknown>((inner, key) => (isObject(inner) ? inner[key] : undefined), config);
    if (typeof text !== 'string') return [];
    return [...text.matchAll(PLACEHOLDER)].map(([whole, inside = '']) => {
      const name = inside.trim();
      if (VARIABLE.test(name)) return { name };
      const msg = 'A variable is written {{name}}: letters, digits and underscores, not beginning with a digit';
      return { name, problem: { loc: [PLACE, ...path], msg, type: 'value_error', input: whole } };
    });
  });
}
