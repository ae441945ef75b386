import assert from 'node:assert/strict';
import { after, afterEach, test } from 'node:test';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { openTestDatabase } from '@switchboard/testkit/database.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { createLogger } from '../../src/lib/log.ts';
import { createMetrics } from '../../src/lib/metrics.ts';
import type { Kind } from '../../src/work/kinds.ts';
import { createRunner, type Runner } from '../../src/work/runner.ts';
import { renewLeases, settleWork, takeDue } from '../../src/work/store.ts';
import { createWork } from '../../src/work/work.ts';

const database = await openTestDatabase();
const { db } = database;
const log = createLogger({ level: 'silent', pretty: false });
const runners: Runner[] = [];
const KIND = 'errand';
const LONG_MS = 60_000;

afterEach(async () => {
  await Promise.all(runners.splice(0).map((runner) => runner.stop()));
  await db.deleteFrom('work').execute();
});
after(() => database.close());

/** A process that does this work; it looks for it on its own once an hour. */
function replica(kind: Kind, clock = createTestClock()) {
  const metrics = createMetrics();
  const runner = createRunner({ db, clock, log, metrics, intervalMs: 3_600_000, kinds: () => ({ [KIND]: kind }) });
  runners.push(runner);
  return { runner, clock, metrics, work: createWork({ db, clock, metrics, wake: runner.wake }) };
}

const errand = (key: string, due_at?: Date) => [{ kind: KIND, key, ...(due_at && { due_at }) }];
const stored = () => db.selectFrom('work').selectAll().orderBy('key').execute();
const inMs = (clock: { now(): Date }, ms: number) => new Date(clock.now().getTime() + ms);
const take = (leaseMs: number, clock = systemClock) => takeDue(db, [{ kind: KIND, room: 10, leaseMs }], clock.now());
const settled = { attempts: 0, due_at: null, last_error: null };

test('work is done as soon as its transaction has committed, and never if it is rolled back', async () => {
  const done: string[] = [];
  const { runner, work } = replica({
    run: async ({ key }) => {
      done.push(key);
      return null;
    },
  });
  runner.start();
  await assert.rejects(
    db.transaction().execute(async (trx) => {
      await work.add(trx, errand('rolled back'));
      throw new Error('no');
    }),
  );
  await db.transaction().execute(async (trx) => {
    await work.add(trx, errand('committed'));
    assert.deepEqual(done, []);
  });
  await eventually(stored, (rows) => rows.length === 0);
  assert.deepEqual(done, ['committed']);
});

test('of several processes exactly one does each piece of work', async () => {
  const done: string[] = [];
  const kind: Kind = {
    concurrency: 7,
    run: async ({ key }) => {
      await systemClock.sleep(1);
      done.push(key);
      return null;
    },
  };
  const replicas = [replica(kind), replica(kind), replica(kind)];
  const keys = Array.from({ length: 200 }, (_, nth) => String(nth));
  await replicas[0]?.work.add(
    db,
    keys.flatMap((key) => errand(key)),
  );
  await Promise.all(replicas.map(({ runner }) => runner.round()));
  assert.deepEqual(done.toSorted(), keys.toSorted());
  assert.deepEqual(await stored(), []);
});

test('work of a process that has died is done by another one once its lease has expired, and not before', async () => {
  const { runner, work } = replica({ run: async () => null });
  await work.add(db, errand('a'));
  const [held] = await take(LONG_MS);
  await runner.round();
  assert.equal((await stored()).length, 1);
  await renewLeases(db, [{ ...(held as { id: string; lease_token: number }), leaseMs: 1 }]);
  await eventually(
    () => runner.round().then(stored),
    (rows) => rows.length === 0,
  );
});

