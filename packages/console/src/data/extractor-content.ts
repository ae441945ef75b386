import { isObject } from './config-paths.ts';

/** The content of a version of an extractor, as its JSON has it. The form shows a part of it; the rest stays. */
export type Content = Record<string, unknown>;

/** Types of answers, as the form has them. */
export const ANSWERS = {
  boolean: 'Yes or no',
  choice: 'One of several values',
  number: 'Number',
  integer: 'Whole number',
  string: 'Text',
  array: 'List',
} as const;
export type Answer = keyof typeof ANSWERS;

/** A field of the schema. Its own schema has more than the form shows. */
export interface ExtractorField {
  name: string;
  /** Null for a type that the form does not have. */
  answer: Answer | null;
  schema: unknown;
}

/** Names that every analysis has for itself. */
const RESERVED = ['score', 'success', 'summary'];
/** Words of each type of answer, which another one does not have. */
const KEYWORDS = ['enum', 'maxLength', 'minimum', 'maximum', 'items', 'maxItems'];
const SHOWN: Record<Answer, string[]> = {
  boolean: [],
  choice: ['enum'],
  number: ['minimum', 'maximum'],
  integer: ['minimum', 'maximum'],
  string: [],
  array: ['items'],
};

/** The content of a JSON text, or the reason why it is none. */
export function readContent(text: string): { content: Content | null; problem: string | null } {
  try {
    const content: unknown = JSON.parse(text);
    if (isObject(content)) return { content, problem: null };
    return { content: null, problem: 'This must be an object, in braces.' };
  } catch (error) {
    return { content: null, problem: error instanceof Error ? error.message : String(error) };
  }
}

export const contentText = (content: Content) => JSON.stringify(content, null, 2);

const propertiesOf = ({ schema }: Content): Content =>
  isObject(schema) && isObject(schema.properties) ? schema.properties : {};

/** The fields, in the order in which they stand there. */
export function fieldsOf(content: Content): ExtractorField[] {
  return Object.entries(propertiesOf(content)).map(([name, schema]) => ({ name, answer: answerOf(schema), schema }));
}

/** The type of answer of a field's schema. */
export function answerOf(schema: unknown): Answer | null {
  if (!isObject(schema) || typeof schema.type !== 'string') return null;
  if (schema.type === 'string') return schema.enum === undefined ? 'string' : 'choice';
  return schema.type !== 'choice' && Object.hasOwn(ANSWERS, schema.type) ? (schema.type as Answer) : null;
}

/** The content with these fields, in this order; what else the schema says stays. */
function withFields(content: Content, fields: ExtractorField[]): Content {
  const schema = isObject(content.schema) ? content.schema : {};
  const properties = Object.fromEntries(fields.map((field) => [field.name, field.schema]));
  return { ...content, schema: { ...(schema.type === undefined && { type: 'object' }), ...schema, properties } };
}

/** The content with another schema of a field; a weight that it cannot have any more is removed. */
export function withField(content: Content, name: string, schema: unknown): Content {
  const fields = fieldsOf(content).map((field) => (field.name === name ? { ...field, schema } : field));
  const after = withFields(content, fields);
  return canWeigh(schema) ? after : withWeight(after, name, null);
}

export const withNewField = (content: Content): Content => {
  const names = fieldsOf(content).map(({ name }) => name);
  const field = { name: freeName(names), answer: 'boolean' as const, schema: { type: 'boolean' } };
  return withFields(content, [...fieldsOf(content), field]);
};

function freeName(names: string[]): string {
  for (let number = names.length + 1; ; number++) if (!names.includes(`field_${number}`)) return `field_${number}`;
}

export function withoutField(content: Content, name: string): Content {
  const fields = fieldsOf(content).filter((field) => field.name !== name);
  return withRequired(withWeight(withFields(content, fields), name, null), name, false);
}

/** Moves a field up (-1) or down (1). */
export function moved(content: Content, name: string, by: -1 | 1): Content {
  const fields = fieldsOf(content);
  const at = fields.findIndex((field) => field.name === name);
  const [field, to] = [fields[at], at + by];
  if (!field || to < 0 || to >= fields.length) return content;
  return withFields(content, fields.toSpliced(at, 1).toSpliced(to, 0, field));
}

/** Gives a field another name, everywhere. */
export function renamed(content: Content, name: string, next: string): Content {
  const fields = fieldsOf(content).map((field) => (field.name === name ? { ...field, name: next } : field));
  const after = withFields(content, fields);
  const schema = after.schema as Content;
  const required = Array.isArray(schema.required) && schema.required.map((one) => (one === name ? next : one));
  const weights = isObject(content.weights) ? Object.entries(content.weights) : [];
  return {
    ...after,
    schema: { ...schema, ...(required && { required }) },
    ...(weights.length > 0 && {
      weights: Object.fromEntries(weights.map(([one, weight]) => [one === name ? next : one, weight])),
    }),
  };
}

