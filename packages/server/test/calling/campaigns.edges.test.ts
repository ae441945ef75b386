import assert from 'node:assert/strict';
import { request as httpRequest } from 'node:http';
import { type TestContext, test } from 'node:test';
import { createAgent, USER } from '@switchboard/testkit/calls.ts';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { sql } from 'kysely';
import { readStored } from '../../src/access/quotas/store.ts';
import { createDeletions } from '../../src/calling/campaigns/deletions.ts';
import { affordableBy } from '../../src/calling/campaigns/store.ts';
import { idsFrom } from '../../src/lib/ids.ts';
import { assertRefused } from '../support/answers.ts';
import { countingMedia, LIMITS, outreach } from '../support/campaigns.ts';

// Costs are found by their ids, which have the real time.
const clock = createTestClock();
const LASTING = '+15005559999';
const { media, numbers } = countingMedia(LASTING);
const service = await startService({ clock, media, env: LIMITS });
const { db } = service.database;
const { agent_id, ok, send, create, add, act, get, recipients } = await outreach(service);

const person = (n: number) => `+1500555${1000 + n}`;
const people = (count: number, from = 0) =>
  Array.from({ length: count }, (_, n) => ({ phone_number: person(from + n) }));
const rowOf = (id: string) => db.selectFrom('campaigns').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

/** Gives turns until the campaign is as wanted; time passes between them by `stepMs`. */
function until(
  id: string,
  is: (campaign: Awaited<ReturnType<typeof get>>) => boolean | Promise<boolean>,
  stepMs = 1_000,
) {
  const turn = async () => {
    await service.app.reconcile();
    const campaign = await get(id);
    const isSo = await is(campaign);
    if (!isSo) clock.advance(stepMs);
    return { campaign, isSo };
  };
  return eventually(turn, ({ isSo }) => isSo, 100_000);
}

const isCompleted = ({ state }: { state: string }) => state === 'completed';

/** An upload that goes on after its first thousand people, whom the campaign has already. */
async function beginUpload(t: TestContext, id: string) {
  const known = people(1_000);
  const headers = { 'content-type': 'application/x-ndjson', 'x-user-id': USER, 'transfer-encoding': 'chunked' };
  const sending = httpRequest(new URL(`/api/campaigns/${id}/recipients`, service.url), { method: 'POST', headers });
  t.after(() => sending.destroy());
  const { promise: answered, resolve, reject } = Promise.withResolvers<number | undefined>();
  answered.catch(() => {});
  sending.on('error', reject);
  sending.on('response', (answer) => {
    answer.resume();
    answer.on('end', () => resolve(answer.statusCode));
  });
  const write = (list: object[]) => list.map((one) => `${JSON.stringify(one)}\n`).join('');
  // Its time tells it from other uploads.
  clock.advance(1);
  const from = clock.now().getTime();
  sending.write(write(known));
  await eventually(
    () => rowOf(id),
    ({ filling_until }) => (filling_until?.getTime() ?? 0) > from,
  );
  return (more: object[], isAll = true) => {
    if (isAll) sending.end(write(more));
    else sending.write(write(more));
    return answered;
  };
}

/** A campaign that is done with a thousand people. */
async function done() {
  const id = await create();
  await add(id, people(1_000));
  await db
    .updateTable('campaign_recipients')
    .set({ state: 'reached', next_at: null })
    .where('campaign_id', '=', id)
    .execute();
  await act(id, 'start');
  await until(id, isCompleted);
  return id;
}

test('people who are added while a campaign is completed, or canceled, are called, or canceled', async (t) => {
  const id = await done();
  const [first, second] = [person(2_000), person(2_001)];
  const end = await beginUpload(t, id);
  const goOn = await beginUpload(t, id);
  assert.equal(await end([]), 200);
  assert.equal(await goOn([{ phone_number: first }]), 200);
  await until(id, isCompleted);
  assert.deepEqual(numbers(), [first]);
  // While it runs, it is not done before the last of two uploads is, whichever has begun later.
  const [earlier, later] = [await beginUpload(t, id), await beginUpload(t, id)];
  assert.equal(await later([{ phone_number: second }]), 200);
  await until(id, ({ recipients }) => recipients.waiting + recipients.dialling + recipients.connected === 0);
  assert.equal((await get(id)).state, 'running');
  assert.equal(await earlier([]), 200);
  await service.app.reconcile();
  assert.equal((await get(id)).state, 'completed');
  const canceled = await done();
  await add(canceled, [{ phone_number: LASTING }]);
  await until(canceled, ({ recipients: { connected } }) => connected === 1);
  const goOnLast = await beginUpload(t, canceled);
  await act(canceled, 'cancel');
  await service.app.reconcile();
  assert.equal(await goOnLast([{ phone_number: first }]), 200);
  const after = await until(canceled, ({ recipients }) => recipients.canceled === 1);
  assert.equal(after.campaign.state, 'canceled');
  assert.deepEqual(numbers(), [first, second, LASTING]);
});

