import http from 'node:http';
import https from 'node:https';
import { RequestFilteringHttpAgent, RequestFilteringHttpsAgent } from 'request-filtering-agent';

const MAX_RESPONSE_BYTES = 64 * 1024;
// IPv4-compatible IPv6 addresses, which the agent does not know as private.
const DENIED = ['::/96'];

/** Posts a callback and returns the status of the answer. Redirects are not followed; the answer's body is not kept. */
export type Deliver = (url: string, headers: Record<string, string>, body: string) => Promise<number>;

/** Rejects for private, loopback and link-local addresses, checked when connecting, unless `allowPrivate`. */
export function createDeliver({ allowPrivate, timeoutMs }: { allowPrivate: boolean; timeoutMs: number }): Deliver {
  const filter = allowPrivate
    ? { allowPrivateIPAddress: true, allowMetaIPAddress: true }
    : { denyIPAddressList: DENIED };
  const agents = { http: new RequestFilteringHttpAgent(filter), https: new RequestFilteringHttpsAgent(filter) };
  return (url, headers, body) =>
    new Promise((resolve, reject) => {
      const secure = url.startsWith('https:');
      const request = (secure ? https : http).request(url, {
        method: 'POST',
        headers: { ...headers, 'content-length': Buffer.byteLength(body) },
        agent: secure ? agents.https : agents.http,
        signal: AbortSignal.timeout(timeoutMs),
      });
      request.on('error', reject);
      request.on('response', (response) => {
        let received = 0;
        response.on('data', (chunk: Buffer) => {
          received += chunk.length;
          if (received > MAX_RESPONSE_BYTES) response.destroy();
        });
        response.on('error', () => {});
        response.on('close', () => resolve(response.statusCode ?? 0));
      });
      request.end(body);
    });
}
