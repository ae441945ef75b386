import type { Parameter, Reply, Tool } from './messages.ts';
import { meaningOf, wordsOf } from './words.ts';

/** Tools with rules of their own, which must not be called because a word of their description was said. */
const OWN_RULES = new Set(['hang_up', 'send_dtmf', 'transfer', 'save_prediction']);
const NUMBERS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

export function toolCall(name: string, args: Record<string, unknown>, text = ''): Reply {
  return { text, call: { name, arguments: args } };
}

/**
 * Calls the function whose name was said, or of whose description at least two words and half of those that were said
 * are; asks for a value that it requires and that was not said. Null if no function matches.
 */
export function matchTool(heard: string, tools: readonly Tool[]): Reply | null {
  const said = meaningOf(heard);
  let best: { score: number; tool: Tool } | null = null;
  for (const tool of tools.filter(({ name }) => !OWN_RULES.has(name))) {
    const name = meaningOf(spaced(tool.name));
    const isNamed = name.size > 0 && [...name].every((word) => said.has(word));
    const described = meaningOf(`${spaced(tool.name)} ${tool.description ?? ''}`);
    const shared = [...said].filter((word) => described.has(word)).length;
    if (!isNamed && (shared < 2 || shared * 2 < said.size)) continue;
    const score = shared + (isNamed ? name.size : 0);
    if (score > (best?.score ?? 0)) best = { score, tool };
  }
  return best && withArguments(best.tool, heard);
}

function withArguments({ name, parameters }: Tool, heard: string): Reply {
  const args: Record<string, unknown> = {};
  for (const [key, parameter] of Object.entries(parameters?.properties ?? {})) {
    const value = argumentOf(parameter, heard);
    if (value !== undefined) args[key] = value;
    else if (parameters?.required?.includes(key))
      return { text: `Please tell me the ${spaced(key).toLowerCase()}.`, call: null };
  }
  return toolCall(name, args);
}

/** The value of a parameter in the caller's words. */
function argumentOf({ type, enum: choices }: Parameter, heard: string): unknown {
  const words = wordsOf(heard);
  if (choices) return choices.find((choice) => heard.toLowerCase().includes(String(choice).toLowerCase()));
  if (type === 'boolean') return !words.includes('not') && !words.includes('no');
  if (type === 'number' || type === 'integer') {
    const digits = words.map((word) => (NUMBERS.includes(word) ? String(NUMBERS.indexOf(word)) : word));
    const found = digits.filter((word) => /^\d+$/.test(word)).join('');
    return found === '' ? undefined : Number(found);
  }
  if (type !== undefined && type !== 'string') return undefined;
  return /\b(?:for|about|with|on|at|to|in|of|named|called|is)\s+(?:the\s+|my\s+|a\s+)?([^.?!]+)[.?!]*$/i.exec(
    heard,
  )?.[1];
}

/** `opening_hours` and `openingHours` as words. */
function spaced(name: string): string {
  return name.replaceAll(/[_-]+/g, ' ').replaceAll(/([a-z])([A-Z])/g, '$1 $2');
}
