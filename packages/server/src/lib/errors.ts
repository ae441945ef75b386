/**
 * Every error of the API: its HTTP status, the message, and the remedy, which docs/errors.md lists. The codes are part
 * of the API.
 */
export const ERRORS = {
  bad_request: [
    400,
    'The bytes sent are not a valid HTTP/1.1 request.',
    'Send the request with an HTTP client library. The connection is closed after this answer.',
  ],
  body_incomplete: [
    400,
    'The request body is shorter than its Content-Length.',
    'Send the whole body, or leave Content-Length to your HTTP client.',
  ],
  unauthenticated: [
    401,
    'Missing or invalid credentials.',
    'Send `Authorization: Bearer <API key or JWT>`. Make a key with `npm run keys -- create --name NAME --role service`; a revoked or expired one stays invalid.',
  ],
  user_required: [
    401,
    'The x-user-id header is required.',
    'Name the user the request is for in `x-user-id`. A key of role `service` or `worker` and the open mode act for the user that is named there.',
  ],
  invalid_signature: [
    401,
    'The webhook signature is missing or does not match the body.',
    'Set `LIVEKIT_API_KEY` and `LIVEKIT_API_SECRET` to the pair that the media server signs with, and pass the body on unchanged.',
  ],
  budget_exceeded: [
    402,
    'The budget of the user for this month is spent.',
    'Raise `monthly_limit` with `PUT /api/budgets/{user_id}`, or wait for the next month (UTC). `GET /api/budgets/{user_id}` shows what was spent.',
  ],
  role_not_allowed: [
    403,
    'The role of this key or token does not permit this operation.',
    "Use a key whose role may: docs/roles.md lists each operation's roles.",
  ],
  scope_not_allowed: [403, 'The key is not valid for this part of the API.', 'Use a key with this scope, or with all.'],
  origin_not_allowed: [
    403,
    'A page of another origin sent this request, with the cookie of the console or in open mode.',
    'Send it from a page of the service, or with `Authorization: Bearer …` and no cookie; in open mode, add the origin to `CORS_ORIGINS`. Behind a proxy, `TRUST_PROXY` must name it.',
  ],
  quota_exceeded: [403, 'The user has stored too much.', 'See `GET /api/quotas/{user_id}` and docs/limits.md.'],
  wrong_user: [
    403,
    'The x-user-id header and the user_id of the request name different users.',
    'Name the same user in both, or only in the body or the query.',
  ],
  destination_not_allowed: [
    403,
    'Calls to this number are not permitted.',
    "Check the number's country against `CALLING_COUNTRIES` and its prefix against `CALLING_BLOCKED_PREFIXES`. Emergency, premium-rate, shared-cost and satellite numbers are never dialled.",
  ],
  calling_disabled: [
    403,
    'Outbound calling is disabled.',
    'The operator has set `CALLING_ENABLED=false`; calls are possible again when it is `true`.',
  ],
  host_not_allowed: [
    403,
    'The Host header names a host that is not served in open mode.',
    'Add the name to `ALLOWED_HOSTS`, or set `AUTH_MODE=required`.',
  ],
  not_found: [
    404,
    'The resource does not exist.',
    'Check the id. A resource of another user is reported as missing too, and so is a room without a session of this service.',
  ],
  route_not_found: [
    404,
    'No operation has this method and path.',
    'Compare method and path with `/docs`. Collection paths of the specification end with a slash.',
  ],
  number_not_owned: [
    404,
    'The carrier account does not own this number.',
    'Buy the number at the carrier first; it is then assigned, never bought, by this service.',
  ],
  agent_inactive: [
    409,
    'The agent is not active.',
    'Activate it with `PATCH /api/agents/{agent_id}` and `{"is_active": true}`.',
  ],
  agent_is_gated: [
    409,
    'Changes of the agent go through its draft.',
    'Save the change with `PUT /api/agents/{agent_id}/draft`, make a version with `POST …/versions`, and release it with `PUT …/release`; or have updates be live at once with `PUT …/publishing`.',
  ],
  gate_not_passed: [
    409,
    'A version has not passed the suite.',
    'Run the suite with it. `test_run_id` is the run that has not passed, if there is one: `GET /api/test-runs/{test_run_id}`.',
  ],
  call_not_ended: [409, 'The call has not ended.', 'Repeat the request once it has.'],
  agent_absent: [
    409,
    'The agent of the call is not there.',
    'Repeat it once the agent has joined; after a warm transfer it has left.',
  ],
  agent_taken_over: [
    409,
    'Somebody has taken over from the agent of this call, or is about to.',
    'Repeat it once the agent has the call again: the colleague has left, or has not come within 25 seconds.',
  ],
  agent_busy: [
    409,
    'The agent must not be interrupted now.',
    'Repeat it once the agent talks with the caller again: it is asking for consent, saying what must be said, taking keys, finding out who has answered, consulting the target of a transfer, or saying goodbye.',
  ],
  command_unsupported: [
    409,
    'The worker of the call does not know this command.',
    'Operators: run workers of this release (worker/README.md).',
  ],
  no_previous_release: [
    409,
    'There is no earlier release to return to.',
    'Release a version with `PUT /api/agents/{agent_id}/release`; `GET …/versions` lists those that are kept.',
  ],
  too_many_agents: [
    409,
    'The user has reached the limit on agents.',
    'Delete agents, or shorten their configurations: docs/limits.md has the bounds.',
  ],
  number_limit_reached: [
    409,
    'The user has reached the limit on phone numbers.',
    'Release a number, raise `NUMBERS_PER_USER`, or assign it with a key of role `service`.',
  ],
  too_many_webhook_endpoints: [
    409,
    'The user has reached the limit on webhook endpoints.',
    'Delete an endpoint first: docs/limits.md has the limit.',
  ],
  no_transcript: [
    409,
    'The call has not ended, or has no transcript.',
    'Ask again once it has ended; a call in which nobody spoke has nothing to analyse.',
  ],
  too_many_backfills: [
    429,
    'The user has too many backfills in progress.',
    'Wait until one has ended (docs/limits.md).',
  ],
  too_many_extractors: [409, 'The user has reached the limit on extractors.', 'Delete some (docs/limits.md).'],
  too_many_policies: [
    409,
    'The user has too many dial policies, or a policy too many versions.',
    'Change an existing policy, or take another name (docs/limits.md).',
  ],
  dial_denied: [
    409,
    'The phone must not be called.',
    '`decision.reasons` has the rules and where they come from. `POST /api/dial-checks` asks without dialling (docs/outreach.md).',
  ],
  dial_deferred: [
    409,
    'The phone must not be called now.',
    'Repeat the request from `decision.not_before` on, or with `if_not_now: "schedule"` (docs/outreach.md).',
  ],
  too_many_scheduled: [
    409,
    'Too many calls of the user wait for their time.',
    'Cancel some, or wait until they are placed (docs/limits.md).',
  ],
  not_scheduled: [
    409,
    'The call does not wait for its time any more.',
    '`GET /api/scheduled-calls/{scheduled_call_id}` says what has become of it.',
  ],
  call_back_not_allowed: [
    409,
    'The agent may not book calls back.',
    'Set `tools.call_back` in its configuration (docs/outreach.md).',
  ],
  not_proposed: [
    409,
    'This time was not proposed for a call back, or too long ago.',
    'Propose it, have the person agree, and confirm it.',
  ],
  campaign_state: [
    409,
    'The campaign does not allow this in its state.',
    'Read its `state`: what it dials with is changed while it is a draft or paused, and it is deleted once it has ended (docs/outreach.md).',
  ],
  too_many_campaigns: [409, 'The user has too many campaigns.', 'Delete ended ones (docs/limits.md).'],
  too_many_recipients: [409, 'The campaign has too many recipients.', 'Create another campaign (docs/limits.md).'],
  too_many_tests: [409, 'The user has too many scenarios, or suites.', 'Delete some (docs/limits.md).'],
  agent_has_number: [409, 'The agent already has a phone number.', "Release the agent's number first."],
  external_key_taken: [
    409,
    'Another agent of the user has this external key.',
    'Remove it from that agent first, or choose another one. `GET /api/agents/by-key/{external_key}` shows the agent.',
  ],
  number_taken: [
    409,
    'The number is assigned to another agent.',
    'Release it from that agent first, or choose another number.',
  ],
  number_without_voice: [
    409,
    'The number cannot carry voice calls.',
    'Choose a number whose `capabilities` include voice.',
  ],
  no_number_assigned: [409, 'The agent has no phone number.', 'Nothing is to be released. Assign a number first.'],
  number_busy: [409, "The agent's number is being assigned or released.", 'Repeat the request in a few seconds.'],
  sign_in_not_needed: [409, 'In open mode nobody signs in.', 'Go on without: `x-user-id` says who calls.'],
  keys_not_needed: [409, 'In open mode anybody could create keys.', 'Set AUTH_MODE=required, or use `npm run keys`.'],
  room_taken: [409, "The room belongs to another user's session.", 'Choose another `room_name`, or omit it.'],
  session_not_active: [
    409,
    'The session is not an answered call.',
    'Transfer a call while its `call_status` is `ANSWERED`.',
  ],
  user_active: [
    409,
    'The user keeps opening sessions, so the erasure continues in the background.',
    "Revoke the user's keys, then repeat the request to learn when the erasure is complete.",
  ],
  erasure_in_progress: [
    409,
    'The user is being erased.',
    'Repeat the request later to learn when the erasure is complete. Until then the user can start nothing new.',
  ],
  secret_unreadable: [409, 'No key of SECRETS_KEY decrypts the secret.', 'Rotate it, or restore the key.'],
  secrets_overlap: [
    409,
    'Ten earlier secrets are still valid.',
    'Wait until one of them expires, or rotate with `overlap_s` 0.',
  ],
  session_over: [409, 'The session has ended.', 'Open a new session: an ended one gives out no room tokens.'],
  session_ended: [
    409,
    'The session ended too long ago.',
    "Send transcripts and turns until a day after the session's end at the latest.",
  ],
  idempotency_in_progress: [
    409,
    'A request with this Idempotency-Key is in progress.',
    "Repeat the request after a second; it is then given the first one's answer.",
  ],
  turn_in_progress: [
    409,
    'The agent has not answered the previous message yet.',
    'Wait for the response to that message, then send the next one.',
  ],
  chat_full: [409, 'The chat has reached its maximum number of messages.', 'Start a new chat (docs/limits.md).'],
  turn_full: [
    409,
    'The worker has reported as many events of this turn as are kept.',
    'Complete the task; report fewer events, with more words each (docs/limits.md).',
  ],
  lease_lost: [
    409,
    'The task is not held under this token any more: it is done, withdrawn, or held by another worker.',
    'Drop the result, and claim the next task.',
  ],
  legal_hold: [
    409,
    'A legal hold keeps this.',
    'An administrator can lift the hold of the user or the agent: docs/privacy.md.',
  ],
  transfer_in_progress: [
    409,
    'A transfer of this call is in progress.',
    'Wait until it is completed or has failed: `transfers` of `GET /api/calls/{call_id}`.',
  ],
  doctor_in_progress: [
    409,
    'The checks are in progress.',
    'Wait for the other request to end: the checks take up to a minute.',
  ],
  no_transfer_in_progress: [
    409,
    'The call has no warm transfer to complete.',
    'Complete a transfer once its `status` is `connected`.',
  ],
  too_many_transfers: [
    409,
    'The call has reached the limit on transfers, failed attempts included.',
    'Raise `TRANSFERS_PER_CALL`, or end the call and place a new one.',
  ],
  too_many_phones: [
    409,
    'The call has reached the limit on connected phones.',
    'Repeat the request when one of the phones has hung up, or raise `PHONES_PER_CALL`.',
  ],
  changed_meanwhile: [412, 'The resource has changed meanwhile.', 'Read it, and repeat the change on what you read.'],
  request_timeout: [408, 'The request took too long to arrive.', 'Send headers and body within `REQUEST_TIMEOUT_MS`.'],
  body_too_large: [
    413,
    'The request body is too large for this operation.',
    'Send at most 1 MiB, or 64 KiB to operations with a few short fields.',
  ],
  unsupported_media_type: [
    415,
    'The request body must be uncompressed application/json.',
    'Set `Content-Type: application/json` and send no `Content-Encoding`.',
  ],
  headers_too_large: [
    431,
    'The request headers are larger than 16 KiB.',
    'Send fewer or shorter headers, cookies first.',
  ],
  expectation_failed: [417, 'The Expect header is not supported, except 100-continue.', 'Remove the header.'],
  too_many_calls: [
    429,
    'The user has reached a limit on calls.',
    'Wait for `Retry-After` seconds. `detail` names the limit: `CALLS_CONCURRENT`, `CALLS_PER_SECOND` with `CALLS_BURST`, or `CALLS_PER_DAY`.',
  ],
  too_many_test_runs: [429, 'Too many test runs have not ended.', 'Wait, or cancel one (docs/limits.md).'],
  too_many_streams: [429, 'Too many event streams are open.', 'Close a stream: docs/limits.md has the bounds.'],
  too_many_uploads: [429, 'Too many files are arriving.', 'Send them one after the other (docs/limits.md).'],
  too_many_exports: [429, 'Too many CSV exports are in progress.', 'Wait until one is complete (docs/limits.md).'],
  too_many_requests: [
    429,
    'Too many requests.',
    'Wait for `Retry-After` seconds: docs/limits.md lists the limits by key, user and address.',
  ],
  internal_error: [
    500,
    'An unexpected error occurred. It was logged with this request_id.',
    'Search the log for the `request_id`, and report what it says. A request with an `Idempotency-Key` can be repeated safely.',
  ],
  transfer_failed: [
    502,
    'The transfer failed; the call continues.',
    '`transfers` of `GET /api/calls/{call_id}` has the reason and the SIP status. docs/telephony.md explains them.',
  ],
  provider_refused: [
    502,
    'The provider refused the request.',
    "`detail` and the log name the provider's reason. Check its credentials and account with `npm run doctor`.",
  ],
  provider_answer_invalid: [
    502,
    "The provider's response was invalid, so the outcome is unknown.",
    'Read the resource to learn its state; the service settles it in the background.',
  ],
  database_unavailable: [
    503,
    'The database is unavailable.',
    'Repeat the request after `Retry-After` seconds. Operators: `/readyz`, and `DATABASE_URL`.',
  ],
  database_full: [
    503,
    'The disk of the database is full.',
    'Nothing is stored until an operator frees space; reading still works.',
  ],
  no_temporary_space: [503, 'Temporary files cannot be written.', 'Operators: free space in `TMPDIR`, or change it.'],
  turn_unanswered: [
    503,
    'No worker has answered the message.',
    'Send it again, under another `Idempotency-Key`. Operators: a worker must claim tasks of the kind `chat_turn` (docs/chats.md).',
  ],
  no_worker: [503, 'No worker has taken the check.', 'Start a worker (docs/providers.md), and check again.'],
  overloaded: [503, 'The service is overloaded.', 'Repeat it after `Retry-After` seconds. Operators: docs/scaling.md.'],
  provider_unavailable: [503, 'The provider is unavailable.', 'Repeat the request later. Operators: `npm run doctor`.'],
  provider_timeout: [
    504,
    'The provider did not respond in time.',
    'Read the resource before repeating the request: it may have taken effect.',
  ],
} as const satisfies Record<string, readonly [status: number, message: string, remedy: string]>;

export type ErrorCode = keyof typeof ERRORS;

interface Options {
  detail?: string;
  cause?: unknown;
  retry_after_s?: number;
  decision?: object;
  test_run_id?: string | undefined;
}

/** A refusal that is shown to the caller. `cause` is only logged. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  /** Seconds after which a retry may succeed, if known. */
  readonly retry_after_s: number | undefined;
  /** The reasons of `dial_denied` and `dial_deferred`. */
  readonly decision: object | undefined;
  /** The run of `gate_not_passed`. */
  readonly test_run_id: string | undefined;

  constructor(code: ErrorCode, options: Options = {}) {
    super(options.detail ?? ERRORS[code][1], { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.status = ERRORS[code][0];
    this.retry_after_s = options.retry_after_s;
    this.decision = options.decision;
    this.test_run_id = options.test_run_id;
  }
}

/** Whether it failed because a provider is unavailable: the same request may succeed later. */
export function isPassing(error: unknown): error is AppError {
  return error instanceof AppError && error.code === 'provider_unavailable';
}
