import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { scaled, sum } from '@switchboard/testkit/decimals.ts';
import { type Service, startService } from '@switchboard/testkit/service.ts';
import fc from 'fast-check';
import { sql } from 'kysely';
import { createRollups } from '../../src/ledger/usage/rollups.ts';
import { insertUsageEvents } from '../../src/ledger/usage/store.ts';
import { idsFrom, newId } from '../../src/lib/ids.ts';
import { allPages } from '../support/answers.ts';
import { readCsv } from '../support/csv.ts';

const ROUNDS = 8;
const ENTRIES = 60;
const QUERIES = 12;
const DAY_MS = 24 * 60 * 60 * 1000;
const NOW = new Date();

const GROUPS = {
  day: 'day',
  week: 'week',
  month: 'month',
  user: 'user_id',
  agent: 'agent_id',
  provider: 'provider',
  model: 'model',
  event_type: 'event_type',
  direction: 'direction',
} as const;
type Group = keyof typeof GROUPS;

/** An entry of the ledger as the model keeps it; '' for none. Days are YYYY-MM-DD. */
interface Entry {
  id: string;
  user_id: string;
  agent_id: string;
  provider: string;
  model: string;
  event_type: 'stt_minutes' | 'telephony_minutes' | 'llm_input_tokens';
  direction: '' | 'INBOUND' | 'OUTBOUND' | 'WEB';
  at: Date;
  recorded_on: string;
  day: string;
  quantity: string;
  unit_cost: string | null;
  /** Times 10^40. */
  cost: bigint;
  unpriced: number;
  adjusts: Entry | null;
}

const dayOf = (at: Date) => at.toISOString().slice(0, 10);
const monthsFrom = (months: number) => new Date(Date.UTC(NOW.getUTCFullYear(), NOW.getUTCMonth() + months));
const bytes = (one: string, other: string) => Buffer.compare(Buffer.from(one), Buffer.from(other));

const amount = fc
  .tuple(fc.constantFrom('', '', '-'), fc.bigInt(0n, 10n ** 12n), fc.integer({ min: 0, max: 18 }))
  .map(
    ([sign, digits, places]) =>
      `${sign}${`${digits}`.padStart(places + 1, '0').replace(RegExp(`(.{${places}})$`), '.$1')}`,
  )
  .map((text) => text.replace(/\.$/, ''));

/** Fields of an entry at random. The texts sort differently by bytes, by UTF-16, and in a language. */
const what = fc.record({
  user_id: fc.constantFrom('ann', 'Bob', '~tom'),
  agent_id: fc.constantFrom('', 'agent-1', 'Agent-2', 'é'),
  provider: fc.constantFrom('openai', 'Deepgram', 'a, "b"', '😀', '～x'),
  model: fc.constantFrom('', 'gpt', 'Z', 'é'),
  event_type: fc.constantFrom('stt_minutes' as const, 'telephony_minutes' as const, 'llm_input_tokens' as const),
  direction: fc.constantFrom('' as const, '' as const, 'INBOUND' as const, 'WEB' as const),
  quantity: amount,
  unit_cost: fc.oneof(fc.constant(null), amount, amount),
  total_cost: fc.oneof(fc.constant(null), fc.constant(null), amount),
  day: fc.nat(),
  ms: fc.nat(DAY_MS - 1),
  /** Which entry before it is adjusted, for one in four. */
  adjusts: fc.oneof(fc.constant(null), fc.constant(null), fc.constant(null), fc.nat()),
});
type What = typeof what extends fc.Arbitrary<infer T> ? T : never;

const query = fc.record({
  groups: fc.uniqueArray(fc.constantFrom(...(Object.keys(GROUPS) as Group[])), { minLength: 1, maxLength: 5 }),
  user: fc.constantFrom(null, null, 0, 1, 2),
  agent_id: fc.constantFrom(undefined, undefined, undefined, 'agent-1', 'é'),
  provider: fc.constantFrom(undefined, undefined, undefined, 'openai', '😀'),
  model: fc.constantFrom(undefined, undefined, undefined, 'gpt'),
  event_type: fc.constantFrom(undefined, undefined, 'telephony_minutes'),
  direction: fc.constantFrom(undefined, undefined, undefined, 'INBOUND'),
  days: fc.array(fc.nat(130), { maxLength: 2 }),
  as_of: fc.oneof(fc.constant(undefined), fc.nat(130)),
  limit: fc.integer({ min: 1, max: 100 }),
});
type Query = typeof query extends fc.Arbitrary<infer T> ? T : never;

