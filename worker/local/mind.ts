/**
 * A few rules behind the chat completions API, so that an agent can be heard without an account. They are not a
 * language model, and say so when asked.
 */
export const MIND_MODEL = 'rules';

export interface Message {
  role: string;
  content?: string | { type: string; text?: string }[] | null;
}

export interface Thought {
  text: string;
  call: { name: string; arguments: Record<string, unknown> } | null;
}

/** The assistant's next message. `tools` are the names of the offered tools. */
export function think(messages: readonly Message[], tools: ReadonlySet<string>, mustCall = false): Thought {
  const last = messages.at(-1);
  const heard = textOf(last).trim();
  // The library's question whether a machine has answered the phone.
  if (mustCall && tools.has('save_prediction')) return call('save_prediction', { label: answeredBy(heard) });
  if (last?.role === 'tool') return say(afterTool(heard));
  for (const [pattern, rule] of RULES) {
    const match = pattern.exec(heard);
    const thought = match && rule(match, tools);
    if (thought) return thought;
  }
  return say(heard ? `You said: ${heard}` : 'I am listening.');
}

type Rule = (match: RegExpExecArray, tools: ReadonlySet<string>) => Thought | null;

const say = (text: string): Thought => ({ text, call: null });
const call = (name: string, args: Record<string, unknown>, text = ''): Thought => ({
  text,
  call: { name, arguments: args },
});

const RULES: [RegExp, Rule][] = [
  [
    /\b(good ?bye|bye|hang up)\b/i,
    (_, tools) => (tools.has('hang_up') ? call('hang_up', {}, 'Thank you for calling. Goodbye.') : say('Goodbye.')),
  ],
  [
    /\b(?:transfer|connect|put)\b.*?\b(?:to|with)\s+(?:the\s+|a\s+)?(\w+)/i,
    ([, name = ''], tools) =>
      tools.has('transfer') ? call('transfer', { destination: name.toLowerCase() }, 'One moment, please.') : null,
  ],
  [
    /\bpress (?:the )?(?:number |key )?(\w+)/i,
    ([, key = ''], tools) => (tools.has('send_dtmf') ? call('send_dtmf', { digits: DIGITS[key] ?? key }) : null),
  ],
  [
    /\b(?:use|call|run) (?:the )?function (\w+)(?: with (.+?))?[.?!]*$/i,
    ([, name = '', value], tools) => (tools.has(name) ? call(name, value ? { value } : {}) : null),
  ],
  [
    /\b(what|who) are you\b/i,
    () => say('I am a few rules on this machine, not a language model. Give the agent a model to really talk to it.'),
  ],
  [/\bwhat time\b/i, () => say(`It is ${new Date().toLocaleTimeString('en-US', { timeStyle: 'short' })}.`)],
  [/\bcount to ten\b/i, () => say('One, two, three, four, five, six, seven, eight, nine, ten. That was all of them.')],
  [/^(hello|hi|good (morning|afternoon|evening))\b[.!]?$/i, () => say('Hello. What can I do for you?')],
];

const DIGITS: Record<string, string> = Object.fromEntries(
  ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'].map((word, digit) => [
    word,
    String(digit),
  ]),
);

function afterTool(result: string): string {
  return /\b(error|failed|refused)\b/i.test(result) ? 'I am sorry, that did not work.' : `Done. ${result}`.trim();
}

function answeredBy(transcript: string): string {
  if (/\bpress \w+\b/i.test(transcript)) return 'machine-ivr';
  if (/\b(mailbox is full|not been set up)\b/i.test(transcript)) return 'machine-unavailable';
  if (/\b(voice ?mail|leave (me )?(a|your) message|after the (tone|beep)|not available)\b/i.test(transcript))
    return 'machine-vm';
  return 'human';
}

export function textOf(message: Message | undefined): string {
  const content = message?.content ?? '';
  return typeof content === 'string' ? content : content.map(({ text }) => text ?? '').join(' ');
}

/** Words are counted as tokens. */
export function tokensOf(text: string): number {
  return text.split(/\s+/).filter(Boolean).length;
}
