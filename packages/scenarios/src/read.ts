import { isDeepStrictEqual } from 'node:util';
import { Compile } from 'typebox/compile';
import { type Document, isMap, isNode, isPair, LineCounter, parseDocument } from 'yaml';
import { ambiguities } from './ambiguities.ts';
import { MAX_SCENARIO_LENGTH, Scenario } from './schema.ts';

/** A mistake in a scenario's text. Lines and columns count from 1. */
export interface Problem {
  line: number;
  column: number;
  /** Where, as a JSON Pointer; empty for the whole. */
  path: string;
  message: string;
}

export type Read = { scenario: Scenario; problems: [] } | { scenario: null; problems: Problem[] };

const compiled = Compile(Scenario);
/** Aliases that may be resolved: enough for repeated parts, too few to grow a small text into a large value. */
const MAX_ALIASES = 100;

/** Reads a scenario from YAML or JSON; otherwise every mistake, in the order of the text. */
export function readScenario(text: string): Read {
  const { value, problems } = readText(text, compiled, ambiguities);
  return value === null ? { scenario: null, problems } : { scenario: value, problems: [] };
}

/** A form of values, compiled. */
interface Form<T> {
  Check(value: unknown): value is T;
  Errors(value: unknown): Failure[];
}

type ReadText<T> = { value: T; problems: [] } | { value: null; problems: Problem[] };

/** Reads a text of a form; `more` finds mistakes that the form cannot say. */
export function readText<T>(text: string, form: Form<T>, more: (value: unknown) => Mistake[] = () => []): ReadText<T> {
  const lines = new LineCounter();
  const refuse = (problems: Problem[]) => ({ value: null, problems });
  if ([...text].length > MAX_SCENARIO_LENGTH)
    return refuse([{ line: 1, column: 1, path: '', message: `is longer than ${MAX_SCENARIO_LENGTH} characters` }]);
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: true });
  const errors = document.errors.map(({ pos, message }) => ({ ...placeOf(lines, pos[0]), path: '', message }));
  // A field that stands twice leaves the rest of the text readable.
  if (document.errors.some(({ code }) => code !== 'DUPLICATE_KEY')) return refuse(errors);
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: MAX_ALIASES });
  } catch (error) {
    return refuse([{ line: 1, column: 1, path: '', message: (error as Error).message }]);
  }
  const mistakes = [...(form.Check(value) ? [] : mistakesOf(form.Errors(value))), ...more(value)];
  const placed = mistakes.map((mistake) => ({ ...placeOf(lines, offsetOf(document, mistake)), ...mistake }));
  const problems = [...errors, ...placed].sort((a, b) => a.line - b.line || a.column - b.column);
  return problems.length === 0 ? { value: value as T, problems: [] } : refuse(problems);
}

type Mistake = Pick<Problem, 'path' | 'message'>;

/** Mistakes of a value; where it may have several forms, those of the form that it has, if it has one. */
function mistakesOf(errors: Failure[]): Mistake[] {
  const forms = new Set(errors.filter(({ keyword }) => keyword === 'anyOf').map(({ instancePath }) => instancePath));
  const isOther = ({ keyword, instancePath }: Failure) => forms.has(instancePath) && FORMS.includes(keyword);
  const told = errors.filter((error) => !isOther(error)).flatMap(mistakesIn);
  const formless = [...forms]
    .filter((form) => !told.some(({ path }) => path === form || path.startsWith(`${form}/`)))
    .map((path) => ({ path, message: 'has none of the forms that are possible here' }));
  const all = [...told, ...formless];
  return all.filter((one, at) => all.findIndex((other) => isDeepStrictEqual(other, one)) === at);
}

type Failure = ReturnType<typeof compiled.Errors>[number];

/** Failures of a value as a whole, which has another form. */
const FORMS: readonly string[] = ['anyOf', 'type', 'const', 'enum'];

/** Unknown and missing fields are told by their names. */
function mistakesIn({ keyword, instancePath, params, message }: Failure): Mistake[] {
  const { additionalProperties = [], requiredProperties = [] } = params as Record<string, string[] | undefined>;
  if (keyword === 'additionalProperties')
    return additionalProperties.map((name) => ({ path: below(instancePath, name), message: 'is unknown' }));
  if (keyword === 'required')
    return requiredProperties.map((name) => ({ path: instancePath, message: `has no "${name}"` }));
  // Fails below a field that is unknown.
  return keyword === 'boolean' ? [] : [{ path: instancePath, message }];
}

const below = (path: string, name: string) => `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;

function stepsOf(path: string): string[] {
  return path
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Where a value begins in the text: for a field, its name. */
function offsetOf(document: Document, { path }: Mistake): number {
  const steps = stepsOf(path);
  const name = steps.at(-1);
  const parent = document.getIn(steps.slice(0, -1), true);
  const pair = isMap(parent) ? parent.items.find(({ key }) => String(key) === name) : undefined;
  const node = isPair(pair) && isNode(pair.key) ? pair.key : document.getIn(steps, true);
  return (isNode(node) && node.range?.[0]) || 0;
}

function placeOf(lines: LineCounter, offset: number): { line: number; column: number } {
  const { line, col } = lines.linePos(offset);
  return { line: Math.max(line, 1), column: Math.max(col, 1) };
}
