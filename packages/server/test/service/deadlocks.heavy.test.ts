// Two processes write to the same sessions, agents, users and days at the same time, and no transaction waits for
// another that waits for it.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createAgent, USER } from '@switchboard/testkit/calls.ts';
import { openTestDatabase } from '@switchboard/testkit/database.ts';
import { type Service, startService } from '@switchboard/testkit/service.ts';
import { sql } from 'kysely';
import { createCallRollups } from '../../src/conversations/stats/rebuild.ts';
import { ensurePartitions } from '../../src/db/partitions.ts';
import { createRollups } from '../../src/ledger/usage/rollups.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { createSandboxMedia } from '../../src/providers/sandbox/media.ts';
import { contending, neverDone, type Operation, of, prepare } from '../support/contended.ts';
import { openCalls } from '../support/ended-calls.ts';

const ENV = { CALLS_CONCURRENT: '100000', CALLS_BURST: '100000', CALLS_PER_SECOND: '10000', CALLS_PER_DAY: '1000000' };
/** On the embedded database, with its one connection, only a transaction that waits for a query outside it can fail. */
const hasManyConnections = process.env.TEST_DATABASE_URL !== undefined;
/** Concurrent requests of each operation of a pair, over both processes: each kind meets each other kind once. */
const EACH = hasManyConnections ? 2 : 1;
const CORRECTIONS = hasManyConnections ? 400 : 100;

const database = await openTestDatabase();
after(() => database.close());
// One phone network: a call that one process has placed is transferred by the other.
const media = createSandboxMedia({ clock: systemClock, ringMs: 5 });
const replicas = [
  await startService({ database, media, env: ENV }),
  await startService({ database, media, env: ENV }),
] as const;
const [first] = replicas;
const { db } = database;
const agents = [await createAgent(first), await createAgent(first)];
const placed = (await openCalls(first, USER, agents, 800)).map((id, index) => {
  return { id, room_name: `call-${USER}-${index}` };
});
// All alike, so that they are counted in the same rows.
await db
  .updateTable('sessions')
  .set({ status: 'ACTIVE', call_status: 'ANSWERED', call_direction: 'OUTBOUND' })
  .set({ created_at: sql<Date>`now() - interval '1 second'`, started_at: sql<Date>`now()` })
  .execute();
const ended = placed.splice(0, 60).map(({ id }) => id);
for (const id of ended) assert.equal((await patch(first, id, 10)).status, 200);
const inbound = placed.splice(0, 200);
await db
  .updateTable('sessions')
  .set({ call_direction: 'INBOUND' })
  .where(
    'id',
    'in',
    inbound.map(({ id }) => id),
  )
  .execute();
const rooms = ended.map((_, index) => `call-${USER}-${index}`);
await prepare(first, ended, rooms);
const take = (from: typeof placed) => () => from.pop() ?? assert.fail('no call is left');

const post = (service: Service, path: string, body?: object) =>
  service.request('POST', path, { user: USER, ...(body && { body }) });

function patch(service: Service, id: string, duration: number) {
  return service.request('PATCH', `/api/sessions/${id}`, { body: { duration, metadata: { duration } } });
}

const usageEvent = (index: number) => ({
  session_id: of(ended, index),
  user_id: USER,
  agent_id: of(agents, index),
  provider: of(['one', 'two', 'three'], index),
  event_type: of(['llm_tokens', 'stt_minutes'], index),
  quantity: 1,
  unit_cost: 1,
  total_cost: 1,
});

let turnIndex = 0;

/** Keys of rollups, each time in the opposite order. */
const turned = (index: number) => (index % 2 ? [0, 1, 2] : [2, 1, 0]);

