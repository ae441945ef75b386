import type { AttemptOutcome, BlockReason, Campaign, CampaignState, RecipientState } from '@switchboard/client';

/** States of recipients that are told together, in the order in which they are drawn. */
const GROUPS = [
  { name: 'Reached', states: ['reached'], className: 'part-reached' },
  { name: 'In progress', states: ['dialling', 'connected'], className: 'part-open' },
  { name: 'Waiting', states: ['waiting', 'deferred'], className: 'part-waiting' },
  { name: 'Not reached', states: ['exhausted'], className: 'part-exhausted' },
  { name: 'Not allowed', states: ['suppressed', 'refused'], className: 'part-refused' },
  { name: 'Not called', states: ['expired', 'canceled'], className: 'part-ended' },
] as const satisfies { name: string; states: readonly RecipientState[]; className: string }[];

/** How many recipients are in each group. */
export function groupCounts({ recipients }: Pick<Campaign, 'recipients'>) {
  return GROUPS.map(({ states, ...group }) => ({
    ...group,
    count: states.reduce((sum, state) => sum + recipients[state], 0),
  }));
}

/**
 * Time of the end if it goes on as it has since its start, as `GET …/stats` has it; null unless it runs and somebody
 * has finished. A board does not ask for the figures of each.
 */
export function estimatedEnd(campaign: Pick<Campaign, 'state' | 'recipients' | 'started_at'>, now: Date): Date | null {
  const { state, recipients, started_at } = campaign;
  const { total, waiting, deferred, dialling, connected } = recipients;
  const left = waiting + deferred + dialling + connected;
  const elapsed = started_at ? now.getTime() - Date.parse(started_at) : 0;
  if (state !== 'running' || left === total || elapsed <= 0) return null;
  return new Date(now.getTime() + (elapsed / (total - left)) * left);
}

export const STATE_LABELS: Record<CampaignState, string> = {
  draft: 'Draft',
  running: 'Running',
  paused: 'Paused',
  completed: 'Completed',
  canceled: 'Canceled',
};

export const RECIPIENT_LABELS: Record<RecipientState, string> = {
  waiting: 'Waiting',
  deferred: 'Deferred',
  dialling: 'Ringing',
  connected: 'On the phone',
  reached: 'Reached',
  exhausted: 'Not reached',
  suppressed: 'Suppressed',
  refused: 'Not allowed',
  expired: 'Expired',
  canceled: 'Canceled',
};

export const OUTCOME_LABELS: Record<AttemptOutcome, string> = {
  answered: 'Answered',
  voicemail: 'Voicemail',
  ivr: 'Phone menu',
  screening: 'Call screening',
  ai: 'AI',
  busy: 'Busy',
  no_answer: 'No answer',
  declined: 'Declined',
  unavailable: 'Unavailable',
  invalid_number: 'Invalid number',
  failed: 'Failed',
  abandoned: 'No agent came',
  interrupted: 'Interrupted',
  canceled: 'Canceled',
};

const BLOCKS: Record<BlockReason, string> = {
  agent: 'Its agent is switched off or deleted.',
  budget: 'Its budget, or yours, is spent.',
  capacity: 'You have no free calls, apart from those reserved for others, or no worker has room for a call.',
  circuit: 'Too many calls fail: it waits, and then tries again.',
  disabled: 'Calling is switched off in this installation.',
  number: 'One of its caller IDs is no longer your number.',
  policy: 'The policy that it names does not exist.',
  window: 'Nobody who waits may be called at this hour.',
};

/** Why a running campaign dials nobody, given that it has a reason. */
export function blockText(reason: BlockReason, abandonment: Campaign['abandonment']): string {
  if (reason !== 'policy' || !abandonment?.is_exceeded) return BLOCKS[reason];
  const { answered, abandoned, rate, max_rate, days } = abandonment;
  const calls = `${abandoned.toLocaleString()} of ${answered.toLocaleString()} calls`;
  return `${calls} that people answered in ${days} days were taken by no agent in time: ${percent(rate)}, and its policy allows ${percent(max_rate)}.`;
}

const percent = (part: number) => `${Number((100 * part).toPrecision(3))} %`;

/** Actions that a campaign takes in a state. */
export const ACTIONS: Record<CampaignState, readonly ('start' | 'pause' | 'resume' | 'cancel' | 'delete')[]> = {
  draft: ['start', 'delete'],
  running: ['pause', 'cancel'],
  paused: ['resume', 'cancel'],
  completed: ['delete'],
  canceled: ['delete'],
};
