import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answeredCall } from '@switchboard/testkit/calls.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { sql } from 'kysely';

const [TARGET, BUSY] = ['+15005550101', '+15005550001'];

/** A service whose database does not take two of three changes of a transfer that is in progress. */
async function startUnavailable() {
  const service = await startService();
  const { db } = service.database;
  await sql`create sequence attempts`.execute(db);
  // A sequence counts the attempts that are rolled back too.
  await sql`create function shut_down() returns trigger language plpgsql as $$ begin
    if nextval('attempts') % 3 <> 0 then raise exception 'shutting down' using errcode = '57P01'; end if;
    return new;
  end $$`.execute(db);
  await sql`create trigger shut_down before update on transfers for each row
    when (old.status = 'pending' and new.status <> 'pending') execute function shut_down()`.execute(db);
  const transfer = (call_id: string, phone_number: string, type: 'COLD' | 'WARM') =>
    service.request('POST', `/api/sessions/${call_id}/transfer`, { body: { phone_number, type } });
  /** The call once its only transfer has this status. */
  const transferred = async (call_id: string, status: string) => {
    const { body } = await eventually(
      () => service.request('GET', `/api/calls/${call_id}`),
      ({ body }) => body.transfers[0].status === status,
    );
    assert.equal(body.transfers.length, 1);
    return body;
  };
  return { service, transfer, transferred };
}

test('the outcome of a cold transfer that the database could not take is recorded once it can', async () => {
  const { service, transfer, transferred } = await startUnavailable();
  const accepted = await answeredCall(service);
  const { status, body } = await transfer(accepted.call_id, TARGET, 'COLD');
  assert.deepEqual([status, body.status], [200, 'completed']);
  assert.equal((await transferred(accepted.call_id, 'completed')).end_reason, 'transferred');

  const refused = await answeredCall(service);
  const answer = await transfer(refused.call_id, BUSY, 'COLD');
  assert.deepEqual([answer.status, answer.body.code], [502, 'transfer_failed']);
  const { call_status, transfers } = await transferred(refused.call_id, 'failed');
  assert.deepEqual([call_status, transfers[0].reason], ['ANSWERED', 'busy']);
  await service.close();
});

test('so is that of a warm transfer: without rounds nothing else would find the target', async () => {
  const { service, transfer, transferred } = await startUnavailable();
  const accepted = await answeredCall(service);
  await transfer(accepted.call_id, TARGET, 'WARM');
  assert.equal((await transferred(accepted.call_id, 'connected')).call_status, 'ANSWERED');

  const refused = await answeredCall(service);
  await transfer(refused.call_id, BUSY, 'WARM');
  assert.equal((await transferred(refused.call_id, 'failed')).transfers[0].reason, 'busy');
  await service.close();
});
