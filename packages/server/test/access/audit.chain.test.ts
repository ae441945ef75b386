import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { createAgent, USER } from '@switchboard/testkit/calls.ts';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { openTestDatabase } from '@switchboard/testkit/database.ts';
import { COMPILE_CACHE, NODE } from '@switchboard/testkit/program.ts';
import { type Service, startService } from '@switchboard/testkit/service.ts';
import { sql } from 'kysely';
import { createAudit } from '../../src/access/audit/audit.ts';
import { hashOf } from '../../src/access/audit/chain.ts';
import { verifyChain, verifyWithin } from '../../src/access/audit/verify.ts';
import type { Database } from '../../src/db/database.ts';
import type { Db } from '../../src/db/tables.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { idsFrom, newId } from '../../src/lib/ids.ts';
import { makeCommandDatabase } from '../support/command-database.ts';

const ACTOR = { actor: 'command', user_id: USER, ip: '192.0.2.7' };

async function record(db: Database['db'], ...targets: string[]): Promise<void> {
  const audit = createAudit({ db, clock: systemClock });
  for (const target of targets) await audit.record(db, ACTOR, 'key.revoked', target, { detail: 'secret thing' });
  await audit.round();
}

const problemsOf = async ({ db }: Pick<Database, 'db'>) => (await verifyChain(db, null)).problems;

test('a removed, changed or inserted entry is found, and so is a chain that is computed anew', async () => {
  const database = await openTestDatabase();
  const { db } = database;
  await record(db, 'a/1', 'a/2', 'a/3', 'a/4', 'a/5');
  assert.deepEqual(await problemsOf(database), []);
  const { last } = await verifyChain(db, null);
  assert.deepEqual((await verifyChain(db, { seq: 5, hash: last.hash })).problems, []);
  const HEAD = 'update audit_chain set last_seq = 4, last_hash = (select hash from audit_log where seq = 4)';
  const noted = { seq: 5, hash: last.hash };
  for (const [changes, says] of [
    [["update audit_log set target = 'a/9' where seq = 2"], /Error: Entry 2 .* was changed/],
    [["update audit_log set at = at + interval '1 second' where seq = 3"], /Error: Entry 3 .* was changed/],
    [["update audit_log set ip = '192.0.2.8' where seq = 4"], /Error: Entry 4 .* was changed: its user/],
    [['update audit_log set detail = null where seq = 5'], /Error: Entry 5 .* was changed: its user/],
    [["update audit_log set user_id = 'other' where seq = 1"], /Error: Entry 1 is blank, but its user/],
    [['delete from audit_log where seq = 3'], /Error: Entry 3 is missing/],
    [['delete from audit_log where seq in (4, 5)'], /Error: The chain ends at entry 3, but 5 were sealed/],
    [['delete from audit_log where seq = 5', HEAD], /Error: Entry 5, which was noted, is missing/],
    [["update audit_log set hash = repeat('0', 64) where seq = 5"], /Error: Entry 5 .* was changed/],
  ] as const) {
    // Rolled back, so that each change is made to the same log.
    const work = db.transaction().execute(async (trx) => {
      for (const change of changes) await sql.raw(change).execute(trx);
      throw new Error((await verifyWithin(trx, noted)).problems.join());
    });
    await assert.rejects(work, says);
  }
});

/** Copies the entry before the number, with the hash that it would have there. */
async function forge(trx: Db, seq: number): Promise<void> {
  const query = trx.selectFrom('audit_log').selectAll();
  const before = await query.where('seq', '=', seq - 1).executeTakeFirstOrThrow();
  const entry = { ...before, id: newId(), target: 'a/9', seq };
  const hash = hashOf(before.hash ?? '', seq, before.digest ?? '', entry);
  await trx
    .insertInto('audit_log')
    .values({ ...entry, hash })
    .execute();
}

test('an entry that was never sealed is found after the last, between two and before the first, whatever its hash', async () => {
  const { db } = await openTestDatabase();
  await record(db, 'a/1', 'a/2', 'a/3');
  const move = ['update audit_log set seq = -seq where seq = 3', 'update audit_log set seq = 4 where seq = -3'];
  for (const [changes, seq, says] of [
    [[], 4, /^Error: Entry 4 was inserted: the last that was sealed is 3\.$/],
    [['delete from audit_log where seq = 3'], 3, /^Error: Entry 3 is not the one that was sealed last\.$/],
    [move, 3, /^Error: Entry 4 .* was changed, or the one before it\.,Entry 4 was inserted/],
    [['update audit_log set seq = -1 where seq = 3'], 3, /^Error: Entry -1 was inserted: the chain begins after 0/],
  ] as const) {
    const work = db.transaction().execute(async (trx) => {
      for (const change of changes) await sql.raw(change).execute(trx);
      await forge(trx, seq);
      throw new Error((await verifyWithin(trx, null)).problems.join());
    });
    await assert.rejects(work, says);
  }
});

test('entries of concurrent writers are sealed by any replica, each of them once', async () => {
  const database = await openTestDatabase();
  const services = await Promise.all([startService({ database }), startService({ database })]);
  await Promise.all(services.flatMap((service) => Array.from({ length: 20 }, () => createAgent(service))));
  await Promise.all(services.flatMap(({ app }) => [app.reconcile(), app.reconcile()]));
  const { problems, entries, unsealed } = await verifyChain(database.db, null);
  assert.deepEqual({ problems, entries, unsealed }, { problems: [], entries: 40, unsealed: 0 });
});