const OPERATIONS: Record<string, Operation> = {
  'correct an outcome': (service, index) =>
    post(service, `/api/calls/${of(ended, index)}/outcome`, {
      answered_by: of(['human', 'voicemail', 'ivr'], Math.floor(Math.random() * 3)),
    }),
  'correct a duration': (service, index) => patch(service, of(ended, index + 1), 10 ** (index % 3)),
  'end a call': (service) => post(service, `/api/calls/${take(placed)().id}/end`),
  'place a call': (service, index) =>
    post(service, '/api/calls/outbound', { agent_id: of(agents, index), phone_number: '+15005550001' }),
  'call from a browser': (service, index) => post(service, '/api/calls/web', { agent_id: of(agents, index) }),
  'add a transcript': (service, index) =>
    post(service, `/api/sessions/by-room/call-${USER}-${index}/transcripts`, { content: 'Hello' }),
  'add turns': (service, index) =>
    post(service, `/api/sessions/${of(ended, index)}/turns`, {
      turns: turned(index).map((at) => ({
        turn_index: turnIndex++,
        model: of(['one', 'two', 'three'], at),
        end_of_speech_at: new Date().toISOString(),
        transcript_ms: 10 ** (at + 1),
      })),
    }),
  'log a usage event': (service, index) =>
    service.request('POST', '/api/usage/events', { body: { ...usageEvent(index) } }),
  'log a batch of usage events': (service, index) =>
    service.request('POST', '/api/usage/events/batch', {
      body: { events: turned(index).map((at) => usageEvent(index + at)) },
    }),
  'change an agent': (service, index) =>
    service.request('PATCH', `/api/agents/${of(agents, index)}`, {
      body: { description: `${index}`, is_active: true },
    }),
  'change a budget': (service, index) =>
    service.request('PUT', `/api/budgets/${USER}`, { body: { monthly_limit: 1e9 + index } }),
  'record and apply prices': async (service, index) => {
    const entry = {
      provider: of(['one', 'two'], index),
      event_type: 'llm_tokens',
      price: index,
      valid_from: '2026-01-01',
    };
    await service.request('PUT', '/api/prices', { body: { entries: [entry] } });
    return post(service, '/api/prices/apply');
  },
  'redeliver callbacks': (service) =>
    post(service, '/api/callbacks/redeliver', { failed_since: '2026-01-01T00:00:00Z' }),
  'change a webhook endpoint': async (service, index) => {
    // A host for each, because a user has few endpoints on one.
    const url = `https://receiver-${index}.invalid/`;
    const { body } = await post(service, '/api/webhook-endpoints', { url, is_active: true });
    await service.request('PATCH', `/api/webhook-endpoints/${body.id}`, { body: { url: `${url}${index}` } });
    return service.request('DELETE', `/api/webhook-endpoints/${body.id}`);
  },
  'run a round of maintenance': async ({ app }, index) => {
    if (index === 0) await app.reconcile();
    return null;
  },
  'create partitions': () => ensurePartitions(db, new Date()).then(() => null),
  'rebuild the rollups': async (_service, index) => {
    if (index > 0) return null;
    await createCallRollups(db).rebuild();
    await createRollups(db).rebuild(() => {});
    return null;
  },
  ...contending({ agents, ended, takeOutbound: take(placed), takeInbound: take(inbound) }),
};

const conflicts = () => Object.values(database.conflicts()).reduce((sum, { repeated }) => sum + repeated, 0);

const names = Object.keys(OPERATIONS);
for (const [index, one] of names.entries())
  test(`${one}, while others do the same, or anything else`, async () => {
    for (const other of names.slice(index)) {
      const before = conflicts();
      const pair = [OPERATIONS[one], OPERATIONS[other]] as [Operation, Operation];
      const answers = await Promise.all(
        Array.from({ length: EACH }, (_, at) =>
          Promise.all(pair.map((operation, which) => operation(of([...replicas], at + which), at))),
        ),
      );
      const failed = answers.flat().flatMap((answer) => (answer && answer.status >= 300 ? answer : []));
      assert.deepEqual(failed, [], `${one} and ${other}`);
      assert.equal(conflicts() - before, 0, `${one} and ${other} met in a deadlock`);
    }
  });

test('each of these operations was carried out', () => assert.deepEqual(neverDone(), []));

for (const clients of [4, 16])
  test(`corrections of 60 ended calls, ${clients} at a time, each get an answer without a deadlock`, async () => {
    const before = conflicts();
    const statuses = new Map<number, number>();
    let next = 0;
    async function client(): Promise<void> {
      while (next < CORRECTIONS) {
        const index = next++;
        const id = of(ended, index);
        // Another one each time, and each next to another one.
        const answered_by = of(['human', 'ivr', 'voicemail'], index + Math.floor(index / ended.length));
        const service = of([...replicas], index);
        const { status } =
          index % 5 === 0
            ? await patch(service, id, 10 ** (index % 3))
            : await post(service, `/api/calls/${id}/outcome`, { answered_by });
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    }
    await Promise.all(Array.from({ length: clients }, client));
    assert.deepEqual([...statuses], [[200, CORRECTIONS]]);
    assert.equal(conflicts() - before, 0);
    assert.deepEqual(await createCallRollups(db).verify(), []);
  });
