import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { toProblem } from '../../http/validation-problems.ts';
import type { Problem } from '../../lib/invalid.ts';
import { isObject, type JsonObject } from '../../lib/json.ts';
import { closestName } from '../../lib/misspelled.ts';
import { AgentConfig, type ConfigCheck, TEXTS } from './config-schema.ts';
import { checkFunctions } from './function-templates.ts';
import { LISTS, MAX_MODELS, SINGLE_MODELS, WITHOUT_DEFAULT } from './model-schema.ts';
import { problemsOfPatterns } from './privacy.ts';
import { problemsOfSounds } from './sound-schema.ts';
import { problemsOfCallBack, problemsOfPauses, problemsOfTransfer } from './tool-schema.ts';

const PLACE = 'config';
/** Maximum problems that one check reports. */
export const MAX_CONFIG_PROBLEMS = 100;
/** Maximum unknown fields that are compared with the known ones; each takes some microseconds. */
const MAX_COMPARED = 1000;
/** `{{name}}`, with or without spaces; `{{sip.name}}` is a header of an inbound call. */
const PLACEHOLDER = /\{\{([^{}]*)\}\}/g;
const VARIABLE = /^(?:[A-Za-z_][A-Za-z0-9_]{0,63}|sip\.[a-z0-9_.-]{1,64})$/;

/** Lists are checked model by model: for a union, a validator reports the mistakes of each alternative. */
const SingleConfig = Type.Object({ ...AgentConfig.properties, ...SINGLE_MODELS }, { additionalProperties: true });
/** Compiled on first use, like the schemas of requests. */
let compiled: ReturnType<typeof Compile<typeof SingleConfig>> | undefined;

/** Validates a configuration; returns all problems, and the variables that its texts use. */
export function checkConfig(config: JsonObject): Static<typeof ConfigCheck> {
  const problems = [
    // Before those of the schema, which only knows the pattern of a name.
    ...problemsOfSounds(config, PLACE),
    ...problemsOf(withoutLists(config)),
    ...problemsOfLists(config),
    ...withoutModel(config),
  ];
  const names = placeholdersOf(config);
  const functions = checkFunctions(config);
  const all = [
    ...oneForEachPlace([...problems, ...functions.problems]),
    ...problemsOfPatterns(config, PLACE),
    ...problemsOfCallBack(config, PLACE),
    ...problemsOfTransfer(config, PLACE),
    ...problemsOfPauses(config, PLACE),
    ...misspelled(config),
    ...names.flatMap(({ problem }) => problem ?? []),
  ];
  const variables = [...names.flatMap(({ name, problem }) => (problem ? [] : name)), ...functions.variables];
  return {
    valid: all.length === 0,
    problems: all.slice(0, MAX_CONFIG_PROBLEMS),
    // Headers come with the call: nobody is asked for them.
    variables: [...new Set(variables)].filter((name) => !name.startsWith('sip.')).sort(),
  };
}

function problemsOf(config: JsonObject): Problem[] {
  compiled ??= Compile(SingleConfig);
  const errors = compiled.Check(config) ? [] : compiled.Errors(config);
  return errors.flatMap((error) => toProblem(error, SingleConfig.properties, config, PLACE));
}

function withoutLists(config: JsonObject): JsonObject {
  const lists: readonly string[] = LISTS.filter((kind) => Array.isArray(config[kind]));
  return Object.fromEntries(Object.entries(config).filter(([name]) => !lists.includes(name)));
}

/** The models of each list, with their places in it. */
function modelsOf(config: JsonObject): { place: (string | number)[]; kind: string; model: unknown }[] {
  return LISTS.flatMap((kind) => {
    const value = config[kind];
    if (!Array.isArray(value)) return [{ place: [kind], kind, model: value }];
    return value.slice(0, MAX_MODELS).map((model: unknown, index) => ({ place: [kind, index], kind, model }));
  });
}

function problemsOfLists(config: JsonObject): Problem[] {
  const lengths = LISTS.flatMap((kind) => {
    const { length } = Array.isArray(config[kind]) ? config[kind] : [null];
    if (length >= 1 && length <= MAX_MODELS) return [];
    const msg = `List should have from 1 to ${MAX_MODELS} items`;
    return [{ loc: [PLACE, kind], msg, type: length === 0 ? 'too_short' : 'too_long' }];
  });
  const models = modelsOf(config).flatMap(({ place, kind, model }) =>
    place.length === 1
      ? []
      : problemsOf({ [kind]: model ?? null } as JsonObject).map(({ loc, ...problem }) => ({
          ...problem,
          loc: [PLACE, ...place, ...loc.slice(2)],
        })),
  );
  return [...lengths, ...models];
}

/** Language models that a worker cannot choose by itself. */
function withoutModel(config: JsonObject): Problem[] {
  return modelsOf(config).flatMap(({ place, kind, model }) => {
    if (kind !== 'llm' || !isObject(model) || 'model' in model) return [];
    if (!WITHOUT_DEFAULT.includes(String(model.provider))) return [];
    const msg = `Field required: ${model.provider} has no default`;
    return [{ loc: [PLACE, ...place, 'model'], msg, type: 'missing' }];
  });
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
