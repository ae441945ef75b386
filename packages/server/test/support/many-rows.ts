import { sql } from 'kysely';
import type { Database } from '../../src/db/database.ts';

/** A user with a tenth of everything. */
export const BUSY = 'user-0';

const unpriced = { session_id: 's', user_id: BUSY, provider: 'carrier', event_type: 'llm_tokens', quantity: 1 };
const price = { provider: 'carrier', event_type: 'llm_tokens', price: 1, valid_from: '2026-01-01' };
/** Requests that read and write the price book. */
export const PRICING: [method: string, path: string, options?: { body: object }][] = [
  ['POST', '/api/usage/events/batch', { body: { events: [unpriced] } }],
  ['POST', '/api/prices/apply'],
  ['PUT', '/api/prices', { body: { entries: [price] } }],
];

/** Tables that grow with their users' calls. */
export const GROWING = new RegExp(
  `^(${[
    'agents',
    'agent_versions',
    'agent_releases',
    'agent_drafts',
    'extractors',
    'extractor_versions',
    'analyses',
    'analysis_values',
    'analysis_rollups',
    'analysis_backfills',
    'scenarios',
    'suites',
    'test_runs',
    'test_results',
    'test_replays',
    'cassettes',
    'scheduled_calls',
    'sessions',
    'call_words',
    'session_events',
    'transcripts(_.*)?',
    'usage_events(_.*)?',
    'usage_rollups',
    'usage_agent_sessions',
    'usage_agent_session_counts',
    'webhook_endpoints',
    'callbacks',
    'callback_attempts',
    'callback_endpoints_off',
    'turns',
    'tool_calls',
    'turn_rollups',
    'call_rollups',
    'budgets',
    'budget_thresholds',
    'transfers',
    'media_events',
    'recordings',
    'recording_segments',
    'recording_levels',
    'call_disclosures',
    'call_opt_outs',
    'evidence_documents',
    'idempotency_keys',
    'audit_log',
    'api_keys',
    'erasures',
    'call_allowances',
    'prices',
    'campaigns',
    'campaign_recipients',
    'campaign_attempts',
    'campaign_counts',
    'campaign_days',
  ].join('|')})$`,
);

const user = (n: string) => `case when ${n} % 10 = 0 then '${BUSY}' else 'user-' || (${n} % 400) end`;
/** Ids as the service makes them, the newest last, over the last weeks. */
const id = (kind: number, n: string) =>
  `overlay(id_from(now() - interval '1 second' * (60000 - (${n})) * 40)::text placing '${kind}' || lpad(to_hex((${n})), 11, '0') from 25)::uuid`;

