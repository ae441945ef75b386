/** Headers of SIP requests (RFC 3261), by name. */
export type SipHeaders = Readonly<Record<string, string>>;

/** Names in a list of allowed headers, headers of a call, and characters of a value. They fit into a UDP packet. */
export const MAX_SIP_HEADERS = 10;
export const MAX_SIP_HEADER_LENGTH = 256;

/** A name: a token, which a colon and a line break cannot be part of. */
const SIP_HEADER_NAME = /^[\w!%*+.'`~-]{1,64}$/;
/** A value that can be sent: printable ASCII, so that it can neither end its line nor begin another header. */
export const SIP_HEADER_VALUE = '^[\\x21-\\x7e]([\\x20-\\x7e]*[\\x21-\\x7e])?$';

/** Headers that belong to the dialog, to its body or to its credentials: nobody sets them beside the bridge. */
const OF_THE_DIALOG = new Set(
  (
    'accept accept-encoding accept-language allow allow-events authorization call-id contact content-disposition ' +
    'content-encoding content-length content-type cseq date event expires from max-forwards min-expires mime-version ' +
    'proxy-authenticate proxy-authorization proxy-require rack record-route refer-to replaces reply-to require route ' +
    'rseq session-expires supported timestamp to unsupported via www-authenticate b c e f i k l m o r t u v x'
  ).split(' '),
);
/** Headers that hold credentials: nobody reads them beside the bridge. */
const SECRET = new Set(['authorization', 'proxy-authorization']);

/** The names that cannot be in a list of headers to read, or to send. */
export function unusableNames(names: readonly string[], direction: 'in' | 'out'): string[] {
  const refused = direction === 'in' ? SECRET : OF_THE_DIALOG;
  return names.filter((name) => !SIP_HEADER_NAME.test(name) || refused.has(name.toLowerCase()));
}

/** Whether a header is in a list of names, whose case does not matter. */
export function isListed(name: string, names: readonly string[]): boolean {
  // Beyond ASCII, letters have lower cases that are other headers' letters.
  return SIP_HEADER_NAME.test(name) && names.some((one) => one.toLowerCase() === name.toLowerCase());
}

/**
 * The headers of the list among those that somebody sent, by their names in lower case. Strangers may send anything:
 * control characters become spaces, long values are cut, and empty ones are dropped.
 */
export function listedHeaders(sent: SipHeaders, names: readonly string[]): SipHeaders {
  const found = names.slice(0, MAX_SIP_HEADERS).flatMap((name) => {
    const key = name.toLowerCase();
    const value = Object.hasOwn(sent, key) ? cleaned(sent[key] ?? '') : '';
    return value === '' ? [] : [[key, value] as const];
  });
  return Object.fromEntries(found);
}

/** Headers of an inbound call as variables of its agent's texts: `{{sip.x-account}}`. */
export function headerVariables(headers: SipHeaders = {}): SipHeaders {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [`sip.${name}`, value]));
}

function cleaned(value: string): string {
  const text = value.slice(0, 2 * MAX_SIP_HEADER_LENGTH).replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ');
  // Half of a surrogate pair, where it is cut, could not be stored.
  return text.trim().slice(0, MAX_SIP_HEADER_LENGTH).toWellFormed().trim();
}