test('a holder that has lost its lease can neither renew it nor settle the work', async () => {
  const { work } = replica({ run: async () => null });
  await work.add(db, errand('a'));
  const [late] = await take(1);
  assert.ok(late);
  await systemClock.sleep(5);
  const [holder] = await take(LONG_MS);
  assert.ok(holder && holder.lease_token > late.lease_token);
  assert.deepEqual(await renewLeases(db, [{ ...late, leaseMs: LONG_MS }]), []);
  await settleWork(db, [{ ...late, ...settled }]);
  await settleWork(db, [{ ...late, ...settled, due_at: new Date(0), last_error: 'late' }]);
  const [row] = await stored();
  assert.deepEqual([row?.lease_token, row?.last_error], [holder.lease_token, null]);
  assert.deepEqual(await take(LONG_MS), []);
  await settleWork(db, [{ ...holder, ...settled }]);
  assert.deepEqual(await stored(), []);
});

test('a lease is not judged by the clocks of the processes', async () => {
  const begun: string[] = [];
  const until = Promise.withResolvers<null>();
  const kind = (name: string): Kind => ({
    concurrency: 50,
    run: ({ key }) => {
      begun.push(`${name} ${key}`);
      return until.promise;
    },
  });
  const [behind, ahead] = [replica(kind('behind')), replica(kind('ahead'))];
  behind.clock.advance(-5_000);
  ahead.clock.advance(5_000);
  await behind.work.add(db, errand('a'));
  const first = behind.runner.round();
  await eventually(
    async () => begun.length,
    (count) => count === 1,
  );
  ahead.clock.advance(LONG_MS);
  await ahead.runner.round();
  // Due for the process whose clock is ahead alone.
  await behind.work.add(db, errand('b', inMs(behind.clock, 7_000)));
  const second = ahead.runner.round();
  await eventually(
    async () => begun.length,
    (count) => count === 2,
  );
  until.resolve(null);
  await Promise.all([first, second]);
  assert.deepEqual(begun, ['behind a', 'ahead b']);
});

test('failed work is tried again, after pauses that double, until it succeeds; meanwhile it is counted and listed', async () => {
  let isBroken = true;
  const { runner, work, clock, metrics } = replica({
    run: async () => {
      if (isBroken) throw new Error('the carrier is away');
      return null;
    },
  });
  await work.add(db, errand('a'));
  const pauses: number[] = [];
  for (let attempt = 0; attempt < 9; attempt++) {
    await runner.round();
    const [row] = await stored();
    assert.deepEqual([row?.attempts, row?.last_error], [attempt + 1, 'the carrier is away']);
    pauses.push(((row?.due_at.getTime() ?? 0) - clock.now().getTime()) / 1000);
    clock.advance((pauses.at(-1) ?? 0) * 1000 - 1);
    await runner.round();
    assert.equal((await stored())[0]?.attempts, attempt + 1);
    clock.advance(1);
  }
  assert.deepEqual(pauses, [5, 10, 20, 40, 80, 160, 320, 600, 600]);
  const { kinds, failing } = await work.list(KIND);
  assert.deepEqual(kinds, [{ kind: KIND, waiting: 1, running: 0, failing: 1, oldest_due_at: clock.now() }]);
  assert.deepEqual(
    failing.map(({ subject, attempts, is_running }) => [subject, attempts, is_running]),
    [['a', 9, false]],
  );
  clock.advance(30_000);
  await work.measure();
  const gauges = await metrics.registry.metrics();
  assert.match(gauges, /^work_items\{kind="errand",state="failing"\} 1$/m);
  assert.match(gauges, /^work_overdue_seconds\{kind="errand"\} 30$/m);
  assert.match(gauges, /^work_attempts_total\{kind="errand",outcome="failed"\} 9$/m);
  isBroken = false;
  await runner.round();
  assert.deepEqual(await stored(), []);
});