// Rare cases are rare here too: one of a hundred sessions is open, one of fifty failed.
const STATEMENTS = [
  `insert into agents (id, user_id, name, type, config, is_active, created_at, updated_at, deleted_at)
   select ${id(1, 'n')}, ${user('n')}, 'Agent ' || n, 'PIPELINE', '{}', true, now(), now(), case when n % 4 = 0 then now() end
   from generate_series(1, 12000) as n`,
  `insert into agent_versions (agent_id, number, user_id, name, type, config, created_by, created_at)
   select id, n, user_id, name || n, type, config, 'open', now() from agents, generate_series(1, 2) as n where deleted_at is null
   union all select ${id(1, '3')}, n, 'user-3', 'Version ' || n, 'LLM', '{}', 'open', now() from generate_series(3, 10000) as n`,
  `insert into agent_releases (agent_id, number, user_id, arms, sticky_by, created_by, created_at)
   select agent_id, number, user_id, jsonb_build_array(jsonb_build_object('version', number, 'weight', 100)), 'none', 'open', now()
   from agent_versions`,
  `insert into agent_drafts (agent_id, user_id, name, type, config, based_on, updated_by, updated_at)
   select id, user_id, name, type, config, 1, 'open', now() from agents where deleted_at is null`,
  'update agents set version = 2 where deleted_at is null',
  `insert into sessions (id, room_name, user_id, agent_id, status, call_direction, call_status, session_data, started_at, ended_at,
     created_at, updated_at)
   select ${id(2, 'n')}, 'call-' || n, ${user('n')}, ${id(1, 'n % 600 + 1')}, status,
     case when n % 7 = 0 then null when n % 3 = 0 then 'INBOUND' else 'OUTBOUND' end,
     case when n % 7 = 0 then null when status = 'ACTIVE' then 'ANSWERED' when status = 'CREATED' then 'RINGING' else status end, '{}', at,
     case when status in ('COMPLETED', 'FAILED') then at end, at, at
   from (select n, now() - interval '1 second' * (60000 - n) * 40 as at,
     case when n > 30000 and n % 101 = 0 then 'ACTIVE' when n > 30000 and n % 103 = 0 then 'CREATED' when n % 53 = 0 then 'FAILED' else 'COMPLETED' end
       as status
     from generate_series(1, 40000) as n) as made`,
  `insert into scheduled_calls (id, user_id, agent_id, phone_number, status, request, room_name, due_at, latest_at, expires_at,
     created_at, updated_at)
   select ${id(9, 'n')}, ${user('n')}, ${id(1, 'n % 600 + 1')}, '+4930' || (123456 + n), case when n % 20 = 0 then 'SCHEDULED' else 'PLACED' end,
     '{"phone_number": "+49301234567", "variables": {"name": "Ada"}}', 'scheduled-' || n, now(), now(), now(), now(), now()
   from generate_series(1, 20000) as n`,
  `insert into call_words select id, array_to_tsvector(array['@' || md5(user_id), 'word', 'word' || right(room_name, 3)])
   from sessions where call_status is not null`,
  `insert into session_events (id, session_id, status, call_status, created_at)
   select gen_random_uuid(), id, status, call_status, created_at from sessions, generate_series(1, 2)`,
  `insert into transcripts (id, session_id, speaker, content, timestamp)
   select ${id(3, 'n')}, ${id(2, 'n')}, 'USER', repeat('word ', 20), now() from generate_series(1, 40000) as n`,
  `insert into usage_events (id, session_id, user_id, agent_id, provider, event_type, quantity, unit_cost, total_cost, created_at)
   select ${id(4, 'n')}, (${id(2, 'n')})::text, ${user('n')}, (${id(1, 'n % 600 + 1')})::text, 'openai', 'llm_tokens', 1, 1, 1, now()
   from generate_series(1, 40000) as n`,
  // And some for each of the months to come: an empty partition is rightly read from end to end.
  ...Object.entries({
    transcripts: 'speaker, content, timestamp',
    usage_events: 'user_id, agent_id, provider, event_type, quantity, unit_cost, total_cost, created_at',
  }).map(
    ([table, columns]) => `insert into ${table} (id, session_id, ${columns})
   select overlay(id_from(now() + interval '1 month' * (n % 4 + 1))::text placing '5' || lpad(to_hex(n), 11, '0') from 25)::uuid, session_id, ${columns}
   from (select row_number() over () as n, * from ${table} cross join generate_series(1, 2)) as rows`,
  ),
  `insert into usage_rollups (user_id, day, agent_id, provider, event_type, recorded_on, quantity, total_cost, events)
   select 'user-' || n % 400, date '2026-01-01' + n / 400, (${id(1, 'n % 600 + 1')})::text, 'openai', 'llm_tokens',
     date '2026-01-01' + n / 400, 1, 1, 1
   from generate_series(1, 40000) as n`,
  `insert into usage_agent_sessions (user_id, agent_id, session_id)
   select 'user-' || n % 400, (${id(1, 'n % 600 + 1')})::text, (${id(2, 'n')})::text from generate_series(1, 40000) as n`,
  `insert into usage_agent_session_counts (user_id, agent_id, sessions)
   select user_id, agent_id, count(*) from usage_agent_sessions group by 1, 2`,
  `insert into turns (id, session_id, turn_index, end_of_speech_at, first_audio_ms, created_at)
   select ${id(8, 'n')}, ${id(2, 'n')}, 1, now(), 500, now() from generate_series(1, 40000) as n`,
  `insert into tool_calls (id, session_id, call_id, name, content, is_error, called_at)
   select ${id(8, 'n')}, ${id(2, 'n')}, 'call', 'find', '{"arguments":{},"result":"' || repeat('word ', 100) || '"}', false, now() from generate_series(1, 40000) as n`,
  `insert into turn_rollups (user_id, day, agent_id, model, metric, bucket, turns, total_ms)
   select 'user-' || n % 400, date '2026-01-01' + n / 4000, (${id(1, 'n % 600 + 1')})::text, 'gpt', 'first_audio', n / 400 % 10 + 100, 1, 500
   from generate_series(1, 40000) as n`,
  `insert into call_rollups (user_id, day, agent_id, direction, end_reason, answered_by, metric, bucket, calls, total_ms)
   select 'user-' || n % 400, current_date - 365 + n / 400 % 300, (${id(1, 'n % 600 + 1')})::text, 'OUTBOUND', 'hangup', '', 'ring', n / 12000 + 100, 1, 500
   from generate_series(1, 40000) as n`,
  `insert into budgets (user_id, monthly_limit, thresholds, refuse_calls, end_calls, count_tests, updated_at)
   select 'user-' || n, 1000000000, '{50}', true, true, true, now() from generate_series(1, 20000) as n`,
  `insert into budget_thresholds (user_id, month, percent, reached_at)
   select 'user-' || n, '2026-01-01', 50, now() from generate_series(1, 20000) as n`,
  `insert into callbacks (id, session_id, user_id, url, type, payload, status, attempts, next_attempt_at, created_at, updated_at)
   select ${id(5, 'n')}, ${id(2, 'n')}, ${user('n')}, 'https://example.com/' || n % 50, 'call.completed', '{}', status, 1,
     case when status = 'pending' then now() + interval '1 second' * (n * 7919 % 86400) end, now(), now()
   from (select n, case when n % 101 = 0 then 'pending' when n % 53 = 0 then 'failed' else 'delivered' end as status
     from generate_series(1, 40000) as n) as made`,
  `insert into webhook_endpoints (id, user_id, url, host, events, is_active, created_at, updated_at)
   select ${id(9, 'n')}, 'user-' || n % 400, 'http://127.0.0.1:9/' || n, '127.0.0.1:9', null, n % 400 > 20, now(), now()
   from generate_series(1, 8000) as n`,
  `insert into callback_attempts (id, callback_id, attempted_at, latency_ms, response_status)
   select gen_random_uuid(), id, now(), 5, 200 from callbacks`,
  `insert into callback_endpoints_off select 'user-' || n, md5('https://example.com'), now() from generate_series(1, 20000) as n`,
  `insert into transfers (id, session_id, transfer_type, phone_number, status, created_at, updated_at)
   select gen_random_uuid(), ${id(2, 'n')}, 'COLD', '+15005550100', case when n % 500 = 0 then 'pending' else 'completed' end, now(), now()
   from generate_series(1, 20000) as n`,
  `insert into media_events (id, body, room_name, received_at, handled_at)
   select 'EV_' || n, repeat('x', 100), 'call-' || n, now(), case when n % 1000 > 0 then now() end from generate_series(1, 40000) as n`,
  `insert into recordings (id, session_id, user_id, state, channels, started_at, created_at, updated_at)
   select gen_random_uuid(), id, user_id, case when n % 500 = 0 then 'recording' else 'stored' end, 'stereo', created_at, created_at, updated_at
   from (select *, row_number() over () as n from sessions where call_status is not null) as calls where n % 2 = 0`,
  `insert into recording_segments (recording_id, seq, bytes, sha256, from_ms, to_ms)
   select id, 0, 1, '', 0, 1 from recordings`,
  `insert into recording_levels (recording_id, seq, from_ms, levels)
   select id, 0, 0, '' from recordings`,
  `insert into call_disclosures (call_id, user_id, text, started_at, is_complete, created_at)
   select id, user_id, repeat('word ', 20), created_at, true, created_at from sessions where call_status is not null`,
  `insert into call_opt_outs (call_id, user_id, noticed_by, transcript_id, scope, scope_id, is_suppressed, asked_at)
   select id, user_id, 'service', gen_random_uuid(), 'user', '', true, created_at from sessions where call_status is not null`,
  `insert into evidence_documents (user_id, position, call_id, content_hash, document_hash, key_id, signature, issued_at)
   select user_id, row_number() over (partition by user_id order by id), id, repeat('a', 64), repeat('b', 64), 'key', repeat('c', 128), created_at
   from sessions where call_status is not null`,
  `insert into evidence_documents (user_id, position, decision_id, content_hash, document_hash, key_id, signature, issued_at)
   select user_id, 1000000 + row_number() over (partition by user_id order by id), gen_random_uuid(), repeat('a', 64), repeat('b', 64), 'key', repeat('c', 128), created_at
   from sessions where call_status is not null`,
  `insert into idempotency_keys (scope, key, fingerprint, answer, user_id, created_at)
   select 'scope', 'key-' || n, 'f', '{}', ${user('n')}, now() from generate_series(1, 20000) as n`,
  `insert into audit_log (id, at, actor, user_id, action, target)
   select ${id(6, 'n')}, now(), 'open', ${user('n')}, 'number.assigned', 'agent/1' from generate_series(1, 20000) as n`,
  `insert into api_keys (id, name, role, user_id, token_hash, created_at)
   select ${id(7, 'n')}, 'key', 'user', ${user('n')}, 'hash-' || n, now() from generate_series(1, 20000) as n`,
  `insert into erasures (pseudonym, requested_at, finished_at) select 'erased-' || n, now(), now() from generate_series(1, 20000) as n`,
  `insert into call_allowances (user_id, tokens, refilled_at, day, calls)
   select 'caller-' || n, 1, now(), '2026-01-01', 1 from generate_series(1, 20000) as n`,
  `insert into prices (id, provider, event_type, model, prefix, direction, price, valid_from, recorded_at)
   select ${id(11, 'n').replace("'11'", "'b'")}, 'carrier', 'telephony_minutes', '', (n + 1000)::text, '', 1, '2026-01-01', now() from generate_series(1, 20000) as n`,
  `insert into scenarios (id, user_id, name, text, content, created_at, updated_at)
   select ${id(12, 'n').replace("'12'", "'c'")}, ${user('n')}, 'Scenario ' || n, 'x', '{}', now(), now() from generate_series(1, 20000) as n`,
  `insert into extractors (id, user_id, name, version, created_at, updated_at)
   select id, user_id, 'extractor-' || id, 2, now(), now() from scenarios`,
  `insert into extractor_versions (extractor_id, version, user_id, content, created_at)
   select id, n, user_id, '{"schema":{"properties":{}},"instructions":"","model":null,"when":{},"sample":1,"weights":{}}', now() from extractors, generate_series(1, 2) as n`,
  `insert into analyses (id, session_id, user_id, extractor, extractor_version, state, result, created_at, ended_at)
   select id, id, user_id, 'visit', 1, case when n % 400 = 0 then 'queued' else 'done' end, '{}', created_at, created_at
   from (select *, row_number() over (order by id) as n from sessions where call_status is not null) as calls`,
  `insert into analysis_values (session_id, extractor, field, value, number, counted_as, user_id)
   select session_id, extractor, field,
     case when field = 'score' then (n % 90)::text when n % 60 = 0 then 'rare' else 'booked' end,
     case when field = 'score' then n % 90 else 0 end, 'x', user_id
   from (select *, row_number() over (order by id) as n from analyses) as made, unnest(array['outcome', 'score']) as field`,
  `insert into analysis_rollups (user_id, day, agent_id, agent_version, extractor, field, value, calls, total)
   select 'user-' || n % 400, date '2026-01-01' + n / 400, (${id(1, 'n % 600 + 1')})::text, 1, 'visit', 'outcome', 'booked', 1, 0
   from generate_series(1, 40000) as n`,
  `insert into analysis_backfills (id, user_id, extractor, extractor_version, filter, state, created_at)
   select id, user_id, 'visit', 1, '{}', case when random() < 0.01 then 'running' else 'done' end, created_at from scenarios`,
  `insert into suites (id, user_id, name, scenario_ids, created_at, changed_at)
   select id, user_id, name, array[id], now(), now() from scenarios`,
  `insert into test_runs (id, user_id, suite_id, agent_id, agent_version, status, is_simulated, scenarios, created_at, ended_at)
   select ${id(13, 'n').replace("'13'", "'d'")}, ${user('n')}, ${id(12, 'n % 500 + 1').replace("'12'", "'c'")}, ${id(1, 'n % 600 + 1')}, 1,
     case when n % 101 = 0 then 'queued' else 'passed' end, false, 1, now(), case when n % 101 > 0 then now() end
   from generate_series(1, 20000) as n`,
  `insert into test_results (id, run_id, user_id, scenario_id, name, content, critical, runs, status)
   select gen_random_uuid(), id, user_id, id, 'x', '{}', false, 1, status from test_runs`,
  // As long as a short conversation: a table of bare keys is rightly read from end to end for a hundred of them.
  `insert into test_replays (result_id, user_id, call_id, turns) select id, user_id, id, repeat('word ', 200) from test_results`,
  `insert into cassettes (id, user_id, agent_id, agent_version, content, exchanges, recorded_at)
   select id, user_id, id, 1, '{}', 1, now() from scenarios`,
  `insert into campaigns (id, user_id, name, agent_id, state, settings, turn_at, created_at, updated_at)
   select id, user_id, 'Renewals', id, case when n % 100 = 0 then 'running' else 'completed' end,
     '{"pacing":{"max_concurrent":10,"per_minute":60,"reserve_for_others":0},"retries":{"attempts":1,"on":[],"delays_s":[0],"spread":0},"reached_by":["answered"],"from_numbers":[],"purpose":"marketing","policy":null,"circuit":{"failure_rate":1,"window_s":60,"min_calls":1000}}',
     case when n % 100 = 0 then now() + interval '1 day' end, now(), now()
   from (select *, row_number() over (order by id) as n from scenarios) as made`,
  `insert into campaign_counts (campaign_id, kind, name, count)
   select id, 'recipients', counted, 4 from campaigns, unnest(array['waiting', 'reached']) as counted`,
  `insert into campaign_recipients (id, campaign_id, user_id, external_id, phone_number, variables, state, attempts, next_at, created_at)
   select ${id(14, 'n').replace("'14'", "'e'")}, campaign.id, campaign.user_id, 'c-' || n, '+1500555' || n, repeat('word ', 40),
     case when n % 3 = 0 then 'waiting' else 'reached' end, n % 3, case when n % 3 = 0 then now() end, now()
   from (select *, row_number() over (order by id) as place from campaigns) as campaign
   join (select n, case when n % 2 = 0 then n % 20000 + 1 else n % 100 + 1 end as place from generate_series(1, 40000) as n) as made using (place)`,
  `insert into campaign_attempts (recipient_id, attempt, campaign_id, call_id, started_at, ended_at, outcome)
   select id, 1, campaign_id, id, now(), now(), case when random() < 0.99 then 'answered' end from campaign_recipients
   where attempts > 0`,
  `insert into campaign_days (campaign_id, day, answered, abandoned)
   select id, current_date - n, 4, 1 from campaigns, generate_series(0, 2) as n`,
  'analyze',
  // They are found already: writing all of them anew beside the tests would make plans depend on how far it got.
  'update call_words_progress set seen = (txid_current() + 1)::text',
  // As autovacuum does: words that wait to be sorted in make every search of them look dear.
  `select gin_clean_pending_list('call_words_by_word')`,
];

/** A report of a turn, and of a tool that it called. */
export const TURNS = {
  turns: [{ turn_index: 0, end_of_speech_at: '2026-01-15T09:30:00Z', first_audio_ms: 5 }],
  tool_calls: [{ call_id: 'a', name: 'find', arguments: {}, result: '{}', called_at: '2026-01-15T09:30:00Z' }],
};

/** Fills every table that grows, so that the planner has to choose. */
export async function insertManyRows({ db }: Database): Promise<void> {
  // In one transaction, so that it is the same time in all of them, and so the same ids.
  await db.transaction().execute(async (trx) => {
    // Without a look at the referenced row for each of them, a fifth of the time.
    await sql`set local session_replication_role = replica`.execute(trx);
    for (const statement of STATEMENTS) await sql.raw(statement).execute(trx);
  });
}
