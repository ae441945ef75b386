import { functionPlaceholders, functionProblem, type HttpFunction } from '@switchboard/client/functions';
import type { Problem } from '../../lib/invalid.ts';
import { isObject, type JsonObject } from '../../lib/json.ts';

const PLACE = ['config', 'tools', 'functions'];

/** Problems of the templates of a configuration's functions, and the variables of the call that these use. */
export function checkFunctions({ tools }: JsonObject): { problems: Problem[]; variables: string[] } {
  const list = isObject(tools) && Array.isArray(tools.functions) ? (tools.functions as unknown[]) : [];
  const collected = new Set(isObject(tools) ? namesIn(tools.collect_digits) : []);
  const problems: Problem[] = [];
  const variables: string[] = [];
  for (const [index, one] of list.entries()) {
    if (!isTemplate(one)) continue;
    const problem = functionProblem(one);
    if (problem) {
      const loc = [...PLACE, index, ...problem.place];
      problems.push({ loc, msg: `Value ${problem.msg}`, type: 'value_error' });
    }
    const properties = one.parameters?.properties;
    const isArgument = (name: string) => isObject(properties) && Object.hasOwn(properties, name);
    const isKnown = (name: string) => isArgument(name) || collected.has(name);
    variables.push(...functionPlaceholders(one).flatMap(({ name }) => (isKnown(name) ? [] : name)));
  }
  return { problems, variables };
}

/** The names of what the caller enters by keys, which functions get like variables. */
function namesIn(list: unknown): unknown[] {
  return Array.isArray(list) ? list.map((one: unknown) => (isObject(one) ? one.name : undefined)) : [];
}

/** Whether a value has the types of a function's templates; the schema reports others. */
function isTemplate(one: unknown): one is HttpFunction {
  if (!isObject(one) || typeof one.url !== 'string' || one.url === '') return false;
  const { headers = {}, body, parameters } = one;
  return (
    isObject(headers) &&
    Object.values(headers).every((value) => typeof value === 'string') &&
    (body === undefined || typeof body === 'string') &&
    (parameters === undefined || isObject(parameters))
  );
}
