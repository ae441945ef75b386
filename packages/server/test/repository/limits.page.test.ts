import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { maxHeaderSize } from 'node:http';
import path from 'node:path';
import { test } from 'node:test';
import { MAX_RING_MS } from '@switchboard/scenarios/schema';
import { MAX_REFUSAL_KINDS } from '../../src/access/audit/audit.ts';
import { MAX_FIELDS, MAX_VALUE } from '../../src/access/audit/changes.ts';
import { SESSION_MS } from '../../src/access/console-sessions/console-sessions.ts';
import { SIGN_IN_MS } from '../../src/access/console-sessions/openid.ts';
import { MAX_THRESHOLDS } from '../../src/billing/budgets/schema.ts';
import { MAX_LISTED } from '../../src/billing/carrier-costs/carrier-costs.ts';
import { MAX_UNPRICED_KINDS } from '../../src/billing/costs/report.ts';
import { MAX_AGENTS_LISTED, MAX_PROVIDERS, MAX_PROVIDERS_OF_TIMELINE } from '../../src/billing/costs/store.ts';
import { MAX_LINES } from '../../src/billing/reports/schema.ts';
import * as analyses from '../../src/calling/analyses/schema.ts';
import { MAX_ANALYSIS_GROUPS } from '../../src/calling/analyses/stats-schema.ts';
import { CALLS_PER_SECOND } from '../../src/calling/calls/inbound.ts';
import * as recipients from '../../src/calling/campaigns/recipient-schema.ts';
import * as campaigns from '../../src/calling/campaigns/schema.ts';
import * as chats from '../../src/calling/chats/schema.ts';
import { MAX_CONSENTS } from '../../src/calling/evidence/evidence.ts';
import { MAX_LAST_CHARS, MAX_SCANNED } from '../../src/calling/history/store.ts';
import { MAX_VALUE_FILTERS } from '../../src/calling/history/values-schema.ts';
import { MAX_CALL_DATA_BYTES, MAX_VARIABLES } from '../../src/calling/outbound/schema.ts';
import {
  MAX_ATTEMPTS as MAX_DIAL_ATTEMPTS,
  MAX_POLICIES,
  MAX_POLICY_VERSIONS,
  MAX_RULES,
} from '../../src/calling/policies/schema.ts';
import { MAX_POINTS, MAX_SEGMENT_BYTES, MAX_SEQ } from '../../src/calling/recordings/schema.ts';
import * as scenarios from '../../src/calling/scenarios/schema.ts';
import { VALID_MS } from '../../src/calling/schedules/call-backs.ts';
import { MAX_SCHEDULED } from '../../src/calling/schedules/schema.ts';
import { MAX_DAYS_AHEAD } from '../../src/calling/schedules/times.ts';
import { MAX_WORDS } from '../../src/calling/steering/schema.ts';
import { MAX_MISSED } from '../../src/calling/streams/activity.ts';
import { LISTENER_BYTES } from '../../src/calling/streams/feed.ts';
import { MAX_ENTRIES as MAX_SUPPRESSIONS, REMOVED_DAYS } from '../../src/calling/suppressions/schema.ts';
import { MAX_CONVERSATIONS, MAX_KEPT_BYTES, MAX_OPEN_RUNS, MAX_REPLAYS } from '../../src/calling/test-runs/schema.ts';
import { MAX_DISCLOSURE } from '../../src/conversations/agents/compliance-schema.ts';
import { MAX_CONFIG_PROBLEMS } from '../../src/conversations/agents/config-check.ts';
import { MAX_AGENT_EXTRACTORS } from '../../src/conversations/agents/extractor-pins.ts';
import { MAX_AGENTS, MAX_LIST_BYTES } from '../../src/conversations/agents/list-limits.ts';
import { MAX_EXTERNAL_KEY } from '../../src/conversations/agents/schema.ts';
import { FEW, SMALL_BYTES } from '../../src/conversations/agents/store.ts';
import { MAX_CHOICES, MAX_SCHEMA_FIELDS } from '../../src/conversations/extractors/fields.ts';
import { MAX_EXTRACTOR_VERSIONS, MAX_EXTRACTORS, MAX_SCHEMA_BYTES } from '../../src/conversations/extractors/schema.ts';
import { MAX_DATA_WAIT_MS } from '../../src/conversations/sessions/lifecycle.ts';
import { MAX_FAILOVERS } from '../../src/conversations/sessions/schema.ts';
import { MAX_SESSION_DATA_BYTES } from '../../src/conversations/sessions/update.ts';
import { MAX_CALL_GROUPS } from '../../src/conversations/stats/stats.ts';
import * as turns from '../../src/conversations/turns/schema.ts';
import { MAX_GROUPS } from '../../src/conversations/turns/turns.ts';
import { MAX_VERSIONS } from '../../src/conversations/versions/history.ts';
import { MAX_ARMS } from '../../src/conversations/versions/schema.ts';
import { PAGE_BYTES } from '../../src/db/page-budget.ts';
import { MAX_DELIVERIES, MAX_DELIVERY_BYTES } from '../../src/delivery/callbacks/hosts.ts';
import { MAX_REDELIVERED } from '../../src/delivery/callbacks/redelivery-schema.ts';
import { MAX_ATTEMPTS_SHOWN } from '../../src/delivery/callbacks/store.ts';
import { MAX_ENDPOINTS, MAX_ENDPOINTS_PER_HOST, MAX_TESTS } from '../../src/delivery/callbacks/webhook-endpoints.ts';
import { MAX_OVERLAPPING } from '../../src/delivery/secrets/secrets.ts';
import { MAX_BODIES_BYTES, MAX_BODIES_BYTES_PER_ADDRESS } from '../../src/http/body-reader.ts';
import { MAX_EXPORTS } from '../../src/http/csv.ts';
import { MAX_STREAMS_PER_KEY } from '../../src/http/event-stream.ts';
import { BODY_LIMITS, MAX_BODY_BYTES, SMALL_BODY } from '../../src/http/json-body.ts';
import { LINGER_MS } from '../../src/http/linger.ts';
import { MAX_CONCURRENT_LONG_LISTS, MAX_WAITING_LONG_LISTS } from '../../src/http/long-lists.ts';
import { MAX_LIMIT } from '../../src/http/paging.ts';
import { MAX_GUESSES } from '../../src/http/rate-limit.ts';
import { MAX_REFUSALS_LOGGED } from '../../src/http/request-log.ts';
import { MAX_HEAVY, MAX_IN_FLIGHT } from '../../src/http/request-turns.ts';
import { MAX_UNSENT_BYTES } from '../../src/http/unread-responses.ts';
import { MAX_UPLOAD_BYTES, MAX_UPLOADS, MAX_UPLOADS_OF_OWNER } from '../../src/http/uploads.ts';
import { MAX_OBJECT_BYTES } from '../../src/http/validation.ts';
import { MAX_MISSING } from '../../src/ledger/prices/apply.ts';
import { MAX_APPLIED } from '../../src/ledger/prices/routes.ts';
import { MAX_ENTRIES } from '../../src/ledger/prices/schema.ts';
import { MAX_BATCH } from '../../src/ledger/usage/schema.ts';
import { MAX_NAMES_BYTES } from '../../src/ledger/usage/usage.ts';
import { MAX_DEPTH } from '../../src/lib/json.ts';
import { REMEMBERED_MS, TRUSTED_MS } from '../../src/lib/recent.ts';
import { MAX_SIP_HEADER_LENGTH, MAX_SIP_HEADERS } from '../../src/lib/sip-headers.ts';
import { MAX_CONCURRENT_WRITERS, MAX_SPOOLED_BYTES } from '../../src/lib/spool.ts';
import { DOCTOR_MS } from '../../src/ops/doctor/schema.ts';
import { NEVER_STARTED_AFTER_MS } from '../../src/ops/maintenance/reconcile.ts';
import { SETTINGS } from '../../src/settings.ts';
import { MAX_CAPACITY, MAX_EVENTS } from '../../src/work/task-schema.ts';
import { MAX_FAILING_LISTED } from '../../src/work/work.ts';

