import { createSwitchboard } from '@switchboard/client';
import { request } from '@switchboard/testkit/client.ts';
import { median } from '@switchboard/testkit/median.ts';
import { query } from '@switchboard/testkit/postgres.ts';
import { table } from '@switchboard/testkit/table.ts';
import { systemClock } from '../../packages/server/src/lib/clock.ts';
import type { Bench } from '../support/bench.ts';
import { cpuMs, postgresCpuMs } from '../support/cpu.ts';
import { load, writeRequests } from '../support/load.ts';
import { atMost, information, type Line, loadOfMachine, loadTable, type Section, show } from '../support/report.ts';
import { interleave } from '../support/rounds.ts';
import { firstWords, waitForTasks } from '../support/task-workers.ts';

const USER = 'user-0';
const headers = { 'x-user-id': USER };
/** Versions of two agents. */
const [FEW, MANY] = [100, 10_000];
const FLAT = 1.5;
const DIFFS = 9;
const PROMPT = 65_536;
const MESSAGES = 60;
const FIRST_WORD_MS = 20;
const WORKERS = 1_000;
const ROUNDS = 3;
const MEASURED_S = 30;
/** Parts of one processor, and of the time of a request, that count as nothing measurable. */
const [CPU_SHARE, SLOWER] = [0.05, 1.1];

/** A media server that is not there: without one, the service answers chats itself. */
const NOWHERE = {
  LIVEKIT_URL: 'ws://127.0.0.1:9',
  LIVEKIT_API_KEY: 'key',
  LIVEKIT_API_SECRET: 'secret',
  LIVEKIT_SIP_TRUNK_ID: 'ST_nowhere',
  LIVEKIT_AGENT_NAME: 'nobody',
  CALLING_COUNTRIES: 'US',
};

type Started = Awaited<ReturnType<Bench['startService']>>;
const count = (size: number) => size.toLocaleString('en-US');

/** Versions of agents and their differences, the words of chats, and workers that wait for tasks. */
export async function agents(bench: Bench): Promise<Section> {
  const database = await bench.database();
  const service = await bench.startService('Switchboard', { DATABASE_URL: database });
  const parts = [
    await pages(service, database),
    await differences(service),
    await words(await bench.startService('with workers', { DATABASE_URL: await bench.database(), ...NOWHERE })),
    await waiting(service, database),
  ];
  // Milliseconds are those of a machine at rest only if it was at rest.
  const load = loadOfMachine();
  return {
    lines: parts.flatMap(({ lines }) => lines),
    details: [...parts.map(({ details }) => details.trim()), load].join('\n\n'),
  };
}

async function newAgent({ url }: Started): Promise<string> {
  const { id } = await createSwitchboard({ baseUrl: url }).agents.create({ name: 'Front desk', user_id: USER });
  return id;
}

/** Pages of lists of versions: the newest, and one in the middle. */
async function pages(service: Started, database: string): Promise<Section> {
  const section: Section = { lines: [], details: '' };
  const contenders: { name: string; url: string; agent: string; versions: number }[] = [];
  for (const versions of [FEW, MANY]) {
    const agent = await newAgent(service);
    await query(
      database,
      `insert into agent_versions (agent_id, number, user_id, name, type, config, created_by, created_at)
       select '${agent}', n, '${USER}', 'Version ' || n, 'LLM', jsonb_build_object('greeting', n || repeat('.', 4000)), 'open', now()
       from generate_series(2, ${versions}) as n`,
    );
    contenders.push({ name: `${count(versions)} versions`, url: service.url, agent, versions });
  }
  await query(database, 'vacuum analyze agent_versions');
  for (const [page, part] of [
    ['the newest page', 1],
    ['a page in the middle', 0.5],
  ] as const) {
    const by = await interleave(contenders, 2, ({ name }) => {
      const { agent = '', versions = 0 } = contenders.find((one) => one.name === name) ?? {};
      const cursor = Buffer.from(String(versions * part + 1)).toString('base64url');
      return writeRequests([
        { method: 'GET', path: `/api/agents/${agent}/versions?limit=20&cursor=${cursor}`, headers },
      ]);
    });
    const [few = Number.NaN, many = Number.NaN] = contenders.map(({ name }) => by[name]?.p50_ms);
    section.lines.push(atMost(`${page} of ${count(MANY)} versions: p50, of that of ${FEW}`, many, few, FLAT));
    section.details += `\`GET …/versions?limit=20\`, ${page}, 2 connections.\n\n${loadTable(by)}\n\n`;
  }
  return section;
}

/** Two prompts of 64 KiB each, which differ in some of their lines, in all of them, and in the order of their lines. */
function prompts(): [what: string, before: string, after: string][] {
  const lines = Array.from({ length: PROMPT / 64 }, (_, n) => `Line ${n} ${'of the prompt, '.repeat(5)}`.slice(0, 63));
  const text = lines.join('\n');
  const every = (nth: number) => lines.map((line, n) => (n % nth === 0 ? `${line.slice(0, -1)}!` : line)).join('\n');
  return [
    ['every fiftieth line', text, every(50)],
    ['every line', text, every(1)],
    ['the order of the lines', text, lines.toReversed().join('\n')],
    ['one line of 64 KiB', text.replaceAll('\n', ' '), every(50).replaceAll('\n', ' ')],
  ];
}

