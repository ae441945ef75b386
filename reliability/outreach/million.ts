// A campaign of very many recipients: how long they take to upload, for how much memory, and what a turn costs then.
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { request as ask, type Json } from '@switchboard/testkit/client.ts';
import { median } from '@switchboard/testkit/median.ts';
import { type Postgres, query } from '@switchboard/testkit/postgres.ts';
import type { ServiceProcess } from '@switchboard/testkit/service-process.ts';
import { table } from '@switchboard/testkit/table.ts';
import { cpuMs, postgresCpuMs } from '../../bench/support/cpu.ts';
import { residentMiB } from '../../bench/support/process-memory.ts';
import { show } from '../../bench/support/report.ts';
import { MALLOC_SETTINGS } from '../support/memory.ts';
import { UNASKED, verdict } from './page.ts';
import { startDialling, USER } from './two-services.ts';

const COUNT = Number(process.env.OUTREACH_RECIPIENTS ?? 1_000_000);
/** Recipients of the campaign that the large one is compared with. */
const FEW = 10_000;
const ASKED = 21;
const SAMPLE_MS = 100;

interface Filled {
  count: number;
  seconds: number;
  mib: number;
  /** Processor time of the upload, of the service and of PostgreSQL. */
  serviceMs: number;
  postgresMs: number;
  idleMib: number;
  peakMib: number;
  statsMs: number;
  /** Costs of the statements of a turn, by name. */
  plans: Record<string, { ms: number; buffers: number; nodes: string }>;
}

export async function million(postgres: Postgres): Promise<string> {
  const database = await postgres.createDatabase('million');
  const unlimited = { STORED_BYTES_PER_USER: '1000000000000', RATE_LIMIT_USER: '1000000000' };
  const service = await startDialling({
    DATABASE_URL: database,
    DIAL_RECORD: '/dev/null',
    ...MALLOC_SETTINGS,
    ...unlimited,
  });
  try {
    const few = await fill(service, database, FEW);
    const many = await fill(service, database, COUNT);
    return text(few, many);
  } finally {
    await service.end('SIGKILL');
  }
}

