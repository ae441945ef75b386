import { setTimeout as sleep } from 'node:timers/promises';
import type { HeldCall } from '@switchboard/scenarios';
import { MAX_WRONG_PERCENT, wrongPercent } from '@switchboard/scenarios/heard';
import type { SpokenAgent } from './agent.ts';
import type { Caller } from './caller.ts';
import type { Steps } from './steps.ts';

type Missing = HeldCall['missing'];
type End = HeldCall['end_reason'];

/** A call that goes on. */
export interface Talk {
  agent: SpokenAgent;
  caller: Caller;
  /** Words as sound. */
  speak: (words: string) => Promise<Int16Array>;
  /** Sound that follows the caller's first words. */
  beep: Int16Array | null;
  /** Aborts a call that takes too long. */
  signal: AbortSignal;
}

const LOOK_MS = 20;
/** Silence of the agent after which its answer is over. */
const PAUSE_MS = 800;
/** Silence after which no answer comes any more: to words of which the agent has noticed the sound, and others. */
const [PATIENCE_MS, UNNOTICED_MS] = [30_000, 10_000];

/** Has the caller do one step after the other, until somebody ends the call. */
export async function play(steps: Steps, talk: Talk, greets: boolean): Promise<{ end: End; missing: Missing }> {
  const { agent, caller } = talk;
  const missing: Missing = [];
  const over = (end: End) => ({ end, missing });
  const hasGreeted = () => agent.turns.some(({ words }) => words !== '');
  if (greets) await awaitAnswer(talk, { isNoticed: yes, isHeard: yes, isAnswered: hasGreeted }, steps);
  for (let mark = 0; ; ) {
    const step = await steps.next(agent.saidSince(mark));
    if (!step) return over('script_over');
    await pass(talk, step.after_ms ?? 0);
    const left = agent.ends();
    if (left) return over(left);
    if (step.hang_up) {
      await caller.hangUp();
      return over('caller_hung_up');
    }
    mark = agent.mark();
    const from = Date.now();
    const isNoticed = () => step.dtmf !== undefined || agent.noticed(from);
    const said = step.say ?? step.interrupt;
    if (step.interrupt !== undefined && !agent.isSpeaking())
      missing.push(undecided(`the caller interrupts: ${step.interrupt}`, 'the agent did not speak then'));
    if (said !== undefined) await caller.say(await soundOf(talk, said));
    if (step.dtmf !== undefined) {
      agent.pressed(step.dtmf);
      await caller.press(step.dtmf);
    }
    const wrong = () => (said === undefined ? 0 : wrongPercent(said, agent.heardSince(mark)));
    const isHeard = () => wrong() <= MAX_WRONG_PERCENT;
    const isAnswered = () => isHeard() && agent.isAnswered(mark);
    await awaitAnswer(talk, { isNoticed, isHeard, isAnswered }, steps);
    const ends = agent.ends();
    // Words into which it hung up are no longer heard: those it did hear are in the transcript of a session that ended.
    if (ends) await agent.close();
    const turn = agent.turns.slice(mark).find(({ heard }) => heard !== null);
    if (turn && said !== undefined) turn.first_audio_ms = caller.answeredMs();
    if (ends) return over(ends);
    if (said !== undefined && !isHeard()) {
      const heard = heardInstead(agent.heardSince(mark), wrong(), isNoticed());
      missing.push(undecided(`the agent hears: ${said}`, heard));
      return over('script_over');
    }
  }
}

const undecided = (expected: string, found: string) => ({ expected, outcome: 'undecided' as const, found });

function heardInstead(heard: string, percent: number, isNoticed: boolean): string {
  if (heard) return `it heard: ${heard} (${percent} % of the words are wrong)`;
  return isNoticed ? 'it heard no words in what was said' : 'it did not notice that somebody speaks';
}

const yes = () => true;

/** The caller's words; those of a machine are followed by its tone, once. */
async function soundOf(talk: Talk, words: string): Promise<Int16Array> {
  const speech = await talk.speak(words);
  const { beep } = talk;
  talk.beep = null;
  return beep ? Int16Array.from([...speech, ...beep]) : speech;
}

/** Lets time pass, in which the agent may speak, and even end the call. */
async function pass({ agent, signal }: Talk, ms: number): Promise<void> {
  for (const until = Date.now() + ms; Date.now() < until && !agent.ends(); )
    await sleep(Math.min(LOOK_MS, until - Date.now()), undefined, { signal });
}

/**
 * Returns when the agent has answered and is silent, when it begins to speak if it will be interrupted, when it waits
 * for keys that will be pressed, when it has ended the call, or when no answer comes.
 */
async function awaitAnswer(
  { agent, caller, signal }: Talk,
  { isNoticed, isHeard, isAnswered }: Record<'isNoticed' | 'isHeard' | 'isAnswered', () => boolean>,
  next: Pick<Steps, 'interrupts' | 'presses'>,
): Promise<void> {
  for (let busy = Date.now(); !agent.ends(); ) {
    if (next.interrupts() && agent.isSpeaking() && caller.hears() && isHeard()) return;
    const now = Date.now();
    if (agent.isBusy() || caller.hears() || (agent.collects() && !next.presses())) busy = now;
    const patience = isNoticed() ? PATIENCE_MS : UNNOTICED_MS;
    if (now - busy >= (isAnswered() || agent.collects() ? PAUSE_MS : patience)) return;
    await sleep(LOOK_MS, undefined, { signal });
  }
}
