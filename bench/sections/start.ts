import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { median } from '@switchboard/testkit/median.ts';
import { startProgram } from '@switchboard/testkit/program.ts';
import { readyUrl } from '@switchboard/testkit/service-process.ts';
import type { Line, Section } from '../support/report.ts';

const START = path.resolve(import.meta.dirname, '../../packages/server/src/start.cjs');
const ROUNDS = 5;

/**
 * From the start of the process, as `npm start` starts it, to the line that says it is ready, on the embedded database.
 */
export async function start(): Promise<Section> {
  const first: number[] = [];
  const later: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const dir = mkdtempSync(path.join(tmpdir(), 'switchboard-bench-'));
    first.push(await secondsToReady(dir));
    later.push(await secondsToReady(dir));
    rmSync(dir, { recursive: true });
  }
  return {
    lines: [line('the first time', median(first), 3), line('not the first time', median(later), 1)],
    details: `Medians of ${ROUNDS}. The first time: ${list(first)}. Later: ${list(later)}.`,
  };
}

async function secondsToReady(DATA_DIR: string): Promise<number> {
  const begun = performance.now();
  const env = { PATH: process.env.PATH, PORT: '0', DATA_DIR };
  const service = startProgram([process.execPath, START], { env, showErrors: true });
  await service.until(readyUrl);
  const seconds = (performance.now() - begun) / 1000;
  await service.end('SIGTERM');
  return seconds;
}

function line(what: string, seconds: number, maxSeconds: number): Line {
  return {
    what,
    measured: `${seconds.toFixed(2)} s`,
    at_least: `at most ${maxSeconds} s`,
    reached: seconds <= maxSeconds,
  };
}

function list(values: number[]): string {
  return values.map((value) => `${value.toFixed(2)} s`).join(', ');
}