/** A campaign that becomes complete while a file is being read, as if its process had not said so for a minute. */
async function completedMeanwhile(t: TestContext) {
  const id = await done();
  await add(id, [{ phone_number: LASTING }]);
  await until(id, ({ recipients: { connected } }) => connected === 1);
  const goOn = await beginUpload(t, id);
  await db.updateTable('campaigns').set({ filling_until: null }).where('id', '=', id).execute();
  const { items } = await ok('GET', `/api/campaigns/${id}/recipients?state=connected`);
  await ok('POST', `/api/calls/${items[0].attempts[0].call_id}/end`);
  await until(id, isCompleted, 250);
  return { id, goOn };
}

test('people who are added to a campaign that has become complete meanwhile are called', async (t) => {
  const { id, goOn } = await completedMeanwhile(t);
  assert.equal(await goOn([{ phone_number: person(2_002) }]), 200);
  await until(id, (campaign) => isCompleted(campaign) && campaign.recipients.waiting === 0);
  assert.equal(numbers().at(-1), person(2_002));
});

test('they are called before their file has been read, too: it may never be', async (t) => {
  const { id, goOn } = await completedMeanwhile(t);
  void goOn([...people(999), { phone_number: person(2_003) }], false);
  const { state } = await eventually(
    () => get(id),
    ({ recipients }) => recipients.waiting === 1,
  );
  assert.equal(state, 'completed');
  // The next part of the file says again that the campaign is being filled.
  clock.advance(30_000);
  void goOn(people(1_000), false);
  await until(id, ({ recipients }) => recipients.waiting === 0);
  assert.equal(numbers().at(-1), person(2_003));
  assert.equal(await goOn([]), 200);
});

test('a file that is sent again, and adds nobody, leaves a completed campaign as it was', async (t) => {
  const id = await done();
  const before = await rowOf(id);
  const end = await beginUpload(t, id);
  await service.app.reconcile();
  assert.equal(await end(people(10)), 200);
  clock.advance(1_000);
  await service.app.reconcile();
  const { tx: _, ...after } = await rowOf(id);
  const { tx: __, ...same } = before;
  assert.deepEqual(after, same);
});

test('two uploads to a draft at the same time are both taken', async (t) => {
  const id = await create();
  const ends = [await beginUpload(t, id), await beginUpload(t, id)];
  for (const [n, end] of ends.entries()) assert.equal(await end([{ phone_number: person(3_000 + n) }]), 200);
  assert.deepEqual([(await get(id)).state, (await get(id)).recipients.waiting], ['draft', 1_002]);
});

test('a budget is good for ten calls at a time until one has cost anything', async () => {
  const id = await create({ budget: '5' });
  assert.deepEqual(await affordableBy(db, id), { calls: 10, isSpent: false });
  const ended = { campaign_id: id, kind: 'attempts' as const, name: 'answered', count: 20 };
  await db.insertInto('campaign_counts').values(ended).execute();
  assert.deepEqual(await affordableBy(db, id), { calls: 10, isSpent: false });
  await db.updateTable('campaigns').set({ spent: '4' }).where('id', '=', id).execute();
  assert.deepEqual(await affordableBy(db, id), { calls: 5, isSpent: false });
  for (const [spent, isSpent] of [
    ['4.9', false],
    ['5', true],
  ] as const) {
    await db.updateTable('campaigns').set({ spent }).where('id', '=', id).execute();
    assert.deepEqual(await affordableBy(db, id), { calls: 0, isSpent }, spent);
  }
  // A credit for one of its calls.
  await db.updateTable('campaigns').set({ spent: '-1' }).where('id', '=', id).execute();
  assert.deepEqual(await affordableBy(db, id), { calls: 10, isSpent: false });
});

test('usage that is reported up to a day after a call counts against the budget', async () => {
  const id = await create({ budget: '100' });
  await add(id, people(1));
  await act(id, 'start');
  await until(id, isCompleted);
  const [{ attempts }] = await recipients(id);
  const event = { session_id: attempts[0].call_id, user_id: USER, provider: 'p', event_type: 'llm_tokens' };
  for (const [n, pause_s] of [60, 540, 3_000, 82_800].entries()) {
    await ok('POST', '/api/usage/events', { ...event, quantity: 1, unit_cost: 1, total_cost: 1 });
    clock.advance(pause_s * 1000);
    await until(id, ({ spent }) => spent === `${n + 1}`);
  }
  assert.equal((await rowOf(id)).turn_at, null);
});

