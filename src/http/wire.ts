import { type Static, type TSchema, Type } from 'typebox';
import Format from 'typebox/format';
import { decimalProblem, NUMERIC_STRING_PATTERN } from '../lib/decimal.ts';
import type { JsonObject } from '../lib/json.ts';
import { isPhoneNumber, toE164 } from '../lib/phone.ts';

// Formats of our own, checked by the validator and published as what `openapi.ts` says of them.
Format.Set('phone_number', isPhoneNumber);
Format.Set('called_number', (text) => toE164(text) !== null);
Format.Set('decimal', (text) => decimalProblem(text) === null);
Format.Set('callback_url', isCallbackUrl);
// RFC 3339 allows leap seconds, which a Date cannot hold.
const isRfc3339 = Format.Get('date-time') ?? (() => false);
Format.Set('date-time', (text) => isRfc3339(text) && isStorable(new Date(text)));
const isFullDate = Format.Get('date') ?? (() => false);
Format.Set('date', (text) => isFullDate(text) && isStorable(new Date(text)));

/** The same type, or null. */
export function nullable<T extends TSchema>(schema: T) {
  const { type, enum: values } = schema as { type?: string; enum?: unknown[] };
  return Type.Unsafe<Static<T> | null>({
    ...schema,
    type: [type ?? 'string', 'null'],
    ...(values && { enum: [...values, null] }),
  });
}

function oneOf<const T extends string[]>(...values: T) {
  return Type.Unsafe<T[number]>({ type: 'string', enum: values });
}

/** 1 to 255 characters: names, rooms, providers, and the ids that callers make up. */
export const ShortText = Type.String({ minLength: 1, maxLength: 255 });
export const PhoneNumber = Type.String({ format: 'phone_number' });
/** A phone number as telephony passes it on, with or without its plus sign. */
export const CalledNumber = Type.String({ format: 'called_number' });
export const DateTimeInput = Type.String({ format: 'date-time' });
/** A JSON number or a numeric string in a request; a string with all its digits once parsed (see json-body.ts). */
export const DecimalInput = Type.String({ format: 'decimal' });
export const CallbackUrl = Type.String({ format: 'callback_url', maxLength: 2048 });
/** A free-form object: at most 256 KiB and 32 levels. */
export const FreeObject = Type.Unsafe<JsonObject>({ type: 'object', additionalProperties: true });

export const DateTime = Type.Unsafe<Date>({ type: 'string', format: 'date-time' });
export const NumericString = Type.String({ pattern: NUMERIC_STRING_PATTERN });
export const Id = Type.String();

/** Free-form in a response: whatever an object field was given. */
export const ByProvider = Type.Record(Type.String(), NumericString);

export const AgentType = oneOf('STT', 'LLM', 'TTS', 'PIPELINE');
export const SessionStatus = oneOf('CREATED', 'ACTIVE', 'COMPLETED', 'FAILED');
export const CallStatus = oneOf('RINGING', 'ANSWERED', 'COMPLETED', 'FAILED', 'NO_ANSWER');
export const CallDirection = oneOf('INBOUND', 'OUTBOUND');
export const TransferType = oneOf('WARM', 'COLD');
export const Speaker = oneOf('USER', 'AGENT', 'SYSTEM');
export const UsageEventType = oneOf('stt_minutes', 'llm_tokens', 'tts_characters');

// Years that both databases take and that ISO 8601 writes with four digits.
function isStorable(date: Date): boolean {
  const year = date.getUTCFullYear();
  return year >= 1 && year <= 9999;
}

function isCallbackUrl(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && !url.username && !url.password;
}

/** Who is calling. Optional on most operations; where it is not, `RequiredUserHeader` or a 401 says so. */
export const UserHeader = Type.Object({
  'x-user-id': Type.Optional(Type.String({ minLength: 1, maxLength: 255, description: 'The calling user.' })),
});
export const RequiredUserHeader = Type.Object({
  'x-user-id': Type.String({ minLength: 1, maxLength: 255, description: 'The calling user.' }),
});
