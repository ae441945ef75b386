import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError, ERRORS, type ErrorCode } from '../../src/lib/errors.ts';

test('the codes and statuses that clients rely on do not change by accident', () => {
  assert.deepEqual(Object.fromEntries(Object.entries(ERRORS).map(([code, [status]]) => [code, status])), {
    ...{
      bad_request: 400,
      body_incomplete: 400,
      request_timeout: 408,
      headers_too_large: 431,
      unauthenticated: 401,
      user_required: 401,
      invalid_signature: 401,
      budget_exceeded: 402,
      role_not_allowed: 403,
      origin_not_allowed: 403,
      wrong_user: 403,
      destination_not_allowed: 403,
      host_not_allowed: 403,
      calling_disabled: 403,
    },
    ...{ not_found: 404, route_not_found: 404, number_not_owned: 404 },
    ...{
      sign_in_not_needed: 409,
      agent_inactive: 409,
      agent_has_number: 409,
      number_taken: 409,
      number_without_voice: 409,
      no_number_assigned: 409,
      number_limit_reached: 409,
      too_many_agents: 409,
      too_many_webhook_endpoints: 409,
    },
    ...{
      number_busy: 409,
      room_taken: 409,
      session_not_active: 409,
      session_over: 409,
      user_active: 409,
      erasure_in_progress: 409,
      secrets_overlap: 409,
      session_ended: 409,
    },
    ...{
      idempotency_in_progress: 409,
      doctor_in_progress: 409,
      transfer_in_progress: 409,
      no_transfer_in_progress: 409,
      too_many_transfers: 409,
      too_many_phones: 409,
      body_too_large: 413,
      unsupported_media_type: 415,
      expectation_failed: 417,
    },
    ...{
      too_many_calls: 429,
      too_many_requests: 429,
      too_many_streams: 429,
      too_many_exports: 429,
      internal_error: 500,
      transfer_failed: 502,
      provider_refused: 502,
      provider_answer_invalid: 502,
    },
    ...{
      database_unavailable: 503,
      database_full: 503,
      no_temporary_space: 503,
      overloaded: 503,
      provider_unavailable: 503,
      provider_timeout: 504,
    },
  });
});

test('every code has a readable message', () => {
  for (const code of Object.keys(ERRORS) as ErrorCode[]) assert.match(new AppError(code).message, /^[A-Z].*\.$/);
});
