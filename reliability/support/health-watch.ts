// A separate process that polls a service's health, over a persistent connection and new ones, and its
// memory. Arguments: the service's URL and process id. On SIGTERM it prints its results as JSON.
import { readFileSync } from 'node:fs';
import http from 'node:http';

/** Health of a service, over time. Milliseconds and bytes. */
export interface Watched {
  asked: number;
  failed: string[];
  /** Responses that took longer than the limit. */
  late: number;
  p50Ms: number;
  p99Ms: number;
  slowestMs: number;
  /**
   * Less the time in which the service, or whoever asked, could have run but waited for a CPU: the longer of the two,
   * because both may have waited at once.
   */
  p99OwnMs: number;
  slowestOwnMs: number;
  peakMemory: number;
}

const EVERY_MS = 10;
const LIMIT_MS = 250;
const [url = '', pid = ''] = process.argv.slice(2);
const allMs: number[] = [];
const allOwnMs: number[] = [];
const watched: Watched = {
  asked: 0,
  failed: [],
  late: 0,
  p50Ms: 0,
  p99Ms: 0,
  slowestMs: 0,
  p99OwnMs: 0,
  slowestOwnMs: 0,
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
  const waiting = Math.max(waitedMs(pid) - service, waitedMs('self') - own);
  watched.asked++;
  allMs.push(ms);
  allOwnMs.push(ms - waiting);
  if (ms >= LIMIT_MS) watched.late++;
  if (problem !== null) watched.failed.push(problem);
  watched.peakMemory = Math.max(watched.peakMemory, memory());
}

async function watch(agent: http.Agent | false): Promise<never> {
  for (;;) {
    await ask(agent);
    await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
  }
}

process.on('SIGTERM', () => {
  for (const all of [allMs, allOwnMs]) all.sort((a, b) => a - b);
  const at = (share: number, all: number[]) => all[Math.floor(all.length * share)] ?? 0;
  Object.assign(watched, { p50Ms: at(0.5, allMs), p99Ms: at(0.99, allMs), slowestMs: allMs.at(-1) });
  Object.assign(watched, { p99OwnMs: at(0.99, allOwnMs), slowestOwnMs: allOwnMs.at(-1) });
  process.stdout.write(`${JSON.stringify(watched)}\n`);
  process.exit();
});
await Promise.all([watch(new http.Agent({ keepAlive: true, maxSockets: 1 })), watch(false)]);
