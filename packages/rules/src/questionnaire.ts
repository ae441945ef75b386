import type { Line, Reply, Tool } from './messages.ts';
import { toolCall } from './tools.ts';
import { answeredValue, choicesOf } from './values.ts';

/** `1. score: "From zero to ten, how likely are you to recommend us?"` */
const QUESTION = /^[ \t]*\d+[.)][ \t]+(\w+):[ \t]+["“](.+?)["”][ \t]*$/gm;
const YES = /^(?:yes|yeah|sure|ok|okay|of course|go ahead|certainly|gladly|all right)\b/i;
const NO = /^(?:no\b|not |i(?:'d| would) rather not|i have no time)/i;
const LATER = /\b(?:bad (?:moment|time)|busy|driving|another time|call (?:me )?(?:back|again)|later)\b/i;
const SKIPPED = /\b(?:skip|rather not|no idea|next question|don't know|no answer)\b/i;
const RANGE = /\bfrom (?:zero|one|\d+) to (?:five|ten|\d+)\b/i;

interface Questionnaire {
  questions: { key: string; text: string }[];
  /** Saves an answer to a question. */
  tool: Tool;
  keyField: string;
  answerField: string;
}

/** Asks the questions of the instructions one after the other, and saves each answer; null if there are none to ask. */
export function askNext(lines: readonly Line[], tools: readonly Tool[]): Reply | null {
  const found = questionnaireOf(lines, tools);
  if (!found) return null;
  const last = lines.at(-1);
  const heard = last?.text ?? '';
  const isQuestion = (text: string) =>
    text.endsWith(CALL_AGAIN) || found.questions.some((one) => text.endsWith(one.text));
  const asked = lines.findLast(({ role, text }) => role === 'assistant' && isQuestion(text))?.text ?? '';
  const at = found.questions.findLastIndex(({ text }) => asked.endsWith(text));
  const end = (words: string) =>
    tools.some(({ name }) => name === 'hang_up') ? toolCall('hang_up', {}, words) : say(words);
  const ask = (index: number, before = ''): Reply => {
    const next = found.questions[index];
    return next ? say(`${before}${next.text}`) : end(`${before}Thank you for your answers. Goodbye.`);
  };
  if (last?.role === 'tool')
    return at < 0 ? end(`${sorryFor(heard) || 'I have made a note of it. '}Goodbye.`) : ask(at + 1, sorryFor(heard));
  if (at >= 0) return SKIPPED.test(heard) ? ask(at + 1) : answer(found, at, heard);
  if (asked.endsWith(CALL_AGAIN)) return save(found, 'call_again', heard);
  if (LATER.test(heard)) return say(CALL_AGAIN);
  if (NO.test(heard)) return end('Thank you all the same. Goodbye.');
  return YES.test(heard) ? ask(0) : null;
}

const CALL_AGAIN = 'When shall we call again?';
const say = (text: string): Reply => ({ text, call: null });
const sorryFor = (result: string) => (/\berror\b/i.test(result) ? 'I am sorry, your answer could not be saved. ' : '');

/** Saves an answer; a number is asked for until there is one. */
function answer(found: Questionnaire, at: number, heard: string): Reply {
  const { key = '', text = '' } = found.questions[at] ?? {};
  if (!RANGE.test(text)) return save(found, key, heard);
  const number = answeredValue({ ...ANY, name: key, parameter: { type: 'integer' } }, heard);
  return number === undefined ? say(`Please give me a number. ${text}`) : save(found, key, String(number));
}

const ANY = { isRequired: true, isOnly: true, isFirst: true };

function save({ tool, keyField, answerField }: Questionnaire, key: string, heard: string): Reply {
  return toolCall(tool.name, { [keyField]: key, [answerField]: heard.replace(/[.!\s]+$/, '') });
}

/** The questions, and a function with a field for their names and one for the answer. */
function questionnaireOf(lines: readonly Line[], tools: readonly Tool[]): Questionnaire | null {
  const known = lines.filter(({ role }) => role === 'system' || role === 'developer');
  const questions = known.flatMap(({ text }) =>
    [...text.matchAll(QUESTION)].map(([, key = '', words = '']) => ({ key, text: words })),
  );
  if (questions.length < 2) return null;
  for (const tool of tools) {
    const { properties = {}, required = [] } = tool.parameters ?? {};
    const keyField = Object.keys(properties).find((name) => {
      const choices = choicesOf(properties[name] ?? {});
      return questions.every(({ key }) => choices?.includes(key));
    });
    const answerField = required.find((name) => name !== keyField);
    if (keyField !== undefined && answerField !== undefined) return { questions, tool, keyField, answerField };
  }
  return null;
}
