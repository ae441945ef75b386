import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';

/** Installs the baselines' dependencies, once, and returns the path of their Python. */
export function prepareBaselines(): string {
  const express = path.join(import.meta.dirname, 'express');
  if (!existsSync(path.join(express, 'node_modules')))
    execFileSync('npm', ['ci', '--ignore-scripts'], { cwd: express, stdio: 'inherit' });
  return preparePython(path.join(import.meta.dirname, 'requirements.txt'));
}

/** Installs Pipecat, once, which is more than half a gigabyte, and returns the path of its Python. */
export function preparePipecat(): string {
  return preparePython(path.join(import.meta.dirname, 'pipecat/requirements.txt'));
}

// Written last, so that an interrupted installation is not taken for a complete one.
function preparePython(requirements: string): string {
  const digest = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 12);
  const cache = process.env.XDG_CACHE_HOME || path.join(homedir(), '.cache');
  const dir = path.join(cache, 'switchboard-bench', digest);
  const whole = path.join(dir, 'installed');
  if (!existsSync(whole)) {
    rmSync(dir, { recursive: true, force: true });
    execFileSync('python3', ['-m', 'venv', dir], { stdio: 'inherit' });
    execFileSync(path.join(dir, 'bin/pip'), ['install', '-q', '-r', requirements], { stdio: 'inherit' });
    writeFileSync(whole, '');
  }
  return path.join(dir, 'bin/python');
}
