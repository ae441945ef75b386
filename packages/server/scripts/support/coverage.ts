import { readFileSync } from 'node:fs';
import { type Profiler, Session } from 'node:inspector/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { SOURCE } from './source-map.ts';

/** A function of the service: its file, relative to `src/`, its line, and its name, empty if it has none. */
export interface Entered {
  file: string;
  line: number;
  name: string;
}

/**
 * Notes from now on which functions of the service are entered in this process; returns a function that returns those
 * entered since its last call.
 */
export async function startCoverage(): Promise<() => Promise<Entered[]>> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  return async () => {
    const { result } = await session.post('Profiler.takePreciseCoverage');
    return enteredFunctions(result, SOURCE, (file) => readFileSync(file, 'utf8'));
  };
}

/** The functions that were entered in files below `folder`, whose text `read` returns. */
export function enteredFunctions(
  scripts: Profiler.ScriptCoverage[],
  folder: string,
  read: (file: string) => string,
): Entered[] {
  const below = scripts.filter(({ url }) => url.startsWith('file:') && fileURLToPath(url).startsWith(`${folder}/`));
  return below.flatMap(({ url, functions }) => {
    const absolute = fileURLToPath(url);
    const entered = functions.flatMap(({ functionName: name, ranges: [range] }) =>
      range && range.count > 0 ? { name, start: range.startOffset } : [],
    );
    if (entered.length === 0) return [];
    const text = read(absolute);
    const lineAt = (start: number) => text.slice(0, start).split('\n').length;
    return entered.map(({ name, start }) => ({ file: path.relative(folder, absolute), line: lineAt(start), name }));
  });
}

/** The functions that are not among the others, each once, by file and line. */
export function beyond(entered: Entered[], others: Entered[]): Entered[] {
  const key = ({ file, line, name }: Entered) => `${file}:${line}:${name}`;
  const known = new Set(others.map(key));
  const found = new Map(entered.filter((one) => !known.has(key(one))).map((one) => [key(one), one]));
  return [...found.values()].sort((one, other) => compare(one.file, other.file) || one.line - other.line);
}

const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);

/**
 * Files with a function that was entered, and the entered functions that have a name: the others are arguments of those
 * that contain them.
 */
export function count(entered: Entered[]): { files: number; functions: number } {
  return {
    files: new Set(entered.map(({ file }) => file)).size,
    functions: entered.filter(({ name }) => name !== '').length,
  };
}
