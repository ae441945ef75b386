import type { ChildProcess } from 'node:child_process';
import { cpuMs, postgresCpuMs } from './cpu.ts';
import { load, type Requests } from './load.ts';

export interface Figures {
  per_second: number;
  /** Processor time of a request and its consequences, in microseconds. */
  service_us: number;
  postgres_us: number;
}

/** A load, with the processor time that it takes of the service and of its database. */
export async function measureCalls(
  service: { url: string; database: string; child: Pick<ChildProcess, 'pid'> },
  requests: Requests,
  connections: number,
  seconds: number,
): Promise<Figures> {
  const used = async () => [cpuMs(service.child.pid ?? 0), await postgresCpuMs(service.database)] as const;
  const [before_ms, before_postgres_ms] = await used();
  const { per_second } = await load(service.url, requests, connections, seconds);
  const [after_ms, after_postgres_ms] = await used();
  const each = (ms: number) => (1000 * ms) / (per_second * seconds);
  return {
    per_second,
    service_us: each(after_ms - before_ms),
    postgres_us: each(after_postgres_ms - before_postgres_ms),
  };
}
