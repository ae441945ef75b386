import { type NumberType, type PhoneNumber, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { AppError } from '../../lib/errors.ts';

/**
 * Number types at ordinary rates. All others are refused: premium-rate, shared-cost, personal, pager, voicemail and
 * company numbers, and ranges of unknown type.
 */
const ALLOWED: ReadonlySet<NumberType> = new Set([
  'FIXED_LINE',
  'MOBILE',
  'FIXED_LINE_OR_MOBILE',
  'TOLL_FREE',
  'VOIP',
] as const);

/**
 * Emergency numbers of the world (ITU-T, List of national emergency numbers; libphonenumber, ShortNumberMetadata). No
 * country has subscriber numbers this short.
 */
const EMERGENCY = new Set(
  `000 060 061 065 066 080 089 100 101 102 103 104 105 106 107 108 110 111 112 113 114 115 116 117 118 119 120 121 122 123 124 125 126 128
  129 130 131 132 133 140 144 145 147 150 155 158 160 166 170 180 185 190 191 192 193 194 195 196 197 198 199 455 777 875 901 902 903
  905 906 907 910 911 912 913 914 919 922 955 977 988 990 991 992 993 994 995 996 997 998 999 1122 1669`.split(/\s+/),
);
/** Exchanges route on the first digits: an invalid number that begins with these reaches an emergency service. */
const OVERDIALLED_EMERGENCY = /^(112|911|999|110|000)/;

/**
 * Prefixes that are refused whatever type the metadata says; `?` is any digit. From the numbering plans of NANPA and
 * CNAC (+1), Ofcom (+44), Bundesnetzagentur (+49), ACM (+31), ACMA (+61), the Ministry of Digital Development (+7)
 * and Kominfo (+62).
 */
const REFUSED_PREFIXES: Record<string, string> = {
  '+1???976': 'a premium-rate exchange',
  '+1???5551212': 'a directory service',
  '+1600': 'a satellite network',
  '+4470': 'a personal number',
  '+44118': 'a directory service',
  '+49118': 'a directory service',
  '+49137': 'a shared-cost number',
  '+49180': 'a shared-cost number',
  '+49190': 'a premium-rate number',
  '+49900': 'a premium-rate number',
  '+31900': 'a premium-rate number',
  '+31906': 'a premium-rate number',
  '+31909': 'a premium-rate number',
  '+61147': 'a satellite network',
  '+62868': 'a satellite network',
  '+7954': 'a satellite network',
};
const refusedPrefixes = Object.entries(REFUSED_PREFIXES).map(
  ([prefix, kind]) => [new RegExp(`^\\${prefix.replaceAll('?', '\\d')}`), kind] as const,
);

/** Allowed destinations. `countries` null allows any, as in the sandbox. */
export interface CallingPolicy {
  enabled: boolean;
  /** ISO 3166-1 alpha-2 codes. */
  countries: ReadonlySet<string> | null;
  /** Set by the operator, for example `+4477`. */
  blockedPrefixes: readonly string[];
  /** Names of SIP headers that calls may set. */
  sipHeaders: readonly string[];
}

/**
 * Throws `calling_disabled`, or `destination_not_allowed` for a refused number. Applies to calls and transfers alike.
 */
export function assertCallable(phone_number: string, policy: CallingPolicy): void {
  if (!policy.enabled) throw new AppError('calling_disabled');
  if (policy.countries === null) return;
  const why = refusal(phone_number, policy.countries, policy.blockedPrefixes);
  if (why) throw new AppError('destination_not_allowed', { detail: `This number must not be dialled: ${why}.` });
}

function refusal(
  phone_number: string,
  countries: ReadonlySet<string>,
  blockedPrefixes: readonly string[],
): string | null {
  const number = parsePhoneNumberFromString(phone_number);
  const emergency = emergencyNumber(phone_number, number);
  if (emergency) return `${emergency} is an emergency number`;
  // To carriers, and to the kinds below, a number is the same with a national prefix after its country code: +44 0 87.
  const spellings = [phone_number, number?.number ?? phone_number];
  const refused = refusedPrefixes.find(([pattern]) => spellings.some((text) => pattern.test(text)));
  if (refused) return `it is ${refused[1]}`;
  const blocked = blockedPrefixes.find((prefix) => spellings.some((text) => text.startsWith(prefix)));
  if (blocked) return `it begins with ${blocked}, which is in CALLING_BLOCKED_PREFIXES`;
  if (!number?.isValid()) return 'no numbering plan has it';
  // Satellite networks and international premium-rate numbers belong to no country.
  if (!number.country) return 'it belongs to no country';
  if (!countries.has(number.country)) return `${number.country} is not among CALLING_COUNTRIES`;
  const type = number.getType();
  if (type && ALLOWED.has(type)) return null;
  return type ? `its kind is ${type}` : 'its kind is unknown';
}

/** The emergency number that dialling this would reach, with or without a country code. */
function emergencyNumber(phone_number: string, number: PhoneNumber | undefined): string | undefined {
  const digits = phone_number.replace(/^\+/, '');
  const national = number?.nationalNumber ?? '';
  // The number may begin with a trunk prefix 0.
  const found = [digits, national, national.replace(/^0/, '')].find((text) => EMERGENCY.has(text));
  return found ?? (number?.isValid() ? undefined : OVERDIALLED_EMERGENCY.exec(national)?.[0]);
}
