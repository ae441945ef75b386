import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAgent, USER } from '@switchboard/testkit/calls.ts';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { sql } from 'kysely';
import { systemClock } from '../../src/lib/clock.ts';
import { createSandboxMedia } from '../../src/providers/sandbox/media.ts';
import { createPlans } from '../support/plans.ts';
import { watchStatements } from '../support/statements.ts';

const ROWS = 20_000;
const CALLS = 20;

test('a decision, and each list of outreach, read a few rows of many', async () => {
  const service = await startService();
  const { db } = service.database;
  const send = (method: string, path: string, body?: unknown) => service.request(method, path, { user: USER, body });
  const agent_id = await createAgent(service);
  await send('PUT', '/api/dial-policies/p', { is_default: true, max_attempts: [{ count: 5, days: 30 }] });
  await sql`
    insert into suppressions (id, user_id, phone_number, number_hash, scope, scope_id, reason, created_at, change)
    select gen_random_uuid(), ${USER}, '+4930' || i, md5(i::text), 'user', '', 'asked', now(), i
    from generate_series(1, ${ROWS}::int) as i`.execute(db);
  await sql`
    insert into consents (id, user_id, phone_number, purpose, kind, text, obtained_at, channel, created_at)
    select gen_random_uuid(), ${USER}, '+4930' || i, 'marketing', 'k', 't', now(), 'c', now()
    from generate_series(1, ${ROWS}::int) as i`.execute(db);
  await sql`
    insert into dial_decisions (id, user_id, kind, phone_number, purpose, outcome, reasons, inputs, inputs_hash, evaluated_at)
    select gen_random_uuid(), ${USER}, 'call', '+4930' || i, 'marketing', 'allow', '[]', '{}', 'x', now()
    from generate_series(1, ${ROWS}::int) as i`.execute(db);
  await sql`
    insert into evidence_documents (user_id, position, decision_id, content_hash, document_hash, key_id, signature, issued_at)
    select ${USER}, i, gen_random_uuid(), repeat('c', 64), repeat('d', 64), 'k', 's', now() from generate_series(1, ${ROWS}::int) as i`.execute(
    db,
  );
  await sql`analyze`.execute(db);
  const sent = watchStatements(service.database);
  const number = encodeURIComponent('+4930123456');
  const placed = await send('POST', '/api/calls/outbound', { agent_id, phone_number: '+4930123456' });
  assert.equal(placed.status, 201);
  const [decision] = (await send('GET', '/api/dial-decisions?phone_number=%2B4930123456')).body.items;
  for (const path of [
    '/api/suppressions',
    `/api/suppressions?phone_number=${number}`,
    `/api/suppressions/changes?cursor=${ROWS - 10}`,
    '/api/consents',
    `/api/consents?phone_number=${number}`,
    '/api/dial-decisions',
    `/api/dial-decisions?phone_number=${number}`,
    `/api/calls/${placed.body.call_id}`,
    `/api/dial-decisions/${decision.id}/evidence`,
  ])
    assert.equal((await send('GET', path)).status, 200, path);
  const reading = sent.filter(
    (one) =>
      /^\s*(--[^\n]*\n\s*)?select/.test(one.sql) && /suppressions|consents|dial_|evidence_documents/.test(one.sql),
  );
  assert.ok(reading.length >= 9, `${reading.length} statements`);
  const { rowsRead } = createPlans(db);
  for (const statement of reading) {
    const read = await rowsRead(statement);
    assert.ok(read < 1_000, `${read} rows read by ${statement.sql}`);
  }
  await service.close();
});

test('calls that are dialled at the same moment are read together', async () => {
  const sandbox = createSandboxMedia({ clock: systemClock, ringMs: 1 });
  const all = Promise.withResolvers<void>();
  let rooms = 0;
  const createRoom: typeof sandbox.createRoom = async (room) => {
    if (++rooms === CALLS) all.resolve();
    await all.promise;
    await sandbox.createRoom(room);
  };
  // On a clock that stands still no call is late, which would be read once more by itself.
  const service = await startService({ clock: createTestClock(), media: { ...sandbox, createRoom } });
  const agent_id = await createAgent(service);
  const sent = watchStatements(service.database);
  const placing = Array.from({ length: CALLS }, (_, index) => {
    const body = { agent_id, phone_number: `+49301234${100 + index}` };
    return service.request('POST', '/api/calls/outbound', { user: USER, body });
  });
  for (const { status } of await Promise.all(placing)) assert.equal(status, 201);
  const reading = sent.filter((one) => one.sql.includes('read_before_dial')).length;
  assert.ok(reading > 0 && reading < CALLS / 2, `${reading} statements for ${CALLS} calls`);
  await service.close();
});
