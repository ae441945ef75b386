/**
 * Replies by rules, so that an agent can be talked to without an account. They are not a language model, and say so
 * when asked: they find the sentence of the instructions that answers, and call the tool whose words match.
 */
import { ANALYSIS, analyse } from './analysis.ts';
import { answerFrom } from './answer.ts';
import { answeredBy } from './answered-by.ts';
import type { Line, Message, Reply, Tool } from './messages.ts';
import { askNext } from './questionnaire.ts';
import { afterTool } from './results.ts';
import { continueTool, matchTool, toolCall } from './tools.ts';
import { choicesOf, DO_NOT_CALL } from './values.ts';

export type { Message, Parameter, Reply, Tool } from './messages.ts';

/** When it is, for whoever asks; `timeZone` as `Intl` takes it, by default the machine's. */
interface Moment {
  now: Date;
  timeZone: string | undefined;
}

interface Options extends Partial<Moment> {
  /** The library asks whether a machine has answered the phone, or the worker what a transcript says. */
  mustCall?: boolean;
}

/** The assistant's next message. */
export function reply(messages: readonly Message[], tools: readonly Tool[], options: Options = {}): Reply {
  const { mustCall = false, now = new Date(), timeZone } = options;
  const last = messages.at(-1);
  const heard = textOf(last).trim();
  const offered = new Map(tools.map((tool) => [tool.name, tool]));
  if (mustCall && offered.has('save_prediction')) return toolCall('save_prediction', { label: answeredBy(heard) });
  const analysis = mustCall ? offered.get(ANALYSIS) : undefined;
  if (analysis) return analyse(analysis, heard);
  const lines = messages.map((message) => ({ role: message.role, text: textOf(message).trim() }));
  if (last?.role === 'tool') return goOn(lines, tools);
  if (last?.role === 'system' && CUT_OFF.test(heard)) return reply(messages.slice(0, -2), tools, options);
  // Its own words are no wish: it is told to speak, for example once a caller is no longer on hold.
  if (!heard || last?.role === 'assistant') return say('I am listening.');
  if (OPT_OUT.test(heard)) return optOut(heard, tools);
  const begun =
    LEAVES.test(heard) || heard.endsWith('?') ? null : (askNext(lines, tools) ?? continueTool(lines, tools));
  if (begun) return begun;
  for (const [pattern, rule] of RULES) {
    const match = pattern.exec(heard);
    const made = match && rule(match, offered, { now, timeZone });
    if (made) return made;
  }
  return matchTool(heard, tools) ?? answer(messages, heard);
}

/** Instruction of the worker to a model that continues the answer of another one; it leaves out what was said. */
const CUT_OFF = /^Your last message was cut off\b/;

type Rule = (match: RegExpExecArray, tools: ReadonlyMap<string, Tool>, moment: Moment) => Reply | null;

const say = (text: string): Reply => ({ text, call: null });

