import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';

const REQUIREMENTS = path.join(import.meta.dirname, 'requirements.txt');

/**
 * A Python with speech recognition: `LOCAL_PYTHON`, or one in the user's cache, which is created the first time
 * (about 200 MB) and when the requirements change.
 */
export function findPython(env: Readonly<Record<string, string | undefined>>): string {
  if (env.LOCAL_PYTHON) return env.LOCAL_PYTHON;
  const version = createHash('sha256').update(readFileSync(REQUIREMENTS)).digest('hex').slice(0, 12);
  const cache = env.XDG_CACHE_HOME || path.join(homedir(), '.cache');
  const venv = path.join(cache, 'switchboard-voice', version);
  const python = path.join(venv, 'bin', 'python');
  const done = path.join(venv, 'pyvenv.cfg');
  if (existsSync(path.join(venv, 'complete')) && existsSync(done)) return python;
  process.stderr.write(`Installing speech recognition into ${venv} with pip (once)\n`);
  rmSync(venv, { recursive: true, force: true });
  run('python3', ['-m', 'venv', venv], 'python3 with its venv module is needed (apt-get install python3-venv)');
  const install = ['-m', 'pip', 'install', '-q', '--disable-pip-version-check', '--no-deps', '-r', REQUIREMENTS];
  run(python, install, 'pip could not install the speech recognition');
  run(
    python,
    ['-c', `open(${JSON.stringify(path.join(venv, 'complete'))}, 'w').close()`],
    'the folder is not writable',
  );
  return python;
}

function run(command: string, args: string[], otherwise: string): void {
  const { status, stderr, error } = spawnSync(command, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${otherwise}: ${error?.message ?? stderr.trim().slice(-2000)}`);
}
