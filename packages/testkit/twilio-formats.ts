/** Formats of request parts in Twilio's published API descriptions, as far as they are used here. */

type Check = (value: string) => boolean;

const sid =
  (kind: string): Check =>
  (value) =>
    new RegExp(`^${kind}[0-9a-fA-F]{32}$`).test(value);
const method: Check = (value) => value === 'GET' || value === 'POST';
const count =
  (minimum: number, maximum: number): Check =>
  (value) =>
    /^\d+$/.test(value) && Number(value) >= minimum && Number(value) <= maximum;

const time: Check = (value) => /^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\dZ)?$/.test(value) && !Number.isNaN(Date.parse(value));

const CALL_STATUSES = ['queued', 'ringing', 'in-progress', 'completed', 'busy', 'failed', 'no-answer', 'canceled'];

const PATH: Record<string, Check> = {
  Accounts: sid('AC'),
  IncomingPhoneNumbers: sid('PN'),
  PhoneNumbers: sid('PN'),
  Trunks: sid('TK'),
};
const QUERY: Record<string, Check> = {
  // Parts of numbers count, and `*` for any digit.
  PhoneNumber: (value) => /^[+\d*]*$/.test(value),
  PageSize: count(1, 1000),
  Page: count(0, Number.MAX_SAFE_INTEGER),
  Status: (value) => CALL_STATUSES.includes(value),
  StartTime: time,
  'StartTime<': time,
  'StartTime>': time,
};
const FORM: Record<string, Check> = {
  VoiceUrl: URL.canParse,
  VoiceMethod: method,
  VoiceFallbackUrl: URL.canParse,
  VoiceFallbackMethod: method,
  VoiceApplicationSid: sid('AP'),
  TrunkSid: sid('TK'),
  PhoneNumberSid: sid('PN'),
};

interface Request {
  path: string;
  query: URLSearchParams;
  form: URLSearchParams;
}

/** The part of a request that the description does not allow, or null. */
export function malformed(
  { path, query, form }: Request,
  { accepts_empty }: { accepts_empty: boolean },
): string | null {
  const parts = path.replace(/\.json$/, '').split('/');
  const inPath = parts.slice(1).map((value, index): [string, string] => [parts[index] ?? '', value]);
  const isEmptied = (name: string, value: string) => accepts_empty && name.endsWith('Url') && value === '';
  const wrong = [
    ...inPath.filter(([name, value]) => PATH[name]?.(value) === false),
    ...[...query].filter(([name, value]) => QUERY[name]?.(value) === false),
    ...[...form].filter(([name, value]) => FORM[name]?.(value) === false && !isEmptied(name, value)),
  ];
  return wrong.length === 0 ? null : `Invalid: ${wrong.map(([name, value]) => `${name}=${value}`).join(', ')}`;
}