/** The ledger in memory, which adds up with whole numbers alone. */
function createModel() {
  const entries: Entry[] = [];
  const priced = new Set<Entry>();

  /** Adds a random entry of a month to the model, and gives it to be inserted. */
  function add({ day, ms, adjusts, ...fields }: What, month: Date): Entry & { total_cost: string | null } {
    const days = (Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1) - month.getTime()) / DAY_MS;
    const at = new Date(month.getTime() + (day % days) * DAY_MS + ms);
    const earlier = adjusts === null ? null : (entries[adjusts % entries.length] ?? null);
    const target = earlier && earlier.adjusts === null && earlier.at < at ? earlier : null;
    const { user_id, agent_id, provider, model, event_type, direction } = target ?? fields;
    const isPricing = target !== null && target.unpriced === 1 && !priced.has(target);
    if (isPricing) priced.add(target);
    const unit_cost = target && fields.unit_cost === null ? '1' : fields.unit_cost;
    const total_cost = unit_cost === null ? null : fields.total_cost;
    const product = unit_cost === null ? 0n : (scaled(fields.quantity) * scaled(unit_cost)) / 10n ** 40n;
    const entry: Entry = {
      id: `${idsFrom(at).slice(0, 13)}${newId().slice(13)}`,
      user_id,
      agent_id,
      provider,
      model,
      event_type,
      direction,
      at,
      recorded_on: dayOf(at),
      day: target?.day ?? dayOf(at),
      quantity: fields.quantity,
      unit_cost,
      cost: total_cost === null ? product : scaled(total_cost),
      adjusts: target,
      unpriced: isPricing ? -1 : Number(unit_cost === null),
    };
    entries.push(entry);
    return { ...entry, total_cost };
  }

  function erase(user_id: string, pseudonym: string): void {
    for (const entry of entries) if (entry.user_id === user_id) entry.user_id = pseudonym;
  }

  return { entries, add, erase };
}

function keyOf(entry: Entry, group: Group): string {
  if (group === 'month') return `${entry.day.slice(0, 7)}-01`;
  if (group !== 'week') return `${entry[GROUPS[group] as keyof Entry]}`;
  const day = new Date(entry.day);
  return dayOf(new Date(day.getTime() - ((day.getUTCDay() + 6) % 7) * DAY_MS));
}

/** The figures of some entries, amounts times 10^40. */
function figuresOf(entries: Entry[]) {
  return {
    cost: entries.reduce((total, { cost }) => total + cost, 0n),
    quantity: sum(entries.map(({ quantity }) => quantity)),
    events: entries.length,
    unpriced: entries.reduce((total, { unpriced }) => total + unpriced, 0),
  };
}

function expectedGroups(found: Entry[], groups: Group[]) {
  const separator = '\n';
  const grouped = Map.groupBy(found, (entry) => groups.map((group) => keyOf(entry, group)).join(separator));
  return [...grouped]
    .map(([key, members]) => ({ keys: key.split(separator), ...figuresOf(members) }))
    .sort(
      (one, other) => one.keys.map((key, at) => bytes(key, other.keys[at] ?? '')).find((order) => order !== 0) ?? 0,
    );
}

async function compare(service: Service, entries: Entry[], users: string[], asked: Query): Promise<void> {
  const { groups, days, as_of, limit, user: place, ...filters } = asked;
  const user = place === null ? undefined : users[place];
  const dayAt = (offset: number) => dayOf(new Date(monthsFrom(0).getTime() + offset * DAY_MS));
  const [start_date, end_date] =
    days.length === 2 ? days.toSorted((one, other) => one - other).map(dayAt) : days.map(dayAt);
  const asOf = as_of === undefined ? undefined : dayAt(as_of);
  const isOne = filters.event_type !== undefined || groups.includes('event_type');
  const found = entries.filter(
    (entry) =>
      (user === undefined || entry.user_id === user) &&
      (start_date === undefined || entry.day >= start_date) &&
      (end_date === undefined || entry.day <= end_date) &&
      (asOf === undefined || entry.recorded_on <= asOf) &&
      Object.entries(filters).every(([name, value]) => value === undefined || entry[name as keyof Entry] === value),
  );
  const parameters = { ...filters, group_by: groups.join(','), start_date, end_date, as_of: asOf };
  const given = Object.entries(parameters).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  const path = `/api/costs/report?${new URLSearchParams(Object.fromEntries(given))}`;
  const options = user === undefined ? {} : { headers: { 'x-user-id': user } };
  const { status, body } = await service.request('GET', `${path}&limit=${limit}`, options);
  assert.equal(status, 200, `${path} ${JSON.stringify(body)}`);
  const all = figuresOf(found);
  assert.deepEqual(
    [scaled(body.total_cost), body.events, body.unpriced.events],
    [all.cost, all.events, all.unpriced],
    path,
  );
  const expected = expectedGroups(found, groups);
  const shown = (row: Record<string, string | number | null>) => ({
    keys: groups.map((group) => `${row[GROUPS[group]] ?? ''}`),
    cost: scaled(`${row.total_cost}`),
    quantity: isOne ? scaled(`${row.quantity}`) : null,
    events: Number(row.events),
    unpriced: Number(row.unpriced_events),
  });
  const wanted = expected.map((group) => ({ ...group, quantity: isOne ? group.quantity : null }));
  assert.deepEqual(body.items.map(shown), wanted.slice(0, limit), path);
  if (expected.length <= limit * 20) {
    const pages = await allPages(service, path, limit, options);
    assert.deepEqual(
      pages.map((row) => shown({ ...row })),
      wanted,
      path,
    );
  }
  const csv = await service.request('GET', path, { headers: { ...options.headers, accept: 'text/csv' } });
  assert.deepEqual(readCsv(csv.body).map(shown), wanted, `${path} as CSV`);
  const kinds = expectedGroups(found, ['provider', 'model', 'event_type']).filter(({ unpriced }) => unpriced !== 0);
  const kindsShown = body.unpriced.kinds.map((kind: Record<string, string>) => [
    kind.provider,
    kind.model ?? '',
    kind.event_type,
    kind.events,
  ]);
  assert.deepEqual(kindsShown.sort(), kinds.map(({ keys, unpriced }) => [...keys, unpriced]).sort(), path);
}

