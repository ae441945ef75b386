import { median } from '@switchboard/testkit/median.ts';
import { table } from '@switchboard/testkit/table.ts';
import { systemClock } from '../../packages/server/src/lib/clock.ts';
import type { Bench } from '../support/bench.ts';
import { usageRequests } from '../support/inputs.ts';
import { load, writeRequests } from '../support/load.ts';
import { residentMiB } from '../support/process-memory.ts';
import type { Section } from '../support/report.ts';

const CONNECTIONS = 64;
const MINUTES = 10;
const SAMPLE_MS = 5_000;
/** The first minutes fill caches, pools and the heap's young generation. */
const SETTLING_MINUTES = 3;
const GROWTH = 1.05;

/** The process's memory at rest, under full load for ten minutes, and after it. */
export async function memory(bench: Bench): Promise<Section> {
  const { url, child } = await bench.startService('Switchboard', { DATABASE_URL: await bench.database() });
  await systemClock.sleep(10_000);
  const rest = residentMiB(child.pid);
  const requests = writeRequests(usageRequests(20_000));
  const samples: number[] = [];
  const stop = new AbortController();
  const sampling = sample(samples, child.pid, stop.signal);
  const { per_second } = await load(url, requests, CONNECTIONS, MINUTES * 60);
  stop.abort();
  await sampling;
  await systemClock.sleep(60_000);
  const after = residentMiB(child.pid);
  requests.remove();
  const minute = (nth: number) => median(samples.slice((nth * 60_000) / SAMPLE_MS, ((nth + 1) * 60_000) / SAMPLE_MS));
  const growth = minute(MINUTES - 1) / minute(SETTLING_MINUTES);
  return {
    lines: [
      {
        what: `memory in minute ${MINUTES}, of minute ${SETTLING_MINUTES + 1}`,
        measured: `${growth.toFixed(3)}×`,
        at_least: `no growth (at most ${GROWTH}×)`,
        reached: growth <= GROWTH,
      },
    ],
    details: `Resident memory in MiB, the median of each minute, at ${Math.round(per_second).toLocaleString('en-US')} usage events a second.\n\n${table(
      ['at rest', ...Array.from({ length: MINUTES }, (_, index) => `min ${index + 1}`), 'a minute after'],
      [[rest, ...Array.from({ length: MINUTES }, (_, index) => minute(index)), after].map(Math.round)],
    )}`,
  };
}

async function sample(samples: number[], pid: number | undefined, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    samples.push(residentMiB(pid));
    await systemClock.sleep(SAMPLE_MS, signal).catch(() => {});
  }
}
