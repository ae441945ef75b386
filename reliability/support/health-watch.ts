// A separate process that polls a service's health, over a persistent connection and new ones, and its
// memory. Arguments: the service's URL and process id. On SIGTERM it prints its results as JSON.
import { readFileSync } from 'node:fs';
import http from 'node:http';

/** Health of a service, over time. Milliseconds and bytes. */
export interface Watched {
  asked: number;
  failed: string[];
  /** Responses whose own time exceeded the limit. */
  lateOwn: number;
  /** The slowest response; `own` excludes the time in which the service waited for a CPU. */
  slowestMs: number;
  slowestOwnMs: number;
  p50OwnMs: number;
  p99OwnMs: number;
  peakMemory: number;
}

const EVERY_MS = 10;
const LIMIT_MS = 250;
const [url = '', pid = ''] = process.argv.slice(2);
const ownMs: number[] = [];
const watched: Watched = {
  asked: 0,
  failed: [],
  lateOwn: 0,
  slowestMs: 0,
  slowestOwnMs: 0,
  p50OwnMs: 0,
  p99OwnMs: 0,
  peakMemory: 0,
};

/** Time that the main thread of a process, which serves requests, has waited for a CPU. */
function waitedMs(of: string): number {
  return Number(readFileSync(`/proc/${of}/schedstat`, 'latin1').split(' ')[1]) / 1e6;
}

function memory(): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]) * 1024;
}

async function ask(agent: http.Agent | false): Promise<void> {
  const [begun, service, own] = [performance.now(), waitedMs(pid), waitedMs('self')];
  const problem = await new Promise<string | null>((resolve) => {
    const request = http.get(`${url}/healthz`, { agent }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode === 200 ? null : String(response.statusCode)));
    });
    request.on('error', ({ message }) => resolve(message));
  });
  const ms = performance.now() - begun;
  const elsewhere = waitedMs(pid) - service + waitedMs('self') - own;
  watched.asked++;
  ownMs.push(ms - elsewhere);
  if (ms - elsewhere >= LIMIT_MS) watched.lateOwn++;
  if (problem !== null) watched.failed.push(problem);
  watched.slowestMs = Math.max(watched.slowestMs, ms);
  watched.slowestOwnMs = Math.max(watched.slowestOwnMs, ms - elsewhere);
  watched.peakMemory = Math.max(watched.peakMemory, memory());
}

async function watch(agent: http.Agent | false): Promise<never> {
  for (;;) {
    await ask(agent);
    await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
  }
}

process.on('SIGTERM', () => {
  const sorted = ownMs.sort((a, b) => a - b);
  watched.p50OwnMs = sorted[Math.floor(sorted.length / 2)] ?? 0;
  watched.p99OwnMs = sorted[Math.floor(sorted.length * 0.99)] ?? 0;
  process.stdout.write(`${JSON.stringify(watched)}\n`);
  process.exit();
});
await Promise.all([watch(new http.Agent({ keepAlive: true, maxSockets: 1 })), watch(false)]);
