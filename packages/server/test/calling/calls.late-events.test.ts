// Calls whose phone has left, as an event reported that could not be handled at once: another event, or a round, comes
// first.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answeredCall, reaches } from '@switchboard/testkit/calls.ts';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { createSandboxMedia } from '../../src/providers/sandbox/media.ts';

const clock = createTestClock('2026-03-02T10:00:00.000Z');
const sandbox = createSandboxMedia({ clock, ringMs: 1 });
/** Events that the media server has sent, and that have not been delivered. */
const sent: string[] = [];
const service = await startService({
  clock,
  media: { ...sandbox, subscribe: () => sandbox.subscribe(async (body) => void sent.push(body)) },
});
const { db } = service.database;

/** The last event of this kind about a participant of the room. */
function eventOf(room_name: string, event: string, identity?: string) {
  const events = sent.map((body) => JSON.parse(body));
  const isMeant = (one: (typeof events)[number]) =>
    one.event === event && one.room.name === room_name && (!identity || one.participant?.identity === identity);
  return events.findLast(isMeant) ?? assert.fail(`no ${event}`);
}

async function handle(event: { id: string }): Promise<void> {
  const { status } = await service.request('POST', '/api/media/webhook', { body: event });
  assert.equal(status, 200);
  await eventually(
    () => db.selectFrom('media_events').select('handled_at').where('id', '=', event.id).execute(),
    ([stored]) => stored !== undefined && stored.handled_at !== null,
  );
}

/** Stores an event that no process handles: it is tried again ten seconds later at the earliest. */
async function store(event: { id: string; room: { name: string } }): Promise<void> {
  const row = { id: event.id, body: JSON.stringify(event), room_name: event.room.name, received_at: clock.now() };
  await db
    .insertInto('media_events')
    .values({ ...row, handled_at: null })
    .execute();
}

/** An answered call with its agent, whose phone has talked for 30 seconds; the events about them were handled. */
async function talking() {
  const { call_id, room_name } = await answeredCall(service);
  await eventually(
    () => sandbox.listParticipants(room_name),
    (present) => present.length === 2,
  );
  for (const identity of ['phone', 'agent']) await handle(eventOf(room_name, 'participant_joined', identity));
  clock.advance(30_000);
  return { call_id, room_name };
}

/** The phone leaves, which is stored but not handled; then time passes. */
async function phoneLeaves(room_name: string, seconds: number, leave = sandbox.hangUp): Promise<void> {
  leave(room_name, 'phone');
  await store(eventOf(room_name, 'participant_left', 'phone'));
  clock.advance(seconds * 1000);
}

/** How the call has ended, after how many seconds, and the seconds that are billed for its phone. */
async function endOf(call_id: string, call_status = 'COMPLETED') {
  const { end_reason, duration } = await reaches(service, call_id, call_status);
  const { body } = await service.request('GET', `/api/usage/events?session_id=${call_id}&event_type=telephony_minutes`);
  return [end_reason, duration, body.items.map(({ quantity }: { quantity: string }) => Math.round(+quantity * 60))];
}

test('the agent leaves with the room: the call has ended when its phone left', async () => {
  const { call_id, room_name } = await talking();
  await phoneLeaves(room_name, 20);
  sandbox.hangUp(room_name, 'agent');
  await handle(eventOf(room_name, 'participant_left', 'agent'));
  assert.deepEqual(await endOf(call_id), ['hangup', 30, [30]]);
});

test('the event of the room comes first: the call has ended when its phone left', async () => {
  const { call_id, room_name } = await talking();
  await phoneLeaves(room_name, 20);
  await sandbox.closeRoom(room_name);
  await handle(eventOf(room_name, 'room_finished'));
  assert.deepEqual(await endOf(call_id), ['hangup', 30, [30]]);
});

// Within ten seconds no round tries the event itself again.
test('a round misses the phone: the call has ended when it left', async () => {
  const { call_id, room_name } = await talking();
  await phoneLeaves(room_name, 1);
  await service.app.reconcile();
  assert.deepEqual(await endOf(call_id), ['hangup', 30, [30]]);
});

