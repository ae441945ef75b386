import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { AppError } from '../lib/errors.ts';

/** What costs the caller a fortune or reaches an emergency service, whatever country it is in. */
const NEVER = new Set(['PREMIUM_RATE', 'SHARED_COST']);
/** Where calls may go. `countries` null means anywhere, as on a phone network that is not real. */
export interface CallingPolicy {
  enabled: boolean;
  /** ISO 3166-1 alpha-2 codes. */
  countries: ReadonlySet<string> | null;
}

/** Throws `calling_disabled`, or `destination_not_allowed` for a number that must not be dialled. Holds for calls and transfers alike. */
export function assertCallable(phone_number: string, policy: CallingPolicy): void {
  if (!policy.enabled) throw new AppError('calling_disabled');
  if (policy.countries === null) return;
  const number = parsePhoneNumberFromString(phone_number);
  const refused = (why: string) =>
    new AppError('destination_not_allowed', { detail: `This number must not be dialled: ${why}.` });
  // Satellite networks and international premium-rate codes belong to none.
  if (!number?.country) throw refused('it belongs to no country');
  if (!policy.countries.has(number.country)) throw refused(`${number.country} is not among CALLING_COUNTRIES`);
  const type = number.getType();
  if (type && NEVER.has(type)) throw refused('it is a premium-rate or shared-cost number');
}
