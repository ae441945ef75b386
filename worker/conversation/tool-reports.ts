import { llm } from '@livekit/agents';
import type { NewToolCall } from '@switchboard/client';
import { redactJson } from '@switchboard/redaction/json';
import { stored } from '../chat/writing-agent.ts';
import { Interrupted } from './after-speech.ts';

/** A call of a tool that has ended. */
export interface ToolRun extends Pick<NewToolCall, 'name' | 'called_at'> {
  arguments: object;
  /** The value that it returned, or why it failed; undefined if nobody waited for that any more. */
  result: { value: unknown } | { error: string } | undefined;
}

/** As in the API. */
const [MAX_NAME, MAX_ARGUMENTS, MAX_RESULT] = [100, 8_000, 8_000];

/** Tools that report each of their runs once it has ended. */
export function reporting(tools: llm.ToolContextEntry[], report: (run: ToolRun) => void): llm.ToolContextEntry[] {
  return tools.map((tool) => {
    if (!llm.isFunctionTool(tool)) return tool;
    const execute: typeof tool.execute = async (args, options) => {
      const called_at = new Date().toISOString();
      let result: ToolRun['result'];
      try {
        const value = await tool.execute(args, options);
        result = { value };
        return value;
      } catch (error) {
        if (options.abortSignal?.aborted !== true || error instanceof Interrupted)
          result = { error: error instanceof Error ? error.message : `${error}` };
        throw error;
      } finally {
        report({ name: tool.name, arguments: args as object, called_at, result });
      }
    };
    return { ...tool, execute };
  });
}

/** A call of a tool as it is reported: without secrets, and no longer than the API takes. */
export function toolReport(
  { name, called_at, result, arguments: args }: ToolRun,
  redact: (text: string) => string,
): Omit<NewToolCall, 'call_id'> {
  // Inside JSON, which stays JSON then.
  const kept = <T>(value: T): T => redactJson(value, (text) => redact(stored(text)));
  const shownArguments = kept({ ...args }) as NewToolCall['arguments'];
  const isShort = JSON.stringify(shownArguments).length <= MAX_ARGUMENTS;
  return {
    name: name.slice(0, MAX_NAME),
    called_at,
    arguments: isShort ? shownArguments : {},
    result: result === undefined ? null : textOf(result, kept).slice(0, MAX_RESULT).toWellFormed(),
    is_error: result !== undefined && 'error' in result,
  };
}

/** The result as the model gets it. */
const textOf = (result: NonNullable<ToolRun['result']>, kept: <T>(value: T) => T): string =>
  'error' in result ? kept(result.error) : JSON.stringify(kept(result.value ?? null));
