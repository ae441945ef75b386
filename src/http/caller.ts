import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../lib/errors.ts';
import type { Authenticate, Role } from '../lib/principal.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The user who calls, or null when the request names none. What belongs to others is a 404 for a named user. */
    caller: string | null;
  }
  interface FastifyContextConfig {
    /** The operation is about the calling user: without one it is a 401. */
    userRequired?: boolean;
    /** Who may use the operation when authentication is required: by default service and user. */
    access?: 'public' | 'worker' | 'service';
  }
}

/** Finds out who calls. Without `authenticate` (open mode) the `x-user-id` header is believed. */
export function registerCaller(app: FastifyInstance, authenticate: Authenticate | null): void {
  app.decorateRequest('caller', null);
  app.addHook('onRequest', async (request) => {
    const named = readUserId(request);
    request.caller = authenticate && !isPublic(request) ? await identify(request, authenticate, named) : named;
    if (request.caller === null && request.routeOptions.config.userRequired) throw new AppError('user_required');
  });
}

/** The caller of an operation whose schema or config makes the header mandatory. */
export function requireCaller(request: FastifyRequest): string {
  if (request.caller === null) throw new AppError('user_required');
  return request.caller;
}

/** Refuses a body that names another user than the header does. */
export function assertSameUser(caller: string | null, userId: string): void {
  if (caller !== null && caller !== userId) throw new AppError('wrong_user');
}

async function identify(
  request: FastifyRequest,
  authenticate: Authenticate,
  named: string | null,
): Promise<string | null> {
  const token = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
  const principal = token ? await authenticate(token) : null;
  if (!principal) throw new AppError('unauthenticated');
  if (!mayUse(principal.role, request.routeOptions.config.access)) throw new AppError('role_not_allowed');
  if (principal.role !== 'user') return named;
  if (named !== null && named !== principal.user_id)
    throw new AppError('wrong_user', { detail: 'The x-user-id header names another user than the key or token.' });
  // As if the header were there: operations that insist on it are about this user.
  request.headers['x-user-id'] = principal.user_id ?? undefined;
  return principal.user_id;
}

function mayUse(role: Role, access: 'public' | 'worker' | 'service' | undefined): boolean {
  if (role === 'service') return true;
  return role === 'worker' ? access === 'worker' : access !== 'service';
}

// The API's description and the health checks tell nothing that is anybody's.
function isPublic(request: FastifyRequest): boolean {
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
