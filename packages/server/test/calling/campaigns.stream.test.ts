import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { USER } from '@switchboard/testkit/calls.ts';
import { openTestDatabase } from '@switchboard/testkit/database.ts';
import { listen, type StreamEvent } from '@switchboard/testkit/event-stream.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { countingMedia, LIMITS, outreach } from '../support/campaigns.ts';

const LASTING = '+15005559999';
const person = (n: number) => `+1500555${1000 + n}`;

const database = await openTestDatabase();
const { media } = countingMedia(LASTING);
// One process is asked, and the other one streams.
const [dialling, streaming] = [
  await startService({ database, media, env: LIMITS }),
  await startService({ database, media, env: LIMITS }),
];
after(async () => {
  await Promise.all([dialling.close(), streaming.close()]);
  await database.close();
});
const { create, add, act, get, becomes, ok } = await outreach(dialling);

async function follow(last?: string, user = USER) {
  const stream = await listen(`${streaming.url}/api/events`, {
    'x-user-id': user,
    ...(last !== undefined && { 'last-event-id': last }),
  });
  await stream.until(() => stream.lastId() !== '');
  return stream;
}

/** Data of the events about a campaign. */
const of = (events: StreamEvent[], id: string) =>
  events.filter(({ event, data }) => event === 'campaign' && data.campaign_id === id).map(({ data }) => data);

test('a campaign is streamed as it changes, from another process, to nobody but its user', async () => {
  const [stream, other] = [await follow(), await follow(undefined, 'other')];
  const id = await create({ budget: '2.50' });
  await stream.until((events) => of(events, id).at(-1)?.state === 'draft');
  await add(id, [{ phone_number: person(1) }, { phone_number: '+15005550001' }]);
  await stream.until((events) => of(events, id).at(-1)?.recipients.waiting === 2);
  await act(id, 'start');
  const done = await becomes(id, ({ state }) => state === 'completed');
  await stream.until((events) => of(events, id).at(-1)?.state === 'completed');
  const { at, ...last } = of(stream.events, id).at(-1);
  const { state, blocked, spent, recipients } = done;
  assert.deepEqual(last, {
    user_id: USER,
    campaign_id: id,
    state,
    is_deleted: false,
    blocked,
    spent,
    recipients,
  });
  assert.deepEqual([recipients.total, recipients.reached, recipients.exhausted], [2, 1, 1]);
  assert.ok(!Number.isNaN(Date.parse(at)));
  assert.deepEqual(of(other.events, id), []);
  for (const one of [stream, other]) one.leave();
});

test('however often it has changed, and however many people were called, a reader who comes back gets one event', async () => {
  const stream = await follow();
  const id = await create();
  await stream.until((events) => of(events, id).length > 0);
  const begin = stream.lastId();
  stream.leave();
  await add(
    id,
    Array.from({ length: 120 }, (_, n) => ({ phone_number: person(n) })),
  );
  for (const action of ['start', 'pause', 'resume']) await act(id, action);
  const done = await becomes(id, ({ state }) => state === 'completed');
  const back = await follow(begin);
  await back.until((events) => of(events, id).length > 0);
  assert.deepEqual(
    of(back.events, id).map(({ state, recipients }) => [state, recipients]),
    [['completed', done.recipients]],
  );
  const calls = back.events.filter(({ event, data }) => event === 'call' && data.ended_at !== null);
  assert.equal(calls.length, 120);
  back.leave();
});

test('a campaign that is deleted is streamed once more, as deleted', async () => {
  const [stream, other] = [await follow(), await follow(undefined, 'other')];
  const id = await create();
  await add(id, [{ phone_number: person(1) }]);
  await stream.until((events) => of(events, id).at(-1)?.recipients.total === 1);
  await ok('DELETE', `/api/campaigns/${id}`);
  await stream.until((events) => of(events, id).at(-1)?.is_deleted === true);
  // The turns that remove its people and then itself say nothing more.
  const gone = () => database.db.selectFrom('campaigns').select('id').where('id', '=', id).executeTakeFirst();
  await eventually(gone, (row) => row === undefined, 60_000);
  assert.equal(of(stream.events, id).filter(({ is_deleted }) => is_deleted).length, 1);
  assert.deepEqual(of(other.events, id), []);
  for (const one of [stream, other]) one.leave();
});

test('people on the phone and why it dials nobody are in its events; a turn that changes nothing is in none', async () => {
  const id = await create();
  await add(id, [{ phone_number: LASTING }]);
  const stream = await follow();
  await act(id, 'start');
  await stream.until((events) => of(events, id).at(-1)?.recipients.connected === 1);
  const before = of(stream.events, id).length;
  const turnOf = async () =>
    (await database.db.selectFrom('campaigns').select('turn_at').where('id', '=', id).executeTakeFirst())?.turn_at;
  // While a call is open there is a turn each half second.
  for (let turns = 0; turns < 4; turns++) {
    const last = await turnOf();
    await eventually(turnOf, (now) => now?.getTime() !== last?.getTime());
  }
  await act(id, 'pause');
  await ok('PATCH', `/api/campaigns/${id}`, { policy: 'missing' });
  await add(id, [{ phone_number: person(2) }]);
  await stream.until((events) => of(events, id).some(({ recipients }) => recipients.total === 2));
  assert.deepEqual(
    new Set(
      of(stream.events, id)
        .slice(before)
        .map(({ state }) => state),
    ),
    new Set(['paused']),
  );
  await act(id, 'resume');
  await stream.until((events) => of(events, id).at(-1)?.blocked?.reason === 'policy');
  const { blocked } = await get(id);
  assert.equal(blocked.reason, 'policy');
  await act(id, 'cancel');
  await stream.until((events) => of(events, id).at(-1)?.recipients.canceled === 1);
  stream.leave();
});
