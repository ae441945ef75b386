import dns from 'node:dns';
import http from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import { isPrivateHost, NotPublicError, publicOnly } from '@switchboard/guard';

const MAX_RESPONSE_BYTES = 64 * 1024;
/** Why a delivery got no response; reveals nothing about the address. */
type DeliveryError = 'timeout' | 'no_public_address' | 'connection_failed' | 'tls_failed';

export interface Delivered {
  response_status: number | null;
  error: DeliveryError | null;
  /** The raw `Retry-After` header. */
  retry_after: string | null;
}

/**
 * Posts a callback and returns the result; never rejects. Redirects are not followed, and the response body is
 * discarded.
 */
export type Deliver = (url: string, headers: Record<string, string>, body: string) => Promise<Delivered>;

interface Options {
  /** Whether private, loopback, link-local and metadata addresses are allowed. */
  allowPrivate: boolean;
  timeoutMs: number;
  /** Replaces the resolver in tests. */
  lookup?: LookupFunction;
}

/**
 * The address that is checked is the one that is connected to: the connection itself resolves the name, once. Each
 * attempt has its own connection.
 */
export function createDeliver(options: Options): Deliver {
  const { allowPrivate, timeoutMs, lookup = allowPrivate ? dns.lookup : createLookupOutside() } = options;
  const agents = { http: new http.Agent(), https: new https.Agent() };
  return async (url, headers, body) => {
    const target = new URL(url);
    if (!allowPrivate && isPrivateHost(target.hostname)) return NOT_ALLOWED;
    const secure = target.protocol === 'https:';
    const request = (secure ? https : http).request(target, {
      method: 'POST',
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      agent: secure ? agents.https : agents.http,
      signal: AbortSignal.timeout(timeoutMs),
      lookup: allowPrivate ? lookup : publicOnly(lookup),
    });
    return send(request, body);
  };
}

/** Two tries, of two and of four seconds: a name server that never answers for IPv6 leaves time to connect. */
const TIMES = { timeout: 2_000, tries: 2 };

/**
 * Asks the name servers only. The system's resolver would hold a thread that all look-ups of the process share until a
 * dead name server is given up; what only it knows, as from the hosts file, leads inside.
 */
export function createLookupOutside(): LookupFunction {
  const resolver = new dns.promises.Resolver(TIMES);
  resolver.setServers(dns.getServers());
  return async (hostname, { all }, callback) => {
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const addresses = [
      ...(v4.status === 'fulfilled' ? v4.value.map((address) => ({ address, family: 4 })) : []),
      ...(v6.status === 'fulfilled' ? v6.value.map((address) => ({ address, family: 6 })) : []),
    ];
    const [first] = addresses;
    if (first === undefined) callback(v4.status === 'rejected' ? v4.reason : null, []);
    else if (all) callback(null, addresses);
    else callback(null, first.address, first.family);
  };
}

function send(request: http.ClientRequest, body: string): Promise<Delivered> {
  return new Promise((resolve) => {
    let answer: Delivered | undefined;
    // Also if the time is up while the body arrives: the status is known by then.
    request.on('error', (error) =>
      resolve(answer ?? { response_status: null, error: kindOf(error), retry_after: null }),
    );
    request.on('response', (response) => {
      answer = answerOf(response);
      discard(response);
      response.on('close', () => answer && resolve(answer));
    });
    // 101 Switching Protocols: neither a response nor an error event follows.
    request.on('upgrade', (response, socket) => {
      socket.destroy();
      resolve({ ...answerOf(response), retry_after: null });
    });
    request.end(body);
  });
}

function answerOf({ statusCode, headers }: http.IncomingMessage): Delivered {
  return { response_status: statusCode ?? null, error: null, retry_after: headers['retry-after'] ?? null };
}

/** Reads a response's body as far as it is allowed to be long. */
function discard(response: http.IncomingMessage): void {
  let received = 0;
  response.on('data', (chunk: Buffer) => {
    received += chunk.length;
    if (received > MAX_RESPONSE_BYTES) response.destroy();
  });
  response.on('error', () => {});
}

const NOT_ALLOWED: Delivered = { response_status: null, error: 'no_public_address', retry_after: null };

function kindOf(error: NodeJS.ErrnoException): DeliveryError {
  const code = error.code ?? '';
  if (error.name === 'AbortError' || error.name === 'TimeoutError' || code === 'ETIMEDOUT') return 'timeout';
  // The same error for both, so that internal names cannot be probed.
  if (error instanceof NotPublicError || /^(getaddrinfo|query)/.test(error.syscall ?? '')) return 'no_public_address';
  // TLS: node's own codes, OpenSSL's, and certificate verification errors.
  if (/^ERR_(TLS|SSL)|CERT|SIGNED|ISSUER|^EPROTO$/.test(code)) return 'tls_failed';
  return 'connection_failed';
}
