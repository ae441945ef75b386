// Usage that is logged while the clock is moved back and forth by months, on both databases: after each move every
// report equals that of an in-memory model with integer arithmetic. `SEED` repeats a run.
import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { after, test } from 'node:test';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { scaled } from '@switchboard/testkit/decimals.ts';
import { freePort } from '@switchboard/testkit/ports.ts';
import { startPostgres } from '@switchboard/testkit/postgres.ts';
import { writeSection } from '@switchboard/testkit/section.ts';
import { type Service, startService } from '@switchboard/testkit/service.ts';
import { table } from '@switchboard/testkit/table.ts';
import { createRollups } from '../packages/server/src/ledger/usage/rollups.ts';
import { randomFrom } from './support/mutations.ts';

/** Counts for each database. */
const MOMENTS = Number(process.env.CLOCK_MOMENTS ?? 20);
const EVENTS_EACH = 120;
const SEED = Number(process.env.SEED ?? randomInt(2 ** 30));
const DAY_MS = 24 * 60 * 60 * 1000;

const USERS = ['ann', 'Bob', '~tom'];
const AGENTS = [null, 'agent-1', 'Agent-2', 'é'];
const PROVIDERS = ['openai', 'Deepgram', 'two\nlines', '😀', 'a, "b"'];
const TYPES = ['stt_minutes', 'llm_tokens', 'tts_characters', 'llm_cached_tokens', 'telephony_minutes'];

interface Event {
  user_id: string;
  agent_id: string | null;
  session_id: string;
  provider: string;
  day: string;
  cost: bigint;
}

type Random = ReturnType<typeof randomFrom>;

const rows: (string | number)[][] = [];
let [moments, logged] = [0, 0];
const postgres = await startPostgres(await freePort());
after(() => postgres.remove());

for (const [kind, server] of Object.entries({ 'the embedded database': null, PostgreSQL: postgres.url })) {
  test(`on ${kind} every report is the model's sum to the last digit, wherever the clock is moved`, async (t) => {
    t.diagnostic(`SEED=${SEED}`);
    if (server) process.env.TEST_DATABASE_URL = server;
    else delete process.env.TEST_DATABASE_URL;
    const clock = createTestClock('2027-02-27T22:00:00.000Z');
    const service = await startService({ clock, env: { RATE_LIMIT_SERVICE: '100000000' } });
    const random = randomFrom(SEED);
    const events: Event[] = [];
    let reports = 0;
    for (let moment = 0; moment < MOMENTS; moment++) {
      const at = moved(clock.now(), random);
      clock.set(at);
      events.push(...(await log(service, at, random)));
      for (const user of USERS) reports += await compare(service, events, { user, at, random });
    }
    assert.deepEqual((await createRollups(service.database.db).verify(() => {})).wrong, []);
    rows.push([kind, MOMENTS, events.length, reports, 0]);
    moments += MOMENTS;
    logged += events.length;
    await service.close();
  });
}

/** Another time: just before and after midnights and ends of months, and far ahead or back. */
function moved(now: Date, random: Random): string {
  const midnight = Math.ceil((now.getTime() + 1) / DAY_MS) * DAY_MS;
  const month = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1);
  const leapDay = Date.UTC(2028, 1, 29);
  const times = [
    midnight - 1,
    midnight,
    midnight + 1,
    month - 1,
    month,
    month + 1,
    leapDay,
    leapDay + DAY_MS - 1,
    ...[1, 5_000, 60_000, 7 * DAY_MS, 90 * DAY_MS, 400 * DAY_MS].flatMap((by) => [
      now.getTime() + by,
      now.getTime() - by,
    ]),
  ];
  const time = times[random(times.length)] ?? 0;
  // Not always in one direction.
  const [first, last] = [Date.UTC(2025, 0), Date.UTC(2031, 0)];
  return new Date(time < first || time > last ? leapDay + random(DAY_MS) : time).toISOString();
}

/** A decimal of up to twelve digits, with up to 18 decimals. */
function amount(random: Random): string {
  const digits = String(random(1_000_000) * 1_000_000 + random(1_000_000));
  const places = random(19);
  const text = places === 0 ? digits : digits.padStart(places + 1, '0').replace(new RegExp(`(.{${places}})$`), '.$1');
  return random(5) === 0 ? `-${text}` : text;
}

