import type { AgentConfig, AgentConfigCheck, JsonObject, ModelKind } from '@switchboard/client';
import { ARGUMENT, FORM, type FormField, isModel, type Path, tellsProblem } from './form-fields.ts';

export type { Path } from './form-fields.ts';

/** A JSON Schema, as far as the form reads it. */
export interface Schema {
  description?: string;
  enum?: string[];
  default?: unknown;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  maxItems?: number;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
}

/** Whether a value is an object with fields. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value at a place; undefined if there is none. */
export function valueAt(config: unknown, path: Path): unknown {
  return path.reduce<unknown>((inner, key) => {
    if (Array.isArray(inner)) return typeof key === 'number' ? inner[key] : undefined;
    return isObject(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined;
  }, config);
}

/** The schema of a place; undefined if it has none. */
export function schemaAt(schema: Schema, path: Path): Schema | undefined {
  return path.reduce<Schema | undefined>(
    (inner, key) => (typeof key === 'number' ? (inner?.items ?? single(inner)) : single(inner)?.properties?.[key]),
    schema,
  );
}

/** The schema of one model, of a section that may be a list. */
const single = (schema: Schema | undefined) => (schema?.properties ? schema : (schema?.anyOf?.[0] ?? schema));

/** The models of a section, which may be one or a list, each with its place. */
export function modelsOf(config: AgentConfig, kind: ModelKind): { path: Path; model: unknown }[] {
  const value = config[kind];
  if (!Array.isArray(value) || value.length === 0) return [{ path: [kind], model: value }];
  return value.map((model: unknown, at) => ({ path: [kind, at], model }));
}

/**
 * The configuration with another value at a place. `undefined` removes it, and the sections and lists that it leaves
 * empty; an item of a list stays, without fields, until it is removed itself.
 */
export function withValue(config: JsonObject, path: Path, value: unknown): JsonObject {
  return (replaced(config, path, value) as JsonObject | undefined) ?? {};
}

function replaced(inner: unknown, [key, ...rest]: Path, value: unknown): unknown {
  if (key === undefined) return value;
  const after = replaced(valueAt(inner, [key]), rest, value);
  if (Array.isArray(inner) && typeof key === 'number') {
    const isRemoved = rest.length === 0 && after === undefined;
    const list = isRemoved ? inner.toSpliced(key, 1) : inner.with(key, after === undefined ? {} : after);
    return list.length > 0 ? list : undefined;
  }
  const before = isObject(inner) ? inner : {};
  if (after !== undefined) return { ...before, [key]: after };
  const { [key]: _, ...others } = before;
  return Object.keys(others).length > 0 ? others : undefined;
}

/** The same configuration with its keys in the order of the schema, and others behind them. */
export function inOrder(value: unknown, schema: Schema | undefined): unknown {
  if (Array.isArray(value)) return value.map((item) => inOrder(item, schema?.items ?? schema));
  const { properties } = single(schema) ?? {};
  if (!isObject(value) || !properties) return value;
  const known = Object.keys(properties).filter((name) => Object.hasOwn(value, name));
  const others = Object.keys(value).filter((name) => !known.includes(name));
  const entries = [...known, ...others].map((name) => [name, inOrder(value[name], properties[name])] as const);
  return Object.fromEntries(entries);
}

/** A configuration as the JSON tab shows it. */
export const toText = (config: JsonObject, schema: Schema) => JSON.stringify(inOrder(config, schema), null, 2);

/** Places of values that the form has no field for, as in `llm.options`. */
export const alsoSet = (config: JsonObject) => outside(config, FORM, []).map((path) => path.join('.'));

/** Problems of values that the form has no field for, and inside of them, with their places. */
export function problemsOutside(config: JsonObject, problems: AgentConfigCheck['problems']) {
  const places = alsoSet(config);
  return problems.flatMap(({ loc, msg }) => {
    const path = loc.slice(1);
    const place = path.join('.');
    const isOutside = places.some((one) => place === one || place.startsWith(`${one}.`));
    return isOutside && !tellsProblem(path) ? [{ place, msg }] : [];
  });
}

function outside(value: unknown, field: FormField | undefined, path: Path): Path[] {
  if (field === undefined) return [path];
  if ('kind' in field) {
    if (field.kind === 'parameters') return outsideParameters(value, path);
    if (field.kind === 'headers') return outsideHeaders(value, path);
    if (field.kind === 'choices') return isTexts(value) ? [] : [path];
    return typeof value === field.kind ? [] : [path];
  }
  if ('item' in field)
    return Array.isArray(value) ? value.flatMap((item, at) => outside(item, field.item, [...path, at])) : [path];
  if (Array.isArray(value) && isModel(field)) return value.flatMap((model, at) => outside(model, field, [...path, at]));
  if (!isObject(value)) return [path];
  return Object.entries(value).flatMap(([name, inner]) => {
    const known = Object.hasOwn(field.fields, name) ? field.fields[name] : undefined;
    return outside(inner, known, [...path, name]);
  });
}

const isTexts = (value: unknown) => Array.isArray(value) && value.every((one) => typeof one === 'string');

/** The form shows headers that are text. */
const outsideHeaders = (value: unknown, path: Path): Path[] =>
  isObject(value)
    ? Object.entries(value).flatMap(([name, one]) => (typeof one === 'string' ? [] : [[...path, name]]))
    : [path];

/** The form reads a JSON schema whose properties are plain values. */
function outsideParameters(value: unknown, path: Path): Path[] {
  if (!isObject(value)) return [path];
  const { type: _, required = [], properties = {}, ...others } = value;
  return [
    ...Object.keys(others).map((name) => [...path, name]),
    ...(isTexts(required) ? [] : [[...path, 'required']]),
    ...(isObject(properties)
      ? Object.entries(properties).flatMap(([name, one]) => outside(one, ARGUMENT, [...path, 'properties', name]))
      : [[...path, 'properties']]),
  ];
}

/** An argument of a function, as the form shows it. */
export interface Parameter {
  name: string;
  type: string;
  description: string;
  isRequired: boolean;
  /** Its JSON schema, of which the form shows a part. */
  schema: unknown;
}

const listAt = (value: unknown, name: string): unknown[] => {
  const list = valueAt(value, [name]);
  return Array.isArray(list) ? list : [];
};

/** The arguments in a function's JSON schema. */
export function toParameters(parameters: unknown): Parameter[] {
  const properties = valueAt(parameters, ['properties']);
  const required = listAt(parameters, 'required');
  if (!isObject(properties)) return [];
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    type: textAt(schema, 'type'),
    description: textAt(schema, 'description'),
    isRequired: required.includes(name),
    schema,
  }));
}

