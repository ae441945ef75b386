import type { ChatToolCall } from './schema.ts';
import type { Reported } from './store.ts';

/** The calls of tools in a turn, with their results. */
export function toolCallsOf(reported: Reported[]): ChatToolCall[] {
  const calls: ChatToolCall[] = [];
  for (const event of reported.flatMap(({ events }) => events)) {
    if (event.type === 'tool_call') {
      const { call_id, name, arguments: args } = event;
      calls.push({ call_id, name, arguments: args, result: null, is_error: false });
    }
    if (event.type !== 'tool_result') continue;
    const { call_id, result, is_error = false } = event;
    const call = calls.findLast((one) => one.call_id === call_id);
    if (call) Object.assign(call, { result, is_error });
  }
  return calls;
}
