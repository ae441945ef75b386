import type { AgentConfig } from '@switchboard/client';
import { isObject } from '../../data/config-paths.ts';

/** The object in a text, whose values the service has not checked yet, or the reason why it is not one. */
export function readConfig(text: string): { config: AgentConfig | null; problem: string | null } {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return { config: value as AgentConfig, problem: null };
    return { config: null, problem: 'A configuration is an object: it begins with { and ends with }.' };
  } catch (error) {
    const line = lineOf(text, error instanceof Error ? error.message : '');
    return { config: null, problem: `This is not JSON${line}.` };
  }
}

/** Browsers report either the line or the position. */
function lineOf(text: string, message: string): string {
  const line = /line (\d+)/.exec(message)?.[1];
  if (line) return `: line ${line}`;
  const position = /position (\d+)/.exec(message)?.[1];
  return position ? `: line ${text.slice(0, Number(position)).split('\n').length}` : '';
}