const GOODBYE =
  /\b(?:good[ -]?bye|bye|hang(?:ing)? up|end (?:the|this) call|that(?:'s| is| was) (?:all|everything)|nothing else)\b/i;
const TRANSFER = /\b(?:transfer|connect|put|speak|talk)\b/i;

const RULES: [RegExp, Rule][] = [
  [
    GOODBYE,
    (_, tools) =>
      tools.has('hang_up')
        ? toolCall('hang_up', {}, 'Thank you for calling. Goodbye.')
        : say('Thank you for calling. Goodbye.'),
  ],
  [TRANSFER, ({ input }, tools) => transfer(whomIn(lastLine(input)), tools.get('transfer'))],
  [
    /\bpress (?:the )?(?:number |key )?(\w+)/i,
    ([, key = ''], tools) =>
      tools.has('send_dtmf') ? toolCall('send_dtmf', { digits: DIGITS[key.toLowerCase()] ?? key }) : null,
  ],
  [/\b(?:use|call|run) (?:the )?function\b/i, ({ input }, tools) => callNamed(lastLine(input), tools)],
  [
    /\b(?:(?:what|who) are you|are you (?:a |an )?(?:robot|machine|human|computer|person|ai|real))\b/i,
    () => say('I am a few rules on this machine, not a language model. Give the agent a model to really talk to it.'),
  ],
  [/\bcan you hear me\b/i, () => say('Yes, I can hear you.')],
  [
    /\bwhat time is it\b/i,
    (_match, _tools, { now, timeZone }) =>
      say(`It is ${now.toLocaleTimeString('en-US', { timeStyle: 'short', timeZone })}.`),
  ],
  [
    /\b(?:what|which) day is (?:it|today)\b/i,
    (_match, _tools, { now, timeZone }) =>
      say(`Today is ${now.toLocaleDateString('en-US', { weekday: 'long', timeZone })}.`),
  ],
  [/\bcount to ten\b/i, () => say('One, two, three, four, five, six, seven, eight, nine, ten. That was all of them.')],
  [/^(?:no,? )?(?:thank you|thanks)\b[^?]{0,40}$/i, () => say('You are welcome. Is there anything else?')],
];

/** A caller who wants something else than to answer. */
const LEAVES = new RegExp(
  `${GOODBYE.source}|^(?:please )?(?:transfer|connect|put)\\b|\\b(?:speak|talk) (?:to|with)\\b`,
  'i',
);
/** People must be able to end calls for good, whatever the instructions say. */
const OPT_OUT = new RegExp(
  [
    'stop calling',
    "(?:do not|don['’]t|never|not to) (?:ever )?(?:call|phone|ring)(?:(?: me| us| here| this number)(?: at all| again| any ?more)*| again| any ?more)(?=[.!,; ]*$|[.!,;])",
    'not (?:want )?(?:to )?be called(?: again| any ?more)?(?=[.!,; ]*$|[.!,;])',
    '(?:take|remove) (?:me|us|my number|this number) (?:off|from) (?:your|the|this|that) (?:call(?:ing)? )?(?:list|records|files|database|system)',
  ]
    .map((words) => `\\b${words}`)
    .join('|'),
  'i',
);

/** Records the wish where a function can, and ends the call. */
function optOut(heard: string, tools: readonly Tool[]): Reply {
  for (const { name, parameters = {} } of tools) {
    const { properties = {}, required = [] } = parameters;
    const field = Object.keys(properties).find((one) => choicesOf(properties[one] ?? {})?.includes(DO_NOT_CALL));
    if (field === undefined) continue;
    const others = required.filter((one) => one !== field).map((one) => [one, heard]);
    return toolCall(name, { [field]: DO_NOT_CALL, ...Object.fromEntries(others) });
  }
  return leave(tools, 'I understand. Goodbye.');
}

function leave(tools: readonly Tool[], words: string): Reply {
  return tools.some(({ name }) => name === 'hang_up') ? toolCall('hang_up', {}, words) : say(words);
}

/** After a tool: its result, the next question, or the end. */
function goOn(lines: readonly Line[], tools: readonly Tool[]): Reply {
  const asked = lines.findLast(({ role }) => role === 'user')?.text ?? '';
  const known = lines.filter(({ role }) => role === 'system' || role === 'developer').map(({ text }) => text);
  const said = afterTool(lines.at(-1)?.text ?? '', known, asked);
  // The result of hanging up.
  if (lines.at(-2)?.text.endsWith('Goodbye.')) return say(said);
  if (!OPT_OUT.test(asked)) return askNext(lines, tools) ?? say(said);
  const isSaved = !said.startsWith('I am sorry');
  return leave(tools, isSaved ? 'I have passed that on. Goodbye.' : 'I am sorry, I could not pass that on. Goodbye.');
}

/**
 * The line that is said last, without its full stop. An expression that looks for the end of a text with several lines
 * would look on from each of its words in vain, which takes seconds.
 */
function lastLine(heard: string): string {
  return heard.slice(heard.lastIndexOf('\n') + 1).replace(/(?<![.?!])[.?!]+$/, '');
}

/** Calls the function that is named at the end of a line, with the value that follows. */
function callNamed(line: string, tools: ReadonlyMap<string, Tool>): Reply | null {
  const [, name = '', value] = /\b(?:use|call|run) (?:the )?function (\w+)(?: with (.+))?$/i.exec(line) ?? [];
  return tools.has(name) ? toolCall(name, value ? { value } : {}) : null;
}

/** Whom a caller asks for in a line; undefined if it asks for nobody. */
function whomIn(line: string): string | undefined {
  const asking = TRANSFER.exec(line);
  return asking ? /\b(?:to|with)\s+(.+)/i.exec(line.slice(asking.index))?.[1] : undefined;
}

/** To the destination that was named, or the only one; without either the caller is asked. */
function transfer(whom: string | undefined, tool: Tool | undefined): Reply | null {
  if (!tool || whom === undefined) return null;
  const names = (tool.parameters?.properties?.destination?.enum ?? []).map(String);
  const wanted = whom.toLowerCase();
  const named = names.find((name) => wanted.includes(name.toLowerCase()));
  const destination = named ?? (names.length === 1 ? names[0] : undefined);
  if (destination === undefined) return say(`I can transfer you to ${names.join(', or to ')}.`);
  return toolCall('transfer', { destination }, 'One moment, please.');
}

const GREETING = /^(?:hello|hi|hey|good (?:morning|afternoon|evening))\b[\s,.!?]*/i;

/** The question that the caller asked before. */
function questionBefore(messages: readonly Message[]): string {
  return textOf(messages.slice(0, -1).findLast(({ role }) => role === 'user'));
}

function answer(messages: readonly Message[], heard: string): Reply {
  const known = messages.filter(({ role }) => role === 'system' || role === 'developer').map(textOf);
  const asked = heard.replace(GREETING, '');
  const found = asked && answerFrom(known, asked, questionBefore(messages));
  if (found) return say(found);
  const isGreeting = asked !== heard && asked.length <= 30 && !asked.includes('?');
  return say(isGreeting ? 'Hello. What can I do for you?' : 'I am sorry, I have no information about that.');
}

const DIGITS: Record<string, string> = Object.fromEntries(
  ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'].map((word, digit) => [
    word,
    String(digit),
  ]),
);

export function textOf(message: Message | undefined): string {
  const content = message?.content ?? '';
  return typeof content === 'string' ? content : content.map(({ text }) => text ?? '').join(' ');
}

/** Words are counted as tokens. */
export function tokensOf(text: string): number {
  return text.split(/\s+/).filter(Boolean).length;
}
