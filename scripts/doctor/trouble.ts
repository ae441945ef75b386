import { ServerError } from 'livekit-server-sdk';

const NETWORK: Record<string, string> = {
  ENOTFOUND: 'its host name is unknown',
  EAI_AGAIN: 'its host name cannot be looked up now',
  ECONNREFUSED: 'nothing listens there (connection refused)',
  ECONNRESET: 'the connection was cut',
  EHOSTUNREACH: 'there is no route to it',
  ENETUNREACH: 'there is no route to it',
  ETIMEDOUT: 'it does not answer in time',
  UND_ERR_CONNECT_TIMEOUT: 'it does not answer in time',
};
const TLS = /CERT|SSL|TLS|SIGNATURE/;

/** Why a request has not been answered, in words. Nothing of an error is quoted but its code: messages hold URLs and tokens. */
export function networkTrouble(error: unknown): string {
  if (error instanceof DOMException && error.name === 'TimeoutError') return 'it does not answer in time';
  const code = codeOf(error);
  if (code === undefined) return 'it cannot be reached';
  if (TLS.test(code))
    return `the TLS connection failed (${code}): its certificate, or the scheme of the URL, does not fit`;
  return NETWORK[code] ?? `it cannot be reached (${code})`;
}

/** Why LiveKit did not do what it was asked, in words, with what to do. */
export function livekitTrouble(error: unknown): string {
  if (!(error instanceof ServerError))
    return `${networkTrouble(error)}. Check LIVEKIT_URL, and whether the server runs and can be reached from here.`;
  if (error.status === 401) return refusedToken(error.message);
  if (error.status === 403) return 'the API key is not allowed to do this. Use a key with all grants.';
  if (error.message.includes('redis required'))
    return 'the media server has no Redis, without which it knows no SIP. Add redis to its configuration, and to the SIP bridge.';
  if (error.code === undefined)
    return `HTTP ${error.status}, not in the words of a LiveKit server. Check that LIVEKIT_URL leads to one.`;
  return `the media server answered ${error.status} ${error.code}. Its log says more.`;
}

function refusedToken(message: string): string {
  if (message.startsWith('invalid API key'))
    return 'the media server does not know LIVEKIT_API_KEY. Take key and secret of the project that LIVEKIT_URL leads to.';
  if (/expired|not valid yet/.test(message))
    return "the media server takes our token for expired or not yet valid: the clocks differ. Set this machine's clock.";
  return 'the media server refused the signature: LIVEKIT_API_SECRET does not belong to LIVEKIT_API_KEY. Take both from the same pair.';
}

function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('code' in error && typeof error.code === 'string') return error.code;
  // Several addresses were tried.
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  return codeOf(error.cause);
}