test('a due time only moves forward, unless the work restarts', async () => {
  const { work, clock } = replica({ run: async () => null });
  const dueIn = async () => ((await stored())[0]?.due_at.getTime() ?? 0) - clock.now().getTime();
  await work.add(db, errand('a', inMs(clock, 1000)));
  await work.add(db, errand('a', inMs(clock, 5000)));
  assert.equal(await dueIn(), 1000);
  await work.add(db, errand('a', inMs(clock, 200)));
  assert.equal(await dueIn(), 200);
  await db.updateTable('work').set({ attempts: 3, last_error: 'x' }).execute();
  await work.restart(db, [{ kind: KIND, key: 'a', due_at: inMs(clock, 9000), payload: { of: 'the second' } }]);
  const [row] = await stored();
  assert.deepEqual(
    [await dueIn(), row?.attempts, row?.last_error, row?.payload],
    [9000, 0, null, { of: 'the second' }],
  );
});

test('work that is asked for while it is done is done once more, with the newer payload', async () => {
  const seen: unknown[] = [];
  const { runner, work, clock } = replica({
    run: async ({ payload }) => {
      seen.push(payload);
      if (seen.length === 1)
        await work.add(db, [{ kind: KIND, key: 'a', payload: { nth: 2 }, due_at: inMs(clock, 1000) }]);
      return null;
    },
  });
  await work.add(db, [{ kind: KIND, key: 'a', payload: { nth: 1 } }]);
  await runner.round();
  assert.deepEqual(seen, [{ nth: 1 }]);
  clock.advance(1000);
  await runner.round();
  assert.deepEqual(seen, [{ nth: 1 }, { nth: 2 }]);
  assert.deepEqual(await stored(), []);
});

test('work that says when is done again then', async () => {
  let times = 0;
  const { runner, work, clock } = replica({ run: async () => (++times < 3 ? inMs(clock, 1000) : null) });
  await work.add(db, errand('a'));
  for (const expected of [1, 2, 3]) {
    await runner.round();
    await runner.round();
    assert.equal(times, expected);
    clock.advance(1000);
  }
  assert.deepEqual(await stored(), []);
});

test('recurring work exists once, however many processes there are, and is done by one of them each time', async () => {
  let times = 0;
  const kind: Kind = {
    everyMs: 1000,
    run: async () => {
      times++;
      return null;
    },
  };
  const [one, other] = [replica(kind), replica(kind)];
  one.runner.start();
  await eventually(stored, ([row]) => times === 1 && row?.leased_until === null);
  await Promise.all([one.runner.round(), other.runner.round()]);
  assert.deepEqual(
    (await stored()).map(({ key }) => key),
    [''],
  );
  assert.ok(times >= 2 && times <= 3, String(times));
});

test('a process that stops lets go of work that renews its lease, and another one goes on', async () => {
  const begun = Promise.withResolvers<void>();
  const { runner, work } = replica({
    run: async ({ renew }) => {
      for (;;) {
        begun.resolve();
        await renew();
        await systemClock.sleep(1);
      }
    },
  });
  runner.start();
  await work.add(db, errand('a'));
  await begun.promise;
  await runner.stop();
  const [row] = await stored();
  assert.deepEqual([row?.attempts, row?.leased_until, row?.last_error], [0, null, null]);
  const other = replica({ run: async () => null });
  other.clock.set(new Date(Date.now() + LONG_MS).toISOString());
  await other.runner.round();
  assert.deepEqual(await stored(), []);
});

test('work is done now for whoever cannot wait, and its error is theirs; one process does it at a time', async () => {
  const { runner, work, clock } = replica({
    run: async ({ attempts }) => {
      if (attempts === 1) throw new Error('not yet');
      assert.equal(await runner.runOne(KIND, 'a'), false);
      return null;
    },
  });
  await work.add(db, errand('a', inMs(clock, LONG_MS)));
  await assert.rejects(runner.runOne(KIND, 'a'), { message: 'not yet' });
  assert.equal(await runner.runOne(KIND, 'a'), true);
  assert.equal(await runner.runOne(KIND, 'a'), false);
  assert.deepEqual(await stored(), []);
});
