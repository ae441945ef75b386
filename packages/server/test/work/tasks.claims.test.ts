import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { openTestDatabase } from '@switchboard/testkit/database.ts';
import { Type } from 'typebox';
import { AppError } from '../../src/lib/errors.ts';
import { createLogger } from '../../src/lib/log.ts';
import type { Serving } from '../../src/work/serving.ts';
import { addWork } from '../../src/work/store.ts';
import { createTasks, type TaskKind } from '../../src/work/tasks.ts';

const KIND = 'errand';
const AWAY = Object.assign(new Error('the server is shutting down'), { code: '57P01' });
const serving = { noteServed: () => {} } as unknown as Serving;

/** Tasks of a kind that can be described, but for those with an error under their key. */
async function tasksWith(errors: Record<string, Error>) {
  const database = await openTestDatabase();
  const { db } = database;
  const clock = createTestClock();
  const given: string[] = [];
  const kind: TaskKind = {
    result: Type.Object({}),
    leaseMs: 60_000,
    maxAttempts: 1,
    describe: async (key) => {
      if (errors[key]) throw errors[key];
      return { key };
    },
    complete: async () => {},
    giveUp: async (_trx, key) => void given.push(key),
  };
  const logged: string[] = [];
  const destination = { write: (line: string) => void logged.push(line) };
  const log = createLogger({ level: 'error', pretty: false, destination });
  const tasks = createTasks({ db, clock, log, kinds: () => ({ [KIND]: kind }), serving });
  const add = (...keys: string[]) =>
    addWork(
      db,
      keys.map((key) => ({ kind: KIND, key, payload: {}, due_at: clock.now(), user_id: null })),
      false,
      clock.now(),
    );
  const claim = async () => {
    const { signal } = new AbortController();
    const claimed = await tasks.claim({ kind: KIND, user_id: null, capacity: 10, waitMs: 0, signal });
    return claimed.map(({ payload }) => payload.key);
  };
  const stored = (key: string) => db.selectFrom('work').selectAll().where('key', '=', key).executeTakeFirstOrThrow();
  return { add, claim, stored, given, clock, logged, close: database.close };
}

test('a task that cannot be read is due again, and keeps no other from the worker', async (t) => {
  const errors: Record<string, Error> = {
    broken: AWAY,
    sealed: new AppError('secret_unreadable'),
  };
  const { add, claim, stored, clock, logged, close } = await tasksWith(errors);
  t.after(close);
  await add('broken', 'fine', 'sealed');
  assert.deepEqual(await claim(), ['fine']);
  for (const key of ['broken', 'sealed']) {
    const { attempts, leased_until, last_error, due_at } = await stored(key);
    assert.deepEqual([attempts, leased_until, last_error], [0, null, errors[key]?.message], key);
    assert.ok(due_at > clock.now(), key);
  }
  assert.equal(logged.filter((line) => line.includes(AWAY.message)).length, 1);
  clock.advance(60_000);
  delete errors.broken;
  delete errors.sealed;
  assert.deepEqual((await claim()).sort(), ['broken', 'sealed']);
});

test('a worker is told if no task can be read, and each is due again', async (t) => {
  const errors = { one: AWAY, two: AWAY };
  const { add, claim, stored, close } = await tasksWith(errors);
  t.after(close);
  await add('one', 'two');
  await assert.rejects(claim(), AWAY);
  for (const key of ['one', 'two']) assert.deepEqual((await stored(key)).leased_until, null, key);
});

test('a task that can never be read is given up after its attempts', async (t) => {
  const { add, claim, stored, given, clock, close } = await tasksWith({ strange: new TypeError('no such field') });
  t.after(close);
  await add('strange');
  await assert.rejects(claim(), /no such field/);
  const { attempts, last_error } = await stored('strange');
  assert.deepEqual([attempts, last_error], [1, 'no such field']);
  clock.advance(60_000);
  assert.deepEqual(await claim(), []);
  assert.deepEqual(given, ['strange']);
  await assert.rejects(stored('strange'));
});