/** The specified reports of a user, which read the same rollups. */
async function compareSpecified(service: Service, entries: Entry[], user: string): Promise<void> {
  const own = entries.filter(({ user_id }) => user_id === user);
  const options = { headers: { 'x-user-id': user } };
  const { body: summary } = await service.request('GET', '/api/costs/summary', options);
  assert.equal(scaled(summary.total_cost), figuresOf(own).cost);
  // Not the periods that have nothing but events without a price.
  const priced = own.filter(({ unpriced }) => unpriced !== 1);
  const { body: timeline } = await service.request('GET', '/api/costs/timeline?period=weekly', options);
  assert.deepEqual(
    timeline.map(({ date, total_cost }: Record<string, string>) => [date, scaled(total_cost ?? '')]),
    expectedGroups(priced, ['week']).map(({ keys, cost }) => [keys[0], cost]),
  );
}

/** Detaches the first month of the ledger, as an operator does. */
async function detachFirstMonth({ database: { db } }: Service): Promise<void> {
  const name = `usage_events_${NOW.toISOString().slice(0, 7).replace('-', '_')}`;
  await sql`alter table usage_events detach partition ${sql.table(name)}`.execute(db);
}

async function run(t: TestContext, seed: number): Promise<void> {
  const service = await startService();
  const { db } = service.database;
  const model = createModel();
  const users = ['ann', 'Bob', '~tom'];
  const sample = <T>(arbitrary: fc.Arbitrary<T>, numRuns: number, round: number) =>
    fc.sample(arbitrary, { numRuns, seed: seed + round });
  for (let round = 0; round < ROUNDS; round++) {
    const month = monthsFrom(Math.floor(round / 2));
    const added = sample(what, ENTRIES, round).map((fields) => model.add(fields, month));
    await insertUsageEvents(
      db,
      added.map(({ id, user_id, agent_id, provider, model: name, event_type, direction, at, day, ...entry }) => ({
        id,
        session_id: `s-${agent_id}`,
        user_id,
        agent_id: agent_id || null,
        provider,
        event_type,
        created_at: at,
        model: name || null,
        direction: direction || null,
        quantity: entry.quantity,
        unit_cost: entry.unit_cost,
        total_cost: entry.total_cost,
        ...(entry.adjusts && { adjusts: entry.adjusts.id, used_on: day, is_pricing: entry.unpriced === -1 }),
      })),
    );
    if (round === 4) await detachFirstMonth(service);
    if (round === 3 || round === 5) {
      const erased = users.shift() ?? '';
      const { status, body } = await service.request('DELETE', `/api/users/${encodeURIComponent(erased)}`);
      assert.equal(status, 200);
      model.erase(erased, body.pseudonym);
      users.push(body.pseudonym);
    }
    for (const asked of sample(query, QUERIES, 1000 + round)) await compare(service, model.entries, users, asked);
    for (const user of users) await compareSpecified(service, model.entries, user);
  }
  const rollups = createRollups(db);
  assert.deepEqual((await rollups.verify(() => {})).wrong, []);
  await rollups.rebuild(() => {});
  for (const asked of sample(query, QUERIES, 2000)) await compare(service, model.entries, users, asked);
  t.diagnostic(`${model.entries.length} entries, ${(ROUNDS + 1) * QUERIES} reports`);
}

test('every report is the sum of the ledger to the last digit, whatever is logged, corrected, erased and detached', async (t) => {
  const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 30));
  t.diagnostic(`SEED=${seed}`);
  await run(t, seed);
});