async function ok(service: ServiceProcess, method: string, path: string, body?: unknown): Promise<Json> {
  const answer = await ask(service.url, { method, path, user: USER, body });
  if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

async function fill(service: ServiceProcess, database: string, count: number): Promise<Filled> {
  const { id: agent_id } = await ok(service, 'POST', '/api/agents/', { name: 'Front desk', user_id: USER });
  const { id } = await ok(service, 'POST', '/api/campaigns', { name: 'Renewals', agent_id });
  await sleep(3_000);
  const idleMib = residentMiB(service.child.pid);
  const stop = new AbortController();
  const peak = peakOf(service.child.pid, stop.signal);
  const used = async () => [cpuMs(service.child.pid ?? 0), await postgresCpuMs(database)] as const;
  const before = await used();
  const begun = performance.now();
  const { answer, bytes } = await upload(`${service.url}/api/campaigns/${id}/recipients`, count);
  const seconds = (performance.now() - begun) / 1_000;
  const after = await used();
  const [serviceMs, postgresMs] = [after[0] - before[0], after[1] - before[1]];
  stop.abort();
  if (answer.added !== count) throw new Error(JSON.stringify(answer));
  await query(database, 'vacuum analyze');
  const times: number[] = [];
  for (let index = 0; index < ASKED; index++) {
    const asked = performance.now();
    await ok(service, 'GET', `/api/campaigns/${id}/stats`);
    times.push(performance.now() - asked);
  }
  const plans = await plansOf(database, id);
  const peakMib = await peak;
  const mib = bytes / 2 ** 20;
  return { count, seconds, mib, serviceMs, postgresMs, idleMib, peakMib, statsMs: median(times), plans };
}

async function peakOf(pid: number | undefined, signal: AbortSignal): Promise<number> {
  let peak = 0;
  while (!signal.aborted) {
    peak = Math.max(peak, residentMiB(pid));
    await sleep(SAMPLE_MS);
  }
  return peak;
}

/** Sends CSV as fast as it is taken. */
async function upload(url: string, count: number): Promise<{ answer: Json; bytes: number }> {
  const { promise, resolve, reject } = Promise.withResolvers<Json>();
  const sending = request(url, { method: 'POST', headers: { 'content-type': 'text/csv', 'x-user-id': USER } });
  sending.on('error', reject).on('response', (response) => {
    let body = '';
    response.setEncoding('utf8').on('data', (some: string) => {
      body += some;
    });
    response.on('end', () => resolve(JSON.parse(body)));
  });
  let bytes = 0;
  let part = 'phone_number,external_id,time_zone,name,due\n';
  for (let index = 0; index < count; index++) {
    part += `+1500${String(5_560_000 + (index % 10_000)).padStart(7, '0')},c-${index},Europe/Berlin,Guest ${index},2027-01-12\n`;
    if (index % 500 !== 499 && index < count - 1) continue;
    bytes += part.length;
    if (!sending.write(part)) await new Promise<void>((done) => sending.once('drain', done));
    part = '';
  }
  sending.end();
  return { answer: await promise, bytes };
}

const CLAIM = 'claiming 50';
/** The statements of a turn that read recipients, as the stores send them. */
const STATEMENTS: Record<string, (id: string) => string> = {
  [CLAIM]: (id) =>
    `select * from campaign_recipients where campaign_id = '${id}' and state in ('waiting', 'deferred') and next_at <= now()
     order by next_at limit 50 for update skip locked`,
  'the next who waits': (id) =>
    `select next_at, state from campaign_recipients where campaign_id = '${id}' and state in ('waiting', 'deferred')
     order by next_at limit 1`,
  'the counters': (id) => `select * from campaign_counts where campaign_id = '${id}'`,
};

interface Node {
  'Node Type': string;
  'Index Name'?: string;
  Plans?: Node[];
}

async function plansOf(database: string, id: string): Promise<Filled['plans']> {
  const plans: Filled['plans'] = {};
  for (const [name, sqlFor] of Object.entries(STATEMENTS)) {
    const runs: { ms: number; buffers: number; nodes: string }[] = [];
    for (let run = 0; run < 5; run++) {
      const [row] = await query<{ 'QUERY PLAN': { Plan: Node & Record<string, number>; 'Execution Time': number }[] }>(
        database,
        `explain (analyze, buffers, format json) ${sqlFor(id)}`,
      );
      const found = row?.['QUERY PLAN'][0];
      if (!found) throw new Error(name);
      const { Plan: plan } = found;
      const buffers = (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0);
      runs.push({ ms: found['Execution Time'], buffers, nodes: nodesOf(plan).join(', ') });
    }
    const { buffers = 0, nodes = '' } = runs.at(-1) ?? {};
    plans[name] = { ms: median(runs.map(({ ms }) => ms)), buffers, nodes };
  }
  return plans;
}

/** The scans of a plan. */
function nodesOf(node: Node): string[] {
  const { 'Node Type': type, 'Index Name': index } = node;
  const own = /Scan$/.test(type) ? [index ? `${type} on \`${index}\`` : type] : [];
  return [...own, ...(node.Plans ?? []).flatMap(nodesOf)];
}

/** Figures of a million recipients that are asked for; those of fewer say nothing about them. */
const under = (limit: number, { count }: Filled, value: number) =>
  count < 1_000_000 ? UNASKED : verdict(`under ${limit}`, value < limit);

function text(few: Filled, many: Filled): string {
  const both = (what: string, of: (one: Filled) => string | number, asked = UNASKED) => [
    what,
    of(few),
    of(many),
    ...asked,
  ];
  const name = (count: number) => `${count.toLocaleString('en-US')} recipients`;
  const claimMs = many.plans[CLAIM]?.ms ?? Number.NaN;
  const statements = Object.keys(STATEMENTS).flatMap((one) => [
    both(
      `${one}: ms in PostgreSQL`,
      ({ plans }) => (plans[one]?.ms ?? 0).toFixed(2),
      one === CLAIM ? under(5, many, claimMs) : UNASKED,
    ),
    both(`${one}: pages read`, ({ plans }) => plans[one]?.buffers ?? 0),
    both(`${one}: plan`, ({ plans }) => plans[one]?.nodes ?? ''),
  ]);
  return `CSV with two variables, uploaded to one process in one request, as fast as it is taken.

${table(
  ['', name(few.count), name(many.count), 'asked', 'verdict'],
  [
    both('MiB of CSV', ({ mib }) => mib.toFixed(1)),
    both('seconds to upload', ({ seconds }) => seconds.toFixed(1), under(120, many, many.seconds)),
    both('recipients a second', ({ count, seconds }) => show(count / seconds)),
    both('service, CPU µs a recipient', ({ count, serviceMs }) => show((1_000 * serviceMs) / count)),
    both('PostgreSQL, CPU µs a recipient', ({ count, postgresMs }) => show((1_000 * postgresMs) / count)),
    both('resident memory before, MiB', ({ idleMib }) => Math.round(idleMib)),
    both(
      'most during the upload, MiB more',
      ({ idleMib, peakMib }) => Math.round(peakMib - idleMib),
      under(300, many, many.peakMib - many.idleMib),
    ),
    both('`GET …/stats`, ms (median, with HTTP)', ({ statsMs }) => statsMs.toFixed(1), under(20, many, many.statsMs)),
    ...statements,
  ],
)}`;
}
