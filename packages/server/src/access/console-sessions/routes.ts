import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { mayCall } from '../../http/access.ts';
import { actorOf, requireRole, requireScope } from '../../http/caller.ts';
import { cookieOf, setCookie } from '../../http/cookie.ts';
import { SMALL_BODY } from '../../http/json-body.ts';
import { assertSameOrigin } from '../../http/origins.ts';
import { responses } from '../../http/responses.ts';
import type { Server } from '../../http/server.ts';
import { AppError } from '../../lib/errors.ts';
import type { Principal } from '../../lib/principal.ts';
import { type ConsoleSessions, SESSION_MS } from './console-sessions.ts';
import { ConsoleSession, ConsoleSignIn, SignedOut, SignInMethods, SignOutQuery } from './schema.ts';

const tags = ['console'];
const SOMEBODY_ELSE = 'Signing out somebody else';

/** Facts about the service that the console needs. */
export interface ConsoleFacts {
  auth_mode: 'open' | 'required';
  is_media_simulated: boolean;
  is_carrier_simulated: boolean;
  /** The currency of all amounts, ISO 4217. */
  currency: string;
}

export function consoleSessionRoutes(
  app: Server,
  sessions: ConsoleSessions,
  facts: ConsoleFacts,
  is_openid_configured: boolean,
): void {
  const view = (principal: Principal | null) => ({
    ...facts,
    role: principal && principal.role !== 'worker' ? principal.role : null,
    user_id: principal?.user_id ?? null,
    operations: app.operations.filter((one) => mayCall(principal, one)).map(({ operation_id }) => operation_id),
    expires_at: principal?.expires_at ?? null,
  });
  const keep = (reply: FastifyReply, token: string, maxAgeMs: number) => setCookie(reply, token, maxAgeMs);

  app.get(
    '/api/console/sign-in',
    {
      config: { access: 'public' },
      schema: {
        tags,
        operationId: 'getSignInMethods',
        summary: 'Get the sign-in options of the console',
        description:
          'Needs no key. If an OpenID provider is configured, browsers sign in there via `/console/openid`, and return with the cookie.',
        response: responses({ 200: SignInMethods }, 422),
      },
    },
    async () => ({ auth_mode: facts.auth_mode, is_openid_configured }),
  );
  app.post(
    '/api/console/session',
    {
      config: { access: 'public' },
      bodyLimit: SMALL_BODY,
      schema: {
        tags,
        operationId: 'signIn',
        audit: { changes: 'console.signed_in' },
        summary: 'Sign in to the console',
        description:
          'Exchanges an API key for a cookie that scripts cannot read, for 12 hours or until the key is revoked or expires. Requests with the cookie have the rights of the key; requests other than GET are only accepted from pages of the service (`Origin`). Wrong keys are rate-limited like invalid tokens. 409 in open mode, which has no sign-in.',
        body: ConsoleSignIn,
        response: responses({ 201: ConsoleSession }, 409, 413, 415, 422),
      },
    },
    async (request, reply) => {
      if (facts.auth_mode === 'open') throw new AppError('sign_in_not_needed');
      assertSameOrigin(request, 'optional');
      const session = await sessions.signIn(request.body.api_key, request.ip);
      if (!session) {
        await request.countGuess?.();
        throw new AppError('unauthenticated');
      }
      keep(reply, session.token, SESSION_MS);
      reply.status(201);
      return view(session.principal);
    },
  );
  app.get(
    '/api/console/session',
    {
      schema: {
        tags,
        operationId: 'getConsoleSession',
        summary: 'Get the signed-in caller',
        description: 'The role and user of the cookie, key or token, and whether phones and numbers are simulated.',
        response: responses({ 200: ConsoleSession }, 422),
      },
    },
    async ({ principal }) => view(principal),
  );
  app.delete(
    '/api/console/session',
    {
      config: { access: 'read' },
      schema: {
        tags,
        operationId: 'signOut',
        audit: { may_change: 'console.signed_out', failures: 'all' },
        summary: 'Sign out of the console',
        description:
          'Ends the session of the cookie. No effect without one. This process refuses the cookie and ends its event streams immediately; other processes refuse it within a second and end its streams within 5 seconds.',
        response: responses({ 204: Type.Null({ description: 'The session has ended.' }) }, 422),
      },
    },
    async (request, reply) => {
      const token = cookieOf(request);
      if (token !== undefined) await sessions.signOut(token, actorOf(request));
      keep(reply, '', 0);
      return reply.status(204).send(null);
    },
  );
  app.delete(
    '/api/console/sessions',
    {
      config: { access: 'read', restriction: '`subject`: `service` and `admin` only; keys with scopes need `keys`' },
      schema: {
        tags,
        operationId: 'signOutEverywhere',
        audit: { changes: 'console.signed_out_everywhere' },
        summary: 'Sign out of the console everywhere',
        description:
          'Ends all sessions that were opened with the caller\u2019s key, or by the same person at the OpenID provider, as quickly as signing out does. Keys stay valid: revoke them. Stream tokens that these sessions asked for end with them.',
        querystring: SignOutQuery,
        response: responses({ 200: SignedOut }, 422),
      },
    },
    async (request, reply) => {
      const { subject = null } = request.query;
      if (subject !== null) {
        requireRole(request, ['service', 'admin'], SOMEBODY_ELSE);
        requireScope(request, 'keys', SOMEBODY_ELSE);
      } else if (cookieOf(request) !== undefined) keep(reply, '', 0);
      return { sessions: await sessions.signOutEverywhere(request.principal, subject, actorOf(request)) };
    },
  );
}
