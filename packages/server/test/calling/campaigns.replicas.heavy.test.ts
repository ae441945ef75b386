import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestDatabase } from '@switchboard/testkit/database.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { sql } from 'kysely';
import type { Database } from '../../src/db/database.ts';
import type { SandboxMedia } from '../../src/providers/sandbox/media.ts';
import { countingMedia, LIMITS, outreach } from '../support/campaigns.ts';

const PEOPLE = 300;
const person = (n: number) => `+1500555${1000 + n}`;
const people = Array.from({ length: PEOPLE }, (_, n) => ({ phone_number: person(n) }));
const env = { ...LIMITS, RECONCILE_INTERVAL_MS: '200' };

/** Phones that are dialled, by number; and the one process whose dialling stops dead at some moment. */
function sharedPhones() {
  const { media, numbers } = countingMedia();
  return {
    media,
    numbers,
    /** The same phones, as a process sees them: once it is dead, nothing that it begins reaches them. */
    mortal: () => {
      let isDead = false;
      const { promise: never, reject } = Promise.withResolvers<never>();
      never.catch(() => {});
      const seen: SandboxMedia = {
        ...media,
        createRoom: (room) => (isDead ? never : media.createRoom(room)),
        dial: (request, canceled) => (isDead ? never : media.dial(request, canceled)),
      };
      return {
        media: seen,
        die: () => {
          isDead = true;
        },
        /** Ends what it waits for, so that it can be stopped. */
        bury: () => reject(new Error('dead')),
      };
    },
  };
}

/** Counters, beside what the rows say. */
async function counts({ db }: Database, id: string) {
  const { rows: counted } = await sql`
    select kind, name, count::int as count from campaign_counts where campaign_id = ${id}::uuid and count <> 0
    order by kind, name`.execute(db);
  const { rows: found } = await sql`
    select 'attempts' as kind, coalesce(outcome, 'open') as name, count(*)::int as count from campaign_attempts
    where campaign_id = ${id}::uuid group by 2
    union all
    select 'recipients', state, count(*)::int from campaign_recipients where campaign_id = ${id}::uuid group by 2
    order by kind, name`.execute(db);
  return { counted, found };
}

test('two processes call each person once, also if one dies in the middle, and forget nobody', async () => {
  const database = await openTestDatabase();
  const phones = sharedPhones();
  const mortal = phones.mortal();
  // Embedded, one process has the database for itself: its dialling dies, and its rounds settle what it leaves.
  const isShared = process.env.TEST_DATABASE_URL !== undefined;
  const first = await startService({ database, env, media: mortal.media });
  const second = isShared ? await startService({ database, env, media: phones.media }) : first;
  const { create, add, act, becomes } = await outreach(second);
  const id = await create();
  assert.equal((await add(id, people)).added, PEOPLE);
  await act(id, 'start');
  await eventually(
    async () => phones.numbers().length,
    (count) => count >= 60,
  );
  // It begins nothing more, and what it has begun never ends.
  if (isShared) mortal.die();
  const dead = isShared ? first.close() : null;
  const done = await becomes(id, ({ state }) => state === 'completed');
  const dialled = phones.numbers();
  assert.equal(new Set(dialled).size, dialled.length, 'somebody was dialled twice');
  const { reached = 0, exhausted = 0, total } = done.recipients;
  assert.equal(reached + exhausted, total, 'everybody was reached, or given up');
  assert.equal(reached, dialled.length);
  if (!isShared) assert.equal(reached, PEOPLE);
  const { counted, found } = await counts(database, id);
  assert.deepEqual(counted, found);
  mortal.bury();
  await dead;
  await second.close();
  await database.close();
});

test('after the answer to a pause nobody is dialled, and one campaign does not hold up another', async () => {
  const { media, numbers } = countingMedia();
  const service = await startService({ env, media });
  const { create, add, act, becomes } = await outreach(service);
  const [large, small] = [await create({ pacing: { max_concurrent: 5, per_minute: 60_000 } }), await create()];
  await add(large, people);
  await add(small, [{ phone_number: '+15005559999' }]);
  await act(large, 'start');
  await eventually(
    async () => numbers().length,
    (count) => count >= 10,
  );
  await act(small, 'start');
  await becomes(small, ({ state }) => state === 'completed');
  await act(large, 'pause');
  // Calls that were placed before the answer may still be on their way to their phones.
  const { db } = service.database;
  const placed = async () => (await sql`select id from sessions`.execute(db)).rows.length;
  const before = await placed();
  assert.ok(before < PEOPLE, `${before} calls`);
  await becomes(large, ({ recipients }) => recipients.dialling === 0 && recipients.connected === 0);
  await service.app.reconcile();
  assert.equal(await placed(), before);
  await act(large, 'cancel');
  await becomes(large, ({ recipients }) => recipients.waiting === 0);
  const { counted, found } = await counts(service.database, large);
  assert.deepEqual(counted, found);
  await service.close();
});
