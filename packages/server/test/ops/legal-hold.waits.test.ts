import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answeredCall, createAgent, USER } from '@switchboard/testkit/calls.ts';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { openTestDatabase } from '@switchboard/testkit/database.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { type Service, startService } from '@switchboard/testkit/service.ts';
import { sql } from 'kysely';

const DAY_MS = 24 * 3_600_000;
const DAYS = { TRANSCRIPT_RETENTION_DAYS: '10' };
const DELETIONS: Record<string, (service: Service) => Promise<unknown>> = {
  'an erasure': (service) => service.request('DELETE', `/api/users/${USER}`),
  'the retention': async (service) => {
    await service.app.reconcile();
    // Begun by the service itself, if that was faster.
    const work = service.database.db.selectFrom('work').select('leased_until').where('kind', '=', 'retention');
    await eventually(
      () => work.executeTakeFirstOrThrow(),
      ({ leased_until }) => leased_until === null,
    );
  },
};

// The embedded database has one connection: no two transactions are open at a time.
if (process.env.TEST_DATABASE_URL)
  for (const whose of ['agent', 'user'] as const)
    for (const [what, begin] of Object.entries(DELETIONS))
      test(`nothing is deleted after the answer to a hold of the ${whose}, although a step of ${what} was in progress`, async () => {
        const clock = createTestClock();
        // Patient: a lock is held for longer than a transaction may pause.
        const database = await openTestDatabase(true);
        const service = await startService({ database, clock, env: what === 'the retention' ? DAYS : {} });
        const { db } = database;
        const agent_id = await createAgent(service);
        const { call_id, room_name } = await answeredCall(service, { agent_id });
        const path = `/api/sessions/by-room/${room_name}/transcripts`;
        await service.request('POST', path, { body: { content: 'zebulon' } });
        await service.request('POST', `/api/calls/${call_id}/end`);
        const left = async () =>
          (await db.selectFrom('transcripts').select('id').where('session_id', '=', call_id).execute()).length;
        const waiting = async () => {
          const { rows } = await sql`select from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
          return rows.length;
        };
        const deleted = await db.transaction().execute(async (trx) => {
          await sql`select from transcripts where session_id = ${call_id}::uuid for update`.execute(trx);
          clock.advance(20 * DAY_MS);
          const deleting = begin(service);
          await eventually(waiting, (count) => count >= 1);
          const [url, method] =
            whose === 'user' ? [`/api/users/${USER}`, 'PATCH'] : [`/api/agents/${agent_id}/legal-hold`, 'PUT'];
          let isAnswered = false;
          const held = service.request(method, url, { body: { legal_hold: true } }).then(async ({ status }) => {
            isAnswered = true;
            assert.equal(status, 200);
            return left();
          });
          await eventually(waiting, (count) => count >= 2 || isAnswered);
          return { deleting, held };
        });
        const atAnswer = await deleted.held;
        await deleted.deleting;
        assert.equal(await left(), atAnswer);
        await service.close();
        await database.close();
      });
