import type { CallbackEvent } from './generated/schema.ts';

/** Why a callback is rejected. */
export type CallbackProblem =
  | 'missing_header'
  | 'invalid_timestamp'
  | 'timestamp_out_of_range'
  | 'invalid_secret'
  | 'wrong_signature'
  | 'invalid_body';

export class CallbackError extends Error {
  override readonly name = 'CallbackError';
  readonly code: CallbackProblem;

  constructor(code: CallbackProblem, message: string) {
    super(message);
    this.code = code;
  }
}

export interface Received {
  /** The raw body: JSON that was parsed and serialized again has another signature. */
  body: string | Uint8Array;
  headers: Headers | Record<string, string | string[] | undefined>;
  /** The user's secret, `whsec_…`; several during a rotation, or if one address serves several users. */
  secret: string | string[];
  /** Tolerated clock skew in seconds. 300 by default. */
  toleranceS?: number;
  /** Milliseconds since 1970. */
  now?: number;
}

/** More than a sender uses at a time; each is checked against each secret. */
const MAX_SIGNATURES = 32;

/**
 * Verifies a callback (Standard Webhooks) and returns its event. Every attempt to deliver an event has the same `id`.
 * Throws `CallbackError`.
 */
export async function verifyCallback({ body, headers, secret, toleranceS = 300, now = Date.now() }: Received) {
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => {
    const value = headerOf(headers, name);
    if (!value) throw new CallbackError('missing_header', `The header ${name} is missing.`);
    return value;
  }) as [string, string, string];
  if (!/^\d{1,12}$/.test(timestamp))
    throw new CallbackError('invalid_timestamp', 'The header webhook-timestamp is not a number of seconds.');
  // A tolerance that is not a number must allow nothing.
  if (!(Math.abs(now / 1000 - Number(timestamp)) <= toleranceS))
    throw new CallbackError('timestamp_out_of_range', `The callback was signed more than ${toleranceS} s from now.`);
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const signed = concat(new TextEncoder().encode(`${id}.${timestamp}.`), bytes);
  if (!(await isSigned(signed, signatures, [secret].flat())))
    throw new CallbackError('wrong_signature', 'The callback is signed with another secret, or was changed.');
  return { id, ...parse(bytes) };
}

async function isSigned(signed: Uint8Array<ArrayBuffer>, header: string, secrets: string[]): Promise<boolean> {
  const signatures = header
    .split(' ')
    .slice(0, MAX_SIGNATURES)
    .filter((signature) => signature.startsWith('v1,'))
    .flatMap((signature) => decode(signature.slice(3)) ?? []);
  let isGood = false;
  for (const secret of secrets) {
    const key = await importKey(secret);
    // WebCrypto's verification takes constant time.
    for (const signature of signatures) isGood = (await crypto.subtle.verify('HMAC', key, signature, signed)) || isGood;
  }
  return isGood;
}

async function importKey(secret: unknown) {
  // Undefined, for example, if the variable of the environment is not set.
  const raw = typeof secret === 'string' ? decode(secret.replace(/^whsec_/, '')) : undefined;
  if (!raw || raw.length === 0) throw new CallbackError('invalid_secret', 'The secret is not whsec_ and base64.');
  return crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}

function headerOf(headers: Received['headers'], name: string): string | undefined {
  if (typeof headers.get === 'function') return (headers as Headers).get(name) ?? undefined;
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return Array.isArray(found) ? found.join(' ') : found;
}

function parse(bytes: Uint8Array): CallbackEvent {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as CallbackEvent;
  } catch {
    throw new CallbackError('invalid_body', 'The body of the callback is not JSON.');
  }
}

function decode(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function concat(a: Uint8Array, b: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}
