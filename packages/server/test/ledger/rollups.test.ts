import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { openTestDatabase } from '@switchboard/testkit/database.ts';
import { NODE, startProgram } from '@switchboard/testkit/program.ts';
import { type Service, startService } from '@switchboard/testkit/service.ts';
import { sql } from 'kysely';
import type { Db } from '../../src/db/tables.ts';
import { createRollups } from '../../src/ledger/usage/rollups.ts';
import { logUsage } from '../support/usage.ts';

const AGENT = 'agent-1';
const ignore = () => {};

/** Events of two users over three days, two agents and two providers, with all the digits there are. */
async function fill(service: Service, clock: ReturnType<typeof createTestClock>): Promise<void> {
  for (const day of ['2026-01-30', '2026-01-31', '2026-02-01']) {
    clock.set(`${day}T23:59:59.999Z`);
    await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        logUsage(service, {
          user_id: `user-${index % 2}`,
          agent_id: index % 3 === 0 ? null : `agent-${index % 3}`,
          session_id: `session-${index % 5}`,
          provider: index % 4 < 2 ? 'openai' : 'deepgram',
          event_type: index % 2 === 0 ? 'llm_tokens' : 'stt_minutes',
          total_cost: `"0.0000000000000000${index + 10}"`,
          quantity: `"-${index}.5"`,
        }),
      ),
    );
  }
}

const reports = async (service: Service, user: string) =>
  Promise.all(
    ['summary', 'by-agent', 'timeline?period=weekly'].map(
      async (report) => (await service.request('GET', `/api/costs/${report}`, { user })).body,
    ),
  );

test('concurrent events are rolled up to the last digit, and are in the reports once acknowledged', async () => {
  const clock = createTestClock();
  const service = await startService({ clock });
  await fill(service, clock);
  const rollups = createRollups(service.database.db);
  assert.deepEqual(await rollups.verify(ignore), { users: 2, days: 6, wrong: [] });
  const { rows } = await sql<{ total: string }>`
    select trim_scale(sum(total_cost)) as total from usage_events where user_id = 'user-1'`.execute(
    service.database.db,
  );
  const [summary] = await reports(service, 'user-1');
  assert.equal(summary.total_cost, rows[0]?.total);
  for (let index = 1; index <= 20; index++) {
    await logUsage(service, { user_id: 'reader', agent_id: AGENT, session_id: `s-${index % 4}`, total_cost: '"0.1"' });
    const [own, byAgent] = await reports(service, 'reader');
    assert.equal(own.total_cost, String(index / 10));
    assert.deepEqual([byAgent[0].event_count, byAgent[0].session_count], [index, Math.min(index, 4)]);
  }
});

test('wrong, missing and surplus rollups are reported and rebuilt', async () => {
  const clock = createTestClock();
  const service = await startService({ clock });
  const { db } = service.database;
  await fill(service, clock);
  const before = [await reports(service, 'user-0'), await reports(service, 'user-1')];
  const rollups = createRollups(db);
  const damages = [
    sql`update usage_rollups set total_cost = total_cost + 0.000000000000000001 where user_id = 'user-0' and day = '2026-01-31'`,
    sql`delete from usage_rollups where user_id = 'user-1' and day = '2026-02-01'`,
    sql`insert into usage_rollups (user_id, day, agent_id, provider, event_type, recorded_on, quantity, total_cost, events)
      values ('nobody', '2026-01-01', '', 'p', 'llm_tokens', '2026-01-01', 1, 1, 1)`,
    sql`update usage_agent_session_counts set sessions = sessions + 1 where user_id = 'user-1'`,
    sql`delete from usage_agent_sessions where user_id = 'user-0' and session_id = 'session-1'`,
    sql`insert into usage_agent_sessions values ('user-1', 'agent-1', 'a session without events')`,
  ];
  for (const damage of damages) await damage.execute(db);
  assert.deepEqual((await rollups.verify(ignore)).wrong.sort(), [
    'nobody 2026-01-01',
    'user-0 2026-01-31',
    'user-0 agents',
    'user-1 2026-02-01',
    'user-1 agents',
  ]);
  await rollups.rebuild(ignore);
  assert.deepEqual((await rollups.verify(ignore)).wrong, []);
  assert.deepEqual([await reports(service, 'user-0'), await reports(service, 'user-1')], before);
});

