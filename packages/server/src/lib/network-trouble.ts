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

/** Why a request got no response, in words. Only the error's code is quoted: messages contain URLs and tokens. */
export function networkTrouble(error: unknown): string {
  if (error instanceof DOMException && error.name === 'TimeoutError') return 'it does not answer in time';
  const code = errorCode(error);
  if (code === undefined) return 'it cannot be reached';
  if (isTlsTrouble(code))
    return `the TLS connection failed (${code}): its certificate, or the scheme of the URL, does not fit`;
  return NETWORK[code] ?? `it cannot be reached (${code})`;
}

/** Whether an error code is about TLS. */
export function isTlsTrouble(code: string): boolean {
  return TLS.test(code);
}

/** The code of an error or of its cause. */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('code' in error && typeof error.code === 'string') return error.code;
  // Several addresses were tried.
  if (error instanceof AggregateError) return errorCode(error.errors[0]);
  return errorCode(error.cause);
}
