import type { Recipient, RecipientState } from '@switchboard/client';
import { OUTCOME_LABELS, RECIPIENT_LABELS } from '../../data/campaign-words.ts';
import { Badge, type Tone } from '../../ui/status.tsx';

const TONES: Record<RecipientState, Tone> = {
  waiting: 'quiet',
  deferred: 'warn',
  dialling: 'wait',
  connected: 'good',
  reached: 'good',
  exhausted: 'quiet',
  suppressed: 'bad',
  refused: 'bad',
  expired: 'quiet',
  canceled: 'quiet',
};

/** The state of a person in a campaign. */
export function RecipientBadge({ state }: { state: RecipientState }) {
  return <Badge tone={TONES[state]}>{RECIPIENT_LABELS[state]}</Badge>;
}

const RULES: Record<string, string> = {
  suppression: 'The number is suppressed',
  consent: 'There is no consent',
  window: 'Outside of the hours',
  max_attempts: 'Called often enough',
  min_gap: 'Called a short time ago',
  zone: 'The time zone is not certain',
  policy: 'The policy does not exist',
  destination_not_allowed: 'Calls there are not allowed',
};

/** The outcome, or the rule, that led to the state; in words. */
export function reasonText({ reason }: Pick<Recipient, 'reason'>): string {
  if (reason === null) return '';
  return OUTCOME_LABELS[reason as keyof typeof OUTCOME_LABELS] ?? RULES[reason] ?? reason.replaceAll('_', ' ');
}
