import type { EndReason } from '@switchboard/client';

/** Each end reason as a sentence for readers who do not know the documentation. */
const SENTENCES: Record<EndReason | 'budget_exceeded', string> = {
  agent_never_joined:
    'No worker joined the call: is one running for this agent, and has it the keys of the agent’s models?',
  browser_never_joined: 'No browser joined the call.',
  budget_exceeded: 'The month’s budget was spent.',
  busy: 'The line was busy.',
  call_ended: 'The call was over.',
  canceled: 'It was canceled before it was answered.',
  declined: 'The call was declined.',
  ended_by_agent: 'The agent ended the call.',
  ended_by_user: 'Ended through the API or the console.',
  hangup: 'One side hung up.',
  internal_error: 'Something went wrong inside the service.',
  interrupted: 'The service stopped while the call was being set up.',
  invalid_number: 'The number does not exist.',
  max_duration: 'It reached its maximum duration.',
  media_failure: 'The media server could not set up the call.',
  media_lost: 'The connection to one side was lost.',
  no_answer: 'Nobody answered.',
  provider_refused: 'The provider refused the call.',
  provider_timeout: 'The provider did not answer in time.',
  provider_unavailable: 'The provider could not be reached.',
  room_ended: 'The room was closed.',
  transferred: 'It was transferred to another phone.',
  screening: 'A machine asked who was calling, and nobody picked up.',
  trunk_failure: 'The phone trunk failed.',
  trunk_not_found: 'The configured phone trunk does not exist.',
  trunk_rejected: 'The phone trunk rejected the call.',
  unavailable: 'The phone could not be reached.',
  voicemail: 'A machine answered, and the call was hung up.',
};

/** A sentence for an end reason; the reason itself if this version does not know it. */
export function explainEnd(reason: string): string {
  return SENTENCES[reason as EndReason] ?? `It ended: ${reason.replaceAll('_', ' ')}.`;
}

/** All end reasons, each with its sentence. */
export const END_REASONS = Object.entries(SENTENCES);
