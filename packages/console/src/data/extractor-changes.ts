import { type Change, changesBetween } from './differences.ts';
import { ANSWERS, answerOf, type Content } from './extractor-content.ts';

/** A difference of two versions in words. */
export interface NamedChange extends Change {
  name: string;
}

const NAMES: Record<string, string> = {
  instructions: 'Instructions',
  model: 'Language model',
  'model.provider': 'Provider of the language model',
  'model.model': 'Language model',
  sample: 'Share of the calls',
  'when.direction': 'Direction of the calls',
  'when.answered_by': 'Who answered',
  'when.min_duration_s': 'Shortest call',
  'schema.required': 'Fields that must be answered',
};
const WORDS: Record<string, string> = {
  type: 'type of answer',
  description: 'what it means',
  enum: 'values',
  minimum: 'least',
  maximum: 'most',
};

/** The differences of two contents, each in the words of the form; a list of values is one of them. */
export function extractorChanges(before: Content, after: Content): NamedChange[] {
  const changes = changesBetween(before, after);
  const named = changes.map(({ path }) => {
    const end = path.findIndex((part) => typeof part === 'number');
    return end < 0 ? path : path.slice(0, end);
  });
  const places = new Map(named.map((path) => [path.join('\n'), path]));
  return [...places.values()].map((path) => ({
    path,
    name: nameOf(path),
    before: valueAtPlace(before, path),
    after: valueAtPlace(after, path),
  }));
}

function nameOf(path: Change['path']): string {
  const [first, second, field, ...words] = path.map(String);
  if (first === 'weights' && second !== undefined) return `${second}: weight`;
  if (first !== 'schema' || second !== 'properties' || field === undefined)
    return NAMES[path.join('.')] ?? path.join('.');
  if (words.length === 0) return `Field ${field}`;
  return `${field}: ${WORDS[words.join('.')] ?? (words.join('.') === 'items.enum' ? 'values' : words.join('.'))}`;
}

function valueAtPlace(content: unknown, path: Change['path']): unknown {
  return path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? (value as Content)[key] : undefined),
    content,
  );
}

/** A value in the words of the form. */
export function changedText(value: unknown): string {
  if (value === null) return '(none)';
  if (Array.isArray(value)) return value.map(String).join(', ') || '(none)';
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value !== 'object') return String(value) || '(empty)';
  const answer = answerOf(value);
  return answer ? ANSWERS[answer] : JSON.stringify(value, null, 2);
}
