import { meaningOf } from './words.ts';

/** A field of an extractor's schema. */
export interface ExtractedField {
  type: string;
  description?: string;
  enum?: readonly (string | number)[];
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  items?: { enum?: readonly string[] };
  maxItems?: number;
}

export interface TranscriptLine {
  id: string;
  speaker: string;
  content: string;
}

/** A value, and the lines that say so. */
interface Found {
  value: unknown;
  ids: string[];
}

interface Extracted {
  values: Record<string, unknown>;
  evidence: Record<string, string[]>;
  summary: string;
  success: boolean | null;
}

/** Lines that are read: the last ones, in which an outcome is said. */
const READ = 500;
const MAX_TEXT = 500;
const MAX_SAID = 120;
const NOT = /\b(?:no|not|never|none|neither|nor|without|\w+n['’]t|cannot)\b/i;
const THANKS = /\b(?:thank you|thanks|perfect|great|that(?:'s| is| was) (?:all|everything))\b/i;
/** Words of a field's name that ask, and say nothing: "was_friendly". */
const ASKING = /^(?:is|was|were|are|has|have|had|did|does|do|can|will|should|number|count|total|of)$/;

/**
 * Reads the fields of a schema out of a transcript by rules, without a model: choices, booleans and amounts whose words
 * somebody has said, with that line as the evidence. The last line that fits counts.
 */
export function extract(fields: Iterable<[string, ExtractedField]>, transcript: readonly TranscriptLine[]): Extracted {
  const lines = transcript
    .slice(-READ)
    .map((line) => ({ ...line, words: meaningOf(line.content) }))
    .reverse();
  const [values, evidence]: [Extracted['values'], Extracted['evidence']] = [{}, {}];
  for (const [name, field] of fields) {
    const found = find(name, field, lines);
    values[name] = found?.value ?? null;
    if (found) evidence[name] = found.ids;
  }
  const asked = transcript.find(({ speaker }) => speaker === 'USER')?.content ?? '';
  const said = asked ? ` The caller began with: “${asked.slice(0, MAX_SAID).toWellFormed()}”.` : '';
  const isThanked = lines.some(({ speaker, content }) => speaker === 'USER' && THANKS.test(content));
  return {
    values,
    evidence,
    summary: `Simulated: rules have read this call, no model.${said}`,
    success: isThanked || null,
  };
}

interface Line extends TranscriptLine {
  words: Set<string>;
}

function find(name: string, field: ExtractedField, lines: Line[]): Found | null {
  const choices = field.enum ?? [];
  const wanted = [
    ...meaningOf(
      name
        .split(/[_\s]+/)
        .filter((word) => !ASKING.test(word.toLowerCase()))
        .join(' '),
    ),
  ];
  const about = wanted.length === 0 ? undefined : lines.find(({ words }) => wanted.every((word) => words.has(word)));
  if (field.type === 'array') return listIn(field, lines);
  if (field.type === 'string') return choices.length > 0 ? choiceIn(choices, lines) : textOf(about, field);
  if (!about) return null;
  if (field.type === 'boolean') return { value: !NOT.test(about.content), ids: [about.id] };
  return amountIn(about, field);
}

/** The choice that was said last. */
function choiceIn(choices: readonly unknown[], lines: Line[]): Found | null {
  for (const line of lines) {
    const value = choices.find((choice) => isSaid(String(choice), line));
    if (value !== undefined) return { value, ids: [line.id] };
  }
  return null;
}

function isSaid(choice: string, { words }: Line): boolean {
  const wanted = meaningOf(choice.replaceAll(/[_-]/g, ' '));
  return wanted.size > 0 && [...wanted].every((word) => words.has(word));
}

function listIn({ items, maxItems = 20 }: ExtractedField, lines: Line[]): Found | null {
  const found = (items?.enum ?? []).flatMap((choice) => {
    const line = lines.find((one) => isSaid(choice, one));
    return line ? { choice, id: line.id } : [];
  });
  const kept = found.slice(0, maxItems);
  return kept.length === 0
    ? null
    : { value: kept.map(({ choice }) => choice), ids: [...new Set(kept.map(({ id }) => id))] };
}

function textOf(line: Line | undefined, { maxLength = MAX_TEXT }: ExtractedField): Found | null {
  return line ? { value: line.content.slice(0, Math.min(maxLength, MAX_TEXT)).toWellFormed(), ids: [line.id] } : null;
}

/** The first number of a line, if the field can have it. */
function amountIn({ id, content }: Line, field: ExtractedField): Found | null {
  const { type, enum: choices, minimum = -Infinity, maximum = Infinity } = field;
  const value = Number(/-?\d{1,9}(?:\.\d{1,6})?/.exec(content)?.[0] ?? Number.NaN);
  const fits = Number.isFinite(value) && value >= minimum && value <= maximum && (choices?.includes(value) ?? true);
  return fits && (type !== 'integer' || Number.isInteger(value)) ? { value, ids: [id] } : null;
}
