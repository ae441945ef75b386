import { type Static, type TSchema, Type } from 'typebox';
import Format from 'typebox/format';
import { decimalProblem, NUMERIC_STRING_PATTERN } from '../lib/decimal.ts';
import type { JsonObject } from '../lib/json.ts';
import { isPhoneNumber, toE164 } from '../lib/phone.ts';

// Formats of our own: checked by the validator, and published as described in `publish.ts`.
Format.Set('phone_number', isPhoneNumber);
Format.Set('called_number', (text) => toE164(text) !== null);
Format.Set('decimal', (text) => decimalProblem(text) === null);
Format.Set('callback_url', isCallbackUrl);
// RFC 3339 allows leap seconds, which a Date cannot hold.
const isRfc3339 = Format.Get('date-time') ?? (() => false);
Format.Set('date-time', (text) => isRfc3339(text) && isStorable(new Date(text)));
const isFullDate = Format.Get('date') ?? (() => false);
Format.Set('date', (text) => isFullDate(text) && isStorable(new Date(text)));

/** A list as a response, with the example of its items. */
export function listOf<T extends TSchema>(item: T) {
  const { examples } = item as { examples?: unknown[] };
  return Type.Array(item, { ...(examples && { examples: [examples] }) });
}

/** The same type, or null. */
export function nullable<T extends TSchema>(schema: T) {
  const { type, enum: values } = schema as { type?: string; enum?: unknown[] };
  return Type.Unsafe<Static<T> | null>({
    ...schema,
    type: [type ?? 'string', 'null'],
    ...(values && { enum: [...values, null] }),
  });
}

/** An enum, published once under its name. */
export function oneOf<const T extends readonly string[]>(title: string, values: T, description: string) {
  return Type.Unsafe<T[number]>({ type: 'string', enum: values, title, description });
}

/** 1 to 255 characters: names, rooms, providers, and ids chosen by clients. */
export const ShortText = Type.String({ minLength: 1, maxLength: 255 });
export const PhoneNumber = Type.String({ format: 'phone_number' });
/** A phone number as telephony passes it on, with or without the plus sign. */
export const CalledNumber = Type.String({ format: 'called_number' });
export const DateTimeInput = Type.String({ format: 'date-time' });
/** A JSON number or a numeric string in a request, parsed to a string with all its digits (see json-body.ts). */
export const DecimalInput = Type.String({ format: 'decimal' });
export const CallbackUrl = Type.String({ format: 'callback_url', maxLength: 2048 });
/**
 * A free-form object. In requests limited to 256 KiB and 32 levels (validation.ts); session_data grows with each
 * update.
 */
export const FreeObject = Type.Unsafe<JsonObject>({
  type: 'object',
  additionalProperties: true,
  title: 'JsonObject',
  description: 'Any JSON object.',
});

export const DateTime = Type.Unsafe<Date>({ type: 'string', format: 'date-time' });
export const NumericString = Type.String({ pattern: NUMERIC_STRING_PATTERN });
export const Id = Type.String();

/**
 * Amounts by name. Names may contain anything, including line breaks, which the pattern of a `Type.Record` would not
 * match.
 */
export function amountByName(options: { title: string; description: string }) {
  return Type.Unsafe<Record<string, string>>({ type: 'object', additionalProperties: NumericString, ...options });
}
export const ByProvider = amountByName({
  title: 'CostByProvider',
  description: 'Cost by provider.',
});

