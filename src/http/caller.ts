import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../lib/errors.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The user who calls, or null when the request names none. What belongs to others is a 404 for a named user. */
    caller: string | null;
  }
  interface FastifyContextConfig {
    /** The operation is about the calling user: without one it is a 401. */
    userRequired?: boolean;
  }
}

/** Reads `x-user-id` into `request.caller`. */
export function registerCaller(app: FastifyInstance): void {
  app.decorateRequest('caller', null);
  app.addHook('onRequest', async (request) => {
    request.caller = readUserId(request);
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

/** Node hands header bytes over as Latin-1; clients send UTF-8, and the same id in a body must be the same user. */
function readUserId(request: FastifyRequest): string | null {
  const header = request.headers['x-user-id'];
  if (typeof header !== 'string' || header === '') return null;
  const userId = Buffer.from(header, 'latin1').toString('utf8');
  request.headers['x-user-id'] = userId;
  return userId;
}