async function eraseSome(service: Service): Promise<string> {
  await service.app.reconcile();
  const { body } = await service.request('DELETE', `/api/users/${USER}`);
  // The entry of the erasure itself is not sealed yet.
  assert.deepEqual(await problemsOf(service.database), []);
  await service.app.reconcile();
  return body.pseudonym;
}

test('an erasure leaves nothing personal in the log, and the chain whole', async () => {
  const service = await startService();
  const { db } = service.database;
  const agent_id = await createAgent(service, { name: 'Ada Lovelace', config: { instructions: 'Ask for Ada' } });
  await service.request('PATCH', `/api/agents/${agent_id}`, { body: { name: 'Ada King' } });
  await createAgent(service, { user_id: 'other' });
  const pseudonym = await eraseSome(service);
  const rows = await db.selectFrom('audit_log').selectAll().orderBy('seq').execute();
  assert.ok(!/Ada|user-1/.test(JSON.stringify(rows)));
  const [created, updated] = rows;
  for (const row of [created, updated])
    assert.deepEqual(
      { user_id: row?.user_id, ip: row?.ip, before: row?.before, after: row?.after, salt: row?.salt },
      { user_id: pseudonym, ip: null, before: null, after: null, salt: null },
    );
  const { problems, erased } = await verifyChain(db, null);
  assert.deepEqual({ problems, erased }, { problems: [], erased: 2 });
  // An erasure of nobody hides an entry: that is found.
  await sql`update audit_log set user_id = 'erased-nobody' where user_id = 'other'`.execute(db);
  assert.match((await problemsOf(service.database)).join(), /is blank, but its user was never erased/);
});

test('the retention deletes from the beginning, says so, and the chain stays whole', async () => {
  const clock = createTestClock();
  const service = await startService({ clock, env: { AUDIT_RETENTION_DAYS: '30' } });
  const { db } = service.database;
  await createAgent(service);
  await createAgent(service);
  await service.app.reconcile();
  const round = () => service.app.reconcile();
  clock.advance(29 * 86_400_000);
  await round();
  assert.equal((await verifyChain(db, null)).entries, 2);
  clock.advance(2 * 86_400_000);
  await round();
  // The new entry has an id of today, which another round a month later would find old.
  clock.advance(-31 * 86_400_000);
  await createAgent(service);
  await service.app.reconcile();
  const { items } = (await service.request('GET', '/api/audit')).body;
  assert.deepEqual(
    items.map(({ action, actor, detail }: Record<string, string>) => [action, actor, detail]),
    [
      ['agent.created', 'open', null],
      ['audit.trimmed', 'retention', '2 entries'],
    ],
  );
  const { problems, first_seq, last } = await verifyChain(db, null);
  assert.deepEqual({ problems, first_seq, last: last.seq }, { problems: [], first_seq: 2, last: 4 });
});

// The embedded database has one connection, which the verification uses.
if (process.env.TEST_DATABASE_URL)
  test('entries that the retention deletes during a verification are not missing', async () => {
    const { db } = await openTestDatabase();
    await record(db, 'a/1', 'a/2');
    const old = { before: idsFrom(new Date(Date.now() + 60_000)), limit: 10, after: null };
    let isTrimmed = false;
    const trimmed = db.withPlugin({
      transformQuery: ({ node }) => node,
      // Once the chain is read, and before its entries are.
      transformResult: async ({ result }) => {
        if (!isTrimmed) {
          isTrimmed = true;
          await createAudit({ db, clock: systemClock }).deleteOlder(old);
        }
        return result;
      },
    });
    const { problems, entries } = await verifyChain(trimmed, null);
    assert.deepEqual({ problems, entries }, { problems: [], entries: 2 });
    assert.equal((await verifyChain(db, null)).first_seq, 2);
  });

const script = path.resolve(import.meta.dirname, '../../scripts/audit.ts');

test('npm run audit -- verify exits with 0 for a whole chain, and with 1 and the reason for any other', async () => {
  const { where, inDatabase } = await makeCommandDatabase();
  const verify = async (...args: string[]) => {
    const env = { PATH: process.env.PATH, ...COMPILE_CACHE, ...where };
    const [file = '', ...options] = NODE;
    const child = spawn(file, [...options, script, ...args], { env });
    const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
    return { output, errors, code };
  };
  await inDatabase((db) => record(db, 'a/1', 'a/2', 'a/3'));
  const whole = await verify('verify');
  assert.deepEqual([whole.code, whole.errors], [0, '']);
  assert.match(whole.output, /^3 entries, 0 of them of erased users; 0 not sealed yet\.\nHead: 3:[0-9a-f]{64}\n/);
  const head = /Head: (\S+)/.exec(whole.output)?.[1] ?? '';
  await inDatabase((db) => sql`delete from audit_log where seq = 2`.execute(db));
  const broken = await verify('verify', '--head', head);
  assert.deepEqual([broken.code, broken.errors], [1, 'Entry 2 is missing.\n']);
  assert.match((await verify('verify', '--head', 'x')).errors, /^--head needs a head/);
  assert.match((await verify('seal')).errors, /^There is no command "seal"\./);
});
