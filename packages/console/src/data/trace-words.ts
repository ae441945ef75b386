import {
  decimal,
  type TestCheck,
  type TestConversation,
  type TestResult,
  type TestToolCall,
  type TestTurn,
} from '@switchboard/client';

/** Ends of a conversation in words. */
const ENDS: Record<TestConversation['end_reason'], string> = {
  caller_hung_up: 'the caller hung up',
  agent_hung_up: 'the agent hung up',
  transferred: 'the caller was transferred',
  script_over: 'nobody hung up: the script was over',
  failed: 'the conversation broke off',
};

export const endOf = ({ end_reason }: Pick<TestConversation, 'end_reason'>) => ENDS[end_reason];

/** A value without the signs of JSON: `day: 2026-07-31, times: 1`. */
export function inWords(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string') return ENDS[value as keyof typeof ENDS] ?? value;
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(within).join(', ');
  const entries = Object.entries(value);
  return entries.length === 0 ? 'nothing' : entries.map(([name, one]) => `${spaced(name)}: ${within(one)}`).join(', ');
}

/** Inside another value: brackets tell what belongs together. */
const within = (value: unknown) =>
  typeof value === 'object' && value !== null && Object.keys(value).length > 0 ? `(${inWords(value)})` : inWords(value);
const spaced = (name: string) => name.replaceAll('_', ' ');

/** A text in which values stand as JSON, with the values in words, and texts in quotation marks. */
export function plain(text: string): string {
  let words = '';
  let at = 0;
  while (at < text.length) {
    const end = endOfJson(text, at);
    const value = end === null ? undefined : parsed(text.slice(at, end));
    if (end === null || value === undefined) words += text[at++];
    else {
      words += typeof value === 'string' ? `“${value}”` : inWords(value);
      at = end;
    }
  }
  return words.replace(/\b[a-z]+(_[a-z]+)+\b/g, (name) => ENDS[name as keyof typeof ENDS] ?? name);
}

/** Where the value ends that begins here; null if none begins, or it does not end. */
function endOfJson(text: string, from: number): number | null {
  if (!'{["'.includes(text[from] ?? ' ')) return null;
  let [depth, isText] = [0, false];
  for (let at = from; at < text.length; at++) {
    const sign = text[at] ?? '';
    if (isText && sign === '\\') at++;
    else if (sign === '"') isText = !isText;
    else if (!isText && '{['.includes(sign)) depth++;
    else if (!isText && '}]'.includes(sign)) depth--;
    if (depth === 0 && !isText) return at + 1;
  }
  return null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The answer of a tool: JSON in words, other text as it is. */
export function answerInWords(text: string): string {
  const value = parsed(text);
  return value === undefined ? text || 'nothing' : inWords(value);
}

/** A step of a turn: an answer of the model, or a call of a tool that it made. */
export type Step = { decided: string; ms: number } | { called: TestToolCall };

/** The steps of a turn, in order: each answer of the model is followed by the calls that it made. */
export function stepsOf({ decisions = [], calls }: TestTurn): Step[] {
  let made = 0;
  const steps = decisions.flatMap(({ model, words, calls: names, ms }): Step[] => {
    const theirs = calls.slice(made, made + names.length);
    made += names.length;
    return [{ decided: decisionOf(model, names, words), ms }, ...theirs.map((called) => ({ called }))];
  });
  return [...steps, ...calls.slice(made).map((called) => ({ called }))];
}

function decisionOf(model: string, names: string[], words: string): string {
  const done = [...(names.length > 0 ? [`to call ${names.join(', then ')}`] : []), ...(words ? ['what to say'] : [])];
  const who = model === 'rules' ? 'The rules' : model;
  return `${who} decided ${done.length > 0 ? done.join(', and ') : 'to say nothing'}`;
}

/** The broken expectations for which a turn is to blame: it has words, or a call, that should have been otherwise. */
export function brokenIn({ words, calls }: TestTurn, checks: TestCheck[]): string[] {
  const broken = checks.filter(({ outcome }) => outcome === 'failed');
  const isHere = ({ expected, found }: TestCheck) =>
    (words !== '' && found === `said: ${words}`) || calls.some(({ name }) => expected.startsWith(`calls ${name} `));
  return broken.filter(isHere).map(({ expected }) => plain(expected));
}

/** Expectations that did not hold. */
const brokenOf = ({ checks }: TestConversation): TestCheck[] =>
  checks.filter(({ outcome }) => outcome === 'failed' || outcome === 'undecided');

/** Why a result is not a pass, in a sentence; null if it is, or is not known yet. */
export function whyOf({ error, conversations, problems }: TestResult): string | null {
  if (error) return error;
  const [worst] = conversations;
  if (worst?.error) return worst.error;
  const [broken] = worst ? brokenOf(worst) : [];
  if (broken) return `Expected: ${plain(broken.expected)}. Found: ${plain(broken.found)}`;
  return problems[0] ?? null;
}

/** The cost of the conversations of a result; null if a price is not known, or not all of them are kept. */
export function costOf({ conversations, is_complete }: TestResult): string | null {
  if (!is_complete || conversations.some(({ cost }) => cost === null)) return null;
  return decimal.sum(conversations.map(({ cost, times }) => decimal.multiply(cost ?? '0', `${times}`)));
}

/** The sum of the results; null if one is not known. */
export function costOfAll(results: TestResult[]): string | null {
  const costs = results.map(costOf);
  return costs.includes(null) ? null : decimal.sum(costs.filter((cost) => cost !== null));
}

/** The interval of the rate: `21–94 %`. */
export function rateOf({ interval: { low, high } }: TestResult): string {
  const percent = (rate: number) => Math.round(rate * 100);
  return `${percent(low)}–${percent(high)} %`;
}
