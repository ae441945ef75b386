import type { FastifyInstance, FastifyRequest, preValidationAsyncHookHandler } from 'fastify';
import { AppError } from '../lib/errors.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The operation adds or rewrites data of the user: refused to the user's own keys once its quota is full. */
    stores?: boolean;
  }
  interface FastifyRequest {
    /** For a body whose length is not known before: throws for a user that may not write so much more. */
    admitMore: ((bytes: number) => Promise<void>) | null;
  }
}

/** Added to the length of each body: rows of their own, and entries of indexes. */
const ROW_BYTES = 1_000;

export interface Quota {
  /** Throws for a user that may not write this many bytes. */
  admit(user_id: string, bytes: number): Promise<void>;
  /** Whether the request repeats one that has been answered: it writes nothing. */
  isRepeated(request: FastifyRequest): Promise<boolean>;
}

/**
 * Limits what users write with their own keys and tokens. Keys of role service and worker are never refused: their
 * reports about calls would be lost. Register it before the routes.
 */
export function registerQuota(app: FastifyInstance, { admit, isRepeated }: Quota): void {
  const check: preValidationAsyncHookHandler = async (request) => {
    const { principal, headers } = request;
    const user_id = principal?.role === 'user' ? principal.user_id : null;
    if (user_id === null) return;
    request.admitMore = (bytes) => admit(user_id, bytes);
    try {
      await admit(user_id, ROW_BYTES + Number(headers['content-length'] ?? 0));
    } catch (error) {
      if (!(error instanceof AppError) || !(await isRepeated(request))) throw error;
    }
  };
  app.decorateRequest('admitMore', null);
  app.addHook('onRoute', (route) => {
    if (route.config?.stores) route.preValidation = [check, ...[route.preValidation ?? []].flat()];
  });
}
