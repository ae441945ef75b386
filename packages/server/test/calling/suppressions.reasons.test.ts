// Suppressions of several reasons for one number: the word of a person stays, and what is over is forgotten.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAgent, placeCall, reaches, USER } from '@switchboard/testkit/calls.ts';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { startService } from '@switchboard/testkit/service.ts';

const DAY_MS = 24 * 3_600_000;
const clock = createTestClock();
const service = await startService({ clock, env: { CALLS_PER_SECOND: '100', CALLS_BURST: '1000' } });
const { db } = service.database;

const inDays = (days: number) => new Date(clock.now().getTime() + days * DAY_MS).toISOString();
const send = (method: string, path: string, body?: unknown, user = USER) =>
  service.request(method, path, { user, body });
async function suppress(phone_number: string, fields: object, user = USER) {
  const { status, body } = await send('POST', '/api/suppressions', { entries: [{ phone_number, ...fields }] }, user);
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}
async function entryOf(phone_number: string, user = USER) {
  const path = `/api/suppressions?phone_number=${encodeURIComponent(phone_number)}`;
  const [entry] = (await send('GET', path, undefined, user)).body.items;
  return entry;
}
let next = 300;
const somebody = () => `+15005550${next++}`;

/** Somebody who has said in a call that they want no more. */
async function optedOut(phone_number = somebody()) {
  const agent_id = await createAgent(service, {
    config: { compliance: { opt_out: { enabled: true, confirm: 'Bye.' } } },
  });
  const { call_id, room_name } = await placeCall(service, phone_number, { agent_id });
  await reaches(service, call_id, 'ANSWERED');
  const said = { content: 'Never call me again.', speaker: 'USER' };
  const line = await send('POST', `/api/sessions/by-room/${room_name}/transcripts`, said);
  const again = () => send('POST', '/api/calls/outbound', { agent_id, phone_number });
  return { phone_number, call_id, transcript_id: line.body.id as string, again };
}

test('a list that has the number of somebody who wants no more calls does not take their word away', async () => {
  const { phone_number, call_id, transcript_id, again } = await optedOut();
  const text = `phone_number,reason,expires_at\n${phone_number},registry,${inDays(31)}\n`;
  const answer = await fetch(`${service.url}/api/suppressions`, {
    method: 'POST',
    headers: { 'x-user-id': USER, 'content-type': 'text/csv' },
    body: text,
  });
  assert.deepEqual(await answer.json(), { added: 0, changed: 1 });
  const entry = await entryOf(phone_number);
  const asked = { reason: 'asked', expires_at: null, call_id, transcript_id };
  assert.deepEqual({ ...asked, ...entry }, { ...entry, ...asked });
  clock.advance(32 * DAY_MS);
  assert.equal((await again()).body.code, 'dial_denied');
});

test('of two reasons the one that weighs more stays, and neither ends what the person has said any sooner', async () => {
  const [soon, late] = [inDays(10), inDays(31)];
  const table: [[string, string | null], [string, string | null], [string, string | null]][] = [
    [
      ['asked', soon],
      ['registry', late],
      ['asked', late],
    ],
    [
      ['asked', late],
      ['imported', soon],
      ['asked', late],
    ],
    [
      ['asked', soon],
      ['wrong_number', null],
      ['asked', null],
    ],
    [
      ['wrong_number', null],
      ['registry', late],
      ['wrong_number', null],
    ],
    [
      ['wrong_number', null],
      ['asked', soon],
      ['asked', null],
    ],
    [
      ['registry', late],
      ['asked', null],
      ['asked', null],
    ],
    // The last one counts if both have the same reason, or are lists.
    [
      ['asked', null],
      ['asked', soon],
      ['asked', soon],
    ],
    [
      ['registry', late],
      ['imported', soon],
      ['imported', soon],
    ],
    [
      ['imported', null],
      ['registry', soon],
      ['registry', soon],
    ],
  ];
  for (const [before, then, wanted] of table) {
    const phone_number = somebody();
    for (const [reason, expires_at] of [before, then]) await suppress(phone_number, { reason, expires_at });
    const { reason, expires_at } = await entryOf(phone_number);
    assert.deepEqual([reason, expires_at], wanted, JSON.stringify([before, then]));
    // They come in one request as well.
    const other = somebody();
    const entries = [before, then].map(([why, until]) => ({ phone_number: other, reason: why, expires_at: until }));
    assert.deepEqual((await send('POST', '/api/suppressions', { entries })).body, { added: 1, changed: 0 });
    const stored = await entryOf(other);
    assert.deepEqual([stored.reason, stored.expires_at], wanted, `in one request: ${JSON.stringify([before, then])}`);
  }
});

test('what is over is replaced: once it has expired, or the user has removed it', async () => {
  const [expired, removed] = [somebody(), somebody()];
  await suppress(expired, { expires_at: inDays(1) });
  await suppress(removed, {});
  assert.equal((await send('DELETE', `/api/suppressions/${(await entryOf(removed)).id}`)).status, 204);
  clock.advance(2 * DAY_MS);
  const expires_at = inDays(31);
  for (const phone_number of [expired, removed]) {
    await suppress(phone_number, { reason: 'registry', expires_at });
    const entry = await entryOf(phone_number);
    assert.deepEqual([entry.reason, entry.expires_at], ['registry', expires_at]);
  }
});

test('a worker that reports a refusal takes the place of a list', async () => {
  const phone_number = somebody();
  const agent_id = await createAgent(service, {
    config: { compliance: { opt_out: { enabled: true, confirm: 'Bye.' } } },
  });
  const { call_id } = await placeCall(service, phone_number, { agent_id });
  await reaches(service, call_id, 'ANSWERED');
  await suppress(phone_number, { reason: 'registry', expires_at: inDays(31) });
  assert.equal((await send('POST', `/api/calls/${call_id}/outcome`, { opted_out: true })).status, 200);
  const { reason, expires_at, call_id: evidence } = await entryOf(phone_number);
  assert.deepEqual([reason, expires_at, evidence], ['asked', null, call_id]);
});

test('a user who was erased and returns with a list does not end what people had asked for', async () => {
  const phone_number = somebody();
  await suppress(phone_number, {}, 'returning');
  assert.ok((await send('DELETE', '/api/users/returning')).status < 300);
  await suppress(phone_number, { reason: 'registry', expires_at: inDays(31) }, 'returning');
  const { reason, expires_at } = await entryOf(phone_number, 'returning');
  assert.deepEqual([reason, expires_at], ['asked', null]);
});

test('a suppression is forgotten 90 days after it has expired, and a removed one after its removal', async () => {
  const [expires, lasts, removed] = [somebody(), somebody(), somebody()];
  await suppress(expires, { reason: 'registry', expires_at: inDays(1) });
  await suppress(lasts, { reason: 'registry' });
  await suppress(removed, { reason: 'registry', expires_at: inDays(1) });
  const { id } = await entryOf(removed);
  const left = async () => {
    await service.app.reconcile();
    const rows = db
      .selectFrom('suppressions')
      .select('phone_number')
      .where('phone_number', 'in', [expires, lasts, removed]);
    return (await rows.orderBy('phone_number').execute()).map((row) => row.phone_number);
  };
  clock.advance(90 * DAY_MS);
  assert.equal((await send('DELETE', `/api/suppressions/${id}`)).status, 204);
  assert.deepEqual(await left(), [expires, lasts, removed]);
  clock.advance(2 * DAY_MS);
  // A removal is among the changes for 90 days.
  assert.deepEqual(await left(), [lasts, removed]);
  clock.advance(90 * DAY_MS);
  assert.deepEqual(await left(), [lasts]);
});
