import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { openTestDatabase } from '@switchboard/testkit/database.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { followClock, openDatabaseClock, readTime } from '../../src/db/clock.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { newId, timeIds } from '../../src/lib/ids.ts';

const HOUR_MS = 3_600_000;
const START = Date.UTC(2026, 2, 1);
const madeAt = (id: string) => Number.parseInt(id.replace('-', '').slice(0, 12), 16);

test('the clock follows the database’s time', async () => {
  const { db, close } = await openTestDatabase();
  const clock = await openDatabaseClock(db);
  const before = await readTime(db);
  const now = clock.now();
  const after = await readTime(db);
  // It may be off by as long as an answer takes.
  const answerMs = after.getTime() - before.getTime() + HOUR_MS / 60;
  assert.ok(now.getTime() >= before.getTime() - answerMs && now.getTime() <= after.getTime() + answerMs);
  await clock.stop();
  await close();
});

test('setting the machine’s clock does not move it', async () => {
  const databaseMs = START - performance.now();
  const clock = await followClock(async () => databaseMs + performance.now(), HOUR_MS);
  const before = clock.now().getTime();
  mock.timers.enable({ apis: ['Date'], now: START + 400 * 24 * HOUR_MS });
  const now = clock.now().getTime();
  const ahead = clock.aheadMs();
  mock.timers.reset();
  await clock.stop();
  assert.ok(before >= START && now >= before && now < START + HOUR_MS);
  assert.ok(ahead > 399 * 24 * HOUR_MS);
});

test('it follows a database whose clock is set, and does not wait for an unreachable one', async () => {
  let databaseMs = START - performance.now();
  let asked = 0;
  let isAway = false;
  const clock = await followClock(async () => {
    asked++;
    if (isAway) throw new Error('away');
    return databaseMs + performance.now();
  }, 1);
  const hours = () => Math.floor((clock.now().getTime() - START) / HOUR_MS);
  for (const step of [5, -3]) {
    databaseMs += step * HOUR_MS;
    await eventually(
      async () => hours(),
      (now) => now === Math.round((databaseMs + performance.now() - START) / HOUR_MS - 0.5),
    );
  }
  assert.equal(hours(), 2);
  isAway = true;
  const then = asked;
  await eventually(
    async () => asked,
    (now) => now > then + 2,
  );
  const before = clock.now();
  await systemClock.sleep(5);
  assert.ok(clock.now() > before);
  assert.equal(hours(), 2);
  await clock.stop();
});

test('a slow response moves the clock only as far as it contradicts it', async (t) => {
  let elapsed = 1_000;
  t.mock.method(performance, 'now', () => elapsed);
  let tookMs = 0;
  let asked = 0;
  const clock = await followClock(async () => {
    asked++;
    const databaseMs = START + elapsed;
    elapsed += tookMs;
    return databaseMs;
  }, 1);
  const offset = () => clock.now().getTime() - START - elapsed;
  assert.equal(offset(), 0);
  tookMs = 200;
  const then = asked;
  await eventually(
    async () => asked,
    (now) => now > then + 2,
  );
  await clock.stop();
  // Had an answer been taken for the time that it came at, it would be 200 ms behind; with half of its time taken off,
  // 100.
  assert.equal(offset(), 0);
});

test('ids follow the given clock, stay ordered, and return to it after it was wrong', () => {
  let time = START;
  timeIds(() => time);
  try {
    const ids = [newId()];
    assert.equal(madeAt(ids[0] as string), START);
    for (const step of [1, 0, -5_000, 10_000]) {
      time += step;
      ids.push(newId());
    }
    assert.deepEqual(ids, ids.toSorted());
    time += 400 * 24 * HOUR_MS;
    newId();
    time -= 400 * 24 * HOUR_MS;
    assert.equal(madeAt(newId()), time);
  } finally {
    timeIds(Date.now);
  }
});
