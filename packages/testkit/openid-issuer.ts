import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { serveHttp } from './http-server.ts';

interface Given {
  /** The client's request to the authorization endpoint. */
  request: URLSearchParams;
  sub: string;
}

/** The issuer's deviations from the protocol, until they are set again. */
interface Departure {
  /** Claims that replace those of the ID token; undefined removes one. */
  claims?: Record<string, unknown>;
  /** Signs with an unpublished key. */
  isForged?: boolean;
  /** The response to token requests. */
  tokenStatus?: number;
  /** Publishes no sign-out address. */
  hasNoSignOut?: boolean;
  /** Publishes another issuer in its discovery document. */
  discoveredIssuer?: string;
}

export interface OpenIdIssuer {
  issuer: string;
  clientId: string;
  clientSecret: string;
  depart: (departure: Departure) => void;
  /** The sign-out requests received. */
  signOuts: URLSearchParams[];
  /** Issues a code as after a sign-in in the browser; returns the redirect address. */
  signIn(location: string, sub: string): string;
  close(): Promise<void>;
}

/**
 * A small OpenID provider: discovery, a sign-in page that trusts any name, single-use codes with PKCE, ID tokens
 * signed with ES256.
 */
export async function startOpenIdIssuer(): Promise<OpenIdIssuer> {
  const [clientId, clientSecret] = ['switchboard-console', randomBytes(16).toString('hex')];
  const [signing, strange] = [await generateKeyPair('ES256'), await generateKeyPair('ES256')];
  const codes = new Map<string, Given>();
  const signOuts: URLSearchParams[] = [];
  let departure: Departure = {};
  const server = await serveHttp((request, response) => answer(request, response));
  const issuer = server.url;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams, href } = new URL(request.url ?? '/', issuer);
    const json = (status: number, body: object) =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (pathname === '/.well-known/openid-configuration') return json(200, metadata());
    if (pathname === '/keys') {
      const key = { ...(await exportJWK(signing.publicKey)), kid: 'one', alg: 'ES256', use: 'sig' };
      return json(200, { keys: [key] });
    }
    if (pathname === '/authorize')
      return void response.writeHead(200, { 'content-type': 'text/html' }).end(signInPage(searchParams));
    if (pathname === '/sign-out') {
      signOuts.push(searchParams);
      return void response.writeHead(302, { location: searchParams.get('post_logout_redirect_uri') ?? issuer }).end();
    }
    if (pathname === '/signed-in') {
      const asked = new URLSearchParams(decodeURIComponent(searchParams.get('request') ?? ''));
      const target = searchParams.has('deny')
        ? leadBack(asked, { error: 'access_denied' })
        : signIn(`${href}?${asked}`, searchParams.get('sub') ?? '', asked);
      return void response.writeHead(302, { location: target }).end();
    }
    const [status, body] = await token(new URLSearchParams(await text(request)), request.headers.authorization);
    return json(status, body);
  }

  const metadata = () => ({
    issuer: departure.discoveredIssuer ?? issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/keys`,
    ...(!departure.hasNoSignOut && { end_session_endpoint: `${issuer}/sign-out` }),
  });

  async function token(form: URLSearchParams, authorization: string | undefined): Promise<[number, object]> {
    if (departure.tokenStatus) return [departure.tokenStatus, { error: 'server_error' }];
    const given = codes.get(form.get('code') ?? '');
    codes.delete(form.get('code') ?? '');
    const basic = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
    if (!given || authorization !== basic || !isOfRequest(form, given.request))
      return [400, { error: 'invalid_grant' }];
    return [200, { access_token: 'unused', token_type: 'Bearer', id_token: await idToken(given) }];
  }

  function idToken({ request, sub }: Given): Promise<string> {
    const now = Math.floor(Date.now() / 1000);
    const right = { iss: issuer, aud: clientId, sub, iat: now, exp: now + 300, nonce: request.get('nonce') };
    return new SignJWT({ ...right, ...departure.claims })
      .setProtectedHeader({ alg: 'ES256', kid: 'one' })
      .sign(departure.isForged ? strange.privateKey : signing.privateKey);
  }

  function signIn(location: string, sub: string, request = new URL(location).searchParams): string {
    const code = randomBytes(16).toString('hex');
    codes.set(code, { request, sub });
    return leadBack(request, { code, iss: issuer });
  }

  function leadBack(request: URLSearchParams, parameters: Record<string, string>): string {
    const target = new URL(request.get('redirect_uri') ?? issuer);
    for (const [name, value] of Object.entries({ ...parameters, state: request.get('state') ?? '' }))
      target.searchParams.set(name, value);
    return target.href;
  }

  const depart = (next: Departure) => {
    departure = next;
  };
  return { issuer, clientId, clientSecret, depart, signOuts, signIn, close: server.close };
}

function signInPage(request: URLSearchParams): string {
  return `<!doctype html><title>Issuer</title><form action="/signed-in"><label>Name <input name="sub"></label>
    <input type="hidden" name="request" value="${encodeURIComponent(request.toString())}"><button>Continue</button>
    <button name="deny" value="1">Deny</button></form>`;
}

/** Whether a token request comes from the browser session that the authorization request came from (PKCE, RFC 7636). */
function isOfRequest(form: URLSearchParams, request: URLSearchParams): boolean {
  const challenge = createHash('sha256')
    .update(form.get('code_verifier') ?? '')
    .digest('base64url');
  return request.get('code_challenge') === challenge && request.get('redirect_uri') === form.get('redirect_uri');
}