function textAt(schema: unknown, name: string): string {
  const value = valueAt(schema, [name]);
  return typeof value === 'string' ? value : '';
}

/** A function's JSON schema with these arguments; everything else in it stays. */
export function fromParameters(before: unknown, list: Parameter[]): JsonObject | undefined {
  const { required, properties, type = 'object', ...others } = isObject(before) ? before : {};
  if (list.length === 0 && Object.keys(others).length === 0) return undefined;
  const unknown = listAt(before, 'required').filter((name) => valueAt(properties, [String(name)]) === undefined);
  const names = [...list.filter(({ isRequired }) => isRequired).map(({ name }) => name), ...unknown];
  return {
    type,
    ...others,
    properties: Object.fromEntries(list.map((one) => [one.name, schemaOf(one)])),
    ...((names.length > 0 || required !== undefined) && { required: names }),
  };
}

function schemaOf({ type, description, schema }: Parameter): unknown {
  const isShown = type !== '' || description !== '';
  if (!isObject(schema)) return isShown ? { ...(type && { type }), ...(description && { description }) } : schema;
  const after = { ...schema };
  for (const [name, text] of [
    ['type', type],
    ['description', description],
  ] as const) {
    if (text) after[name] = text;
    // A value that the form cannot show stays as it is.
    else if (typeof after[name] === 'string') delete after[name];
  }
  return after;
}
