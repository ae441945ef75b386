import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { table } from '@switchboard/testkit/table.ts';
import { callRequests, createAgents, placeCalls } from '../support/api.ts';
import type { Bench } from '../support/bench.ts';
import { type Figures, measureCalls, mediansOf, ratios } from '../support/figures.ts';
import { batchRequests, usageRequests } from '../support/inputs.ts';
import { load, type Requests, writeRequests } from '../support/load.ts';
import { atMost, type Section, show } from '../support/report.ts';

const [NOW, BEFORE] = ['this release', 'the earlier one'];
const USERS = 300;
/** Many, and so few that hardly two requests share a transaction, or a plan. */
const [MANY, FEW] = [64, 4];
const [WARM_UP_S, ROUND_S] = [3, 5];
/** Processes of one release differ from start to start, by up to a half, for as long as they run. */
const STARTS = Number(process.env.BENCH_STARTS ?? 4);
/** Rounds of each start. */
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const SLOWER = 1.05;
const KINDS = ['read the status of a call', 'log a usage event', 'log a batch of 100', 'place a call'] as const;
const CASES = [...KINDS.map((kind) => [kind, MANY] as const), ['place a call', FEW] as const];
/** It answers, and hangs up after a second; and it rings on. */
const [ANSWERS, RINGS] = ['+15005550005', '+15005550100'];

/** A checkout of an earlier release, with its packages installed (`npm ci`). */
function checkout(): { main: string; commit: string } {
  const root = process.env.BENCH_BEFORE;
  if (!root)
    throw new Error('BENCH_BEFORE is needed: the path of a checkout of an earlier release, after npm ci in it');
  const commit = execFileSync('git', ['rev-parse', '--short=7', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim();
  return { main: path.join(root, 'packages/server/src/main.ts'), commit };
}

/** Requests of existing clients, to this release and to an earlier one, in interleaved rounds of several starts. */
export async function before(bench: Bench): Promise<Section> {
  const { main, commit } = checkout();
  const measured = CASES.map(() => new Map<string, Figures[]>([NOW, BEFORE].map((name) => [name, []])));
  for (let start = 0; start < STARTS; start++) {
    const services = await startBoth(bench, main);
    for (const [index, [what, connections]] of CASES.entries())
      for (let round = -1; round < ROUNDS; round++)
        // The one that begins changes, because what a round leaves to do burdens the next.
        for (const service of (start + round) % 2 ? services.toReversed() : services) {
          const requests = service.requests[what];
          if (round < 0) await load(service.url, requests, connections, WARM_UP_S);
          else measured[index]?.get(service.name)?.push(await measureCalls(service, requests, connections, ROUND_S));
        }
    for (const { requests } of services) for (const one of Object.values(requests)) one.remove();
    await bench.end();
  }
  return report(commit, measured);
}

function report(commit: string, measured: Map<string, Figures[]>[]): Section {
  const section: Section = {
    lines: [],
    details: `The earlier release is ${commit}. Ratios are medians of those of ${STARTS * ROUNDS} rounds, ${ROUNDS} after each of ${STARTS} starts of both, because the machine’s speed changes, and processes differ from start to start.`,
  };
  for (const [index, [what, connections]] of CASES.entries()) {
    const figures = measured[index] ?? new Map<string, Figures[]>();
    const more = ratios(figures.get(NOW) ?? [], figures.get(BEFORE) ?? []);
    const title = connections === MANY ? what : `${what}, ${connections} connections`;
    section.lines.push(
      atMost(`${title}: time of a request, of that before`, 1 / more.per_second, 1, SLOWER),
      atMost(`${title}: processor time of the service, of that before`, more.service_us, 1, SLOWER),
    );
    const rows = Array.from(figures, ([name, all]) => [name, ...Object.values(mediansOf(all)).map(show)]);
    const times = Array.from({ length: STARTS }, (_, start) => {
      const [now, earlier] = [NOW, BEFORE].map((name) =>
        figures.get(name)?.slice(start * ROUNDS, (start + 1) * ROUNDS),
      );
      return show(1 / ratios(now ?? [], earlier ?? []).per_second);
    });
    section.details += `\n\nTo ${what}, ${connections} connections.\n\n${table(['', 'a second', 'µs of the service', 'µs of PostgreSQL'], rows)}\n\nTime of a request after each start, of that before: ${times.join(', ')}.`;
  }
  return section;
}

async function startBoth(bench: Bench, main: string) {
  const services = [];
  for (const [name, file] of [[NOW], [BEFORE, main]] as const) {
    const database = await bench.database();
    const service = await bench.startService(name, { DATABASE_URL: database, SANDBOX_RING_MS: '100' }, file);
    services.push({ ...service, database, requests: await requestsOf(service.url) });
  }
  return services;
}

async function requestsOf(url: string): Promise<Record<(typeof KINDS)[number], Requests>> {
  const agents = await createAgents(url, USERS);
  const calls = await placeCalls(url, agents, RINGS);
  return {
    'read the status of a call': writeRequests(
      calls.map(({ call_id }) => ({ method: 'GET', path: `/api/calls/${call_id}/status` })),
    ),
    'log a usage event': writeRequests(usageRequests(20_000)),
    'log a batch of 100': writeRequests(batchRequests(500, 100)),
    'place a call': writeRequests(callRequests(agents, ANSWERS)),
  };
}
