// Calls that are ended while the event that their phone has left is under way: what was billed is adjusted.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answeredCall } from '@switchboard/testkit/calls.ts';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { type Service, startService } from '@switchboard/testkit/service.ts';
import { createMediaReports } from '../../src/calling/media-events/departures.ts';
import { createRollups } from '../../src/ledger/usage/rollups.ts';
import type { Clock } from '../../src/lib/clock.ts';
import { createSandboxMedia } from '../../src/providers/sandbox/media.ts';
import { lineOf, setPrices } from '../support/lines.ts';

/** A service that cannot close rooms, and to which events are not delivered before `release`. */
async function start({ clockIsOffByMs = 0, price = true } = {}) {
  const clock = createTestClock('2026-03-01T10:00:00.000Z');
  const mediaClock: Clock = { ...clock, now: () => new Date(clock.now().getTime() + clockIsOffByMs) };
  const media = createSandboxMedia({ clock: mediaClock, ringMs: 1 });
  const held: string[] = [];
  let isHolding = false;
  const service = await startService({
    clock,
    media: {
      ...media,
      closeRoom: async () => {
        throw new Error('the media server does not answer');
      },
      subscribe: (deliver) =>
        media.subscribe(async (body) => {
          if (isHolding) held.push(body);
          else await deliver(body);
        }),
    },
  });
  if (price) await setPrices(service, [['', null, '1', '1/1']], '0.5');
  const { call_id, room_name } = await answeredCall(service);
  await handled(service);
  isHolding = true;
  /** Delivers what is held of this kind, or a repetition of it, and waits until it was handled. */
  async function release(kind: string, id?: string): Promise<void> {
    for (const body of held) {
      const event = JSON.parse(body);
      if (event.event !== kind || (event.participant && event.participant.identity !== 'phone')) continue;
      await service.request('POST', '/api/media/webhook', { body: { ...event, id: id ?? event.id } });
    }
    await handled(service);
  }
  return { service, clock, media, call_id, room_name, release };
}

async function handled({ database }: Service): Promise<void> {
  const waiting = database.db.selectFrom('media_events').select('id').where('handled_at', 'is', null);
  await eventually(
    () => waiting.execute(),
    ({ length }) => length === 0,
  );
}

type Started = Awaited<ReturnType<typeof start>>;
const end = ({ service, call_id }: Started) => service.request('POST', `/api/calls/${call_id}/end`);

/** The seconds that were billed for the phone, and for its connection to the room, with what adjusts them. */
async function billed({ service, call_id }: Started): Promise<{ telephony: number[]; media: number[] }> {
  const lines = (await lineOf(service, call_id)).map((line) => line.split(' '));
  const of = (kind: string) =>
    lines
      .flatMap((line) => (line[0] === kind ? Math.round(Number(line[3]) * 60) : []))
      .sort((one, other) => other - one);
  return { telephony: of('telephony'), media: of('media') };
}
const seconds = (...all: number[]) => ({ telephony: all, media: all });

test('a phone that had left before is billed until then, once, and the times of the call stay as they are', async () => {
  const at = await start();
  const { service, clock, media, call_id, room_name, release } = at;
  clock.advance(3_300);
  media.hangUp(room_name, 'phone');
  clock.advance(5_000);
  await end(at);
  const { body: before } = await service.request('GET', `/api/calls/${call_id}`);
  assert.deepEqual(await billed(at), seconds(9));
  await release('participant_left');
  assert.deepEqual(await billed(at), seconds(9, -5));
  const { body: costs } = await service.request('GET', `/api/sessions/${call_id}/costs`);
  assert.equal(costs.total_cost, '0.1000005', 'four seconds');
  const { items } = (await service.request('GET', `/api/usage/events?session_id=${call_id}`)).body;
  const [entry] = items.filter(({ adjusts }: Record<string, unknown>) => adjusts);
  assert.ok(items.some(({ id }: { id: string }) => id === entry.adjusts));
  assert.deepEqual([entry.used_on, entry.is_unpriced], ['2026-03-01', false]);
  // The same departure as another event, as after a process that died.
  await release('participant_left', 'EV_again');
  assert.deepEqual(await billed(at), seconds(9, -5));
  const { body: after } = await service.request('GET', `/api/calls/${call_id}`);
  assert.deepEqual([after.ended_at, after.duration], [before.ended_at, before.duration]);
  assert.deepEqual((await createRollups(service.database.db).verify(() => {})).wrong, []);
  await service.close();
});

