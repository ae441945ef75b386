import type { Line, Parameter, Reply, Tool } from './messages.ts';
import {
  answeredValue,
  choicesOf,
  DO_NOT_CALL,
  type Field,
  isGiven,
  isNamed,
  NUMBERS,
  spaced,
  valueIn,
  withoutMoment,
} from './values.ts';
import { meaningOf } from './words.ts';

/** Tools with rules of their own, which must not be called because a word of their description was said. */
const OWN_RULES = new Set(['hang_up', 'send_dtmf', 'transfer', 'save_prediction']);

/** A caller who reads out a number says nothing about the function by it. */
const NUMBER_STEMS = meaningOf(NUMBERS.join(' '));

export function toolCall(name: string, args: Record<string, unknown>, text = ''): Reply {
  return { text, call: { name, arguments: args } };
}

/**
 * Calls the function whose name was said, or of whose words at least two and half of those that were said are; asks for
 * a value that it requires and that was not said. Null if no function matches.
 */
export function matchTool(heard: string, tools: readonly Tool[]): Reply | null {
  const said = [...meaningOf(withoutMoment(heard))].filter((word) => !/^\d+$/.test(word) && !NUMBER_STEMS.has(word));
  let best: { score: number; tool: Tool } | null = null;
  for (const tool of tools.filter(({ name }) => !OWN_RULES.has(name))) {
    const named = isNamed(tool.name, heard);
    const described = meaningOf(`${spaced(tool.name)} ${tool.description ?? ''} ${wordsIn(tool)}`);
    const shared = said.filter((word) => described.has(word)).length;
    if (!named && (shared < 2 || shared * 2 < said.length)) continue;
    const score = shared + (named ? meaningOf(spaced(tool.name)).size : 0);
    if (score > (best?.score ?? 0)) best = { score, tool };
  }
  return best && withArguments(best.tool, [{ heard, asked: null }]);
}

/** Parameters, and the values that they can have: people say them when they mean the function. */
function wordsIn({ parameters }: Tool): string {
  const fields = Object.entries(parameters?.properties ?? {});
  const words = fields.flatMap(([name, parameter]) => [name, ...(choicesOf(parameter) ?? [])]);
  return words.flatMap((one) => (one === DO_NOT_CALL ? [] : spaced(String(one)))).join(' ');
}

/** Words of the caller, and the parameter that they answer, if it was asked for. */
interface Answer {
  heard: string;
  asked: string | null;
}

/** Goes on with the function of which a value was asked for; null if none was. */
export function continueTool(lines: readonly Line[], tools: readonly Tool[]): Reply | null {
  const answers: Answer[] = [];
  let found: Tool | undefined;
  for (let at = lines.length - 1; lines[at]?.role === 'user'; at -= 2) {
    const before = lines[at - 1];
    const question = before?.role === 'assistant' ? before.text : '';
    const tool = tools.find((one) => (!found || one === found) && askedIn(one, question) !== null);
    answers.unshift({ heard: lines[at]?.text ?? '', asked: tool ? askedIn(tool, question) : null });
    if (!tool) break;
    found = tool;
  }
  return found ? withArguments(found, answers) : null;
}

/** The parameter that a tool's question asks for. */
function askedIn({ name, parameters }: Tool, question: string): string | null {
  if (OWN_RULES.has(name)) return null;
  return (
    (parameters?.required ?? []).find((one) => question.endsWith(questionFor(one, parameters?.properties))) ?? null
  );
}

function questionFor(name: string, properties: Record<string, Parameter> = {}): string {
  const words = spaced(name).toLowerCase();
  const isYesOrNo = properties[name]?.type === 'boolean' && words.startsWith('is ');
  return isYesOrNo ? `Is it ${words.slice('is '.length)}?` : `Please tell me the ${words}.`;
}

function withArguments({ name, parameters = {} }: Tool, answers: readonly Answer[]): Reply {
  const { properties = {}, required = [] } = parameters;
  const args: Record<string, unknown> = {};
  // Databases that store configurations as JSON may reorder fields, but never lists.
  const rest = Object.keys(properties).filter((name) => !required.includes(name));
  for (const key of [...required, ...rest.sort()]) {
    const parameter = properties[key];
    if (!parameter) continue;
    const isRequired = required.includes(key);
    const isOnly = (isRequired ? required : Object.keys(properties)).length === 1;
    const field = { name: key, parameter, isRequired, isOnly, isFirst: key === required[0] };
    const others = Object.keys(properties).filter((one) => one !== key);
    const value = latest(field, others, answers);
    if (value !== undefined) args[key] = value;
    else if (isRequired) return { text: questionFor(key, properties), call: null };
  }
  return toolCall(name, args);
}

/** The last value of a field: as an answer, or by its name in the answer to another one. */
function latest(field: Field, others: readonly string[], answers: readonly Answer[]): unknown {
  for (const { heard, asked } of answers.toReversed()) {
    const isAnswer = asked === field.name && (isGiven(field.name, heard) || !others.some((one) => isGiven(one, heard)));
    if (asked !== null && !isAnswer && !isGiven(field.name, heard)) continue;
    const value = isAnswer ? answeredValue(field, heard) : valueIn(field, heard);
    if (value !== undefined) return value;
  }
  return undefined;
}
