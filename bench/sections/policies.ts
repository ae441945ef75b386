import { request } from '@switchboard/testkit/client.ts';
import { query } from '@switchboard/testkit/postgres.ts';
import { table } from '@switchboard/testkit/table.ts';
import { callRequests, createAgents } from '../support/api.ts';
import type { Bench } from '../support/bench.ts';
import { type Figures, measureCalls, mediansOf, ratios } from '../support/figures.ts';
import { load, type Requests, writeRequests } from '../support/load.ts';
import { atMost, information, type Section, show } from '../support/report.ts';

const [FREE, RULED] = ['without policies', 'with ten rules and the list'];
/** Users of either kind, and the phones that each calls, which are busy. */
const USERS = 300;
const PHONES = Array.from({ length: 30 }, (_, n) => `+1500556${String(100 * n).padStart(4, '0')}`);
const SUPPRESSED = Number(process.env.BENCH_SUPPRESSED ?? 1_000_000);
/** A single call at a time, and as many as the service places. */
const [ONE, MANY] = [1, 64];
const [WARM_UP_S, ROUND_S] = [3, 5];
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 7);
const SLOWER = 1.05;
const DECISION_US = 200;
const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
const OPEN = { days: DAYS, from: '00:00', to: '24:00' };
/** Ten rules that allow all calls, of which each is asked about all of them. */
const RULES = {
  windows: [{ country: 'US', region: 'NY', ...OPEN }, { country: 'US', ...OPEN }, { country: 'DE', ...OPEN }, OPEN],
  holidays: [{ country: 'DE', date: '12-25' }],
  max_attempts: [1, 7, 30].map((days) => ({ count: 100, days })),
  min_gap_s: 1,
  requires_consent: [{ country: 'DE', purpose: 'marketing' }],
};
const PLACE = { time_zone: 'America/New_York', region: 'US-NY' };

/**
 * `POST /api/calls/outbound` of users with a policy of ten rules, and very many suppressed numbers, beside users
 * without: the same requests to the same process, in interleaved rounds.
 */
export async function policies(bench: Bench): Promise<Section> {
  const database = await bench.database();
  const { url, child } = await bench.startService('Switchboard', { DATABASE_URL: database, SANDBOX_RING_MS: '100' });
  const agents = [...(await createAgents(url, 2 * USERS))];
  const [free, ruled] = [agents.slice(0, USERS), agents.slice(USERS)];
  for (const [user] of ruled) await put(url, user);
  await suppress(database, ruled);
  const sent = (users: typeof agents) =>
    writeRequests(PHONES.flatMap((phone) => callRequests(new Map(users), phone, PLACE)));
  const contenders = [
    { name: FREE, requests: sent(free) },
    { name: RULED, requests: sent(ruled) },
  ];
  const service = { url, child, database };
  const single = await compare(service, contenders, ONE);
  const many = await compare(service, contenders, MANY);
  for (const { requests } of contenders) requests.remove();
  return sectionOf(single, many);
}

/** Figures of calls without and with policies, and the ratios of these to those. */
async function compare(
  service: Parameters<typeof measureCalls>[0],
  contenders: { name: string; requests: Requests }[],
  connections: number,
): Promise<Compared> {
  const measured = new Map<string, Figures[]>(contenders.map(({ name }) => [name, []]));
  for (let round = -1; round < ROUNDS; round++)
    // The one that begins changes, because what a round leaves to do burdens the next.
    for (const { name, requests } of round % 2 ? contenders.toReversed() : contenders) {
      if (round < 0) await load(service.url, requests, connections, WARM_UP_S);
      else measured.get(name)?.push(await measureCalls(service, requests, connections, ROUND_S));
    }
  const [without = [], with_them = []] = measured.values();
  return {
    connections,
    rows: [without, with_them].map(mediansOf) as [Figures, Figures],
    more: ratios(with_them, without),
  };
}

interface Compared {
  connections: number;
  rows: [without: Figures, with_them: Figures];
  more: Figures;
}

function sectionOf(single: Compared, many: Compared): Section {
  const [without, with_them] = many.rows;
  const more = with_them.service_us - without.service_us;
  const rows = [single, many].flatMap(({ connections, rows }) =>
    rows.map((one, index) => [index === 0 ? FREE : RULED, String(connections), ...Object.values(one).map(show)]),
  );
  return {
    lines: [
      atMost('time of a single call with them, of one without', 1 / single.more.per_second, 1, SLOWER),
      information(`time of a call with them, of one without, ${MANY} connections`, 1 / many.more.per_second, 1),
      {
        what: 'a decision: µs of the service’s processor',
        measured: show(Math.max(0, more)),
        at_least: `at most ${DECISION_US}`,
        reached: more <= DECISION_US,
      },
    ],
    details: `${SUPPRESSED.toLocaleString('en-US')} suppressed numbers of ${USERS} users, who have a policy of ten rules each; ${USERS} others have neither. ${ROUNDS} interleaved rounds of ${ROUND_S} s for each number of connections; all calls are
allowed. Ratios are medians of those of rounds. With a policy each decision is recorded, with all that it was made from: with the same statements as without, which a test counts (\`decisions.test.ts\`).\n\n${table(['', 'connections', 'a second', 'µs of the service', 'µs of PostgreSQL'], rows)}`,
  };
}

async function put(url: string, user: string): Promise<void> {
  const body = { is_default: true, ...RULES };
  const answer = await request(url, { method: 'PUT', path: '/api/dial-policies/hours', user, body });
  if (answer.status >= 300) throw new Error(JSON.stringify(answer.body));
}

/** Numbers that nobody calls: the look-up finds none, as for nearly all calls. */
async function suppress(database: string, users: [user: string, agent_id: string][]): Promise<void> {
  await query(
    database,
    `insert into suppressions (id, user_id, phone_number, number_hash, scope, scope_id, reason, created_at, change)
     select gen_random_uuid(), ('{${users.map(([user]) => user).join(',')}}'::text[])[1 + n % ${USERS}],
       '+1500558' || lpad((n % 10000)::text, 4, '0'), encode(sha256(n::text::bytea), 'hex'), 'user', '', 'imported', now(),
       nextval('suppression_changes')
     from generate_series(1, ${SUPPRESSED}) as n`,
  );
  await query(database, 'vacuum analyze');
}
