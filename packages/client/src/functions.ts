import type { AgentConfig } from './generated/schema.ts';

/** A customer's function. */
export type HttpFunction = NonNullable<NonNullable<AgentConfig['tools']>['functions']>[number];

/** The conversation in which a function is called; a mere test has none (`session_id` null). */
export interface FunctionCaller {
  session_id: string | null;
  agent_id: string;
  user_id: string;
  variables: Readonly<Record<string, unknown>>;
}

/** A request as it is sent, before it is signed. */
export interface FunctionRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  /** Empty for GET and DELETE. */
  body: string;
}

export const FUNCTION_METHODS = ['POST', 'GET', 'PUT', 'PATCH', 'DELETE'] as const;

/** `{{name}}`, with or without spaces. */
const PLACEHOLDER = /\{\{\s*([\w.-]+)\s*\}\}/g;
/** A text in JSON, or a placeholder outside of one. */
const IN_JSON = /"(?:[^"\\]|\\.)*"|\{\{\s*([\w.-]+)\s*\}\}/gs;
/** No placeholder may choose the host: signed requests go where the agent's author says. */
const URL_PARTS = /^(https?:\/\/[^\s/?#{}]+)([/?#]\S*)?$/;
/** The connection's own, and those of the signature. */
const RESERVED =
  /^(host|connection|keep-alive|upgrade|te|trailer|expect|transfer-encoding|content-(type|length)|webhook-.*)$/i;
const SECRET = /auth|cookie|credential|key|pass|secret|session|signature|token/i;

/** The places of a function's texts with the names in their placeholders, without duplicates for each place. */
export function functionPlaceholders({
  url,
  headers,
  body,
}: Partial<HttpFunction>): { place: string[]; name: string }[] {
  const texts: [string[], unknown][] = [
    [['url'], url],
    ...Object.entries(headers ?? {}).map(([name, value]): [string[], unknown] => [['headers', name], value]),
    [['body'], body],
  ];
  return texts.flatMap(([place, text]) =>
    typeof text === 'string' ? [...new Set(namesIn(text))].map((name) => ({ place, name })) : [],
  );
}

const namesIn = (text: string) => [...text.matchAll(PLACEHOLDER)].map(([, name = '']) => name);

/** The first mistake in a function's templates, with its field; null if there is none. */
export function functionProblem({ url, headers = {}, body }: HttpFunction): { place: string[]; msg: string } | null {
  if (!URL_PARTS.test(url)) return { place: ['url'], msg: 'must be an http(s) URL without variables in its host' };
  for (const name of Object.keys(headers)) {
    const place = ['headers', name];
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) return { place, msg: `${JSON.stringify(name)} is no name of a header` };
    if (RESERVED.test(name)) return { place, msg: `the header ${name} is set by the worker` };
  }
  if (body !== undefined && !isJson(fill(body, () => null)))
    return { place: ['body'], msg: 'must be JSON once its variables are filled in' };
  return null;
}

/**
 * The request by which a function is called. `{{name}}` is the variable of the call with that name, or else the
 * argument: a model cannot replace a variable. In the URL values are encoded; in the body they are JSON, or text
 * inside quotes. Throws if the function is described wrongly, or if a value would lead to another path.
 */
export function functionRequest(config: HttpFunction, args: object, caller: FunctionCaller): FunctionRequest {
  const problem = functionProblem(config);
  if (problem) throw new Error(`${problem.place[0]}: ${problem.msg}`);
  const { method = 'POST', headers = {} } = config;
  const { variables, session_id, agent_id, user_id } = caller;
  const lookUp = (name: string): unknown =>
    [variables, args as Record<string, unknown>].find((values) => Object.hasOwn(values, name))?.[name] ?? null;
  const isBodiless = method === 'GET' || method === 'DELETE';
  const rendered = Object.entries(headers).map(([name, text]) => [
    name.toLowerCase(),
    text.replace(PLACEHOLDER, (_, inner: string) => textOf(lookUp(inner))),
  ]);
  const usual = () => JSON.stringify({ name: config.name, arguments: args, session_id, agent_id, user_id });
  return {
    method,
    url: urlOf(config, isBodiless ? args : {}, lookUp),
    headers: { ...Object.fromEntries(rendered), ...(!isBodiless && { 'content-type': 'application/json' }) },
    body: isBodiless ? '' : config.body === undefined ? usual() : fill(config.body, lookUp),
  };
}

function urlOf({ url }: HttpFunction, args: object, lookUp: (name: string) => unknown): string {
  const render = (value: (name: string) => string) =>
    new URL(url.replace(PLACEHOLDER, (_, name: string) => encodeURIComponent(value(name))));
  const rendered = render((name) => textOf(lookUp(name)));
  // A value like `..` would leave its folder, and an empty one would name the whole folder.
  const partsOf = ({ pathname }: URL) => pathname.split('/');
  const [parts, usual] = [partsOf(rendered), partsOf(render(() => 'x'))];
  if (parts.length !== usual.length || parts.some((part, index) => part === '' && usual[index] !== ''))
    throw new Error('url: a value leads to another path');
  const used = namesIn(url);
  for (const [name, value] of Object.entries(args))
    if (!used.includes(name)) rendered.searchParams.append(name, textOf(value));
  return rendered.href;
}

function fill(template: string, lookUp: (name: string) => unknown): string {
  const inText = (_: string, name: string) => JSON.stringify(textOf(lookUp(name))).slice(1, -1);
  return template.replace(IN_JSON, (whole, name?: string) =>
    name === undefined ? whole.replace(PLACEHOLDER, inText) : JSON.stringify(lookUp(name)),
  );
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Headers as a list to be shown, with the values of those that look like secrets replaced by dots. */
export function shownHeaders(headers: Readonly<Record<string, string | string[] | undefined>>) {
  return Object.entries(headers).map(([name, value]) => ({
    name,
    value: SECRET.test(name) ? '••••' : [value ?? ''].flat().join(', '),
  }));
}
