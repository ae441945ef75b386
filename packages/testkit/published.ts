import assert from 'node:assert/strict';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

interface Response {
  $ref?: string;
  content?: Record<string, { schema?: object }>;
}

interface Document {
  paths?: Record<string, Record<string, { responses?: Record<string, Response> }>>;
  components?: { responses?: Record<string, Response> };
}

const validators = new WeakMap<object, Ajv2020>();
const templates = new WeakMap<object, { template: string; pattern: RegExp }[]>();
const compiled = new Map<string, ValidateFunction>();

/**
 * Fails unless the published description contains this operation and status, with a schema that exactly matches the
 * body.
 */
export function assertPublished(
  document: object,
  method: string,
  path: string,
  answer: { status: number; headers?: Headers; body: unknown },
): void {
  const { paths = {}, components } = document as Document;
  const found = templatesOf(paths).find(
    ({ template, pattern }) => pattern.test(bare(path)) && paths[template]?.[method.toLowerCase()],
  )?.template;
  if (!found) return; // Not an operation: the server's own 404, or a page of the reference.
  const where = `${method} ${found} ${answer.status}`;
  const response = paths[found]?.[method.toLowerCase()]?.responses?.[answer.status];
  assert.ok(response, `${where} is not published: ${JSON.stringify(answer.body)}`);
  const shared = response.$ref?.split('/').at(-1);
  const { content } = (shared ? components?.responses?.[shared] : response) ?? {};
  if (!content?.['application/json']?.schema) return;
  const type = answer.headers?.get('content-type')?.split(';')[0] ?? 'application/json';
  // Text only has a type.
  if (type !== 'application/json' && content[type]) return;
  const place = shared
    ? `#/components/responses/${shared}`
    : `#/paths/${pointerPart(found)}/${method.toLowerCase()}/responses/${answer.status}`;
  const pointer = `${place}/content/${pointerPart('application/json')}/schema`;
  const validate = compiled.get(where) ?? ajvOf(document).compile({ $ref: `openapi.json${pointer}` });
  compiled.set(where, validate);
  assert.ok(
    validate(answer.body),
    `${where} does not fit its schema: ${JSON.stringify(validate.errors)} ${JSON.stringify(answer.body)}`,
  );
}

/** Validates against a schema of the published description, rejecting fields that it does not list. */
export function validatorFor(document: object, schema: object): ValidateFunction {
  const resolved = JSON.parse(JSON.stringify(closed(schema)).replaceAll('"#/', '"openapi.json#/'));
  return ajvOf(document).compile(resolved);
}

/** The paths with their patterns; those with the fewest parameters first. */
function templatesOf(paths: object): { template: string; pattern: RegExp }[] {
  const known = templates.get(paths);
  if (known) return known;
  const made = Object.keys(paths)
    .sort((a, b) => a.split('{').length - b.split('{').length)
    .map((template) => {
      const pattern = bare(template)
        .replaceAll('.', '\\.')
        .replace(/\{[^}]+\}/g, '[^/]+');
      return { template, pattern: new RegExp(`^${pattern}$`) };
    });
  templates.set(paths, made);
  return made;
}

function bare(path: string): string {
  return path.replace(/\/$/, '');
}

function ajvOf(document: object): Ajv2020 {
  const known = validators.get(document);
  if (known) return known;
  // Whether the schemas themselves are valid is not for each test to check: the linters in CI do.
  const ajv = new Ajv2020({ strict: false, allErrors: true, unevaluated: false, validateSchema: false });
  formats.default(ajv);
  ajv.addSchema(closed(document), 'openapi.json');
  validators.set(document, ajv);
  return ajv;
}

// "And no other field": an object with listed properties has only those.
function closed(value: unknown): object {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value as never;
  const copy = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, closed(inner)]));
  return 'properties' in copy && !('additionalProperties' in copy) ? { ...copy, additionalProperties: false } : copy;
}

function pointerPart(part: string): string {
  return encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));
}
