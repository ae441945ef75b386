// Entries that another replica has written, whose clock is behind: their ids are less than those of what they adjust.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestDatabase } from '@switchboard/testkit/database.ts';
import { sql } from 'kysely';
import { listLines, lockDue } from '../../src/billing/carrier-costs/store.ts';
import { listLines as listCharges } from '../../src/ledger/line-charges/store.ts';
import { insertUsageEvents } from '../../src/ledger/usage/usage.ts';
import { idsFrom } from '../../src/lib/ids.ts';

const AT = new Date();
const BEHIND = new Date(AT.getTime() - 600_000);
const SECOND = 1000;
const later = (seconds: number) => new Date(AT.getTime() + seconds * SECOND);
const day = AT.toISOString().slice(0, 10);

/** Calls that began at these times, each with a line of a minute that was billed at another. */
async function open(calls: { began: Date; billed: Date }[]) {
  const database = await openTestDatabase();
  const { db } = database;
  const lines = calls.map(({ began, billed }) => ({
    id: idsFrom(billed),
    session_id: idsFrom(began),
    user_id: 'user-1',
    agent_id: null,
    provider: 'twilio',
    event_type: 'telephony_minutes' as const,
    quantity: '1',
    unit_cost: '1',
    total_cost: '1',
    created_at: billed,
    model: '4930',
    direction: 'OUTBOUND' as const,
    adjusts: null,
    used_on: null,
  }));
  for (const { session_id, created_at } of lines)
    await sql`
      insert into sessions (id, room_name, user_id, status, call_direction, call_status, session_data, ended_at, created_at, updated_at)
      values (${session_id}, ${session_id}, 'user-1', 'COMPLETED', 'OUTBOUND', 'COMPLETED', '{}', ${created_at}, ${created_at}, ${created_at})`.execute(
      db,
    );
  await insertUsageEvents(db, lines);
  return { ...database, lines };
}

const pairOf = ({ id, session_id }: { id: string; session_id: string }) => ({
  carrier_call_sid: `CA${id}`,
  event_id: id,
  session_id,
  billed: '3',
  started_at: AT,
  duration_s: 60,
});

test('an entry whose id is less than that of the line it adjusts is part of what was billed', async () => {
  const { db, lines, close } = await open([{ began: BEHIND, billed: AT }]);
  const [line = assert.fail()] = lines;
  const entry = { ...line, id: idsFrom(BEHIND), created_at: BEHIND, adjusts: line.id, used_on: day, quantity: '0.5' };
  await insertUsageEvents(db, [{ ...entry, total_cost: '0.5' }]);
  const charges = await listCharges(db, { id: line.session_id, created_at: BEHIND }, 'OUTBOUND');
  assert.deepEqual(
    charges.map(({ billed }) => billed),
    ['1.5'],
  );
  const listed = await listLines(db, 'twilio', later(-3600), later(3600));
  assert.deepEqual(
    listed.map(({ booked }) => booked),
    ['1.5'],
  );
  const [due] = await lockDue(db, [pairOf(line)]);
  assert.deepEqual([due?.booked, due?.difference], ['1.5', '1.5']);
  await close();
});

test('an import locks calls in the order of their ids, as everybody else does, whichever line was billed first', async () => {
  const calls = [
    { began: later(0), billed: later(60) },
    { began: later(10), billed: later(30) },
  ];
  const { db, lines, close } = await open(calls);
  const due = await lockDue(db, lines.map(pairOf));
  assert.deepEqual(
    due.map(({ session_id }) => session_id),
    lines.map(({ session_id }) => session_id),
  );
  await close();
});
