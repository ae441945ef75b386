import type { AnalysisResult, AnalysisTask } from '@switchboard/client';

/** The longest answer, in characters. */
export const MAX_ANSWER = 100_000;
const MAX_SUMMARY = 2_000;
const MAX_LINES = 20;

/** An answer that is no analysis. Another attempt may be better: nothing of it is repaired. */
export class Garbage extends Error {}

type Json = Record<string, unknown>;

/**
 * The result that a model's arguments say. Throws `Garbage` for anything but JSON of the form that was asked for, and
 * for lines that the transcript does not have; the service checks the values against the schema.
 */
export function readAnswer(args: string, { extractor, transcript }: AnalysisTask): AnalysisResult {
  if (args.length > MAX_ANSWER) throw new Garbage('The model answered too much.');
  const answer = parsed(args);
  const { values, lines, summary = null, success = null, ...others } = answer;
  const [other] = Object.keys(others);
  if (other !== undefined) throw new Garbage(`The model answered with an unknown field: ${other.slice(0, 100)}.`);
  if (!isObject(values) || !isObject(lines)) throw new Garbage('The model answered without values, or without lines.');
  if (summary !== null && (typeof summary !== 'string' || summary.length > MAX_SUMMARY))
    throw new Garbage('The model answered with a summary that is no text, or too long.');
  if (success !== null && typeof success !== 'boolean')
    throw new Garbage('The model answered with a success that is no boolean.');
  const known = Object.keys((extractor.schema.properties ?? {}) as object);
  for (const name of [...Object.keys(values), ...Object.keys(lines)])
    if (!known.includes(name)) throw new Garbage(`The model answered with an unknown field: ${name.slice(0, 100)}.`);
  const evidence = Object.entries(lines).map(([name, numbers]) => [name, idsOf(name, numbers, transcript)]);
  return { values, evidence: Object.fromEntries(evidence), summary, success };
}

function parsed(args: string): Json {
  let answer: unknown;
  try {
    answer = JSON.parse(args);
  } catch {
    throw new Garbage('The model answered with something that is not JSON.');
  }
  if (!isObject(answer)) throw new Garbage('The model answered with JSON that is no object.');
  return answer;
}

function idsOf(name: string, numbers: unknown, transcript: AnalysisTask['transcript']): string[] {
  if (!Array.isArray(numbers) || numbers.length > MAX_LINES)
    throw new Garbage(`The lines of ${name} are no list, or too many.`);
  return numbers.map((number: unknown) => {
    const line = Number.isInteger(number) ? transcript[Number(number) - 1] : undefined;
    if (!line) throw new Garbage(`The model names a line that the transcript does not have, for ${name}.`);
    return line.id;
  });
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
