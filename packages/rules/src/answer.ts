import { datesIn, meaningOf, wordsOf } from './words.ts';

/** Share of a question's words that a sentence must have to be its answer. */
const ENOUGH = 0.5;

/** How a sentence begins that tells the agent how to behave, and nothing that a caller asks for. */
const ORDER =
  /^(?:please |always |never |only |then |you (?:must|should|can|may|will|always|never) )*(?:be|act|address|answer|apologize|ask|avoid|begin|book|check|collect|confirm|do|don't|end|ensure|explain|follow|gather|greet|help|introduce|keep|let|listen|make|mention|never|offer|only|politely|refuse|remember|repeat|respond|say|sound|speak|start|stay|stick|talk|tell|thank|transfer|try|use|verify|wait)\b/i;
/** "If somebody asks about parking, say that it is free." has an answer at its end. */
const SCRIPTED =
  /^(?:if|when|should)\b.*?[,:]\s*(?:please )?(?:say|answer|reply|respond|tell (?:them|him|her|the caller|callers|customers?))(?: that)?[\s:,]*(.+)$/i;
/** "If anybody is in danger, tell the caller to call the emergency number." is an order to the caller at its end. */
const ADVISED = /^.*?[,:]\s*(?:please )?(?:tell|ask|advise) (?:them|him|her|the caller|callers|customers?) to (.+)$/i;
/** "Not found: read the number back once more." */
const CASE = /: (?:say|tell|ask|offer|apologize|read|take|record|call|repeat|transfer)\b/i;
/** The heading "Never" with the list below it, or with the paragraph: what follows on is said again. */
const FORBIDDEN =
  /^#+[ \t]*never\b[^\n]*\n\s*(?:(?:[ \t]*[-*•] [^\n]*(?:\n[ \t]+\S[^\n]*)*(?:\n\s*|$))+|(?:(?!#)[^\n]+(?:\n|$))+)/gim;
const CONDITION = /^(?:if|when|whenever|should|in case|once|after|before)\b.*,/i;
/** The agent's part in the conversation, which is not where somebody is. */
const ROLE = /^you(?: are|'re) (?:an? |the |at the (?:front desk|reception)|[A-Z]\w+[,.])/i;
/** "You are in Main Street." */
const PLACE = /^(?:you|we|it|the [\w ]+) (?:are|is) (?:located )?(?:in|at|on|near|next|behind|opposite)\b/i;
const WHERE = /\bwhere\b/i;
/** A sentence that gives a time, an amount or a place. */
const KINDS: [question: RegExp, answer: RegExp][] = [
  [
    /\b(?:when|what time|until what|how late|hours?)\b/i,
    /\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|noon|midnight|morning|evening|day|daily|\w+days?)\b/i,
  ],
  [
    /\bhow (?:much|many|long|far)\b/i,
    /\d|\b(?:free|one|two|three|four|five|six|seven|eight|nine|ten|\w+teen|\w+ty|hundred)\b/i,
  ],
  [WHERE, /\b(?:at the|on the|in|near|next to|behind|opposite|street|road|avenue|square|floor)\b/i],
];

/** The sentence that answers a question, as the agent says it, or null. `about` is the question before. */
export function answerFrom(texts: readonly string[], question: string, about = ''): string | null {
  const dates = datesIn(question);
  const asked = new Set([...meaningOf(question)].filter((word) => !isDate(word, dates)));
  // "And on Monday?" is about the subject of the question before.
  if (/^(?:and|what about|how about)\b/i.test(question.trim()) && asked.size === 0)
    for (const word of meaningOf(about)) if (!isDate(word, datesIn(about))) asked.add(word);
  if (asked.size === 0) return null;
  const kinds = KINDS.filter(([pattern]) => pattern.test(question));
  let best: { score: number; says: string } | null = null;
  for (const { says, topic } of texts.flatMap(statements)) {
    const known = meaningOf(topic);
    const isPlace = WHERE.test(question) && PLACE.test(topic);
    const shared = [...asked].filter((word) => known.has(word)).length / asked.size;
    const covered = datesIn(topic);
    // A sentence without a date holds for every day.
    const isDated = covered.size > 0;
    if ((shared < ENOUGH && !isPlace) || (isDated && ![...dates].every((date) => covered.has(date)))) continue;
    const right = kinds.filter(([, pattern]) => pattern.test(says)).length;
    const score = shared + right / 2 + (isPlace ? 0.75 : 0) + (isDated ? dates.size : 0);
    if (score > (best?.score ?? 0)) best = { score, says };
  }
  return best?.says ?? null;
}

const isDate = (word: string, dates: ReadonlySet<string>): boolean => [...dates].some((date) => date.startsWith(word));

/** The sentences of a text that state something; `topic` is what they are about. */
export function statements(text: string): { says: string; topic: string }[] {
  const sentences = text.replaceAll(FORBIDDEN, '').split(/(?<=[.!?])\s+|(?<!\s)\s*\n\s*(?:[-*•]\s+|\d+[.)]\s+)?/);
  return sentences.flatMap((raw) => {
    const sentence = raw.trim().replace(/^(?:[-*•#]+|\d+[.)])\s+/, '');
    if (wordsOf(sentence).length < 2 || /[?:;]$/.test(sentence)) return [];
    const advised = ADVISED.exec(sentence)?.[1];
    if (advised) return [{ says: asTheAgent(`please ${advised}`), topic: sentence.split(/[,:]/)[0] ?? sentence }];
    const scripted = SCRIPTED.exec(sentence)?.[1];
    if (scripted) return [{ says: toTheCaller(scripted), topic: sentence }];
    return [ORDER, CONDITION, ROLE, CASE].some((pattern) => pattern.test(sentence))
      ? []
      : [{ says: asTheAgent(sentence), topic: sentence }];
  });
}

/** Words that the instructions tell the agent to say, or to say about the caller. */
function toTheCaller(scripted: string): string {
  return asTheAgent(scripted.replace(/^["“](.*)["”]([.!?]?)$/, '$1$2')).replace(
    /^(?:They|The caller|Callers)\b/,
    'You',
  );
}

/** Instructions speak to the agent; the agent speaks for itself. */
function asTheAgent(sentence: string): string {
  const own = sentence
    .replace(/\byour\b/gi, (word) => (word.startsWith('Y') ? 'Our' : 'our'))
    .replace(/\byou\b/gi, (word) => (word.startsWith('Y') ? 'We' : 'we'));
  const said = own.charAt(0).toUpperCase() + own.slice(1);
  return /[.!?]$/.test(said) ? said : `${said}.`;
}
