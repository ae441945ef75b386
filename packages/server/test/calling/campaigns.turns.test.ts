import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { countingMedia, LIMITS, outreach } from '../support/campaigns.ts';

const person = (n: number) => `+1500555${1000 + n}`;
const LASTING = person(1);

const clock = createTestClock();
const { media, numbers } = countingMedia(LASTING);
const service = await startService({ clock, media, env: LIMITS });
const { ok, send, create, add, act, get, recipients } = await outreach(service);

/** Gives turns, between which a second passes, until the campaign is as wanted. */
async function until(id: string, is: (campaign: Awaited<ReturnType<typeof get>>) => boolean) {
  const turn = async () => {
    await service.app.reconcile();
    const campaign = await get(id);
    if (!is(campaign)) clock.advance(1_000);
    return campaign;
  };
  return eventually(turn, is, 100_000);
}

/**
 * Gives turns until nobody of a campaign waits. Time passes only where turns make no more of them: for far fewer pauses
 * than one turn after the other would take. Some pass where another call waits for its agent.
 */
async function untilDecided(id: string) {
  for (let [pauses, last] = [0, Number.POSITIVE_INFINITY]; ; ) {
    await service.app.reconcile();
    const { recipients: counts } = await get(id);
    if (counts.waiting === 0) return counts;
    if (counts.waiting === last) {
      assert.ok(pauses++ < 10, JSON.stringify(counts));
      clock.advance(250);
    }
    last = counts.waiting;
    // Turns may be under way in the background.
    await sleep(200);
  }
}

test('whoever has the number of an open call waits until that has ended, in whatever spelling', async () => {
  const id = await create();
  const london = ['+447911123456', '+4407911123456'];
  await add(id, [
    { phone_number: LASTING, external_id: 'a' },
    { phone_number: LASTING, external_id: 'b' },
    ...london.map((phone_number, n) => ({ phone_number, external_id: `l-${n}` })),
    { phone_number: person(2) },
  ]);
  await act(id, 'start');
  const { recipients: counts } = await until(
    id,
    ({ recipients: { connected, reached } }) => connected === 1 && reached === 2,
  );
  // A turn that claims nobody else, while the call is open.
  clock.advance(30_000);
  await until(id, ({ recipients: { reached } }) => reached === 3);
  const shown = await recipients(id);
  assert.deepEqual([counts.waiting, numbers().filter((one) => one === LASTING).length], [2, 1]);
  assert.deepEqual([shown[1].state, shown[1].reason, shown[1].attempts], ['waiting', null, []]);
  assert.ok(Date.parse(shown[1].next_at) > clock.now().getTime());
  await send('POST', `/api/calls/${shown[0].attempts[0].call_id}/end`);
  await until(id, ({ recipients: { connected, waiting } }) => connected === 1 && waiting === 0);
  assert.equal(numbers().filter((one) => one === LASTING).length, 2);
  await act(id, 'cancel');
});

test('a campaign that expires while somebody is on the phone leaves others their turns, and ends with the call', async () => {
  const id = await create({ expires_at: new Date(clock.now().getTime() + 60_000).toISOString() });
  await add(id, [
    { phone_number: LASTING, external_id: 'a' },
    { phone_number: LASTING, external_id: 'b' },
  ]);
  await act(id, 'start');
  await until(id, ({ recipients: { connected } }) => connected === 1);
  clock.advance(60_000);
  const other = await create();
  await add(other, [{ phone_number: person(3) }]);
  await act(other, 'start');
  const looked = async () => {
    clock.advance(250);
    return [await get(id), await get(other)] as const;
  };
  const [{ state, recipients: counts }] = await eventually(
    looked,
    ([expired, { state }]) => expired.recipients.expired === 1 && state === 'completed',
  );
  assert.deepEqual([state, counts.connected], ['running', 1]);
  await send('POST', `/api/calls/${(await recipients(id))[0].attempts[0].call_id}/end`);
  assert.equal((await until(id, ({ state }) => state === 'completed')).recipients.reached, 1);
});

test('an attempt whose session retention has deleted was interrupted, as its recipient says', async () => {
  const id = await create();
  await add(id, [{ phone_number: LASTING }]);
  await act(id, 'start');
  await until(id, ({ recipients: { connected } }) => connected === 1);
  const [{ attempts }] = await recipients(id);
  const { db } = service.database;
  await db.deleteFrom('session_events').where('session_id', '=', attempts[0].call_id).execute();
  await db.deleteFrom('sessions').where('id', '=', attempts[0].call_id).execute();
  await until(id, ({ recipients: { connected } }) => connected === 0);
  const [{ reason, attempts: after }] = await recipients(id);
  assert.deepEqual([reason, after[0].outcome], ['interrupted', 'interrupted']);
  await send('POST', `/api/campaigns/${id}/cancel`);
});

