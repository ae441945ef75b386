import type { Parameter } from './messages.ts';
import { DAYS, MONTHS, meaningOf, wordsOf } from './words.ts';

export const NUMBERS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');
/** Parameters of which callers read out the digits. */
const CODE = /\b(?:number|code|digits)\b/i;
/** The choice that records that somebody wants no more calls: nothing but saying so chooses it. */
export const DO_NOT_CALL = 'do_not_call';
/** Fewer digits are an amount or a time. */
const CODE_DIGITS = 4;
const OWN_WORDS = /\bown words\b|\bcaller['’]s words\b/i;
const WHEN = /\b(?:day|days|date|dates|when|time|times)\b/i;
const DATE = `\\d{4}-\\d{2}-\\d{2}|\\d{1,2}(?:st|nd|rd|th)?(?: of)? (?:${MONTHS.join('|')})|(?:${MONTHS.join('|')}) \\d{1,2}(?:st|nd|rd|th)?`;
const PART_OF_DAY = '(?:in the )?(?:morning|afternoon|evening)';
const AT = "(?:at|before|after|from) (?:half past |quarter (?:past|to) )?[a-z0-9]+(?: (?:am|pm|o'clock))?";
const MOMENT = new RegExp(
  `\\b(?:(?:next |this |every )?(?:the )?(?:${DATE}|${DAYS.join('|')}|tomorrow|weekend)s?(?: ${PART_OF_DAY})?|${PART_OF_DAY})(?: ${AT})?`,
  'i',
);
const NOT = /\b(?:no|not|nothing|never)\b|n['’]t\b/i;
/** How people begin a value that they were asked for. */
const LEAD_IN =
  /^(?:(?:no|yes|ok|okay|sure|well|sorry)\b[,.]? )*(?:(?:it|that|this)(?: is|['’]s) |(?:i am|i['’]m) |my [\w ]{1,20} is )?/i;

/** "confirmed, move or cancelled" */
const LISTED = /^\w+(?:, \w+)+ or \w+$/;

/** The values that a parameter can have, from its `enum` or a description that lists nothing else; null without. */
export function choicesOf({ enum: choices, description }: Parameter): readonly unknown[] | null {
  if (Array.isArray(choices)) return choices;
  return typeof description === 'string' && LISTED.test(description) ? description.split(/, | or /) : null;
}

/** Words without a date or a time, which say nothing about a function. */
export function withoutMoment(heard: string): string {
  return heard.replace(MOMENT, '');
}

/** `opening_hours` and `openingHours` as words. */
export function spaced(name: string): string {
  return name.replaceAll(/[_-]+/g, ' ').replaceAll(/([a-z])([A-Z])/g, '$1 $2');
}

/** A parameter of a function, by its name. */
export interface Field {
  name: string;
  parameter: Parameter;
  isRequired: boolean;
  /** The only one that there is or that is required: a caller who names no field means it. */
  isOnly: boolean;
  /** The first that is required: digits that belong to no name are its. */
  isFirst: boolean;
}

/** The value of a field in words that were not said to ask for it; undefined if they have none. */
export function valueIn(field: Field, heard: string): unknown {
  const { name, parameter, isRequired, isOnly } = field;
  const { type } = parameter;
  const choices = choicesOf(parameter);
  if (choices) return choiceIn(choices, heard);
  if (type === 'boolean') return isNamed(name, heard) ? !NOT.test(heard) : undefined;
  if (!isRequired && !isOnly && !isMeant(field, heard)) return undefined;
  if (type === 'number' || type === 'integer') return numberIn(heard);
  if (type !== undefined && type !== 'string') return undefined;
  const about = `${spaced(name)}. ${parameter.description ?? ''}`;
  const named = afterName(name, heard);
  if (CODE.test(about)) return codeIn(field, named ?? heard, named !== undefined);
  if (named !== undefined) return named;
  if (WHEN.test(about)) return MOMENT.exec(heard)?.[0] ?? (isOnly ? phraseIn(heard) : undefined);
  if (OWN_WORDS.test(about)) return isRequired ? undefined : heard;
  return isOnly ? phraseIn(heard) : undefined;
}

/** The value of a field that the caller was asked for; undefined if the answer is none. */
export function answeredValue({ name, parameter }: Field, heard: string): unknown {
  const { type } = parameter;
  const choices = choicesOf(parameter);
  if (choices) return choiceIn(choices, heard);
  if (type === 'boolean') return !NOT.test(heard);
  if (type === 'number' || type === 'integer') return numberIn(heard);
  const said = heard.replace(LEAD_IN, '').replace(/[.!?\s]+$/, '');
  if (/\bdigits\b/i.test(parameter.description ?? '')) return digitsIn(afterName(name, heard) ?? said) || undefined;
  return said || undefined;
}

/** The choice of which all words were said, the longest of several. */
function choiceIn(choices: readonly unknown[], heard: string): unknown {
  const said = meaningOf(heard);
  const fitting = choices.filter((choice) => {
    if (choice === DO_NOT_CALL) return false;
    const words = [...meaningOf(spaced(String(choice)))];
    return words.length > 0 && words.every((word) => said.has(word));
  });
  const byLength = fitting.sort((a, b) => String(b).length - String(a).length);
  return byLength[0] ?? choices.find((choice) => heard.toLowerCase().includes(String(choice).toLowerCase()));
}

/** Whether all words of a name were said. */
export function isNamed(name: string, heard: string): boolean {
  const said = meaningOf(heard);
  const words = [...meaningOf(spaced(name))];
  return words.length > 0 && words.every((word) => said.has(word));
}

/** Whether a word of its name or its description was said. */
function isMeant({ name, parameter }: Field, heard: string): boolean {
  const about = meaningOf(`${spaced(name)} ${parameter.description ?? ''}`);
  return [...meaningOf(heard)].some((word) => about.has(word));
}

/** Whether the value of a field was given with its name. */
export function isGiven(name: string, heard: string): boolean {
  return afterName(name, heard) !== undefined;
}

/** "My name is Ada." */
function afterName(name: string, heard: string): string | undefined {
  const beginning = `${spaced(name).toLowerCase()} is `;
  const at = ` ${heard.toLowerCase()}`.indexOf(` ${beginning}`);
  if (at < 0) return undefined;
  const [value = ''] = heard.slice(at + beginning.length).split(/[.?!,;]| and /);
  return value.trim() || undefined;
}

function phraseIn(heard: string): string | undefined {
  return /\b(?:for|about|with|on|at|to|in|of|named|called|is)\s+(?:the\s+|my\s+|a\s+)?([^.?!]+)[.?!]*$/i.exec(
    heard,
  )?.[1];
}

function numberIn(heard: string): number | undefined {
  const found = digitsIn(heard);
  return found === '' ? undefined : Number(found);
}

function codeIn({ isFirst }: Field, said: string, wasNamed: boolean): string | undefined {
  const digits = digitsIn(said);
  if (wasNamed) return digits || undefined;
  return isFirst && digits.length >= CODE_DIGITS ? digits : undefined;
}

/** Digits, also those that were said as words. */
function digitsIn(heard: string): string {
  const words = wordsOf(heard).map((word) => (NUMBERS.includes(word) ? String(NUMBERS.indexOf(word)) : word));
  return words.filter((word) => /^\d+$/.test(word)).join('');
}
