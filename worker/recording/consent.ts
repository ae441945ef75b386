import { llm, type voice } from '@livekit/agents';
import type { Room } from '@livekit/rtc-node';
import type { ConversationConfig } from '../conversation/config.ts';
import { onCallersKey } from '../conversation/participants.ts';
import { sayWhole } from '../conversation/say.ts';
import type { Intercept } from '../conversation/sounds.ts';

export type Consent = NonNullable<ConversationConfig['recording']>['consent'];
export type Answer = 'given' | 'refused';

/** Silence after the question that is no consent. */
const PATIENCE_MS = 10_000;
/** The question is asked this often, if the answer is neither yes nor no. */
const TIMES = 2;

/** English, Spanish, German and French. */
const YES = wordsOf(
  'yes yeah yep yup sure ok okay agree agreed consent fine absolutely certainly definitely sí si claro vale acuerdo ja jawohl klar gerne einverstanden natürlich oui accord',
);
const NO = wordsOf(
  "no nope not don't dont won't never refuse disagree decline can't cannot nein nicht kein keine non pas jamais nunca",
);
/** Words that refuse a recording, though not everything: “sin problema” does not refuse a call. */
const REFUSALS = wordsOf(
  "without stop off rather wouldn't shouldn't doesn't isn't aren't ohne nie niemals sans ne n sin",
);
/** Words after which a yes may hold for something else. */
const HEDGES = wordsOf(
  'but only unless if though maybe perhaps until first aber nur wenn falls vielleicht erst pero solo sólo quizás mais seulement peut sauf',
);
/** Words of a yes, at most: with more of them, more was said than yes. */
const LONGEST_YES = 12;

/**
 * A text that says neither gives no consent, with both it is refused, and one that says more than yes leaves it open:
 * the question is asked again.
 */
export function answerIn(text: string): Answer | null {
  const { yes, no } = answersIn(text);
  const words = wordsIn(text);
  if (no || words.some((word) => REFUSALS.has(word))) return 'refused';
  return yes && words.length <= LONGEST_YES && !words.some((word) => HEDGES.has(word)) ? 'given' : null;
}

/** Whether there is a yes in a text, and whether a no. */
export function answersIn(text: string): { yes: boolean; no: boolean } {
  const words = wordsIn(text);
  return { yes: words.some((word) => YES.has(word)), no: words.some((word) => NO.has(word)) };
}

const wordsIn = (text: string) => splitWords(text.toLowerCase().replaceAll('’', "'"));
function wordsOf(text: string): Set<string> {
  return new Set(splitWords(text));
}

function splitWords(text: string): string[] {
  return text.split(/[^\p{L}']+|d'/u).filter(Boolean);
}

/**
 * Asks for consent by the agent's voice, and waits for the answer. What is said meanwhile is intercepted, and the agent
 * does not answer it. Silence refuses, and so does a question that the caller has not heard whole: with `isAway`, the
 * caller has somebody else than the agent.
 */
export async function askForConsent(
  session: voice.AgentSession,
  room: Pick<Room, 'on' | 'off' | 'remoteParticipants'>,
  { type, message }: Consent,
  intercept: Intercept,
  isAway: () => boolean,
): Promise<Answer> {
  if (type === 'none') return 'given';
  // Words belong to whoever the agent talks to.
  if (isAway()) return 'refused';
  let hear: (words: string) => void = () => {};
  const release = intercept((said) => hear(said));
  try {
    for (let time = 0; time < TIMES; time++) {
      const { isComplete } = await sayWhole(session, message);
      if (!isComplete || isAway()) return 'refused';
      if (type === 'stay_on_line') return room.remoteParticipants.size > 0 ? 'given' : 'refused';
      const answer =
        type === 'dtmf'
          ? await digit(room)
          : await verbal((listen) => {
              hear = listen;
            });
      if (answer !== 'unclear') return answer;
    }
    return 'refused';
  } finally {
    release();
  }
}

/** Whether the models can take this kind of answer: a realtime model answers before it says what it has heard. */
export function canAsk(session: Pick<voice.AgentSession, 'llm'>, { type }: Consent): boolean {
  return type !== 'verbal' || !(session.llm instanceof llm.RealtimeModel);
}

/** 1 consents, any other key does not. */
function digit(room: Pick<Room, 'on' | 'off'>): Promise<Answer> {
  return waitFor<Answer>('refused', (settle) => onCallersKey(room, (key) => settle(key === '1' ? 'given' : 'refused')));
}

function verbal(onWords: (hear: (words: string) => void) => void): Promise<Answer | 'unclear'> {
  return waitFor<Answer | 'unclear'>('refused', (settle) => {
    onWords((said) => settle(answerIn(said) ?? 'unclear'));
    return () => onWords(() => {});
  });
}

/** Resolves with the first answer, or with `otherwise` after a silence. */
async function waitFor<T>(otherwise: T, listen: (settle: (answer: T) => void) => () => void): Promise<T> {
  const { promise, resolve } = Promise.withResolvers<T>();
  const stop = listen(resolve);
  const timer = setTimeout(() => resolve(otherwise), PATIENCE_MS);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    stop();
  }
}
