import type { CampaignCreate, ReachedBy, RetryOn } from '@switchboard/client';

// Records, so that an outcome of the API that is missing here is a type error.
const REACHED_BY: Record<ReachedBy, true> = {
  answered: true,
  voicemail: true,
  ivr: true,
  screening: true,
  ai: true,
};
const RETRY_ON: Record<RetryOn, true> = {
  busy: true,
  no_answer: true,
  declined: true,
  unavailable: true,
  answered: true,
  voicemail: true,
  ivr: true,
  screening: true,
  ai: true,
  failed: true,
  abandoned: true,
  interrupted: true,
};
export const REACHING = Object.keys(REACHED_BY) as ReachedBy[];
/** Retries of a campaign that says nothing about them. */
export const USUAL_RETRIES: RetryOn[] = ['busy', 'no_answer', 'unavailable', 'failed', 'abandoned', 'interrupted'];

/** Fields that tell what follows from an outcome. */
type Results = Pick<CampaignCreate, 'retries' | 'reached_by' | 'reached_dispositions'>;

/** Outcomes after which somebody may be called again: not those that alone count as reached. */
export function retriable({ reached_by = ['answered'], reached_dispositions }: Results): RetryOn[] {
  const all = Object.keys(RETRY_ON) as RetryOn[];
  return reached_dispositions ? all : all.filter((one) => !reached_by.some((other) => other === one));
}

/** A change of these fields, together with the retries that do not contradict it. */
export function withRetries(fields: Results, change: Results): Results {
  const possible = retriable({ ...fields, ...change });
  const { on = USUAL_RETRIES } = fields.retries ?? {};
  return { ...change, retries: { ...fields.retries, on: on.filter((one) => possible.includes(one)) } };
}

/** Dispositions, one a line; null for none. */
export function dispositionsIn(text: string): string[] | null {
  const all = new Set(text.split('\n').map((line) => line.trim()));
  all.delete('');
  return all.size > 0 ? [...all] : null;
}