/** Detaches January, after giving events ids of their own time in place of the machine's. */
async function detachJanuary(db: Db): Promise<void> {
  const idAt = (ms: number) => sql`(lpad(to_hex((extract(epoch from created_at) * 1000)::bigint + ${ms}), 12, '0')
    || right(replace(id::text, '-', ''), 20))::uuid`;
  await sql`update usage_events set id = ${idAt(0)}`.execute(db);
  // One of the last moment of January was stored in February.
  const late = sql`(select max(id::text)::uuid from usage_events where created_at < '2026-02-01')`;
  await sql`update usage_events set id = ${idAt(4)} where id = ${late}`.execute(db);
  await sql`delete from usage_events where id < ${late}`.execute(db);
  // That of all months up to the one in which the database was made.
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_inherits join pg_class on pg_class.oid = inhrelid
    where inhparent = 'usage_events'::regclass and pg_get_expr(relpartbound, pg_class.oid) like '%(MINVALUE)%'`.execute(
    db,
  );
  const partition = sql.table(rows[0]?.name ?? assert.fail());
  await sql`alter table usage_events detach partition ${partition}`.execute(db);
  await sql`insert into usage_events select * from ${partition}`.execute(db);
}

test('rollups of a detached month stay, and the remaining ones are still verified and rebuilt', async () => {
  const clock = createTestClock();
  const service = await startService({ clock });
  const { db } = service.database;
  await fill(service, clock);
  await detachJanuary(db);
  const before = [await reports(service, 'user-0'), await reports(service, 'user-1')];
  const rollups = createRollups(db);
  assert.deepEqual(await rollups.verify(ignore), { users: 2, days: 2, wrong: [] });
  await sql`update usage_rollups set events = events + 1 where user_id = 'user-1' and day = '2026-02-01'`.execute(db);
  assert.deepEqual((await rollups.verify(ignore)).wrong, ['user-1 2026-02-01']);
  await rollups.rebuild(ignore);
  assert.deepEqual((await rollups.verify(ignore)).wrong, []);
  assert.deepEqual([await reports(service, 'user-0'), await reports(service, 'user-1')], before);
});

test('rebuilding and verifying while events are logged loses none and finds no difference', async () => {
  const service = await startService();
  const rollups = createRollups(service.database.db);
  const send = (index: number) =>
    logUsage(service, {
      user_id: `user-${index % 3}`,
      agent_id: AGENT,
      session_id: `s-${index}`,
      total_cost: '"0.01"',
    });
  const sending = Promise.all(
    Array.from({ length: 8 }, async (_, client) => {
      for (let index = 0; index < 40; index++) assert.equal((await send(client * 40 + index)).status, 201);
    }),
  );
  for (let round = 0; round < 3; round++) {
    await rollups.rebuild(ignore);
    assert.deepEqual((await rollups.verify(ignore)).wrong, []);
  }
  await sending;
  assert.deepEqual((await rollups.verify(ignore)).wrong, []);
  const totals = await Promise.all(
    [0, 1, 2].map(async (user) => (await reports(service, `user-${user}`))[0].total_cost),
  );
  assert.deepEqual(totals, ['1.07', '1.07', '1.06']);
});

test('two replicas adding to the same rollups at the same time agree', async () => {
  const database = await openTestDatabase();
  const replicas = [await startService({ database }), await startService({ database })];
  // In opposite orders: whoever locked row by row as they come would lock the other out.
  const send = (replica: Service, index: number) =>
    logUsage(replica, { user_id: `user-${index % 5}`, agent_id: `agent-${index % 3}`, session_id: `s-${index % 7}` });
  const answers = await Promise.all(
    Array.from({ length: 300 }, (_, index) => [
      send(replicas[0] as Service, index),
      send(replicas[1] as Service, 299 - index),
    ]).flat(),
  );
  assert.ok(answers.every(({ status }) => status === 201));
  assert.deepEqual((await createRollups(database.db).verify(ignore)).wrong, []);
  const counts = await Promise.all(
    replicas.map(async (replica) =>
      (await reports(replica, 'user-0'))[1].map((row: { event_count: number }) => row.event_count),
    ),
  );
  assert.deepEqual(counts, [
    [40, 40, 40],
    [40, 40, 40],
  ]);
});

test('an event that the database refuses fails alone', async () => {
  const service = await startService();
  const { db } = service.database;
  await sql`alter table usage_rollups add constraint none_of_it check (provider <> 'refused')`.execute(db);
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, index) => logUsage(service, { provider: index === 7 ? 'refused' : 'openai' })),
  );
  assert.deepEqual(
    answers.flatMap(({ status }, index) => (status === 201 ? [] : [[index, status]])),
    [[7, 500]],
  );
  assert.deepEqual((await createRollups(db).verify(ignore)).wrong, []);
  assert.equal((await service.request('GET', '/api/costs/summary', { user: 'user-1' })).body.total_cost, '29');
});

test('erasing a user keeps the sums, and the rollups match the events while events are logged', async () => {
  const service = await startService();
  const events = Array.from({ length: 60 }, () =>
    logUsage(service, { user_id: 'eve', agent_id: AGENT, total_cost: '"0.5"' }),
  );
  const erased = await service.request('DELETE', '/api/users/eve');
  await Promise.all(events);
  const again = await service.request('DELETE', '/api/users/eve');
  assert.deepEqual((await createRollups(service.database.db).verify(ignore)).wrong, []);
  const [one] = await reports(service, erased.body.pseudonym);
  const [two] = await reports(service, again.body.pseudonym);
  assert.equal(Number(one.total_cost) + Number(two.total_cost), 30);
  assert.equal((await reports(service, 'eve'))[0].total_cost, '0');
});

test('a session that a replica remembers is counted again after another replica has deleted it', async () => {
  const database = await openTestDatabase();
  const [one, other] = [await startService({ database }), await startService({ database })];
  const rollups = createRollups(database.db);
  const event = { user_id: 'eve', agent_id: AGENT, session_id: 'late' };
  const log = async () => assert.equal((await logUsage(one, event)).status, 201);
  const seen = async () => {
    assert.deepEqual((await rollups.verify(ignore)).wrong, []);
    const [, byAgent] = await reports(one, 'eve');
    return byAgent.map((row: { session_count: number; event_count: number }) => [row.session_count, row.event_count]);
  };
  for (let times = 0; times < 3; times++) await log();
  assert.deepEqual(await seen(), [[1, 3]]);
  await other.request('DELETE', '/api/users/eve');
  assert.deepEqual(await seen(), []);
  for (let times = 0; times < 3; times++) await log();
  assert.deepEqual(await seen(), [[1, 3]]);
  await sql`delete from usage_events where user_id = 'eve'`.execute(database.db);
  await rollups.rebuild(ignore);
  for (let times = 0; times < 2; times++) await log();
  assert.deepEqual(await seen(), [[1, 2]]);
  // As a replica of an earlier release deletes, which raises no version.
  for (const table of ['usage_events', 'usage_rollups', 'usage_agent_sessions', 'usage_agent_session_counts'])
    await sql`delete from ${sql.table(table)} where user_id = 'eve'`.execute(database.db);
  for (let times = 0; times < 2; times++) await log();
  assert.deepEqual(await seen(), [[1, 2]]);
  for (const replica of [one, other]) await replica.close();
  await database.close();
});

test('concurrent erasures of a user on two replicas run one at a time, and rollups and events agree', async () => {
  const database = await openTestDatabase();
  const replicas = [await startService({ database }), await startService({ database })] as const;
  const pseudonyms = new Set<string>();
  let logged = 0;
  for (let round = 0; round < 5; round++) {
    const user_id = `user-${round}`;
    let isErasing = true;
    const logging = Array.from({ length: 4 }, async (_, client) => {
      for (let index = 0; isErasing || index < 5; index++, logged++) {
        const event = { user_id, agent_id: AGENT, session_id: `s-${index % 3}`, total_cost: '"0.01"' };
        assert.equal((await logUsage(replicas[(client + index) % 2] as Service, event)).status, 201);
      }
    });
    const answers = await Promise.all(
      [0, 1, 0, 1].map((replica) => (replicas[replica] as Service).request('DELETE', `/api/users/${user_id}`)),
    );
    isErasing = false;
    await Promise.all(logging);
    for (const { status, body } of answers) {
      assert.equal(status, 200, JSON.stringify(body));
      pseudonyms.add(body.pseudonym);
    }
  }
  assert.deepEqual((await createRollups(database.db).verify(ignore)).wrong, []);
  let cents = 0;
  const users = [...pseudonyms, ...Array.from({ length: 5 }, (_, round) => `user-${round}`)];
  for (const user of users) cents += Math.round(Number((await reports(replicas[0], user))[0].total_cost) * 100);
  assert.equal(cents, logged);
  for (const replica of replicas) await replica.close();
  await database.close();
});

test('--help explains the commands; a mistake is printed before them', async () => {
  const script = path.resolve(import.meta.dirname, '../../scripts/rollups.ts');
  const command = async (...args: string[]) => {
    const program = startProgram([...NODE, script, ...args]);
    return { code: await program.exit, output: program.output() };
  };
  const help = await command('--help');
  assert.equal(help.code, 0, help.output);
  assert.match(help.output, /^npm run rollups -- verify/);
  for (const [args, says] of [
    [[], /^Which command\?\n\nnpm run rollups/],
    [['repair'], /^There is no command "repair"\.\n\n/],
    [['verify', 'all'], /^verify does not take "all" as well\.\n\n/],
  ] as [string[], RegExp][]) {
    const mistake = await command(...args);
    assert.match(mistake.output, says);
    assert.equal(mistake.code, 1);
  }
});
