import { METHODS } from '@switchboard/client/methods';

/** The parts of an OpenAPI description that samples are made of. */
export interface Description {
  paths: Record<string, Record<string, Operation>>;
}

interface Operation {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { example?: unknown }> };
  responses: Record<string, { content?: Record<string, unknown> }>;
  'x-codeSamples'?: { lang: string; label: string; source: string }[];
}

interface Parameter {
  in: string;
  name: string;
  required?: boolean;
  example?: unknown;
  schema: { examples?: unknown[] };
}

const NAMES = new Map<string, string>(
  Object.entries(METHODS).flatMap(([group, methods]) =>
    Object.entries(methods).map(([name, id]) => [id, `${group}.${name}`] as const),
  ),
);
const ID = '01980000-0000-7000-8000-000000000000';

/** Adds to each operation a sample in TypeScript: the method of the client that calls it. */
export function addSamples(description: Description, baseUrl: string): void {
  for (const operations of Object.values(description.paths))
    for (const operation of Object.values(operations)) {
      const source = sampleOf(operation, baseUrl);
      if (source) operation['x-codeSamples'] = [{ lang: 'typescript', label: 'TypeScript client', source }];
    }
}

/** A program that calls the operation; undefined for an operation without a method. */
function sampleOf(operation: Operation, baseUrl: string): string | undefined {
  const name = NAMES.get(operation.operationId);
  if (!name) return undefined;
  const call = `sb.${name}(${argumentsOf(operation).join(', ')})`;
  const options = literal({ baseUrl, apiKey: 'sb_…', userId: 'user-1' });
  return [
    `import { createSwitchboard } from '@switchboard/client';`,
    '',
    `const sb = createSwitchboard(${options});`,
    statementOf(operation, call),
  ].join('\n');
}

function argumentsOf({ parameters = [], requestBody, responses }: Operation): string[] {
  const ids = parameters.filter((one) => one.in === 'path').map(({ name }) => literal(exampleId(name)));
  const body = requestBody?.content['application/json'];
  if (body) return [...ids, literal(body.example ?? {})];
  if (isStream(responses)) return ids;
  const needed = parameters.filter((one) => one.in === 'query' && one.required);
  if (needed.length === 0) return ids;
  return [
    ...ids,
    literal(Object.fromEntries(needed.map((one) => [one.name, one.example ?? one.schema.examples?.[0]]))),
  ];
}

function statementOf({ responses }: Operation, call: string): string {
  if (isStream(responses)) return `for await (const event of ${call}) console.log(event);`;
  return hasContent(responses) ? `console.log(await ${call});` : `await ${call};`;
}

const succeeded = (responses: Operation['responses']) =>
  Object.entries(responses).flatMap(([status, { content }]) => (status.startsWith('2') ? [content] : []));
/** An operation that also answers in JSON has a stream method of its own beside the one of the sample. */
const isStream = (responses: Operation['responses']) =>
  succeeded(responses).some((content) => content && 'text/event-stream' in content && !('application/json' in content));
const hasContent = (responses: Operation['responses']) => succeeded(responses).some((content) => content);

function exampleId(name: string): string {
  if (name === 'user_id') return 'user-1';
  if (['number', 'from', 'to'].includes(name)) return name === 'from' ? '3' : '4';
  return name === 'room_name' ? 'call-01980000' : ID;
}

/** A value as people write it in TypeScript. */
function literal(value: unknown, indent = ''): string {
  if (typeof value === 'string')
    return `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const inner = `${indent}  `;
  const parts = Array.isArray(value)
    ? value.map((item) => literal(item, inner))
    : Object.entries(value).map(
        ([key, item]) => `${/^[A-Za-z_]\w*$/.test(key) ? key : literal(key)}: ${literal(item, inner)}`,
      );
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  return parts.length === 0
    ? open + close
    : `${open}\n${parts.map((part) => `${inner}${part},\n`).join('')}${indent}${close}`;
}