test('a campaign that waits for its pace, or for the end of its calls, is not looked at meanwhile', async () => {
  const id = await create({ pacing: { max_concurrent: 1, per_minute: 1, reserve_for_others: 0 } });
  await add(id, people(6));
  await act(id, 'start');
  const pauseOf = async (one: string) => ((await rowOf(one)).turn_at?.getTime() ?? 0) - clock.now().getTime();
  const isResting = async () => (await pauseOf(id)) >= 30_000;
  await until(id, async (campaign) => campaign.recipients.waiting === 5 && (await isResting()), 500);
  await act(id, 'cancel');
  const full = await create({ pacing: { max_concurrent: 1, per_minute: 60_000, reserve_for_others: 0 } });
  await add(full, [{ phone_number: LASTING }, ...people(1)]);
  await act(full, 'start');
  await until(full, async ({ recipients: { connected } }) => connected === 1 && (await pauseOf(full)) === 500, 250);
  await act(full, 'cancel');
});

test('nobody is added to an old campaign whose deletion has begun', async () => {
  const id = await done();
  const { deleteOlder } = createDeletions({ db, clock });
  const batch = { before: idsFrom(new Date(clock.now().getTime() + 60_000)), limit: 1_000, after: null };
  assert.ok((await deleteOlder(batch)).deleted >= 1);
  assert.equal((await send('POST', `/api/campaigns/${id}/recipients`, { recipients: people(1) })).status, 404);
  assert.equal((await deleteOlder(batch)).deleted, 0);
  const left = async () => {
    await service.app.reconcile();
    return db.selectFrom('campaign_recipients').select('id').where('campaign_id', '=', id).execute();
  };
  await eventually(left, ({ length }) => length === 0);
});

test('people wait in a paused campaign only until the time of expiry that it is given', async () => {
  const id = await create();
  await add(id, people(2));
  // As it is once nothing is left to do for it.
  await db.updateTable('campaigns').set({ state: 'paused', turn_at: null }).where('id', '=', id).execute();
  await ok('PATCH', `/api/campaigns/${id}`, { expires_at: new Date(clock.now().getTime() + 60_000).toISOString() });
  const { campaign } = await until(id, isCompleted, 5_000);
  assert.equal(campaign.recipients.expired, 2);
});

test('a campaign that has expired does not begin: its end is changed first, and nobody is lost', async () => {
  for (const [state, action] of [
    ['draft', 'start'],
    ['paused', 'start'],
    ['paused', 'resume'],
  ] as const) {
    const id = await create({ expires_at: new Date(clock.now().getTime() + 60_000).toISOString() });
    await add(id, people(2));
    clock.advance(60_000);
    // A paused one is over with its next turn, which comes by the clock.
    await db.updateTable('campaigns').set({ state, turn_at: null }).where('id', '=', id).execute();
    const { status, body } = await send('POST', `/api/campaigns/${id}/${action}`);
    assert.deepEqual([status, body.detail?.[0]?.loc.at(-1)], [422, 'expires_at'], `${state}: ${action}`);
    const { state: after, recipients } = await get(id);
    assert.deepEqual([after, recipients.waiting], [state, 2]);
    await ok('PATCH', `/api/campaigns/${id}`, { expires_at: null });
    assert.equal((await act(id, action)).state, 'running');
    await act(id, 'cancel');
  }
});

test('settings that grow count as stored bytes', async () => {
  const drift = async () => {
    const { rows } = await sql<{ bytes: number }>`
      select coalesce(sum(bytes), 0)::integer as bytes from stored_content where user_id = ${USER}`.execute(db);
    return Number((await readStored(db, USER)).stored_bytes) - (rows[0]?.bytes ?? 0);
  };
  const before = await drift();
  const id = await create({ retries: { delays_s: [60] } });
  await ok('PATCH', `/api/campaigns/${id}`, { retries: { delays_s: [60, 86_400, 86_400, 86_400] } });
  assert.equal(await drift(), before);
});

test('a campaign keeps its agent while that is under a legal hold', async () => {
  const id = await create();
  const change = (fields: object) => send('PATCH', `/api/campaigns/${id}`, fields);
  const hold = (legal_hold: boolean) =>
    service.request('PUT', `/api/agents/${agent_id}/legal-hold`, { body: { legal_hold } });
  assert.equal((await hold(true)).status, 200);
  const other = { agent_id: await createAgent(service) };
  assertRefused(await change(other), 409, 'legal_hold');
  assert.equal((await change({ agent_id, name: 'Renewals, again' })).status, 200);
  await hold(false);
  assert.equal((await change(other)).status, 200);
});
