import { statements } from './answer.ts';
import { reply } from './reply.ts';
import { datesIn } from './words.ts';

/** Sentences that are tried: each is compared with all others. */
const MAX_TRIED = 50;

const VERB =
  /^(.{1,60}?)\s+(is|are|costs?|opens?|closes?|starts?|begins?|ends?|takes?|lasts?|has|have|can|may|must|offers?|sells?|accepts?|needs?)\s+(.+)$/i;
/** "If somebody asks about parking, say that it is free." */
const ASKED_ABOUT = /\basks? (?:about|for) (.+?)[,:]/i;
const THERE_IS = /^there (?:is|are) (.+?)(?: (?:in|behind|at|on|near|next|beside|opposite)\b|[.,]|$)/i;
const PLACE = /^(?:located )?(?:in|at|on|near|next|behind|opposite)\b/i;
const AMOUNT = /\b(?:free|dollars?|euros?|pounds?|cents?)\b|[$€£]/i;
const UNCLEAR = /[,:;"“{]|^(?:it|they|this|that|these|those|there|he|she|somebody|anybody|nobody)$/i;
/** "You remind the caller of an appointment." tells the agent what to do. */
const DUTY = /^you (?!are\b|have\b|open|close|offer|sell|accept)/i;

/** Questions of a caller that the instructions answer, each with a sentence of its own; `limit` at most. */
export function questionsFrom(instructions: string, limit: number): string[] {
  const known = [{ role: 'system', content: instructions }];
  const questions = new Map<string, string>();
  for (const { says, topic } of statements(instructions).slice(0, MAX_TRIED)) {
    if (questions.size === limit) break;
    if (questions.has(says) || DUTY.test(topic)) continue;
    const isAnswered = (content: string) => reply([...known, { role: 'user', content }], []).text === says;
    const question = wordings(topic).find(isAnswered);
    if (question) questions.set(says, question);
  }
  return [...questions.values()];
}

/** Ways to ask for a sentence, the most natural first. */
function wordings(sentence: string): string[] {
  const about = ASKED_ABOUT.exec(sentence)?.[1];
  if (about) return [`Can you tell me about ${about}?`];
  const there = THERE_IS.exec(sentence)?.[1];
  if (there) return [`Is there ${there}?`];
  const [, first = '', verb = '', rest = ''] = VERB.exec(sentence) ?? [];
  return asking(toTheAgent(first), verb.toLowerCase(), rest, daysOf(sentence));
}

function asking(subject: string, verb: string, rest: string, days: string): string[] {
  const base = verb.replace(/^has$/, 'have').replace(/s$/, '');
  const isPlural = verb === base;
  if (/^(?:is|are)$/.test(verb)) {
    const be = subject === 'you' ? 'are' : verb;
    if (PLACE.test(rest))
      return UNCLEAR.test(subject) || subject === 'you' ? ['Where are you located?'] : [`Where ${be} ${subject}?`];
    if (/^open\b/i.test(rest)) return [`When are you open${days}?`, 'When are you open?'];
    if (UNCLEAR.test(subject)) return [];
    return [...(AMOUNT.test(rest) ? [`How much ${be} ${subject}?`] : []), `What about ${subject}?`];
  }
  if (/^(?:open|close)$/.test(base)) return [`When do you ${base}${days}?`, `When do you ${base}?`];
  if (!verb || UNCLEAR.test(subject)) return [];
  const does = isPlural || subject === 'you' ? 'do' : 'does';
  if (/^(?:start|begin|end)$/.test(base)) return [`When ${does} ${subject} ${base}?`];
  if (base === 'cost') return [`How much ${does} ${subject} cost?`];
  if (/^(?:take|last)$/.test(base)) return [`How long ${does} ${subject} ${base}?`];
  if (subject === 'you') return [`Do you ${base} ${rest.replace(/[.,;].*$/s, '')}?`];
  return [`What about ${subject}?`];
}

/** The first day of a sentence, as in " on Sunday"; empty if it names none. */
function daysOf(sentence: string): string {
  const [day] = datesIn(sentence);
  return day?.endsWith('day') ? ` on ${day.charAt(0).toUpperCase()}${day.slice(1)}` : '';
}

/** The subject of a sentence, as a caller says it inside of a question. */
function toTheAgent(subject: string): string {
  const said = subject.replace(/\bour\b/gi, 'your').replace(/^(?:we|you)$/i, 'you');
  return /^(?:The|An?|Your|All|Each|Every|Most|Some)\b/.test(said) || !/\s/.test(said)
    ? said.charAt(0).toLowerCase() + said.slice(1)
    : said;
}