/** Limits without a variable: their names on the page, and the constants in the code. */
const CONSTANTS: Record<string, string> = {
  'One value in `before` or `after` of an audit entry': `${count(MAX_VALUE)} characters`,
  'Fields in `before` or `after` of an audit entry': count(MAX_FIELDS),
  'Kinds of refused requests that one process tells apart in the audit log in a minute, by caller, address, action and error':
    count(MAX_REFUSAL_KINDS),
  'Concurrent callback deliveries of one process, all users': count(MAX_DELIVERIES),
  'Bodies of concurrent callback deliveries of one process, all users': bytes(MAX_DELIVERY_BYTES),
  [`Lists of agents that one process reads in parts concurrently: those with more than ${FEW} agents, or an agent of more than ${bytes(SMALL_BYTES)}`]:
    count(MAX_CONCURRENT_LONG_LISTS),
  'Such lists of one user waiting': count(MAX_WAITING_LONG_LISTS),
  "Transcripts read at once for one subscriber to a call's events": bytes(LISTENER_BYTES),
  'Attempts shown for one callback': count(MAX_ATTEMPTS_SHOWN),
  'Event streams of one key that names no user; in open mode, of one address': count(MAX_STREAMS_PER_KEY),
  'Entries, of all users, missed by a resumed `GET /api/events`': count(MAX_MISSED),
  'Characters of the newest transcript in a list of calls': count(MAX_LAST_CHARS),
  'CSV exports in progress of one user; of one key that names no user, or, in open mode, of one address':
    count(MAX_EXPORTS),
  'CSV cost reports that one process reads from the database concurrently': count(MAX_CONCURRENT_WRITERS),
  'Unread CSV cost reports on the disk of one process': bytes(MAX_SPOOLED_BYTES),
  'Requests in flight on one connection': count(MAX_IN_FLIGHT),
  'Unread responses, all connections': bytes(MAX_UNSENT_BYTES),
  'Time for the rest of a body after an error that closes the connection': seconds(LINGER_MS),
  'Large bodies (over 16 KiB) being received or waiting to be parsed, all requests': bytes(MAX_BODIES_BYTES),
  'Large bodies being received or waiting to be parsed, from one address': bytes(MAX_BODIES_BYTES_PER_ADDRESS),
  'Requests in flight with large bodies or bodies of unknown length, plus connections whose next requests are not read yet':
    count(MAX_HEAVY),
  'Request headers': bytes(maxHeaderSize),
  'Request body': bytes(MAX_BODY_BYTES),
  'Request body of operations with a few short fields': bytes(SMALL_BODY),
  'Fields in a request body, at all levels': count(BODY_LIMITS.fields),
  'Nesting levels in a request body, before parsing': count(BODY_LIMITS.depth),
  'Console session': `${SESSION_MS / 3_600_000} h`,
  'Console sign-in at an OpenID provider': `${SIGN_IN_MS / 1000} s`,
  'Invalid tokens a minute from one address': count(MAX_GUESSES),
  'One object (`config`, `metadata`)': bytes(MAX_OBJECT_BYTES),
  'Nesting levels of one object': count(MAX_DEPTH),
  '`user_id`, `agent_id` and `session_id` of a usage event together, and its `user_id`, `agent_id`, `provider` and `model`': `${count(MAX_NAMES_BYTES)} bytes`,
  'Usage events in one batch': count(MAX_BATCH),
  'Prices in one request': count(MAX_ENTRIES),
  'Events examined by one request to apply prices': count(MAX_APPLIED),
  'Failing work listed in one response': count(MAX_FAILING_LISTED),
  'Tasks in one claim of a worker': count(MAX_CAPACITY),
  'Partial results in one request of a worker': count(MAX_EVENTS),
  'Requests with partial results of one turn of a chat': count(chats.MAX_REPORTS),
  'Partial results of one turn of a chat, of all attempts': bytes(chats.MAX_REPORTED_BYTES),
  'Calls of tools that a chat remembers, beside those of its last answer': bytes(chats.MAX_REMEMBERED_BYTES),
  'Messages of one chat, of both sides': count(chats.MAX_MESSAGES),
  'One message of a chat': `${count(chats.MAX_CONTENT)} characters`,
  'One scenario': `${count(scenarios.MAX_TEXT)} characters`,
  'Ringing of the phone in a scenario by phone (`line.ring_ms`)': seconds(MAX_RING_MS),
  'Mistakes of a scenario listed in one response': count(scenarios.MAX_MISTAKES),
  'Extractors of one user': count(MAX_EXTRACTORS),
  'Versions of one extractor': count(MAX_EXTRACTOR_VERSIONS),
  'Fields of one extractor': count(MAX_SCHEMA_FIELDS),
  'Choices of one field of an extractor': count(MAX_CHOICES),
  'Schema of one extractor': bytes(MAX_SCHEMA_BYTES),
  'Extractors of one agent': count(MAX_AGENT_EXTRACTORS),
  'Values of analyses that one list of calls is filtered by': count(MAX_VALUE_FILTERS),
  'Lines of evidence for one value of an analysis': count(analyses.MAX_EVIDENCE),
  'Result of one analysis': bytes(analyses.MAX_RESULT_BYTES),
  'Characters of the summary of one analysis': count(analyses.MAX_SUMMARY),
  'Characters of the transcript in the task of an analysis': count(analyses.MAX_CHARS),
  'Lines of the transcript in the task of an analysis': count(analyses.MAX_LINES),
  'Backfills of one user in progress': count(analyses.MAX_OPEN_BACKFILLS),
  'Groups of one report on analyses': count(MAX_ANALYSIS_GROUPS),
  'Dial policies of one user': count(MAX_POLICIES),
  'Versions of one dial policy': count(MAX_POLICY_VERSIONS),
  'Rules of one kind in a dial policy': count(MAX_RULES),
  'Calls that a rule of a dial policy allows in a period, at most': count(MAX_DIAL_ATTEMPTS),
  'Suppressions in one request': count(MAX_SUPPRESSIONS),
  'Days for which removed suppressions are among the changes': count(REMOVED_DAYS),
  'Calls of one user that wait for their time': count(MAX_SCHEDULED),
  'Days ahead for which a call is scheduled': count(MAX_DAYS_AHEAD),
  'Minutes after which a proposed call back is forgotten': count(VALID_MS / 60_000),
  'Campaigns of one user': count(campaigns.MAX_CAMPAIGNS),
  'Dispositions that one campaign counts as reached': count(campaigns.MAX_DISPOSITIONS),
  'Caller IDs of one campaign': count(campaigns.MAX_FROM_NUMBERS),
  'Attempts for one recipient of a campaign': count(campaigns.MAX_ATTEMPTS),
  'Calls of one campaign at the same time': count(campaigns.MAX_CONCURRENT),
  'Calls of one campaign in a minute': count(campaigns.MAX_PER_MINUTE),
  'Recipients of one campaign': count(recipients.MAX_RECIPIENTS),
  'Recipients in one request in JSON': count(recipients.MAX_LISTED),
  'Lines of one file of recipients': count(recipients.MAX_LINES),
  'One line of a file of recipients': bytes(recipients.MAX_LINE_BYTES),
  'Refused lines, or recipients, listed in one response': count(recipients.MAX_REFUSALS),
  'Recipients that one preview decides': count(recipients.MAX_PREVIEWED),
  'Files of one user that arrive at the same time; of one key that names no user, or, in open mode, of one address':
    count(MAX_UPLOADS_OF_OWNER),
  'Files that arrive at the same time': count(MAX_UPLOADS),
  'Bytes of files that are not read yet': bytes(MAX_UPLOAD_BYTES),
  'Characters of a disclosure, and of the answer to an opt-out': count(MAX_DISCLOSURE),
  'Consents of the number in the evidence of a call, or of a decision': count(MAX_CONSENTS),
  'Scenarios of one user': count(scenarios.MAX_SCENARIOS),
  'Suites of one user': count(scenarios.MAX_SUITES),
  'Scenarios of one suite, or chosen for one test run, or sent with it': count(scenarios.MAX_SUITE_SCENARIOS),
  'Scenarios sent with one test run, as JSON, with their aliases': bytes(scenarios.MAX_READ_BYTES),
  'Test runs of one user that have not ended': count(MAX_OPEN_RUNS),
  'Conversations of one test run': count(MAX_CONVERSATIONS),
  'Conversations kept of one scenario in a test run': bytes(MAX_KEPT_BYTES),
  'Calls that one test run replays': count(MAX_REPLAYS),
  'Recorded answers of models, of one scenario or call': bytes(scenarios.MAX_CASSETTE_BYTES),
  'Missing prices listed in one response': count(MAX_MISSING),
  'Calls, records and lines (each) listed in one response to a carrier cost import': count(MAX_LISTED),
  'Points of the loudness of a recording': count(MAX_POINTS),
  'Characters of a text for the agent of a call': count(MAX_WORDS),
  'Characters of an external key': count(MAX_EXTERNAL_KEY),
  'SIP headers of one call, and characters of each': `${MAX_SIP_HEADERS}; ${MAX_SIP_HEADER_LENGTH}`,
  'Segments of one recording': count(MAX_SEQ + 1),
  'One segment of a recording': bytes(MAX_SEGMENT_BYTES),
  'Turns in one request': count(turns.MAX_TURNS),
  'Calls of tools in one request': count(turns.MAX_TOOL_CALLS),
  'Characters of the arguments of one, as JSON, and of its result': count(turns.MAX_ARGUMENTS),
  'Calls of tools of one call, as they are stored': bytes(turns.MAX_TOOL_BYTES),
  'Models that took over, in one timeline': count(MAX_FAILOVERS),
  'Turns of one session': count(turns.MAX_INDEX + 1),
  "Problems reported by one check of an agent's configuration": count(MAX_CONFIG_PROBLEMS),
  'Groups in a latency report': count(MAX_GROUPS),
  'Groups in call statistics': count(MAX_CALL_GROUPS),
  'Providers named in the cost summary, and in the costs of a session': count(MAX_PROVIDERS),
  'Providers named in the cost timeline': count(MAX_PROVIDERS_OF_TIMELINE),
  'Agents listed in `GET /api/costs/by-agent`; the user’s own first': count(MAX_AGENTS_LISTED),
  'Kinds of unpriced events listed in a cost report': count(MAX_UNPRICED_KINDS),
  'Transcript lines in one call report': count(MAX_LINES),
  'Transcript bytes in one call report': bytes(PAGE_BYTES),
  "Time that a call's report waits for late data after its end": seconds(MAX_DATA_WAIT_MS),
  'Thresholds of one budget': count(MAX_THRESHOLDS),
  'Webhook endpoints of one user': count(MAX_ENDPOINTS),
  'Webhook endpoints of one user on one host, all ports': count(MAX_ENDPOINTS_PER_HOST),
  'Log lines for refused requests (4xx) of one route and status in a minute, of one process':
    count(MAX_REFUSALS_LOGGED),
  'Test events of one user in a minute': count(MAX_TESTS),
  'Callbacks redelivered by one request': count(MAX_REDELIVERED),
  'Time for the checks of `POST /api/doctor`, one run at a time per process': seconds(DOCTOR_MS),
  'Previous callback secrets that still sign': count(MAX_OVERLAPPING),
  'Variables of one call': count(MAX_VARIABLES),
  '`variables` or `metadata` of one call': bytes(MAX_CALL_DATA_BYTES),
  '`session_data` of one session': bytes(MAX_SESSION_DATA_BYTES),
  'Agents of one user': count(MAX_AGENTS),
  "Names, descriptions and configurations of one user's agents": bytes(MAX_LIST_BYTES),
  'Versions of one agent; and releases': count(MAX_VERSIONS),
  'Versions in one release': count(MAX_ARMS),
  'Calls scanned for one page with filters that have no index': count(MAX_SCANNED),
  'Items of one page (`limit`)': count(MAX_LIMIT),
  '`session_data` or transcripts in one page': bytes(PAGE_BYTES),
  'Time that a verified key or token is cached: one revoked by another process is accepted for that long':
    seconds(TRUSTED_MS),
  'Time that `/metrics` accepts a verified key while the database is away': seconds(REMEMBERED_MS),
  'Inbound calls from one number to another that begin within a second': count(CALLS_PER_SECOND),
  'Age of an open conversation whose room was never seen': seconds(NEVER_STARTED_AFTER_MS),
};

