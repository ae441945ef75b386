import { type EndedCall, OUTCOMES, type Outcome, type RETRIABLE, type RecipientState } from './state-schema.ts';

/** Those that a campaign is not done with. */
const OPEN: readonly RecipientState[] = ['waiting', 'deferred', 'dialling', 'connected'];

/** Machines that answer. */
const MACHINES = ['voicemail', 'ivr', 'screening', 'unavailable', 'ai'] as const;

/** Rules about outcomes. */
export interface Retries {
  /** Attempts for each recipient at most. */
  attempts: number;
  on: (typeof RETRIABLE)[number][];
  /** Seconds from the end of an attempt to the next one; the last one also counts for all later ones. */
  delays_s: number[];
  /** Part of a delay, from 0 to 1, by which it is longer or shorter at random. */
  spread: number;
}

export interface Step {
  state: RecipientState;
  /** The outcome, or the rule, that led to it. */
  reason: string | null;
  /** When it may be dialled; null unless it waits. */
  next_at: Date | null;
}

export const isOpen = (state: RecipientState): boolean => OPEN.includes(state);

/** The outcome of a call that has ended. */
export function outcomeOf(call: EndedCall | null): Outcome {
  if (call === null) return 'interrupted';
  const { started_at, end_reason, answered_by } = call;
  if (started_at !== null) {
    if (end_reason === 'agent_never_joined') return 'abandoned';
    return MACHINES.find((machine) => machine === answered_by) ?? 'answered';
  }
  const same = OUTCOMES.find((outcome) => outcome === end_reason);
  return same && same !== 'answered' && same !== 'abandoned' ? same : 'failed';
}

/** Whether a campaign still dials: recipients that wait end with it. */
export type Ending = 'canceled' | 'expired' | null;

export function endingOf({ state, expires_at }: { state: string; expires_at: Date | null }, now: Date): Ending {
  if (state === 'canceled') return 'canceled';
  return state !== 'draft' && expires_at !== null && expires_at <= now ? 'expired' : null;
}

/** Whether a campaign places calls: not while it is paused, nor once it has ended. */
export const isDialling = (state: string, ending: Ending): boolean => state === 'running' && ending === null;

/** Outcomes and dispositions that count as having reached somebody. */
interface Reaching {
  reached_by: readonly string[];
  reached_dispositions: readonly string[] | null;
}

/** How long a call waits for its disposition, if that tells whether somebody was reached. */
const DISPOSITION_MS = 30_000;

/** Whether it is too early to say whether a call that has ended has reached somebody. */
export function isUndecided(
  outcome: Outcome,
  { disposition, updated_at }: { disposition: string | null; updated_at: Date | null },
  { reached_by, reached_dispositions }: Reaching,
  now: Date,
): boolean {
  if (reached_dispositions === null || disposition !== null || !reached_by.includes(outcome)) return false;
  // Not since the end itself, which may be recorded late: whoever reports a disposition waits for that, too.
  return updated_at !== null && now.getTime() < updated_at.getTime() + DISPOSITION_MS;
}

/** The state after the end of an attempt. `attempts` includes it; `random` is from 0 to 1. */
export function afterCall(
  outcome: Outcome,
  { attempts, ended_at, disposition = null }: { attempts: number; ended_at: Date; disposition?: string | null },
  { retries, reached_by, reached_dispositions }: Reaching & { retries: Retries },
  ending: Ending,
  random: number,
): Step {
  const final = (state: RecipientState, reason: string = outcome): Step => ({ state, reason, next_at: null });
  if (reached_by.includes(outcome) && (reached_dispositions?.includes(disposition ?? '') ?? true))
    return final('reached');
  if (!retries.on.some((one) => one === outcome) || attempts >= retries.attempts) return final('exhausted');
  if (ending !== null) return final(ending);
  return {
    state: 'waiting',
    reason: outcome,
    next_at: new Date(ended_at.getTime() + delayMs(retries, attempts, random)),
  };
}

function delayMs({ delays_s, spread }: Retries, attempts: number, random: number): number {
  const delay = delays_s[Math.min(attempts, delays_s.length) - 1] ?? 0;
  return Math.round(delay * 1000 * (1 + spread * (2 * random - 1)));
}

/** Answers to the wish to dial somebody. */
export type Answer =
  | { kind: 'placed' }
  | { kind: 'deferred'; not_before: Date; rule: string }
  | { kind: 'denied'; rule: string };

/** The state after a decision; null if nothing is said about the recipient. */
export function afterDecision(answer: Answer): Step {
  switch (answer.kind) {
    case 'placed':
      return { state: 'dialling', reason: null, next_at: null };
    case 'deferred':
      return { state: 'deferred', reason: answer.rule, next_at: answer.not_before };
    case 'denied':
      return { state: answer.rule === 'suppression' ? 'suppressed' : 'refused', reason: answer.rule, next_at: null };
  }
}
