import { type ExtractedField, extract } from './extract.ts';
import type { Reply, Tool } from './messages.ts';
import { toolCall } from './tools.ts';

/** The tool by which a worker has a model answer what an extractor asks for. */
export const ANALYSIS = 'save_analysis';

/** A line of the transcript as the worker numbers it. */
const LINE = /^(\d+)\. (\w+): (".*")$/gm;

/** Reads a transcript by the fields that the tool has, and names the lines that say so by their numbers. */
export function analyse({ parameters }: Tool, asked: string): Reply {
  const transcript = Array.from(asked.matchAll(LINE), ([, id = '', speaker = '', content = '""']) => ({
    id,
    speaker,
    content: JSON.parse(content) as string,
  }));
  const { properties = {} } = (parameters?.properties?.values ?? {}) as { properties?: Record<string, ExtractedField> };
  const { evidence, success, ...found } = extract(Object.entries(properties), transcript);
  const lines = Object.fromEntries(Object.entries(evidence).map(([name, ids]) => [name, ids.map(Number)]));
  return toolCall(ANALYSIS, { ...found, lines, ...(success !== null && { success }) });
}
