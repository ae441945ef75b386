import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isDatabaseUnavailable } from '../db/database.ts';
import { isDiskFull } from '../db/disk.ts';
import { conflictOf } from '../db/retry.ts';
import { AppError } from '../lib/errors.ts';
import { type FieldProblem, InvalidFields, InvalidRequest, type Problem } from '../lib/invalid.ts';

const RETRY_AFTER_S = 1;

/**
 * Answers every failure in the format of the API: 422 with all problems, or `{detail, code}`. A 5xx reveals no
 * internals.
 */
export function registerErrorHandler(app: FastifyInstance): void {
  app.setErrorHandler((error: Error, request, reply) => {
    if (error instanceof InvalidRequest) return reply.status(422).send({ detail: error.problems });
    if (error instanceof InvalidFields)
      return reply.status(422).send({ detail: error.problems.map((problem) => locate(problem, request)) });
    return sendError(toAppError(error), request, reply);
  });
  app.setNotFoundHandler((request, reply) => sendError(new AppError('route_not_found'), request, reply));
}

/** Adds the location of the field in the request, by the schemas of the route. */
function locate({ field, ...problem }: FieldProblem, { routeOptions: { schema } }: FastifyRequest): Problem {
  const path = [field].flat();
  const stoodIn = (part: unknown) =>
    Object.hasOwn((part as { properties?: object } | undefined)?.properties ?? {}, path[0] ?? '');
  const place = stoodIn(schema?.querystring) ? 'query' : stoodIn(schema?.headers) ? 'header' : 'body';
  return { loc: [place, ...path], ...problem };
}

function sendError(error: AppError, request: FastifyRequest, reply: FastifyReply) {
  const retryAfter = error.retry_after_s ?? (error.status === 503 ? RETRY_AFTER_S : undefined);
  if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter));
  request.errorCode = error.code;
  if (error.code === 'unauthenticated') reply.header('www-authenticate', 'Bearer');
  const { message: detail, code, decision, test_run_id } = error;
  const body = { detail, code, ...(decision && { decision }), ...(test_run_id && { test_run_id }) };
  if (error.status < 500) return reply.status(error.status).send(body);
  // The log includes the cause. Not for a full queue: a stack trace for each refusal would add to the load.
  if (error.code !== 'overloaded' || error.cause) request.log.error({ err: error }, 'request failed');
  // The rest of the body is not read, so the connection cannot be reused.
  if (error.status === 503 && !request.raw.complete) reply.header('connection', 'close');
  return reply.status(error.status).send({ ...body, request_id: request.id });
}

function toAppError(error: Error): AppError {
  if (error instanceof AppError) return error;
  switch ((error as FastifyError).code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new AppError('body_too_large');
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new AppError('unsupported_media_type');
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new AppError('body_incomplete');
  }
  if (isDiskFull(error)) return new AppError('database_full', { cause: error });
  const { statusCode = 500 } = error as FastifyError;
  if (statusCode >= 400 && statusCode < 500)
    return new AppError(statusCode === 404 ? 'route_not_found' : 'bad_request');
  if (isDatabaseUnavailable(error)) return new AppError('database_unavailable', { cause: error });
  // The database works: so much is written to the same rows at once that no attempt has succeeded.
  if (conflictOf(error)) return new AppError('overloaded', { cause: error });
  return new AppError('internal_error', { cause: error });
}
