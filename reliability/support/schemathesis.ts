import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';

const VERSION = '4.32.5';

/** The executable: the configured one, the one on the path, or one in a virtual environment that is created once. */
export function findSchemathesis(): string {
  const named = process.env.SCHEMATHESIS_BIN;
  if (named) return named;
  const onPath = (process.env.PATH ?? '').split(path.delimiter).map((dir) => path.join(dir, 'schemathesis'));
  return onPath.find(existsSync) ?? install();
}

// Written last, so that an interrupted installation is not taken for a complete one.
function install(): string {
  const cache = process.env.XDG_CACHE_HOME || path.join(homedir(), '.cache');
  const lab = path.join(cache, 'switchboard-lab');
  const dir = path.join(lab, `schemathesis-${VERSION}`);
  const bin = path.join(dir, 'bin/schemathesis');
  const whole = path.join(dir, 'installed');
  if (existsSync(whole)) return bin;
  rmSync(dir, { recursive: true, force: true });
  execFileSync('python3', ['-m', 'venv', dir], { stdio: 'inherit' });
  execFileSync(path.join(dir, 'bin/pip'), ['install', '-q', `schemathesis==${VERSION}`], { stdio: 'inherit' });
  writeFileSync(whole, '');
  return bin;
}

/** Counts of a run. */
export interface Run {
  passed: boolean;
  output: string;
  operations: number;
  cases: number;
}

/** Runs it against a service; resolves when it has finished. */
export async function runSchemathesis(bin: string, url: string, options: string[]): Promise<Run> {
  const child = spawn(bin, ['run', `${url}/openapi.json`, '--no-color', ...options], {
    env: { ...process.env, SCHEMATHESIS_HOOKS: path.join(import.meta.dirname, 'schemathesis_hooks.py') },
    // It leaves a directory where it runs.
    cwd: tmpdir(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const [code] = await once(child, 'close');
  const count = (pattern: RegExp) => Number(pattern.exec(output)?.[1] ?? 0);
  return { passed: code === 0, output, operations: count(/Tested: (\d+)/), cases: count(/(\d+) generated/) };
}