/** Logs events of one user in one batch; returns them for the model. */
async function log(service: Service, at: string, random: Random): Promise<Event[]> {
  const pick = <T>(list: readonly T[]): T => list[random(list.length)] as T;
  const user_id = pick(USERS);
  const sent = Array.from({ length: EVENTS_EACH }, () => ({
    user_id,
    agent_id: pick(AGENTS),
    session_id: `session-${random(40)}`,
    provider: pick(PROVIDERS),
    event_type: pick(TYPES),
    quantity: amount(random),
    unit_cost: amount(random),
    total_cost: amount(random),
  }));
  const { status, body } = await service.request('POST', '/api/usage/events/batch', { body: { events: sent } });
  assert.equal(status, 201, JSON.stringify(body));
  for (const { created_at } of body.events) assert.equal(created_at, at);
  const day = at.slice(0, 10);
  return sent.map(({ total_cost, ...event }) => ({ ...event, day, cost: scaled(total_cost) }));
}

interface Asked {
  user: string;
  /** The current time. */
  at: string;
  random: Random;
}

/** Compares the reports of a user, in total and for some days; returns their number. */
async function compare(service: Service, events: Event[], { user, at, random }: Asked): Promise<number> {
  const own = events.filter(({ user_id }) => user_id === user);
  const days = [own[random(Math.max(1, own.length))]?.day ?? '', at.slice(0, 10)].sort();
  const ranges: [string, string][] = days[0]
    ? [
        ['', ''],
        [days[0], days[1] ?? ''],
      ]
    : [['', '']];
  const read = async (path: string, from: string, to: string) => {
    const query = from ? `start_date=${from}&end_date=${to}` : '';
    const { status, body } = await service.request('GET', `/api/costs/${path}${query}`, { user });
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };
  for (const [from, to] of ranges) {
    const found = from ? own.filter(({ day }) => day >= from && day <= to) : own;
    const where = `${user} at ${at}, ${from} to ${to}, SEED=${SEED}`;
    const summary = await read('summary?', from, to);
    const month = own.filter(({ day }) => day.startsWith(at.slice(0, 7)));
    assert.deepEqual(
      [scaled(summary.total_cost), scaled(summary.this_month_cost), amounts(summary.by_provider)],
      [total(found), total(month), sums(found, 'provider')],
      where,
    );
    const byAgent = await read('by-agent?', from, to);
    const ofAgents = found.filter(({ agent_id }) => agent_id !== null);
    assert.deepEqual(
      Object.fromEntries(
        byAgent.map((row: Record<string, string>) => [row.agent_id, [scaled(row.total_cost ?? ''), row.event_count]]),
      ),
      Object.fromEntries(
        [...Map.groupBy(ofAgents, ({ agent_id }) => agent_id)].map(([id, some]) => [id, [total(some), some.length]]),
      ),
      where,
    );
    for (const period of ['daily', 'weekly', 'monthly'] as const) {
      const timeline = await read(`timeline?period=${period}&`, from, to);
      const periods = Map.groupBy(found, ({ day }) => beginOf(period, day));
      assert.deepEqual(
        timeline.map((row: Record<string, never>) => [
          row.date,
          scaled(row.total_cost ?? ''),
          amounts(row.by_provider ?? {}),
        ]),
        [...periods].sort().map(([date, some]) => [date, total(some), sums(some, 'provider')]),
        `${period} ${where}`,
      );
    }
  }
  return ranges.length * 5;
}

function beginOf(period: 'daily' | 'weekly' | 'monthly', day: string): string {
  if (period === 'monthly') return `${day.slice(0, 7)}-01`;
  if (period === 'daily') return day;
  const date = new Date(day);
  return new Date(date.getTime() - ((date.getUTCDay() + 6) % 7) * DAY_MS).toISOString().slice(0, 10);
}

const total = (events: Event[]) => events.reduce((sum, { cost }) => sum + cost, 0n);
const amounts = (costs: Record<string, string>) =>
  Object.fromEntries(Object.entries(costs).map(([name, cost]) => [name, scaled(cost)]));
const sums = (events: Event[], by: 'provider') =>
  Object.fromEntries([...Map.groupBy(events, (event) => event[by])].map(([name, some]) => [name, total(some)]));

after(() =>
  writeSection(
    11,
    'moved-clock',
    `## Usage while the clock is moved

The clock is moved to and fro, by milliseconds around midnight and ends of months up to more than a year; at each moment ${EVENTS_EACH}
events are logged, and the reports of all users, in all and of some days, are compared with a model that adds up whole
numbers in memory. \`SEED=${SEED}\` repeats it.

${table(['Database', 'Moments', 'Events', 'Reports compared', 'Wrong sums'], rows)}`,
    { 'usage events compared with an independent model': logged, 'moments of a moved clock': moments },
  ),
);
