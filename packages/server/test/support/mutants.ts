import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/** A rule in the source that is broken, and the test that is to find it. */
export interface Mutant {
  /** In `src/calling`. */
  file: string;
  from: string;
  to: string;
  /** In `test/calling`. */
  test: string;
  /** How the name of the test begins; absent: any of the file. */
  name?: string;
}

const CALLING = path.resolve(import.meta.dirname, '../../src/calling');
const TESTS = path.resolve(import.meta.dirname, '../calling');
/** Modules that are loaded anew for each mutant: those with rules, and none that read much. */
const ANEW =
  /\/src\/calling\/(policies\/(evaluate|groups|clock-time|person)|campaigns\/(pacing|states|abandonment))\.ts$/;

const changes: Pick<Mutant, 'file' | 'from' | 'to'>[] = [];
const found = new Map<number, Map<string, () => unknown>>();
let isReady = false;

const mutantOf = (url: string | undefined) => /\?mutant=(\d+)$/.exec(url ?? '')?.[1];

/** Has modules of a mutant import those of the same mutant, with its change, and collects their tests. */
function prepare(): void {
  if (isReady) return;
  isReady = true;
  registerHooks({
    resolve: (specifier, context, next) => {
      const number = mutantOf(context.parentURL);
      if (number === undefined) return next(specifier, context);
      if (specifier === 'node:test')
        return { url: `mutant:test?mutant=${number}`, format: 'module', shortCircuit: true };
      const resolved = next(specifier, context);
      return ANEW.test(resolved.url) ? { ...resolved, url: `${resolved.url}?mutant=${number}` } : resolved;
    },
    load: (url, context, next) => {
      const number = mutantOf(url);
      if (number === undefined) return next(url, context);
      if (url.startsWith('mutant:')) {
        const source = `export const test = globalThis[Symbol.for('mutant tests')](${number});`;
        return { format: 'module', source, shortCircuit: true };
      }
      const { file, from, to } = changes[Number(number)] ?? { file: '', from: '', to: '' };
      const own = new URL(url).pathname;
      const text = readFileSync(own, 'utf8');
      const source = own === path.join(CALLING, file) ? text.replace(from, () => to) : text;
      return { format: 'module-typescript', source, shortCircuit: true };
    },
  });
  Reflect.set(globalThis, Symbol.for('mutant tests'), (number: number) => {
    const tests = new Map<string, () => unknown>();
    found.set(number, tests);
    return (name: string, run: () => unknown) => tests.set(name, run);
  });
}

/** The tests of a file in which a module is changed. */
async function testsWith({ test, ...change }: Mutant): Promise<Map<string, () => unknown>> {
  prepare();
  const number = changes.push(change) - 1;
  await import(`${pathToFileURL(path.join(TESTS, test))}?mutant=${number}`);
  return found.get(number) ?? new Map();
}

/** The first test of its file that a mutant fails by an assertion; null if it fails none. Other errors are thrown. */
export async function finderOf(mutant: Mutant): Promise<string | null> {
  for (const [name, run] of await testsWith(mutant)) {
    if (!name.startsWith(mutant.name ?? '')) continue;
    try {
      await run();
    } catch (error) {
      const { code, cause } = error as { code?: string; cause?: { code?: string } };
      if (code !== 'ERR_ASSERTION' && cause?.code !== 'ERR_ASSERTION') throw error;
      return name;
    }
  }
  return null;
}

/** How often the text that a mutant changes is in its file. */
export const occurrences = ({ file, from }: Mutant): number =>
  readFileSync(path.join(CALLING, file), 'utf8').split(from).length - 1;
