import { isUtf8 } from 'node:buffer';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../lib/errors.ts';
import { InvalidRequest } from '../lib/invalid.ts';
import { textProblem } from '../lib/json.ts';
import type { Actor, Authenticate, Principal, Role, Scope } from '../lib/principal.ts';
import { assertMayCall, isOpen, needs, refusalOfScope, registerAccess } from './access.ts';
import { cookieOf } from './cookie.ts';
import { assertSameOrigin, SAFE_METHODS } from './origins.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The calling user, or null if the request names none. Named users get 404 for the resources of others. */
    caller: string | null;
    /** The owner of the request's key or token; null in open mode, and on public endpoints. */
    principal: Principal | null;
    /** Whether the key or token is still valid; null in open mode, and on public endpoints. */
    isStillAllowed: (() => Promise<boolean>) | null;
    /** Counts a wrong key that was sent in a body; null in open mode. Throws `too_many_requests`. */
    countGuess: (() => Promise<void>) | null;
  }
  interface FastifyContextConfig {
    /** Requires a calling user: 401 without one. */
    userRequired?: boolean;
    /** The response is a stream that lasts as long as the client listens. */
    stream?: boolean;
    /** Answers while the database is away, and therefore accepts keys that were accepted shortly before. */
    outlivesDatabase?: boolean;
  }
}

const NOT_UTF8 = { loc: ['header', 'x-user-id'], msg: 'Input should be the UTF-8 of the id', type: 'value_error' };
const MAX_USER_ID_CHARACTERS = 255;
/** UTF-16 units: the characters take at most this many. */
const MAX_USER_ID = 2 * MAX_USER_ID_CHARACTERS;

/** Counts an invalid token. Throws `too_many_requests` for an address that has sent too many. */
export type CountGuess = (request: FastifyRequest) => Promise<void>;

/** Authenticates requests. Without `authenticate` (open mode) the `x-user-id` header is trusted. */
export function registerCaller(app: FastifyInstance, authenticate: Authenticate | null, countGuess: CountGuess): void {
  registerAccess(app);
  app.decorateRequest('caller', null);
  app.decorateRequest('principal', null);
  app.decorateRequest('isStillAllowed', null);
  app.decorateRequest('countGuess', null);
  if (authenticate) {
    app.addHook('onRequest', async (request) => {
      request.countGuess = () => countGuess(request);
      if (!isPublic(request)) request.principal = await identify(request, authenticate, countGuess);
      const named = readUserId(request);
      setCaller(request, request.principal ? userOf(request, request.principal, named) : named);
    });
  } else {
    app.addHook('onRequest', (request, _reply, done) => {
      setCaller(request, readUserId(request));
      done();
    });
  }
}

function setCaller(request: FastifyRequest, caller: string | null): void {
  if (caller === null && request.routeOptions.config.userRequired) throw new AppError('user_required');
  request.caller = caller;
}

/** The calling user of an operation whose schema or config requires one. */
export function requireCaller(request: FastifyRequest): string {
  if (request.caller === null) throw new AppError('user_required');
  return request.caller;
}

/** The actor of the request, for the audit log. */
export function actorOf(request: FastifyRequest): Actor {
  const { caller, principal, ip } = request;
  // Operations that ignore the user accept any header value; a user id has at most 255 characters.
  const user_id = caller !== null && caller.length <= MAX_USER_ID ? caller : null;
  const actor_user_id = principal?.subject ?? principal?.user_id ?? null;
  return { actor: principal?.name ?? 'open', actor_name: principal?.label ?? null, actor_user_id, user_id, ip };
}

/** Rejects a body or query that names another user than the header. */
export function assertSameUser(caller: string | null, userId: string, place: 'body' | 'query' = 'body'): void {
  if (caller !== null && caller !== userId)
    throw new AppError('wrong_user', {
      detail: `The x-user-id header and the user_id in the ${place} name different users.`,
    });
}

/**
 * Rejects roles other than `roles` for a part of an operation; `what` is the subject of the error message. In open
 * mode there are no roles, and nothing is rejected.
 */
export function requireRole({ principal }: FastifyRequest, roles: readonly Role[], what: string): void {
  if (principal && !roles.includes(principal.role))
    throw new AppError('role_not_allowed', { detail: needs(what, roles) });
}

