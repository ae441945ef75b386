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
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 11);
const SLOWER = 1.05;
const KINDS = ['read the status of a call', 'log a usage event', 'log a batch of 100', 'place a call'] as const;
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

/** Requests of existing clients, to this release and to an earlier one, in interleaved rounds. */
export async function before(bench: Bench): Promise<Section> {
  const { main, commit } = checkout();
  const services = [];
  for (const [name, file] of [[NOW], [BEFORE, main]] as const) {
    const database = await bench.database();
    const service = await bench.startService(name, { DATABASE_URL: database, SANDBOX_RING_MS: '100' }, file);
    services.push({ ...service, database, requests: await requestsOf(service.url) });
  }
  const section: Section = {
    lines: [],
    details: `The earlier release is ${commit}. Ratios are medians of those of ${ROUNDS} rounds, because the machine’s speed changes.`,
  };
  for (const [what, connections] of [...KINDS.map((kind) => [kind, MANY] as const), ['place a call', FEW] as const]) {
    const measured = new Map<string, Figures[]>(services.map(({ name }) => [name, []]));
    for (let round = -1; round < ROUNDS; round++)
      // The one that begins changes, because what a round leaves to do burdens the next.
      for (const service of round % 2 ? services.toReversed() : services) {
        const requests = service.requests[what];
        if (round < 0) await load(service.url, requests, connections, WARM_UP_S);
        else measured.get(service.name)?.push(await measureCalls(service, requests, connections, ROUND_S));
      }
    const by = new Map(Array.from(measured, ([name, all]) => [name, mediansOf(all)]));
    const more = ratios(measured.get(NOW) ?? [], measured.get(BEFORE) ?? []);
    const title = connections === MANY ? what : `${what}, ${connections} connections`;
    section.lines.push(
      atMost(`${title}: time of a request, of that before`, 1 / more.per_second, 1, SLOWER),
      atMost(`${title}: processor time of the service, of that before`, more.service_us, 1, SLOWER),
    );
    const rows = Array.from(by, ([name, one]) => [name, ...Object.values(one).map(show)]);
    section.details += `\n\nTo ${what}, ${connections} connections.\n\n${table(['', 'a second', 'µs of the service', 'µs of PostgreSQL'], rows)}`;
  }
  for (const { requests } of services) for (const one of Object.values(requests)) one.remove();
  return section;
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