function count(value: number): string {
  return value.toLocaleString('en-US');
}

function bytes(value: number): string {
  const mebibyte = 1024 * 1024;
  return value % mebibyte === 0 ? `${count(value / mebibyte)} MiB` : `${count(value / 1024)} KiB`;
}

function seconds(ms: number): string {
  return `${count(ms / 1000)} s`;
}

/** The default of a variable, in the unit that its name ends with. */
function defaultOf(variable: string): string {
  const setting = SETTINGS.properties[variable as keyof typeof SETTINGS.properties] as { default?: unknown };
  assert.equal(typeof setting?.default, 'number', `${variable} is a setting with a number as its default`);
  const value = Number(setting.default);
  if (variable.endsWith('_MS')) return seconds(value);
  if (variable.endsWith('_S')) return seconds(value * 1000);
  return variable.endsWith('_BYTES') ? bytes(value) : count(value);
}

const page = path.resolve(import.meta.dirname, '../../../../docs/limits.md');
const rows = readFileSync(page, 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !/^\| (Limit|---) /.test(line))
  .map((line) => line.split('|').slice(1, -1))
  .map((cells) => cells.map((cell) => cell.trim()));

test('every limit on the page has the value in the code', () => {
  assert.ok(rows.length > 0);
  for (const [bound = '', value, variable = ''] of rows)
    assert.equal(value, variable ? defaultOf(variable.replaceAll('`', '')) : CONSTANTS[bound], bound);
});

test('every limit in the code is on the page once', () => {
  const onPage = rows.filter(([, , variable]) => !variable).map(([bound]) => bound);
  assert.deepEqual(onPage.sort(), Object.keys(CONSTANTS).sort());
});

test('every limit on the page names the test that reaches it', () => {
  for (const [bound, , , beyond, link = ''] of rows) {
    assert.ok(beyond, bound);
    const [, title = '', file = ''] = /^\[(.+)\]\((.+)\)$/.exec(link) ?? [];
    const source = path.resolve(path.dirname(page), file);
    assert.ok(existsSync(source), `${bound}: ${source}`);
    const text = readFileSync(source, 'utf8');
    assert.ok(
      ["'", '`'].some((quote) => text.includes(`test(${quote}${title}${quote}`)),
      `${bound}: ${title}`,
    );
  }
});
