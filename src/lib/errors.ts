/** Every refusal this service makes, with its HTTP status and the sentence a caller reads. The codes are part of the API. */
export const ERRORS = {
  bad_request: [400, 'This is no HTTP request.'],
  body_incomplete: [400, 'The request body did not have the length that its header announced.'],
  unauthenticated: [401, 'Show a valid API key or token: Authorization: Bearer ….'],
  user_required: [401, 'Say who is calling in the x-user-id header.'],
  invalid_signature: [401, 'The signature of this webhook is missing or does not match its body.'],
  role_not_allowed: [403, 'The role of this key or token does not include this operation.'],
  wrong_user: [403, 'The x-user-id header and the user_id of the body name different users.'],
  destination_not_allowed: [403, 'This number must not be dialled.'],
  calling_disabled: [403, 'Dialling is switched off.'],
  host_not_allowed: [403, 'The Host header names a host that is not served in open mode; add it to ALLOWED_HOSTS.'],
  not_found: [404, 'There is no such resource.'],
  route_not_found: [404, 'There is no such operation.'],
  number_not_owned: [404, 'The carrier account does not own this number.'],
  agent_inactive: [409, 'The agent is not active.'],
  too_many_agents: [409, 'This user has as many agents as there may be.'],
  number_limit_reached: [409, 'This user has as many phone numbers as one may have.'],
  agent_has_number: [409, 'The agent already has a phone number.'],
  number_taken: [409, 'The number is assigned to another agent.'],
  number_without_voice: [409, 'The number cannot carry voice calls.'],
  no_number_assigned: [409, 'The agent has no phone number.'],
  number_busy: [409, 'The number of this agent is being assigned or released.'],
  room_taken: [409, 'The room belongs to a session of another user.'],
  session_not_active: [409, 'The session is not an answered call.'],
  user_active: [409, 'The user goes on opening sessions; the erasure is carried on.'],
  erasure_in_progress: [409, 'The user is being erased; repeat the request to learn when that is done.'],
  secrets_overlap: [409, 'Ten earlier secrets still sign; wait until one has expired, or rotate with overlap_s 0.'],
  session_over: [409, 'The session has ended.'],
  session_ended: [409, 'The session ended too long ago.'],
  idempotency_in_progress: [409, 'A request with this Idempotency-Key is under way.'],
  transfer_in_progress: [409, 'A transfer of this call is under way.'],
  no_transfer_in_progress: [409, 'No warm transfer of this call is waiting to be completed.'],
  too_many_transfers: [409, 'This call has been transferred as often as one call may be, failed attempts included.'],
  too_many_phones: [409, 'This call has as many phones as one call may have. Try again when one of them has hung up.'],
  request_timeout: [408, 'The request took too long to arrive.'],
  body_too_large: [413, 'The request body is larger than this operation takes.'],
  unsupported_media_type: [415, 'Send the body as application/json, not compressed.'],
  headers_too_large: [431, 'The request headers are larger than 16 KiB.'],
  expectation_failed: [417, 'This service meets no expectation but 100-continue.'],
  too_many_calls: [429, 'This user may not start more calls now.'],
  too_many_streams: [429, 'Too many event streams are open; close one.'],
  too_many_requests: [429, 'Too many requests; slow down.'],
  internal_error: [500, 'Something went wrong here. The failure was logged under this request_id.'],
  transfer_failed: [502, 'The transfer did not succeed; the call goes on as before.'],
  provider_refused: [502, 'The provider refused the request.'],
  provider_answer_invalid: [
    502,
    'The provider gave an answer that makes no sense; what came of the request is unknown.',
  ],
  database_unavailable: [503, 'The database cannot be reached.'],
  database_full: [503, 'The disk of the database is full: nothing can be stored until its operator frees some space.'],
  overloaded: [503, 'The service has more to do than it can; try again soon.'],
  provider_unavailable: [503, 'The provider cannot be reached.'],
  provider_timeout: [504, 'The provider did not answer in time.'],
} as const satisfies Record<string, readonly [status: number, sentence: string]>;

export type ErrorCode = keyof typeof ERRORS;

/** A refusal that the caller is meant to see. `cause` is for the log and never leaves the service. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  /** Seconds after which another try may succeed, where that is known. */
  readonly retry_after_s: number | undefined;

  constructor(code: ErrorCode, options: { detail?: string; cause?: unknown; retry_after_s?: number } = {}) {
    super(options.detail ?? ERRORS[code][1], { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.status = ERRORS[code][0];
    this.retry_after_s = options.retry_after_s;
  }
}

/** One problem of a request, in the form of the specification's validation error. */
export interface Problem {
  loc: (string | number)[];
  msg: string;
  type: string;
  input?: unknown;
  ctx?: Record<string, unknown>;
}

/** The request is invalid (422); carries all of its problems. */
export class InvalidRequest extends Error {
  readonly problems: Problem[];

  constructor(problems: Problem[]) {
    super('The request is invalid.');
    this.name = 'InvalidRequest';
    this.problems = problems;
  }
}
