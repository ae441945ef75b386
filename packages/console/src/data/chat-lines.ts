import { type ChatEvent, type ChatToolCall, type FailedOver, SwitchboardError } from '@switchboard/client';

/** A message of either side. */
export interface ChatLine {
  id: string;
  speaker: 'USER' | 'AGENT';
  content: string;
  tools: ChatToolCall[];
  /** Models that failed in the answer, and those that took over. */
  failovers: FailedOver[];
}

/** As much of an answer as there is. */
export interface PartialAnswer {
  words: string;
  tools: ChatToolCall[];
  failovers: FailedOver[];
}

export const NO_ANSWER: PartialAnswer = { words: '', tools: [], failovers: [] };

/** The answer after one more event of its stream. */
export function answerAfter(answer: PartialAnswer, { event, data }: ChatEvent): PartialAnswer {
  if (event === 'words') return { ...answer, words: answer.words + data.text };
  if (event === 'tool_call') return { ...answer, tools: [...answer.tools, { ...data, result: null, is_error: false }] };
  if (event === 'failed_over') return { ...answer, failovers: [...answer.failovers, data] };
  if (event === 'tool_result') {
    const { call_id, result, is_error = false } = data;
    return {
      ...answer,
      tools: answer.tools.map((tool) => (tool.call_id === call_id ? { ...tool, result, is_error } : tool)),
    };
  }
  // Another worker begins anew.
  return event === 'restarted' ? NO_ANSWER : answer;
}

/** The arguments of a tool, one a line. */
export const argumentsText = ({ arguments: given }: ChatToolCall) =>
  Object.entries(given)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
    .join('\n') || 'None';

/** The message box with a text put back into it, before what has been typed since. */
export function putBack(text: string, box: string): string {
  return box.trim() === '' || box === text ? text : `${text}\n\n${box}`;
}

/** Errors after which only another chat goes on. */
export const needsNewChat = (error: unknown) =>
  error instanceof SwitchboardError && ['session_over', 'chat_full', 'not_found'].includes(error.code);

const STEPS: Record<string, string> = {
  agent_inactive: 'Switch on “Accepts and places calls” under General.',
  budget_exceeded: 'Raise the budget of the month on the page Costs, or wait for the next month.',
  chat_full: 'Start over to go on.',
  network_error: 'Check the connection, then send the message again.',
  not_found: 'Start over.',
  session_over: 'Start over to go on.',
  timeout: 'Send the message again.',
  too_many_calls: 'Other calls and chats count, too. Wait a moment, then send the message again.',
  turn_in_progress: 'Wait for the answer to the previous message, then send this one again.',
  turn_unanswered: 'Make sure that a worker that answers chats is running, then send the message again.',
};

/** The next step after a failure. */
export function nextStep(error: unknown): string | null {
  if (!(error instanceof SwitchboardError)) return null;
  return STEPS[error.code] ?? 'Try again.';
}