/** The time of a diff, and what it keeps another request waiting for. */
async function differences(service: Started): Promise<Section> {
  const rows: [what: string, diff_ms: number, other_ms: number][] = [];
  const agent = await newAgent(service);
  const ask = async (method: string, route: string, body?: object) => {
    const path = `/api/agents/${agent}${route}`;
    const answer = await request(service.url, { method, path, user: USER, ...(body && { body }) });
    if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const publish = async (instructions: string): Promise<number> => {
    await ask('PUT', '/draft', { name: 'Front desk', config: { instructions } });
    return (await ask('POST', '/versions', {})).number;
  };
  for (const [what, before, after] of prompts()) {
    const route = `/versions/${await publish(before)}/diff/${await publish(after)}`;
    const measured: { diff_ms: number; other_ms: number }[] = [];
    for (let round = 0; round < DIFFS; round++) {
      const [diff_ms, other_ms] = await Promise.all([ask('GET', route), ask('GET', '/release')].map(timed));
      measured.push({ diff_ms: diff_ms ?? 0, other_ms: other_ms ?? 0 });
    }
    rows.push([what, median(measured.map((one) => one.diff_ms)), Math.max(...measured.map((one) => one.other_ms))]);
  }
  return {
    lines: rows.map(([what, diff_ms]) => limit(`diff of two prompts of 64 KiB: ${what}`, diff_ms, 50)),
    details: `Diffs of two prompts of 64 KiB: the median of ${DIFFS}, and the longest time of a small request that is sent with one of them.\n\n${table(
      ['what differs', 'diff, ms', 'the other request, ms'],
      rows.map(([what, ...figures]) => [what, ...figures.map(show)]),
    )}`,
  };
}

async function timed(answer: Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await answer;
  return performance.now() - begun;
}

function limit(what: string, ms: number, most: number): Line {
  return { what, measured: `${show(ms)} ms`, at_least: `at most ${most} ms`, reached: ms <= most };
}

/** From the worker's request with the first word to the client's event with it. */
async function words(service: Started): Promise<Section> {
  const times = await firstWords(service.url, USER, await newAgent(service), MESSAGES);
  const sorted = times.toSorted((a, b) => a - b);
  const [p50 = Number.NaN, p95 = Number.NaN] = [0.5, 0.95].map((part) => sorted[Math.floor(sorted.length * part)]);
  return {
    lines: [
      limit('first word of a chat answer: p50, from the worker to the client', p50, FIRST_WORD_MS),
      limit('first word of a chat answer: p95, from the worker to the client', p95, FIRST_WORD_MS),
    ],
    details: `${MESSAGES} messages of a chat, one after the other, whose worker answers with a word. From its request to the event that the client gets: p50 ${show(p50)} ms, p95 ${show(p95)} ms.`,
  };
}

/** Workers that wait for tasks: processor time, and the time of other requests, with and without them. */
async function waiting(service: Started, database: string): Promise<Section> {
  const requests = writeRequests([{ method: 'GET', path: `/api/agents/${await newAgent(service)}`, headers }]);
  const figures = { without: [] as Figures[], with: [] as Figures[] };
  for (let round = 0; round < ROUNDS; round++) {
    figures.without.push(await measure(service, database, requests));
    const workers = waitForTasks(service.url, WORKERS);
    await systemClock.sleep(3_000);
    figures.with.push(await measure(service, database, requests));
    await workers.stop();
  }
  requests.remove();
  const of = (which: keyof typeof figures, what: keyof Figures) => median(figures[which].map((one) => one[what]));
  const more = (of('with', 'cpu_ms') - of('without', 'cpu_ms')) / (MEASURED_S * 1000);
  const what = `${count(WORKERS)} workers that wait for tasks`;
  return {
    lines: [
      {
        what: `${what}: additional CPU time of the service, as a share of one core`,
        measured: `${show(100 * more)} %`,
        at_least: `at most ${100 * CPU_SHARE} %`,
        reached: more <= CPU_SHARE,
      },
      atMost(
        `${what}: p50 of another request, of that without them`,
        of('with', 'p50_ms'),
        of('without', 'p50_ms'),
        SLOWER,
      ),
      information(
        `${what}: processor time of PostgreSQL, of that without them`,
        of('with', 'postgres_ms'),
        of('without', 'postgres_ms'),
      ),
    ],
    details: `${count(WORKERS)} polls of 30 s, sent again and again, and nothing to do: medians of ${ROUNDS} interleaved rounds of ${MEASURED_S} s at rest, and of another request on one connection afterwards.\n\n${table(
      ['', 'service, CPU ms', 'PostgreSQL, CPU ms', 'another request, p50 ms'],
      (['without', 'with'] as const).map((which) => [
        which === 'with' ? `with ${count(WORKERS)} that wait` : 'without',
        ...(['cpu_ms', 'postgres_ms', 'p50_ms'] as const).map((one) => show(of(which, one))),
      ]),
    )}`,
  };
}

type Figures = Record<'cpu_ms' | 'postgres_ms' | 'p50_ms', number>;

async function measure(
  { url, child }: Started,
  database: string,
  requests: Parameters<typeof load>[1],
): Promise<Figures> {
  const used = async () => [cpuMs(child.pid ?? 0), await postgresCpuMs(database)] as const;
  const [cpu, postgres] = await used();
  await systemClock.sleep(MEASURED_S * 1000);
  const [cpuAfter, postgresAfter] = await used();
  const { p50_ms } = await load(url, requests, 1, 4);
  return { cpu_ms: cpuAfter - cpu, postgres_ms: postgresAfter - postgres, p50_ms };
}