test('the end of the room says as much, if the event of the phone is lost', async () => {
  const at = await start();
  at.clock.advance(3_300);
  await at.media.closeRoom(at.room_name);
  at.clock.advance(5_000);
  await end(at);
  await at.release('room_finished');
  assert.deepEqual(await billed(at), seconds(9, -5));
  await at.service.close();
});

for (const [about, ms, expected] of [
  ['a phone that stayed connected because its room could not be closed is billed until it was', 20_000, [5, 20]],
  ['what happens more than a minute after the bill does not change it', 90_000, [5]],
  ['what the two clocks may be apart does not change the bill', 900, [5]],
] as const)
  test(about, async () => {
    const at = await start();
    at.clock.advance(5_000);
    await end(at);
    at.clock.advance(ms);
    await at.media.closeRoom(at.room_name);
    await at.release('participant_left');
    assert.deepEqual(await billed(at), seconds(...[...expected].sort((one, other) => other - one)));
    await at.service.close();
  });

test('a room that was closed late says nothing about a phone that may have left it before', async () => {
  const at = await start();
  at.clock.advance(5_000);
  await end(at);
  at.clock.advance(20_000);
  await at.media.closeRoom(at.room_name);
  await at.release('room_finished');
  assert.deepEqual(await billed(at), seconds(5));
  await at.service.close();
});

for (const [about, clockIsOffByMs] of [
  ['behind', -30_000],
  ['ahead', 3_600_000],
] as const)
  test(`a clock that is ${about} is not believed`, async () => {
    const at = await start({ clockIsOffByMs });
    at.clock.advance(3_300);
    at.media.hangUp(at.room_name, 'phone');
    at.clock.advance(5_000);
    await end(at);
    await at.release('participant_left');
    assert.deepEqual(await billed(at), seconds(9));
    await at.service.close();
  });

test('a line without a price stays as it is, to be priced by the book', async () => {
  const at = await start({ price: false });
  at.clock.advance(3_300);
  at.media.hangUp(at.room_name, 'phone');
  at.clock.advance(5_000);
  await end(at);
  await at.release('participant_left');
  assert.deepEqual(await billed(at), seconds(9));
  await at.service.close();
});

test('the line of a call with the target of a transfer stays as it is: the ledger does not say whose a line is', async () => {
  const at = await start();
  const { service, call_id, media, room_name } = at;
  const body = { phone_number: '+15005550101', type: 'WARM' };
  await service.request('POST', `/api/sessions/${call_id}/transfer`, { body });
  await eventually(
    async () => (await service.request('GET', `/api/calls/${call_id}`)).body.transfers,
    ([one]) => one.status === 'connected',
  );
  at.clock.advance(3_300);
  media.hangUp(room_name, 'phone');
  at.clock.advance(5_000);
  await end(at);
  await at.release('participant_left');
  assert.deepEqual(await billed(at), seconds(9, 9));
  await service.close();
});

test('a call that is ended is not dated by a departure that was judged long before', async () => {
  const { service, media, room_name, release } = await start();
  media.hangUp(room_name, 'phone');
  await release('participant_left');
  const { db } = service.database;
  const { unhandledOf } = createMediaReports({ db, source: media });
  const departure = async () => (await unhandledOf(db, [room_name])).get(room_name)?.departure?.identity;
  const events = await db.selectFrom('media_events').selectAll().where('room_name', '=', room_name).execute();
  const left = events.find(({ body }) => JSON.parse(body).event === 'participant_left') ?? assert.fail();
  const joined = events.find(({ body }) => JSON.parse(body).event === 'participant_joined') ?? assert.fail();
  for (const [waiting, expected] of [
    [joined, undefined],
    [left, 'phone'],
  ] as const) {
    await db.updateTable('media_events').set({ handled_at: null }).where('id', '=', waiting.id).execute();
    assert.equal(await departure(), expected);
  }
  await service.close();
});
