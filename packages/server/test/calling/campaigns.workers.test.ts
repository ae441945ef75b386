import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answeredCall } from '@switchboard/testkit/calls.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { noteCallWorker, readCallWorkers } from '../../src/work/store.ts';
import { countingMedia, FAST, LIMITS, outreach } from '../support/campaigns.ts';

const PHONES = Array.from({ length: 12 }, (_, n) => `+150055504${String(n).padStart(2, '0')}`);

test('a campaign has no more calls than workers take, less the share of others and the calls that there are', async () => {
  const { media, numbers } = countingMedia('+15005550100', ...PHONES);
  const service = await startService({ env: LIMITS, media });
  const { create, add, act, becomes, send } = await outreach(service);
  const tell = async (worker: string, max: number) => {
    const body = { kind: 'function_check', calls: { worker, max } };
    assert.equal((await service.request('POST', '/api/worker/tasks/claim', { body })).status, 200);
    const { db } = service.database;
    const known = () => db.selectFrom('call_workers').selectAll().where('id', '=', worker).executeTakeFirst();
    await eventually(known, (row) => row?.max_calls === max);
  };
  // A call of somebody else, whose worker nobody else gets.
  const other = await answeredCall(service);
  await tell('one', 4);
  await tell('two', 4);
  const id = await create({ pacing: { ...FAST, reserve_for_others: 0.25 } });
  await add(
    id,
    PHONES.map((phone_number) => ({ phone_number })),
  );
  await act(id, 'start');
  const isBlocked = (dialled: number) => () => numbers().length === dialled + 1;
  await becomes(id, ({ blocked }) => blocked?.reason === 'capacity' && isBlocked(5)());
  // Another worker is as good as calls that end.
  await tell('three', 2);
  await becomes(id, ({ blocked }) => blocked?.reason === 'capacity' && isBlocked(6)());
  assert.equal((await send('POST', `/api/calls/${other.call_id}/end`)).status, 200);
  await becomes(id, ({ blocked }) => blocked?.reason === 'capacity' && isBlocked(7)());
  // One that is not heard from any more has no room for calls.
  await service.database.db
    .updateTable('call_workers')
    .set({ seen_at: new Date(Date.now() - 120_000) })
    .where('id', '<>', 'three')
    .execute();
  assert.equal((await readCallWorkers(service.database.db, new Date()))?.max_calls, 2);
  await becomes(id, ({ recipients }) => recipients.connected === 7);
  assert.equal(numbers().length, 8);
  await service.close();
});

test('workers that were heard from once keep campaigns waiting for a day, those that say they stop at once', async () => {
  const service = await startService({ env: LIMITS });
  const { db } = service.database;
  const known = () => readCallWorkers(db, new Date());
  assert.equal(await known(), null);
  await noteCallWorker(db, 'one', 4);
  assert.equal((await known())?.max_calls, 4);
  await noteCallWorker(db, 'one', 0);
  assert.equal((await known())?.max_calls, 0);
  const seen = (hours: number) =>
    db
      .updateTable('call_workers')
      .set({ seen_at: new Date(Date.now() - hours * 3_600_000) })
      .execute();
  await seen(23);
  assert.equal((await known())?.max_calls, 0);
  await seen(25);
  assert.equal(await known(), null);
  await service.close();
});

test('a call whose agent has put two people through to each other needs no worker', async () => {
  const service = await startService({ env: LIMITS });
  const { db } = service.database;
  await noteCallWorker(db, 'one', 4);
  const { call_id } = await answeredCall(service);
  assert.equal((await readCallWorkers(db, new Date()))?.open, 1);
  await db.updateTable('sessions').set({ transferred_to: '+15005550123' }).where('id', '=', call_id).execute();
  assert.equal((await readCallWorkers(db, new Date()))?.open, 0);
  await service.close();
});