/** A schema with another type of answer. Its description stays; what only the former type has does not. */
export function withAnswer(schema: unknown, answer: Answer): Content {
  const { type: _, ...others } = isObject(schema) ? schema : {};
  const isNumeric = (one: unknown) => one === 'integer' || one === 'number';
  const keeps = isNumeric(answer) && isNumeric(answerOf(schema)) ? ['minimum', 'maximum'] : [];
  const kept = Object.entries(others).filter(([name]) => !KEYWORDS.includes(name) || keeps.includes(name));
  return {
    type: answer === 'choice' ? 'string' : answer,
    ...Object.fromEntries(kept),
    ...(answer === 'choice' && { enum: ['yes', 'no'] }),
    ...(answer === 'array' && { items: { type: 'string' } }),
  };
}

/** A schema with another value of one of its words; without it for `undefined`. */
export function withWord(schema: unknown, word: string, value: unknown): Content {
  const { [word]: _, ...others } = isObject(schema) ? schema : {};
  return value === undefined ? others : { ...(schema as Content), [word]: value };
}

const requiredIn = ({ schema }: Content): unknown[] =>
  isObject(schema) && Array.isArray(schema.required) ? schema.required : [];

export const isRequired = (content: Content, name: string) => requiredIn(content).includes(name);

export function withRequired(content: Content, name: string, is: boolean): Content {
  const before = requiredIn(content);
  if (before.includes(name) === is) return content;
  const required = is ? [...before, name] : before.filter((one) => one !== name);
  const { required: _, ...schema } = content.schema as Content;
  return { ...content, schema: required.length > 0 ? { ...schema, required } : schema };
}

/** Whether a field can count in the score. */
export function canWeigh(schema: unknown): boolean {
  const answer = answerOf(schema);
  if (answer === 'boolean') return true;
  if (answer !== 'number' && answer !== 'integer') return false;
  const { minimum, maximum } = schema as Content;
  return typeof minimum === 'number' && typeof maximum === 'number' && minimum < maximum;
}

export function weightOf({ weights }: Content, name: string): number | null {
  const weight = isObject(weights) && Object.hasOwn(weights, name) ? weights[name] : null;
  return typeof weight === 'number' ? weight : null;
}

export function withWeight(content: Content, name: string, weight: number | null): Content {
  const { [name]: before, ...others } = isObject(content.weights) ? content.weights : {};
  if (before === undefined && weight === null) return content;
  return { ...content, weights: weight === null ? others : { ...others, [name]: weight } };
}

/** A name as fields can have it, of what somebody types. */
export function cleanName(typed: string): string {
  const name = typed.replaceAll(/[^A-Za-z0-9_]/g, '_').slice(0, 64);
  return /^\d/.test(name) ? `_${name}`.slice(0, 64) : name;
}

/** The reason why a field cannot have a name; null if it can. */
export function nameProblem(name: string, others: string[]): string | null {
  if (name === '') return 'A field needs a name.';
  if (others.includes(name)) return 'Another field has this name.';
  return RESERVED.includes(name) ? `Every analysis has a ${name} of its own: choose another name.` : null;
}

/** Choices as typed, one a line. */
export const choicesOf = (text: string) => [...new Set(text.split('\n').map((line) => line.trim()))].filter(Boolean);

/** Texts of a list in the schema; null for what the form cannot show as lines. */
export const textsOf = (list: unknown): string[] | null =>
  Array.isArray(list) && list.every((one) => typeof one === 'string' && one === one.trim() && !one.includes('\n'))
    ? list
    : null;

const TOP = ['schema', 'instructions', 'model', 'when', 'sample', 'weights'];
const OBJECTS = { model: ['provider', 'model'], when: ['direction', 'answered_by', 'min_duration_s'] } as const;

/** Places of what the form does not show, as in `schema.properties.note.maxLength`. */
export function alsoIn(content: Content): string[] {
  const { schema } = content;
  const inSchema = isObject(schema)
    ? Object.keys(schema).filter((name) => !['type', 'properties', 'required'].includes(name))
    : [];
  return [
    ...Object.keys(content).filter((name) => !TOP.includes(name)),
    ...inSchema.map((name) => `schema.${name}`),
    ...Object.entries(OBJECTS).flatMap(([part, shown]) => {
      const value = content[part];
      const names = isObject(value) ? Object.keys(value) : [];
      return names.filter((name) => !(shown as readonly string[]).includes(name)).map((name) => `${part}.${name}`);
    }),
    ...fieldsOf(content).flatMap(alsoInField),
  ];
}

function alsoInField({ name, answer, schema }: ExtractorField): string[] {
  const place = `schema.properties.${name}`;
  if (answer === null || !isObject(schema)) return [place];
  const { items } = schema;
  const inItems = isObject(items) ? Object.keys(items).filter((word) => word !== 'type' && word !== 'enum') : [];
  return [
    ...Object.keys(schema)
      .filter((word) => !['type', 'description', ...SHOWN[answer]].includes(word))
      .map((word) => `${place}.${word}`),
    ...inItems.map((word) => `${place}.items.${word}`),
  ];
}
