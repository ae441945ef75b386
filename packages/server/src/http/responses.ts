import { type TSchema, Type } from 'typebox';
import { ERRORS, type ErrorCode } from '../lib/errors.ts';
import type { JsonObject } from '../lib/json.ts';
import { DateTime, nullable, oneOf, ValidationError } from './wire.ts';

const CODES = Object.keys(ERRORS) as ErrorCode[];

const Failure = Type.Object(
  {
    detail: Type.String({ description: 'A message for people. It may change.' }),
    code: oneOf('ErrorCode', CODES, 'Stable, for use in code.'),
    decision: Type.Optional(
      Type.Object(
        {
          id: Type.String(),
          outcome: Type.String({ description: '`deny` or `defer`.' }),
          not_before: nullable(DateTime),
          reasons: Type.Array(
            Type.Object(
              { rule: Type.String(), detail: Type.String(), source: Type.String() },
              { title: 'RefusalReason' },
            ),
          ),
        },
        { title: 'DialRefusal', description: 'With `dial_denied` and `dial_deferred`: why, and until when.' },
      ),
    ),
    test_run_id: Type.Optional(
      Type.String({ description: 'With `gate_not_passed`: the test run that has not passed, if there is one.' }),
    ),
    request_id: Type.Optional(Type.String({ description: 'On 5xx: identifies the request in the service’s log.' })),
  },
  {
    title: 'Failure',
    examples: [{ detail: ERRORS.not_found[1], code: 'not_found' }],
    description: 'Why a request was refused.',
  },
);

const ValidationFailure = Type.Object(
  {
    detail: Type.Array(ValidationError),
  },
  {
    title: 'ValidationFailure',
    description: 'All problems of an invalid request.',
    examples: [{ detail: [{ loc: ['body', 'phone_number'], msg: 'Field required', type: 'missing' }] }],
  },
);

interface Refusal {
  name: string;
  description: string;
  headers?: readonly ('retry-after' | 'www-authenticate')[];
}

/** The refusals that operations share, by status: their names in the published description, and their meaning. */
export const REFUSALS: Record<number, Refusal> = {
  401: { name: 'Unauthorized', description: 'Credentials or the calling user are missing or invalid.' },
  402: { name: 'PaymentRequired', description: 'The user’s budget is spent.' },
  403: { name: 'Forbidden', description: 'The caller lacks permission.' },
  404: { name: 'NotFound', description: 'The resource does not exist, or belongs to another user.' },
  409: { name: 'Conflict', description: 'The state of the resource does not allow it.' },
  412: { name: 'ChangedMeanwhile', description: 'The resource is no longer the one that `If-Match` names.' },
  413: { name: 'BodyTooLarge', description: 'The body is larger than the operation accepts.' },
  415: { name: 'UnsupportedMediaType', description: 'The body is not JSON.' },
  422: { name: 'Invalid', description: 'The request is invalid; the response lists all of its problems.' },
  429: {
    name: 'TooManyRequests',
    description: 'A limit was reached: retry after `Retry-After`.',
    headers: ['retry-after'],
  },
  500: { name: 'InternalError', description: 'The service failed; its log has the cause under `request_id`.' },
  502: { name: 'ProviderRefused', description: 'The media provider or the carrier refused.' },
  503: {
    name: 'Unavailable',
    description: 'Temporarily unavailable: retry after `Retry-After`.',
    headers: ['retry-after'],
  },
  504: { name: 'ProviderTimeout', description: 'The media provider or the carrier did not respond in time.' },
};

/** Refusals that every operation may return. */
const ALWAYS = [401, 403, 429, 500, 503];

/** The `response` part of a route's schema: its success responses, and its refusals in addition to the common ones. */
export function responses<S extends Record<number, TSchema>>(success: S, ...refusals: number[]): S {
  return { ...success, ...refused(...new Set([...ALWAYS, ...refusals])) };
}

/** The refusals alone, of a route that makes no others. */
export function refused(...statuses: number[]): Record<number, TSchema> {
  const sorted = statuses.toSorted((a, b) => a - b);
  return Object.fromEntries(sorted.map((status) => [status, refusalSchema(status)]));
}

function refusalSchema(status: number): TSchema {
  return status === 422 ? ValidationFailure : Failure;
}

/** Examples of a refusal: each code with this status, with its message. */
export function examplesOf(status: number): JsonObject {
  if (status === 422) return { invalid: { value: (ValidationFailure as { examples?: unknown[] }).examples?.[0] } };
  const codes = CODES.filter((code) => ERRORS[code][0] === status);
  return Object.fromEntries(
    codes.map((code) => [
      code,
      {
        value: {
          detail: ERRORS[code][1],
          code,
          ...(status >= 500 && { request_id: '01980000-0000-7000-8000-00000000000f' }),
        },
      },
    ]),
  );
}