export const AgentType = oneOf(
  'AgentType',
  ['STT', 'LLM', 'TTS', 'PIPELINE'],
  'Which part of a voice pipeline the agent is; `PIPELINE` is the whole of it.',
);
export const SessionStatus = oneOf(
  'SessionStatus',
  ['CREATED', 'ACTIVE', 'COMPLETED', 'FAILED'],
  'From `CREATED` to `ACTIVE` to `COMPLETED` or `FAILED`; ended states are final.',
);
export const CallStatus = oneOf(
  'CallStatus',
  ['RINGING', 'ANSWERED', 'COMPLETED', 'FAILED', 'NO_ANSWER'],
  'From `RINGING` to `ANSWERED` to `COMPLETED` or `FAILED`, or from `RINGING` to `NO_ANSWER`; ended states are final.',
);
export const CallDirection = oneOf(
  'CallDirection',
  ['INBOUND', 'OUTBOUND'],
  'INBOUND: a phone called. OUTBOUND: the service dialled.',
);
export const Direction = oneOf(
  'Direction',
  ['INBOUND', 'OUTBOUND', 'WEB'],
  'INBOUND: a phone called. OUTBOUND: the service dialled. WEB: a browser. For `WEB`, `call_direction` is null.',
);
export const TransferType = oneOf(
  'TransferType',
  ['WARM', 'COLD'],
  'COLD refers the caller to the target; WARM dials the target into the room.',
);
export const AnsweredBy = oneOf(
  'AnsweredBy',
  ['human', 'voicemail', 'ivr', 'screening', 'unavailable', 'ai', 'unknown'],
  'Who or what answered the call. `ivr` is an automated menu; `screening` a machine that asks on somebody\u2019s behalf who calls: if the agent answers it (`screening` in its configuration), nobody picked up, otherwise the call went on; `unavailable` a machine that takes no message; `ai` a program that talks.',
);
export const Speaker = oneOf('Speaker', ['USER', 'AGENT', 'SYSTEM'], 'The speaker.');
export const UsageEventType = oneOf(
  'EventType',
  ['stt_minutes', 'llm_tokens', 'tts_characters'],
  'What was used, and in which unit.',
);
export const LedgerEventType = oneOf(
  'LedgerEventType',
  [
    'stt_minutes',
    'llm_tokens',
    'tts_characters',
    'telephony_minutes',
    'media_minutes',
    'llm_input_tokens',
    'llm_output_tokens',
    'llm_cached_tokens',
  ] as const,
  'What was used, and its unit. `telephony_minutes` are the carrier\u2019s and `media_minutes` the media server\u2019s; `llm_cached_tokens` are input tokens at a reduced price, and are not among `llm_input_tokens`.',
);

/** One problem of a request or a configuration, in the form of the specification's validation error. */
export const ValidationError = Type.Object(
  {
    loc: Type.Array(Type.Unsafe<string | number>({ anyOf: [{ type: 'string' }, { type: 'integer' }] }), {
      description: '`body`, `path`, `query` or `header`, then the path of the field.',
    }),
    msg: Type.String({ description: 'A message for people.' }),
    type: Type.String({ description: 'What is wrong: `missing`, `string_type`, `enum`, …' }),
    input: Type.Optional(Type.Unknown({ description: 'The value that was sent.' })),
    ctx: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description: 'The bound that was exceeded.' })),
  },
  { title: 'ValidationError', description: 'One problem of a request.' },
);

const END_REASONS: string[] = [
  'busy',
  'declined',
  'no_answer',
  'unavailable',
  'invalid_number',
  'canceled',
  'interrupted',
  'trunk_rejected',
  'trunk_failure',
  'trunk_not_found',
  'media_failure',
  'media_lost',
  'provider_unavailable',
  'provider_refused',
  'provider_timeout',
  'internal_error',
  'hangup',
  'ended_by_user',
  'ended_by_agent',
  'transferred',
  'room_ended',
  'max_duration',
  'agent_never_joined',
  'browser_never_joined',
  'call_ended',
  'voicemail',
  'screening',
  'budget_exceeded',
];
export const EndReason = oneOf('EndReason', END_REASONS, 'Why a call, or an attempt to transfer it, ended.');

/** The state of a call, in responses about calls and in callbacks. */
export const callStateFields = {
  call_id: Id,
  status: SessionStatus,
  room_name: Type.String(),
  call_status: nullable(CallStatus),
  call_direction: nullable(CallDirection),
  outbound_phone_number: nullable(Type.String()),
  started_at: nullable(DateTime),
  ended_at: nullable(DateTime),
  duration: nullable(Type.Number({ description: 'Seconds, with millisecond precision.' })),
};

// Years that both databases accept and that ISO 8601 writes with four digits.
function isStorable(date: Date): boolean {
  const year = date.getUTCFullYear();
  return year >= 1 && year <= 9999;
}

function isCallbackUrl(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && !url.username && !url.password;
}

/** The calling user. Optional on most operations; the others use `RequiredUserHeader` or answer 401. */
export const UserHeader = Type.Object({
  'x-user-id': Type.Optional(Type.String({ minLength: 1, maxLength: 255, description: 'The calling user.' })),
});
export const RequiredUserHeader = Type.Object({
  'x-user-id': Type.String({ minLength: 1, maxLength: 255, description: 'The calling user.' }),
});

/** The query of specified operations without parameters: existing clients may send any. */
export const AnyQuery = Type.Object({});
