import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { after } from 'node:test';
import { freePort } from '@switchboard/testkit/ports.ts';
import type { Service } from '@switchboard/testkit/service.ts';

export const script = path.resolve(import.meta.dirname, '../../packages/server/scripts/doctor.ts');
export const OTHER_SECRET = 'another-secret-another-secret-another';
export const DATABASE_PASSWORD = 'database-password-0001';
/** Secrets that no run may print. */
export const secrets = [OTHER_SECRET, DATABASE_PASSWORD];
export const DATA_DIR = await mkdtemp(path.join(tmpdir(), 'switchboard-doctor-'));
after(() => rm(DATA_DIR, { recursive: true }));
/** Port 9 of the loopback interface is blocked by fetch itself; this one was free a moment ago. */
export const away = await freePort();

export type Env = Record<string, string>;

/** Runs the doctor and returns the lines it printed by the name of their check. */
export async function doctor(env: Env, serviceUrl: string) {
  const child = spawn(process.execPath, [script, '--service-url', serviceUrl], {
    env: { PATH: process.env.PATH, DATA_DIR, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  for (const secret of [...secrets, 'eyJ']) assert.ok(!`${output}${errors}`.includes(secret), output);
  assert.equal(errors, '');
  const found = new Map<string, string>();
  for (const line of output.split('\n')) {
    const [, state, check, what] = /^(ok|wrong|not checked) +([^:]+): (.+)$/.exec(line) ?? [];
    if (check) found.set(check, `${state}: ${what}`);
  }
  return { code, output, found };
}

type Run = Awaited<ReturnType<typeof doctor>>;

/** Expects exit code 1, and this message for the check. */
export function assertWrong({ code, found, output }: Run, check: string, says: RegExp): void {
  assert.match(found.get(check) ?? output, says);
  assert.match(found.get(check) ?? '', /^wrong: /);
  assert.equal(code, 1);
}

export function assertState({ found, output }: Run, state: string, ...checks: string[]): void {
  for (const check of checks) assert.ok(found.get(check)?.startsWith(`${state}: `), `${check}\n${output}`);
}

/** The URL of the service's database, if the doctor can read it. */
export function databaseOf({ database }: Pick<Service, 'database'>): Env {
  if (database.kind === 'embedded') return { DATA_DIR: database.location };
  const url = new URL(process.env.TEST_DATABASE_URL ?? '');
  url.pathname = database.location.slice(database.location.indexOf('/'));
  return { DATABASE_URL: url.href };
}
