import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answeredCall, createAgent, USER } from '@switchboard/testkit/calls.ts';
import { openTestDatabase } from '@switchboard/testkit/database.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { sql } from 'kysely';

/** Tables that no quota counts, by the reason why a user's own key cannot fill a disk with them. */
const UNCOUNTED = {
  'rows of something that is counted, and limited for each of it': [
    'analysis_values',
    'call_words',
    'callback_attempts',
    'campaign_attempts',
    'campaign_counts',
    'campaign_days',
    'chats',
    'dial_policies',
    'extractors',
    'recording_levels',
    'recording_segments',
    'session_events',
  ],
  // The words of the answer are then counted in its transcript.
  'the one answer that a chat is making, limited, and deleted with the next message or after two days': ['chat_events'],
  'each row comes with an entry of the audit log, which is counted': [
    'analysis_backfills',
    'api_keys',
    'budget_thresholds',
    'budgets',
    'callback_secrets',
    'console_sessions',
    'number_assignments',
    'stream_tokens',
    'test_runs',
    'transfers',
    'webhook_endpoints',
  ],
  'only workers and providers add them, as many as there are calls and turns in them': [
    'carrier_records',
    'media_events',
    'turns',
    'usage_agent_sessions',
    'usage_events',
  ],
  'sums by user, agent, day or value': [
    'analysis_rollups',
    'call_allowances',
    'call_rollups',
    'test_usage_rollups',
    'turn_rollups',
    'usage_agent_session_counts',
    'usage_rollups',
  ],
  'the count itself': ['storage_changes', 'stored_bytes', 'stored_bytes_progress'],
  'one row for each user, address or erasure, or work that is deleted once it is done': [
    'callback_endpoints_off',
    'data_keys',
    'erasures',
    'legal_holds',
    'provider_checks',
    'user_privacy',
    'work',
  ],
  'the installation’s own': [
    'audit_chain',
    'call_words_progress',
    'call_workers',
    'evidence_keys',
    'installation',
    'kysely_migration',
    'kysely_migration_lock',
    'leases',
    'number_keys',
    'price_book',
    'prices',
  ],
};

test('every table is counted for its users, or there is a reason why not', async () => {
  const { db } = await openTestDatabase();
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relkind in ('r', 'p') and not relispartition and relnamespace = 'public'::regnamespace
      and not exists (select from pg_trigger where tgrelid = pg_class.oid and tgname like 'count_bytes%')`.execute(db);
  assert.deepEqual(rows.map(({ name }) => name).sort(), Object.values(UNCOUNTED).flat().sort());
});

test('calls of tools count as stored, to the byte, until they are deleted', async () => {
  const service = await startService();
  const { db } = service.database;
  const agent_id = await createAgent(service);
  const { call_id } = await answeredCall(service, { agent_id });
  const counted = async () => (await service.request('GET', `/api/quotas/${USER}`)).body.stored_bytes;
  const exact = async () => {
    const { rows } = await sql<{ bytes: number }>`
      select sum(bytes)::bigint as bytes from stored_content where user_id = ${USER}`.execute(db);
    assert.equal(await counted(), rows[0]?.bytes);
  };
  const before = await counted();
  const call = { name: 'look_up', arguments: {}, result: 'x'.repeat(7_000), called_at: '2026-01-15T09:30:04.620Z' };
  const tool_calls = ['a', 'b'].map((id) => ({ ...call, call_id: id }));
  await service.request('POST', `/api/sessions/${call_id}/turns`, { body: { tool_calls } });
  const answers = { session_id: call_id, calls: JSON.stringify([call]) };
  const message_id = '00000000-0000-4000-8000-000000000001';
  await db
    .insertInto('chat_tool_calls')
    .values({ ...answers, message_id })
    .execute();
  await exact();
  assert.ok((await counted()) - before > 21_000, `${(await counted()) - before}`);
  await db.deleteFrom('tool_calls').execute();
  await db.deleteFrom('chat_tool_calls').execute();
  assert.equal(await counted(), before);
});
