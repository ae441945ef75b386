import type { FieldProblem } from '../../lib/invalid.ts';
import { isObject, type JsonObject } from '../../lib/json.ts';

/** Fields of an extractor, choices of a field, and items of a list. */
export const MAX_SCHEMA_FIELDS = 50;
export const MAX_CHOICES = 100;
export const MAX_ITEMS = 20;
/** Characters of a text, and of a choice. */
export const MAX_VALUE = 2_000;
const MAX_CHOICE = 200;
const MAX_DESCRIPTION = 2_000;

const FIELD_NAME = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;
/** Values of an analysis that are no fields. */
const RESERVED = ['score', 'success', 'summary'];
const ROOT = ['$schema', 'title', 'description', 'type', 'properties', 'required', 'additionalProperties'];

type Path = (string | number)[];

/** A field that a model fills. Every one may also be null. */
export interface Field {
  type: 'string' | 'boolean' | 'integer' | 'number' | 'array';
  description?: string;
  enum?: (string | number)[];
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  items?: { type: 'string'; enum?: string[] };
  maxItems?: number;
}

const KEYWORDS: Record<Field['type'], readonly string[]> = {
  string: ['enum', 'maxLength'],
  boolean: [],
  integer: ['minimum', 'maximum', 'enum'],
  number: ['minimum', 'maximum', 'enum'],
  array: ['items', 'maxItems'],
};
const TYPES = Object.keys(KEYWORDS) as Field['type'][];

/** Fields of a schema without problems, by name, in order. */
export function fieldsOf(schema: JsonObject): Map<string, Field> {
  return new Map(Object.entries(schema.properties as Record<string, Field>));
}

/** Reasons why a model cannot fill this schema, with places: what it says must be checkable. */
export function schemaProblems(schema: JsonObject): FieldProblem[] {
  const { type, properties, required, additionalProperties } = schema;
  const names = isObject(properties) ? Object.keys(properties) : [];
  return [
    ...unknown(schema, ROOT, []),
    ...(type === 'object' ? [] : [problem(['type'], 'Input should be "object"', type)]),
    ...(isObject(properties) && names.length > 0 && names.length <= MAX_SCHEMA_FIELDS
      ? []
      : [problem(['properties'], `Input should have from 1 to ${MAX_SCHEMA_FIELDS} fields`)]),
    ...(additionalProperties === undefined || additionalProperties === false
      ? []
      : [problem(['additionalProperties'], 'Input should be false: other fields are not kept')]),
    ...requiredProblems(required, names),
    ...names.slice(0, MAX_SCHEMA_FIELDS).flatMap((name) => fieldProblems(name, (properties as JsonObject)[name])),
  ];
}

function requiredProblems(required: unknown, names: string[]): FieldProblem[] {
  if (required === undefined) return [];
  if (!Array.isArray(required)) return [problem(['required'], 'Input should be a list of names')];
  return required.flatMap((name: unknown, index) =>
    names.includes(name as string) ? [] : [problem(['required', index], 'Input should be one of the fields', name)],
  );
}

function fieldProblems(name: string, field: unknown): FieldProblem[] {
  const path = ['properties', name];
  if (!FIELD_NAME.test(name))
    return [problem(path, 'A field is named by up to 64 letters, digits and underscores, not beginning with a digit')];
  if (RESERVED.includes(name)) return [problem(path, `Every analysis has its own ${name}: choose another name`)];
  if (!isObject(field)) return [problem(path, 'Input should be a schema', field)];
  const type = TYPES.find((one) => one === field.type);
  if (!type) return [problem([...path, 'type'], `Input should be one of ${TYPES.join(', ')}`, field.type)];
  const { description, maxLength, maxItems } = field;
  return [
    ...unknown(field, ['type', 'title', 'description', ...KEYWORDS[type]], path),
    ...(description === undefined || isText(description, MAX_DESCRIPTION)
      ? []
      : [problem([...path, 'description'], `Input should be a text of at most ${MAX_DESCRIPTION} characters`)]),
    ...countProblems(maxLength, MAX_VALUE, [...path, 'maxLength']),
    ...countProblems(maxItems, MAX_ITEMS, [...path, 'maxItems']),
    ...boundProblems(field, type, path),
    ...choiceProblems(field.enum, type, path),
    ...(type === 'array' ? itemProblems(field.items, [...path, 'items']) : []),
  ];
}

