import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { answeredCall, createAgent, USER } from '@switchboard/testkit/calls.ts';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { listen } from '@switchboard/testkit/event-stream.ts';
import { type Service, startService } from '@switchboard/testkit/service.ts';
import { MAX_FAILOVERS } from '../../src/conversations/sessions/schema.ts';
import { assertRefused } from '../support/answers.ts';

const service = await startService();
const OVER = { kind: 'llm', from: 'openai/gpt-4.1-mini', to: 'groq/some-model', reason: 'rate_limit' };
const AT = '2026-01-15T09:30:04.120Z';

const report = (id: string, fields: object = {}, { of = service as Pick<Service, 'request'>, user = USER } = {}) =>
  of.request('POST', `/api/sessions/${id}/failovers`, { user, body: { id: randomUUID(), ...OVER, ...fields } });
const timeline = async (id: string, of: Pick<Service, 'request'> = service) =>
  (await of.request('GET', `/api/calls/${id}`, { user: USER })).body.timeline;

test('a model that took over is an entry of the call’s timeline and an event of its streams, once', async () => {
  const all = await listen(`${service.url}/api/events`, { 'x-user-id': USER });
  const { call_id } = await answeredCall(service);
  const stream = await listen(`${service.url}/api/calls/${call_id}/events`);
  await stream.until((events) => events.length === 2);
  const id = randomUUID();
  const answers = await Promise.all([report(call_id, { id, at: AT }), report(call_id, { id, at: AT })]);
  assert.deepEqual(answers.map(({ status, body }) => [status, body.added]).sort(), [
    [201, false],
    [201, true],
  ]);
  assert.deepEqual((await timeline(call_id)).slice(1), [
    {
      status: 'ACTIVE',
      call_status: 'ANSWERED',
      failed_over: null,
      created_at: (await timeline(call_id))[1].created_at,
    },
    { status: 'ACTIVE', call_status: 'ANSWERED', failed_over: OVER, created_at: AT },
  ]);
  const event = { event: 'provider.failed_over', data: { session_id: call_id, ...OVER, at: AT } };
  const named = (events: { event: string }[]) => events.filter((one) => one.event === event.event);
  for (const one of [stream, all]) {
    await one.until((events) => named(events).length > 0);
    assert.partialDeepStrictEqual(named(one.events), [event]);
  }
  // The next entry has the next number.
  await service.request('POST', `/api/calls/${call_id}/end`, { user: USER });
  await stream.ended;
  assert.deepEqual(
    stream.events.map(({ event: name }) => name),
    ['call', 'call', 'provider.failed_over', 'call'],
  );
  assert.deepEqual(
    (await timeline(call_id)).map(({ call_status }: { call_status: string }) => call_status),
    ['RINGING', 'ANSWERED', 'ANSWERED', 'COMPLETED'],
  );
  all.leave();
});

test('late reports are taken for a day, and those of another user’s or no session are not found', async () => {
  const clock = createTestClock();
  const later = await startService({ clock });
  const { body } = await later.request('POST', '/api/sessions/', { body: { user_id: USER } });
  await later.request('PATCH', `/api/sessions/${body.id}`, { body: { duration: 3 } });
  clock.advance(86_000_000);
  assert.equal((await report(body.id, {}, { of: later })).status, 201);
  clock.advance(500_000);
  assertRefused(await report(body.id, {}, { of: later }), 409, 'session_ended');
  assertRefused(await report(body.id, {}, { of: later, user: 'other' }), 404, 'not_found');
  for (const id of [randomUUID(), 'x']) assertRefused(await report(id, {}, { of: later }), 404, 'not_found');
  await later.close();
});

test('what is no model, kind or reason is a 422 that names it', async () => {
  const { call_id } = await answeredCall(service);
  for (const wrong of [{ kind: 'eyes' }, { reason: 'mood' }, { from: '' }, { id: 'x' }, { more: 1 }]) {
    const { status, body } = await report(call_id, wrong);
    assert.deepEqual([status, body.detail[0].loc.at(-1)], [422, Object.keys(wrong)[0]], JSON.stringify(body));
  }
});

test('a timeline has up to 500 entries about models; later ones are not recorded', async () => {
  const { call_id } = await answeredCall(service);
  const rows = Array.from({ length: MAX_FAILOVERS - 1 }, (_, at) => ({
    id: randomUUID(),
    session_id: call_id,
    seq: at + 3,
    status: 'ACTIVE' as const,
    call_status: 'ANSWERED' as const,
    created_at: new Date(AT),
    failed_over: JSON.stringify(OVER),
  }));
  await service.database.db.insertInto('session_events').values(rows).execute();
  assert.equal((await report(call_id)).body.added, true);
  assert.deepEqual((await report(call_id)).body, { added: false });
  assert.equal((await timeline(call_id)).length, MAX_FAILOVERS + 2);
});

test('a call of an erased user gets none', async () => {
  const agent_id = await createAgent(service);
  const { call_id } = await answeredCall(service, { agent_id });
  await service.database.db.updateTable('sessions').set({ erased_at: new Date() }).where('id', '=', call_id).execute();
  assert.equal((await report(call_id, {}, { user: USER })).status, 404);
});
