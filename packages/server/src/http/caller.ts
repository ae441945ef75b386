import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../lib/errors.ts';
import type { Actor, Authenticate, Principal, Role } from '../lib/principal.ts';
import { cookieOf } from './cookie.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The user who calls, or null when the request names none. What belongs to others is a 404 for a named user. */
    caller: string | null;
    /** The owner of the request's key or token; null where none is required. */
    principal: Principal | null;
    /** Whether the key or token still is what it was; null where none is asked for. */
    isStillAllowed: (() => Promise<boolean>) | null;
    /** Counts a wrong key that came in a body; null in open mode. Throws `too_many_requests`. */
    countGuess: (() => Promise<void>) | null;
  }
  interface FastifyContextConfig {
    /** The operation is about the calling user: without one it is a 401. */
    userRequired?: boolean;
    /** The answer is a stream that lasts as long as somebody listens. */
    stream?: boolean;
    /** Roles that may use the operation when authentication is required; service and user by default. */
    access?: Access;
  }
}

export type Access = 'public' | 'worker' | 'service_and_worker' | 'service';

/** UTF-16 units: 255 characters have no more than this. */
const MAX_USER_ID = 510;

/** Counts a token that is nobody's. Throws `too_many_requests` for an address that has shown too many. */
export type CountGuess = (request: FastifyRequest) => Promise<void>;

/** Finds out who calls. Without `authenticate` (open mode) the `x-user-id` header is believed. */
export function registerCaller(app: FastifyInstance, authenticate: Authenticate | null, countGuess: CountGuess): void {
  app.decorateRequest('caller', null);
  app.decorateRequest('principal', null);
  app.decorateRequest('isStillAllowed', null);
  app.decorateRequest('countGuess', null);
  if (authenticate) {
    app.addHook('onRequest', async (request) => {
      const named = readUserId(request);
      request.countGuess = () => countGuess(request);
      if (!isPublic(request)) request.principal = await identify(request, authenticate, countGuess);
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

/** The caller of an operation whose schema or config makes the header mandatory. */
export function requireCaller(request: FastifyRequest): string {
  if (request.caller === null) throw new AppError('user_required');
  return request.caller;
}

/** The actor of the request, for the audit log. */
export function actorOf(request: FastifyRequest): Actor {
  const { caller, principal, ip } = request;
  // Operations that are about no user take any header; a user's id has 255 characters at most.
  const user_id = caller !== null && caller.length <= MAX_USER_ID ? caller : null;
  return { actor: principal?.name ?? 'open', user_id, ip };
}

/** Refuses a body, or a query, that names another user than the header does. */
export function assertSameUser(caller: string | null, userId: string, place: 'body' | 'query' = 'body'): void {
  if (caller !== null && caller !== userId)
    throw new AppError('wrong_user', {
      detail: `The x-user-id header and the user_id in the ${place} name different users.`,
    });
}

/**
 * Refuses a part of an operation that not all of its roles may use; `what` begins the sentence that names the required
 * role. In open mode nobody has a role, and nothing is refused.
 */
export function requireRole({ principal }: FastifyRequest, roles: readonly Role[], what: string): void {
  if (principal) assertRole(principal, roles, what);
}

async function identify(
  request: FastifyRequest,
  authenticate: Authenticate,
  countGuess: CountGuess,
): Promise<Principal> {
  const inHeader = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
  const shown = inHeader ?? streamTokenOf(request);
  const token = shown ?? cookieOf(request);
  const principal = token ? await authenticate(token) : null;
  // A session's token is good as a cookie alone, and nothing else is.
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

const SAFE_METHODS = new Set(['GET', 'HEAD']);

/**
 * Refuses what a page of another origin sends: a browser adds the cookie by itself, and says in `Origin` whose page it
 * is. Throws `origin_not_allowed`.
 */
export function assertSameOrigin(request: FastifyRequest, origin: 'required' | 'optional'): void {
  const { protocol, host, headers } = request;
  if (headers.origin === undefined && origin === 'optional') return;
  if (headers.origin !== `${protocol}://${host}`) throw new AppError('origin_not_allowed');
}

/** The stream token in the query: a browser's `EventSource` cannot send headers. */
function streamTokenOf({ query, routeOptions }: FastifyRequest): string | undefined {
  const { token } = query as { token?: unknown };
  return routeOptions.config.stream && typeof token === 'string' ? token : undefined;
}

/**
 * A stream token opens the stream of its call or user, and nothing else. A key in a query would stand in the logs of
 * proxies.
 */
function isInScope({ params, routeOptions }: FastifyRequest, { call_id }: Principal, inQuery: boolean): boolean {
  if (call_id === undefined) return !inQuery;
  const asked = (params as { call_id?: string }).call_id?.toLowerCase() ?? null;
  return routeOptions.config.stream === true && asked === call_id;
}

/** The user that the principal acts for. Throws `role_not_allowed` or `wrong_user`. */
function userOf(request: FastifyRequest, principal: Principal, named: string | null): string | null {
  const { access } = request.routeOptions.config;
  if (!mayUse(principal.role, access)) assertRole(principal, rolesOf(access), 'This operation');
  if (principal.role !== 'user') return named;
  if (named !== null && named !== principal.user_id)
    throw new AppError('wrong_user', { detail: 'The x-user-id header names another user than the key or token.' });
  // As if the header were there: operations that insist on it are about this user.
  request.headers['x-user-id'] = principal.user_id ?? undefined;
  return principal.user_id;
}

/** Which roles may use an operation with this access. */
export function rolesOf(access: Access | undefined): Role[] {
  return (['service', 'worker', 'user'] as const).filter((role) => mayUse(role, access));
}

function mayUse(role: Role, access: Access | undefined): boolean {
  if (role === 'service') return true;
  if (role === 'worker') return access === 'worker' || access === 'service_and_worker';
  return access !== 'service' && access !== 'service_and_worker';
}

function assertRole({ role }: Principal, roles: readonly Role[], what: string): void {
  if (roles.includes(role)) return;
  const detail = `${what} needs a key of role ${roles.join(' or ')}.`;
  throw new AppError('role_not_allowed', { detail });
}

// The API's description and the health checks show no user's data.
export function isPublic(request: FastifyRequest): boolean {
  const { url = '', config } = request.routeOptions;
  return config.access === 'public' || !(url.startsWith('/api/') || url === '/metrics');
}

/** Node hands header bytes over as Latin-1; clients send UTF-8, and the same id in a body must be the same user. */
function readUserId(request: FastifyRequest): string | null {
  const header = request.headers['x-user-id'];
  if (typeof header !== 'string' || header === '') return null;
  const userId = Buffer.from(header, 'latin1').toString('utf8');
  request.headers['x-user-id'] = userId;
  return userId;
}