function itemProblems(items: unknown, path: Path): FieldProblem[] {
  if (!isObject(items) || items.type !== 'string') return [problem(path, 'Input should be a schema of strings', items)];
  return [...unknown(items, ['type', 'enum', 'description'], path), ...choiceProblems(items.enum, 'string', path)];
}

function countProblems(value: unknown, max: number, path: Path): FieldProblem[] {
  if (value === undefined || (Number.isInteger(value) && Number(value) >= 1 && Number(value) <= max)) return [];
  return [problem(path, `Input should be a whole number from 1 to ${max}`, value)];
}

/** Bounds between which there is a value. */
function boundProblems({ minimum, maximum }: JsonObject, type: Field['type'], path: Path): FieldProblem[] {
  const wrong = Object.entries({ minimum, maximum }).filter(([, one]) => one !== undefined && !Number.isFinite(one));
  if (wrong.length > 0) return wrong.map(([name, one]) => problem([...path, name], 'Input should be a number', one));
  if (minimum === undefined || maximum === undefined) return [];
  const [min, max] = [Number(minimum), Number(maximum)];
  const isPossible = type === 'integer' ? Math.ceil(min) <= Math.floor(max) : min <= max;
  return isPossible ? [] : [problem([...path, 'maximum'], 'No value lies between the bounds', maximum)];
}

function choiceProblems(choices: unknown, type: Field['type'], path: Path): FieldProblem[] {
  if (choices === undefined) return [];
  const place = [...path, 'enum'];
  if (!Array.isArray(choices) || choices.length === 0 || choices.length > MAX_CHOICES)
    return [problem(place, `Input should have from 1 to ${MAX_CHOICES} choices`)];
  if (new Set(choices).size < choices.length) return [problem(place, 'Every choice should be there once')];
  return choices.flatMap((choice: unknown, index) =>
    isChoice(choice, type) ? [] : [problem([...place, index], `Input should be a choice of type ${type}`, choice)],
  );
}

function isChoice(choice: unknown, type: Field['type']): boolean {
  if (type === 'string') return isText(choice, MAX_CHOICE) && choice !== '';
  return type === 'integer' ? Number.isInteger(choice) : Number.isFinite(choice);
}

const isText = (value: unknown, max: number) => typeof value === 'string' && value.length <= max;

function unknown(schema: JsonObject, known: readonly string[], path: Path): FieldProblem[] {
  const others = Object.keys(schema).filter((name) => !known.includes(name));
  return others.map((name) => problem([...path, name], `Not supported here: only ${known.join(', ')}`));
}

/** Reasons why a score cannot be computed. The schema has no problems. */
export function weightProblems(schema: JsonObject, weights: Record<string, number>): FieldProblem[] {
  const fields = fieldsOf(schema);
  return Object.keys(weights).flatMap((name) => {
    const field = fields.get(name);
    if (field?.type === 'boolean') return [];
    const { type, minimum, maximum } = field ?? {};
    const isScaled = (type === 'number' || type === 'integer') && minimum !== undefined && maximum !== undefined;
    if (isScaled && minimum < maximum) return [];
    const msg = 'Only a boolean field, or a number with minimum and maximum, has a weight';
    return [{ field: ['weights', name], msg, type: 'value_error' }];
  });
}

function problem(path: Path, msg: string, input?: unknown): FieldProblem {
  return { field: ['schema', ...path], msg, type: 'value_error', ...(input !== undefined && { input }) };
}