test('people who may not be called do not hold up those who may: others have their turn at once', async () => {
  const pacing = { max_concurrent: 2, per_minute: 60_000, reserve_for_others: 0 };
  const [id, other] = [await create({ pacing }), await create({ pacing })];
  const barred = Array.from({ length: 40 }, (_, n) => ({ phone_number: person(100 + n) }));
  await ok('POST', '/api/suppressions', { entries: barred });
  await add(id, [...barred, { phone_number: person(200) }]);
  await add(other, [{ phone_number: person(201) }]);
  for (const [one, ms] of [
    [id, 2],
    [other, 1],
  ] as const) {
    const turn_at = new Date(clock.now().getTime() - ms);
    await service.database.db
      .updateTable('campaigns')
      .set({ state: 'running', turn_at })
      .where('id', '=', one)
      .execute();
  }
  assert.equal((await untilDecided(id)).suppressed, 40);
  const callOf = async (one: string) => (await recipients(one)).at(-1).attempts[0].call_id as string;
  assert.ok((await callOf(other)) < (await callOf(id)), 'the other campaign had its turn meanwhile');
  // The one may be over by now.
  for (const one of [id, other]) await send('POST', `/api/campaigns/${one}/cancel`);
});

/** Makes a campaign due, with room for as many calls as a turn has; `reconcile` gives its turns. */
function isDue(id: string) {
  const [turn_at, next_slot_at] = [clock.now(), new Date(clock.now().getTime() - 2_000)];
  const change = { state: 'running' as const, turn_at, next_slot_at };
  return service.database.db.updateTable('campaigns').set(change).where('id', '=', id).execute();
}

const twinsOf = (phone_number: string, count: number) =>
  Array.from({ length: count }, (_, n) => ({ phone_number, external_id: `${n}` }));

test('people with the same number do not wait for each other where no call comes of it', async () => {
  const id = await create();
  await ok('POST', '/api/suppressions', { entries: [{ phone_number: person(300) }] });
  await add(id, twinsOf(person(300), 60));
  await isDue(id);
  assert.equal((await untilDecided(id)).suppressed, 60);
});

test('a campaign whose people have the number of an open call rests between its turns', async () => {
  const { db } = service.database;
  for (const max_concurrent of [2, 60]) {
    const id = await create({ pacing: { max_concurrent, per_minute: 60_000, reserve_for_others: 0 } });
    await add(id, twinsOf(LASTING, 900));
    await act(id, 'start');
    await until(id, ({ recipients: { connected } }) => connected === 1);
    for (let turn = 0; turn < 3; turn++) {
      await isDue(id);
      await service.app.reconcile();
      const { turn_at } = await eventually(
        () => db.selectFrom('campaigns').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
        (row) => row.turn_at !== null && row.turn_at > clock.now(),
      );
      assert.equal(turn_at?.getTime(), clock.now().getTime() + 250, `${max_concurrent}`);
    }
    await act(id, 'cancel');
  }
});

test('many with the number of an open call do not hold up who is behind them', async () => {
  const id = await create({ pacing: { max_concurrent: 2, per_minute: 60_000, reserve_for_others: 0 } });
  await add(id, [...twinsOf(LASTING, 120), { phone_number: person(400), external_id: 'behind' }]);
  await act(id, 'start');
  await until(id, ({ recipients: { connected } }) => connected === 1);
  const since = clock.now().getTime();
  // The call itself takes as long as it takes, while the clock goes on.
  await until(id, () => numbers().includes(person(400)));
  assert.ok(clock.now().getTime() - since < 15_000, 'after a few turns, although each turn has room for one call');
  await act(id, 'cancel');
});

test('a preview says how many have the number of somebody before them', async () => {
  const id = await create();
  const numbers = [person(1), person(2), '+447911123456', '+4407911123456', person(1), person(1)];
  await add(
    id,
    numbers.map((phone_number, n) => ({ phone_number, external_id: `${n}` })),
  );
  const preview = await ok('POST', `/api/campaigns/${id}/preview`);
  assert.deepEqual([preview.decided, preview.same_number], [6, 3]);
});

test('whoever waits for an attempt that the campaign no longer makes is done with', async () => {
  const id = await create({ retries: { attempts: 3, on: ['busy'], delays_s: [60] } });
  await add(id, [{ phone_number: '+15005550001' }]);
  await act(id, 'start');
  await eventually(
    async () => {
      await service.app.reconcile();
      clock.advance(500);
      return (await recipients(id))[0];
    },
    ({ state, attempts }) => state === 'waiting' && attempts.length === 1,
    100_000,
  );
  await act(id, 'pause');
  await ok('PATCH', `/api/campaigns/${id}`, { retries: { attempts: 1 } });
  await act(id, 'resume');
  clock.advance(120_000);
  await until(id, ({ state }) => state === 'completed');
  const [one] = await recipients(id);
  assert.deepEqual([one.state, one.reason, one.attempts.length], ['exhausted', 'busy', 1]);
});
