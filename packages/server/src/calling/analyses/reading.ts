import { type Field, MAX_ITEMS, MAX_VALUE } from '../../conversations/extractors/extractors.ts';
import { type JsonObject, textProblem } from '../../lib/json.ts';
import type { AnalysisResult } from './schema.ts';
import type { Found } from './values-store.ts';

/** A result as it is kept: without values that nothing in the transcript says. */
export interface Reading {
  values: JsonObject;
  evidence: Record<string, string[]>;
  summary: string | null;
  success: boolean | null;
  score: number | null;
}

/** Characters of a text by which calls are found. */
const MAX_FOUND = 200;
const DIGITS = 10_000;

/** The first reason why a model's result cannot be right; null if there is none. `lines`: ids that there are. */
export function problemOf(
  { values, evidence, summary }: AnalysisResult,
  fields: ReadonlyMap<string, Field>,
  lines: ReadonlySet<string>,
): string | null {
  for (const [name, value] of Object.entries(values)) {
    const field = fields.get(name);
    if (!field) return `values.${name.slice(0, MAX_FOUND)} is no field of the schema`;
    if (value !== null && !fits(value, field)) return `values.${name} does not match the schema`;
  }
  for (const [name, ids] of Object.entries(evidence)) {
    if (!fields.has(name)) return `evidence.${name.slice(0, MAX_FOUND)} is no field of the schema`;
    if (ids.some((id) => !lines.has(id))) return `evidence.${name} names a line that is not in the transcript`;
  }
  return summary !== null && textProblem(summary) ? 'summary cannot be stored' : null;
}

function fits(value: unknown, field: Field): boolean {
  const { type, enum: choices, minimum = -Infinity, maximum = Infinity } = field;
  if (type === 'boolean') return typeof value === 'boolean';
  if (type === 'array')
    return (
      Array.isArray(value) &&
      value.length <= (field.maxItems ?? MAX_ITEMS) &&
      value.every((one) => isText(one, field.items))
    );
  if (type === 'string') return isText(value, field);
  const isNumber = type === 'integer' ? Number.isSafeInteger(value) : Number.isFinite(value);
  if (!isNumber || (choices && !choices.includes(value as number))) return false;
  return (value as number) >= minimum && (value as number) <= maximum;
}

function isText(
  value: unknown,
  { enum: choices, maxLength = MAX_VALUE }: Pick<Field, 'enum' | 'maxLength'> = {},
): boolean {
  if (typeof value !== 'string' || value.length > maxLength || textProblem(value)) return false;
  return choices === undefined || choices.includes(value);
}

/** A result without problems, as it is kept: every field is there, and null without evidence. */
export function readingOf(
  { values, evidence, summary, success }: AnalysisResult,
  fields: ReadonlyMap<string, Field>,
  weights: Record<string, number>,
): Reading {
  const named = [...fields.keys()].map((name) => {
    const ids = [...new Set(Object.hasOwn(evidence, name) ? evidence[name] : [])];
    return { name, ids, value: ids.length > 0 && Object.hasOwn(values, name) ? (values[name] ?? null) : null };
  });
  const kept = Object.fromEntries(named.map(({ name, value }) => [name, value]));
  return {
    values: kept,
    evidence: Object.fromEntries(named.flatMap(({ name, ids, value }) => (value === null ? [] : [[name, ids]]))),
    summary,
    success,
    score: scoreOf(kept, fields, weights),
  };
}

/** The weighted mean of the values that are known, from 0 to 1; null if none is. */
function scoreOf(
  values: JsonObject,
  fields: ReadonlyMap<string, Field>,
  weights: Record<string, number>,
): number | null {
  let [sum, whole] = [0, 0];
  for (const [name, weight] of Object.entries(weights)) {
    const value = values[name];
    if (typeof value !== 'boolean' && typeof value !== 'number') continue;
    const { minimum = 0, maximum = 1 } = fields.get(name) ?? {};
    sum += weight * (typeof value === 'boolean' ? Number(value) : (value - minimum) / (maximum - minimum));
    whole += weight;
  }
  return whole === 0 ? null : Math.round((sum / whole) * DIGITS) / DIGITS;
}

/** The values by which a call is found, each once. */
export function foundIn({ values, success, score }: Reading, fields: ReadonlyMap<string, Field>): Found[] {
  const found = Object.entries(values).flatMap(([field, value]): Found[] => {
    const { enum: choices, items } = fields.get(field) ?? {};
    if (typeof value === 'string') return [textOf(field, value, choices !== undefined)];
    if (Array.isArray(value)) return value.map((one) => textOf(field, String(one), items?.enum !== undefined));
    if (typeof value === 'boolean') return [truthOf(field, value)];
    return typeof value === 'number' ? [amountOf(field, value)] : [];
  });
  const all = [
    ...found,
    ...(success === null ? [] : [truthOf('success', success)]),
    ...(score === null ? [] : [amountOf('score', score)]),
  ];
  return [...new Map(all.map((one) => [`${one.field} ${one.value}`, one])).values()];
}

function textOf(field: string, text: string, isChoice: boolean): Found {
  // A character that is cut in two cannot be stored.
  const value = text.slice(0, MAX_FOUND).toWellFormed();
  return { field, value, number: 0, counted_as: isChoice ? value : null };
}

const truthOf = (field: string, value: boolean): Found => ({
  field,
  value: String(value),
  number: Number(value),
  counted_as: String(value),
});

const amountOf = (field: string, value: number): Found => ({
  field,
  value: String(value),
  number: value,
  counted_as: '',
});