/** Rejects keys that are limited to other scopes for a part of an operation; `what` as above. */
export function requireScope({ principal }: FastifyRequest, scope: Scope, what: string): void {
  const refusal = principal && refusalOfScope(what, principal.scopes, scope);
  if (refusal) throw refusal;
}

/** Rejects principals that are bound to a user for a part of an operation that concerns all users. */
export function requireUnbound({ principal }: FastifyRequest, what: string): void {
  if (principal && principal.user_id !== null)
    throw new AppError('role_not_allowed', { detail: needs(what, ['viewer', 'supervisor', 'service', 'admin'], true) });
}

async function identify(
  request: FastifyRequest,
  authenticate: Authenticate,
  countGuess: CountGuess,
): Promise<Principal> {
  const inHeader = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
  const shown = inHeader ?? streamTokenOf(request);
  const token = shown ?? cookieOf(request);
  const { outlivesDatabase } = request.routeOptions.config;
  const principal = token ? await authenticate(token, outlivesDatabase) : null;
  // Session tokens are valid in cookies only, and cookies carry nothing else.
  const isCookie = shown === undefined;
  const isAccepted =
    principal?.isConsole === true ? isCookie : !isCookie && principal && isInScope(request, principal, !inHeader);
  if (token && principal && isAccepted) {
    if (isCookie && !SAFE_METHODS.has(request.method)) assertSameOrigin(request, 'required');
    request.isStillAllowed = async () => {
      const now = await authenticate(token);
      return now !== null && now.role === principal.role && now.user_id === principal.user_id;
    };
    return principal;
  }
  await countGuess(request);
  throw new AppError('unauthenticated');
}

/** The stream token in the query: a browser's `EventSource` cannot send headers. */
function streamTokenOf({ query, routeOptions }: FastifyRequest): string | undefined {
  const { token } = query as { token?: unknown };
  return routeOptions.config.stream && typeof token === 'string' ? token : undefined;
}

/**
 * A stream token opens only the stream of its call or user, or the audio of its recording. API keys are not accepted in
 * the query, because proxies log URLs.
 */
function isInScope({ params, routeOptions }: FastifyRequest, principal: Principal, inQuery: boolean): boolean {
  const { call_id, recording_id = null } = principal;
  if (call_id === undefined) return !inQuery;
  const asked = params as { call_id?: string; recording_id?: string };
  const isOfCall = (asked.call_id?.toLowerCase() ?? null) === call_id;
  return (
    routeOptions.config.stream === true && isOfCall && (asked.recording_id?.toLowerCase() ?? null) === recording_id
  );
}

/** The user that the principal acts for. Throws `role_not_allowed`, `scope_not_allowed` or `wrong_user`. */
function userOf(request: FastifyRequest, principal: Principal, named: string | null): string | null {
  const { rule } = request.routeOptions.config;
  if (rule) assertMayCall(principal, rule);
  if (principal.user_id === null) return named;
  if (named !== null && named !== principal.user_id)
    throw new AppError('wrong_user', { detail: 'The x-user-id header names another user than the key or token.' });
  // Set as if the client had sent it, for operations that require the header.
  request.headers['x-user-id'] = principal.user_id;
  return principal.user_id;
}

/** The id of a user that a path names. Throws `not_found` for one that no user can have. */
export function validUserId(user_id: string): string {
  if (user_id === '' || textProblem(user_id) || [...user_id].length > MAX_USER_ID_CHARACTERS)
    throw new AppError('not_found');
  return user_id;
}

export function isPublic({ routeOptions: { url = '', config } }: FastifyRequest): boolean {
  return isOpen(url, config.access);
}

/**
 * Node decodes headers as Latin-1, but clients send UTF-8, and the same id in a body must name the same user. Throws
 * `InvalidRequest` for other bytes, which would all name one user.
 */
function readUserId(request: FastifyRequest): string | null {
  const header = request.headers['x-user-id'];
  if (typeof header !== 'string' || header === '') return null;
  const bytes = Buffer.from(header, 'latin1');
  if (!isUtf8(bytes)) throw new InvalidRequest([NOT_UTF8]);
  const userId = bytes.toString('utf8');
  request.headers['x-user-id'] = userId;
  return userId;
}
