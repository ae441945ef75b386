import { isPossiblePhoneNumber, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { FifoMap } from 'toad-cache';

/**
 * The cache of checked numbers: each event of a call repeats its numbers, and a check reads the country's
 * numbering plan.
 */
const checked = new FifoMap<boolean>(1_000);

/**
 * Whether `text` is an E.164 number of a possible length for its country. Not `isValid`: fictional 555 numbers must
 * work, and numbering plans change faster than the metadata.
 */
export function isPhoneNumber(text: string): boolean {
  if (!/^\+[1-9]\d{1,14}$/.test(text)) return false;
  const known = checked.get(text);
  if (known !== undefined) return known;
  const isPossible = isPossiblePhoneNumber(text);
  checked.set(text, isPossible);
  return isPossible;
}

const canonical = new FifoMap<string>(1_000);

/**
 * The one spelling of an E.164 number: carriers dial `+4407911123456` as `+447911123456`. For comparing numbers, not
 * for dialling them.
 */
export function canonicalNumber(number: string): string {
  const known = canonical.get(number);
  if (known !== undefined) return known;
  const found = parsePhoneNumberFromString(number)?.number ?? number;
  canonical.set(number, found);
  return found;
}

/**
 * A caller's number in E.164; null if it is none. Without a plus sign it is read as in the country of the called
 * number, and as an international number only if it is none there.
 */
export function readNumber(text: string, called: string | null): string | null {
  if (!/^\+?[\d ().-]+$/.test(text)) return null;
  if (text.startsWith('+')) return toE164(text.replace(/[^+\d]/g, ''));
  const country = called === null ? undefined : parsePhoneNumberFromString(called)?.country;
  const national = country && parsePhoneNumberFromString(text, country);
  if (national?.isPossible() && isPhoneNumber(national.number)) return national.number;
  return toE164(text.replace(/\D/g, ''));
}

/** The number in E.164, even if its plus sign is missing or was decoded to a space; null if it is not a number. */
export function toE164(text: string): string | null {
  const number = text.replace(/^[+ ]?/, '+');
  return isPhoneNumber(number) ? number : null;
}

// In a URL a plus sign may be percent-encoded, a space, or missing.
const PHONE_IN_TEXT = /(\+|%2B|phone_number=(?:\+|%2B|%20)?)\d{3,11}(?=\d{4}(?!\d))/gi;

/** Masks all but the last four digits of every phone number in a log line. */
export function maskPhoneNumbers(text: string): string {
  return text.replace(PHONE_IN_TEXT, '$1***');
}
