import dns from 'node:dns';
import http from 'node:http';
import https from 'node:https';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { RequestFilteringHttpAgent, RequestFilteringHttpsAgent } from 'request-filtering-agent';

const MAX_RESPONSE_BYTES = 64 * 1024;
/**
 * What the agent takes for public: IPv4-compatible IPv6 addresses (RFC 4291, 2.5.5.1), and Azure's platform address, which every
 * virtual machine there reaches (https://learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16). The metadata
 * addresses of the other clouds are link-local, unique-local, shared or reserved, and so refused with their ranges.
 */
const DENIED = new BlockList();
DENIED.addSubnet('::', 96, 'ipv6');
DENIED.addAddress('168.63.129.16');

/** Why a receiver could not be asked; says nothing of what is behind its address. */
type DeliveryError = 'timeout' | 'no_public_address' | 'connection_failed' | 'tls_failed';

export interface Delivered {
  response_status: number | null;
  error: DeliveryError | null;
  /** The `Retry-After` header, as it came. */
  retry_after: string | null;
}

/** Posts a callback and tells how that went; never rejects. Redirects are not followed, and the answer's body is not kept. */
export type Deliver = (url: string, headers: Record<string, string>, body: string) => Promise<Delivered>;

interface Options {
  /** Whether private, loopback, link-local and metadata addresses may be reached. */
  allowPrivate: boolean;
  timeoutMs: number;
  /** Stands in for the system's resolver, for tests. */
  lookup?: LookupFunction;
}

/** Addresses are checked as a connection is made, on the very answer of the resolver that is connected to. */
export function createDeliver({ allowPrivate, timeoutMs, lookup = dns.lookup }: Options): Deliver {
  const filter = { allowPrivateIPAddress: allowPrivate, allowMetaIPAddress: allowPrivate };
  const agents = { http: new RequestFilteringHttpAgent(filter), https: new RequestFilteringHttpsAgent(filter) };
  return async (url, headers, body) => {
    // An address that is written out is not looked up.
    if (!allowPrivate && isDenied(new URL(url).hostname.replace(/^\[|\]$/g, ''))) return NOT_ALLOWED;
    return new Promise((resolve) => {
      const target = new URL(url);
      const secure = target.protocol === 'https:';
      const request = (secure ? https : http).request(target, {
        method: 'POST',
        headers: { ...headers, 'content-length': Buffer.byteLength(body) },
        agent: secure ? agents.https : agents.http,
        signal: AbortSignal.timeout(timeoutMs),
        lookup: allowPrivate ? lookup : withoutDenied(lookup),
      });
      let answer: Delivered | undefined;
      // Also when the time is up while the body still comes: the status has been told by then.
      request.on('error', (error) =>
        resolve(answer ?? { response_status: null, error: kindOf(error), retry_after: null }),
      );
      request.on('response', (response) => {
        const retry_after = response.headers['retry-after'] ?? null;
        answer = { response_status: response.statusCode ?? null, error: null, retry_after };
        let received = 0;
        response.on('data', (chunk: Buffer) => {
          received += chunk.length;
          if (received > MAX_RESPONSE_BYTES) response.destroy();
        });
        response.on('error', () => {});
        response.on('close', () => answer && resolve(answer));
      });
      // 101 Switching Protocols: neither an answer nor an error is told of then.
      request.on('upgrade', (response, socket) => {
        socket.destroy();
        resolve({ response_status: response.statusCode ?? null, error: null, retry_after: null });
      });
      request.end(body);
    });
  };
}

const NOT_ALLOWED: Delivered = { response_status: null, error: 'no_public_address', retry_after: null };

function isDenied(address: string): boolean {
  const family = isIP(address);
  return family !== 0 && DENIED.check(address, family === 6 ? 'ipv6' : 'ipv4');
}

/** The agent's own list of addresses mixes up the families; so its resolver is given one that knows ours. */
function withoutDenied(lookup: LookupFunction): LookupFunction {
  return (hostname, options, callback) =>
    lookup(hostname, options, (error, address, family) => {
      const all = typeof address === 'string' ? [{ address }] : (address ?? []);
      if (all.some((one) => isDenied(one.address))) callback(new Error(`${hostname} is not allowed`), address, family);
      else callback(error, address, family);
    });
}

function kindOf(error: NodeJS.ErrnoException): DeliveryError {
  const code = error.code ?? '';
  if (error.name === 'AbortError' || error.name === 'TimeoutError' || code === 'ETIMEDOUT') return 'timeout';
  // One answer for both: which names exist inside is nobody's business.
  if (/is not allowed/.test(error.message) || error.syscall === 'getaddrinfo') return 'no_public_address';
  // TLS: node's own codes, OpenSSL's, and the names of what is wrong with a certificate.
  if (/^ERR_(TLS|SSL)|CERT|SIGNED|ISSUER|^EPROTO$/.test(code)) return 'tls_failed';
  return 'connection_failed';
}
