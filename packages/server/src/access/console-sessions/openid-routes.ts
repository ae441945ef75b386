import type { FastifyReply, FastifyRequest } from 'fastify';
import { countFailedSignIn } from '../../http/audit.ts';
import { idTokenCookieOf, setCookie, setIdTokenCookie, setSignInCookie, signInCookieOf } from '../../http/cookie.ts';
import type { Server } from '../../http/server.ts';
import { type ConsoleSessions, SESSION_MS } from './console-sessions.ts';
import { CALLBACK_PATH, type OpenId, SIGN_IN_MS } from './openid.ts';
import { SignInError } from './openid-provider.ts';

const BEGIN_PATH = '/console/openid';
const SIGN_OUT_PATH = '/console/openid/sign-out';
const HOME = '/console';

/** Addresses for browsers rather than operations of the API. The sign-in page shows any error. */
export function openIdRoutes(app: Server, sessions: ConsoleSessions, openId: OpenId): void {
  const schema = { hide: true };

  app.get(BEGIN_PATH, { schema }, (request, reply) =>
    orToSignIn(request, reply, async () => {
      const { return_to, moved } = request.query as Record<string, unknown>;
      // The cookie must belong to the host that the provider redirects to.
      if (moved === undefined && request.host !== new URL(openId.publicUrl).host) {
        const query = new URLSearchParams({ return_to: String(return_to ?? ''), moved: '1' });
        return reply.redirect(`${openId.publicUrl}${BEGIN_PATH}?${query}`);
      }
      const { location, kept } = await openId.begin(return_to);
      setSignInCookie(reply, kept, SIGN_IN_MS);
      return reply.redirect(location);
    }),
  );
  app.get(CALLBACK_PATH, { schema }, (request, reply) =>
    orToSignIn(request, reply, async () => {
      const kept = signInCookieOf(request);
      // Cleared whatever the result.
      setSignInCookie(reply, '', 0);
      const { person, idToken, returnTo } = await openId.finish(kept, request.query as Record<string, unknown>);
      const token = await sessions.signInUser(person, request.ip);
      setCookie(reply, token, SESSION_MS);
      setIdTokenCookie(reply, idToken, SESSION_MS);
      return reply.redirect(returnTo);
    }),
  );
  // The page has already ended its session. Users who did not sign in at the provider are not sent there.
  app.get(SIGN_OUT_PATH, { schema }, async (request, reply) => {
    const idToken = idTokenCookieOf(request);
    // A request from another site carries no cookie, and must not delete it.
    if (idToken === undefined) return reply.redirect(HOME);
    setIdTokenCookie(reply, '', 0);
    return reply.redirect((await addressOf(request, openId, idToken)) ?? HOME);
  });
}

/** The provider's sign-out address; null if it is unreachable: the session here has ended nevertheless. */
async function addressOf(request: FastifyRequest, openId: OpenId, idToken: string | null): Promise<string | null> {
  try {
    return await openId.signOutAddress(idToken);
  } catch (error) {
    if (!(error instanceof SignInError)) throw error;
    request.log.warn({ reason: error.message }, 'signing out at the OpenID provider failed');
    return null;
  }
}

async function orToSignIn(
  request: FastifyRequest,
  reply: FastifyReply,
  work: () => Promise<FastifyReply>,
): Promise<FastifyReply> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof SignInError)) throw error;
    countFailedSignIn(request, `openid ${error.problem}`);
    request.log.warn({ problem: error.problem, reason: error.message }, 'signing in at the OpenID provider failed');
    return reply.redirect(`/console?sign_in=${error.problem}`);
  }
}
