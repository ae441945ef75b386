import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { median } from '@switchboard/testkit/median.ts';
import { cpuMs, postgresCpuMs } from './cpu.ts';
import { load, type Requests } from './load.ts';

export interface Figures {
  per_second: number;
  /** Processor time of a request and its consequences, in microseconds. */
  service_us: number;
  postgres_us: number;
}

/** Share of a core below which a service and its database are idle, the pause between two looks, and their number. */
const [IDLE, LOOK_MS, LOOKS] = [0.05, 500, 60];

/**
 * A load, with the processor time that it takes of the service and of its database: until they are idle again, because
 * a call goes on after its request.
 */
export async function measureCalls(
  service: { url: string; database: string; child: Pick<ChildProcess, 'pid'> },
  requests: Requests,
  connections: number,
  seconds: number,
): Promise<Figures> {
  const used = async () => [cpuMs(service.child.pid ?? 0), await postgresCpuMs(service.database)] as const;
  const [before_ms, before_postgres_ms] = await used();
  const { per_second } = await load(service.url, requests, connections, seconds);
  let [after_ms, after_postgres_ms] = await used();
  for (let look = 0; look < LOOKS; look++) {
    await sleep(LOOK_MS);
    const [ms, postgres_ms] = await used();
    const busy_ms = ms - after_ms + postgres_ms - after_postgres_ms;
    [after_ms, after_postgres_ms] = [ms, postgres_ms];
    if (busy_ms < IDLE * LOOK_MS) break;
  }
  const each = (ms: number) => (1000 * ms) / (per_second * seconds);
  return {
    per_second,
    service_us: each(after_ms - before_ms),
    postgres_us: each(after_postgres_ms - before_postgres_ms),
  };
}

/** Medians of rounds. */
export function mediansOf(all: Figures[]): Figures {
  return figures((name) => median(all.map((one) => one[name])));
}

/** Medians of the ratios of one contender's rounds to those of another: each to the one beside it in time. */
export function ratios(all: Figures[], others: Figures[]): Figures {
  return figures((name) => median(all.map((one, round) => one[name] / (others[round]?.[name] ?? Number.NaN))));
}

const figures = (of: (name: keyof Figures) => number): Figures => ({
  per_second: of('per_second'),
  service_us: of('service_us'),
  postgres_us: of('postgres_us'),
});