test('a round misses a phone that was lost: the call has failed', async () => {
  const { call_id, room_name } = await talking();
  await phoneLeaves(room_name, 1, sandbox.loseAudio);
  await service.app.reconcile();
  assert.deepEqual(await endOf(call_id, 'FAILED'), ['media_lost', 30, [30]]);
});

test('rounds miss the room: a phone has hung up, and the room has ended with it', async () => {
  const { call_id, room_name } = await talking();
  await phoneLeaves(room_name, 1);
  await sandbox.closeRoom(room_name);
  await service.app.reconcile();
  clock.advance(6_000);
  await service.app.reconcile();
  assert.deepEqual(await endOf(call_id), ['hangup', 30, [30]]);
});

test('rounds miss a room of which nothing was reported: the room has ended', async () => {
  const { call_id, room_name } = await talking();
  await sandbox.closeRoom(room_name);
  await service.app.reconcile();
  clock.advance(6_000);
  await service.app.reconcile();
  assert.deepEqual(await endOf(call_id), ['room_ended', 30, [30]]);
});

for (const [who, method, path, body, end_reason] of [
  ['a user', 'POST', '/api/calls/ID/end', undefined, 'ended_by_user'],
  ['its worker', 'POST', '/api/calls/ID/outcome', { hang_up: true }, 'ended_by_agent'],
] as const)
  test(`${who} ends the call first: it has ended when its phone left`, async () => {
    const { call_id, room_name } = await talking();
    await phoneLeaves(room_name, 5);
    const { status } = await service.request(method, path.replace('ID', call_id), { body });
    assert.equal(status, 200);
    assert.deepEqual(await endOf(call_id), [end_reason, 30, [30]]);
  });

test('a worker reports its own figures first: the call is billed until its phone left', async () => {
  const { call_id, room_name } = await talking();
  await phoneLeaves(room_name, 5);
  const { status } = await service.request('PATCH', `/api/sessions/${call_id}`, { body: { duration: 33 } });
  assert.equal(status, 200);
  assert.deepEqual(await endOf(call_id), ['ended_by_agent', 33, [30]]);
});

test('a user ends the call after a departure by a clock that is an hour behind: when its event was received', async () => {
  const { call_id, room_name } = await talking();
  sandbox.hangUp(room_name, 'phone');
  const event = eventOf(room_name, 'participant_left', 'phone');
  clock.advance(2_000);
  await store({ ...event, createdAt: String(Number(event.createdAt) - 3_600) });
  clock.advance(3_000);
  await service.request('POST', `/api/calls/${call_id}/end`);
  assert.deepEqual(await endOf(call_id), ['ended_by_user', 32, [32]]);
});

test('a user ends the call while its phone, which was replaced, reconnects: it lasts until then', async () => {
  const { call_id, room_name } = await talking();
  const joined = eventOf(room_name, 'participant_joined', 'phone');
  await phoneLeaves(room_name, 5);
  const participant = { ...joined.participant, sid: 'PA_newer', joinedAtMs: String(clock.now().getTime()) };
  await store({ ...joined, id: 'EV_again', participant });
  await service.request('POST', `/api/calls/${call_id}/end`);
  assert.deepEqual(await endOf(call_id), ['ended_by_user', 35, [35]]);
});

test('the departure of a connection that was replaced is not that of the phone', async () => {
  const { call_id, room_name } = await talking();
  const joined = eventOf(room_name, 'participant_joined', 'phone');
  await phoneLeaves(room_name, 20);
  const participant = { ...joined.participant, sid: 'PA_new', joinedAtMs: String(clock.now().getTime()) };
  await store({ ...joined, id: 'EV_back', participant });
  clock.advance(10_000);
  sandbox.hangUp(room_name, 'agent');
  await handle(eventOf(room_name, 'participant_left', 'agent'));
  assert.deepEqual(await endOf(call_id), ['hangup', 60, [60]]);
});
