import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { AppError, type ErrorCode } from '../lib/errors.ts';

// Node's error codes for requests that cannot be parsed.
const CODES: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};
const JSON_TYPE = 'application/json; charset=utf-8';
const REASONS: Record<number, string> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
};

/** Answers unparsable and incomplete requests in the format of the API, and closes the connection. */
export function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const { status, message, code } = new AppError(CODES[error.code ?? ''] ?? 'bad_request');
  const body = JSON.stringify({ detail: message, code });
  const head = [
    `HTTP/1.1 ${status} ${REASONS[status]}`,
    'connection: close',
    `content-type: ${JSON_TYPE}`,
    `content-length: ${Buffer.byteLength(body)}`,
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

/**
 * Refuses requests that no route is for, before they are read: problems of their bodies do not matter. Replaces the
 * empty response that Node sends to a request without a Host header.
 */
export function registerUnreadable(app: FastifyInstance): void {
  app.addHook('onRequest', ({ raw, is404 }, _reply, done) => {
    if (is404) throw new AppError('route_not_found');
    if (raw.httpVersion === '1.1' && raw.headers.host === undefined) throw new AppError('bad_request');
    done();
  });
}

/** Rejects every expectation other than 100-continue. */
export function refuseExpectation(_request: IncomingMessage, response: ServerResponse): void {
  const { status, message, code } = new AppError('expectation_failed');
  const body = JSON.stringify({ detail: message, code });
  // The next bytes could be the withheld body or another request; there is no way to tell.
  const headers = { connection: 'close', 'content-type': JSON_TYPE, 'content-length': Buffer.byteLength(body) };
  response.writeHead(status, headers).end(body);
}

/** Rejects a request over the limit without reading it. */
export function refuseOverload(response: ServerResponse): void {
  const { status, message, code } = new AppError('overloaded');
  const request_id = randomUUID();
  const body = JSON.stringify({ detail: message, code, request_id });
  const headers = {
    connection: 'close',
    'content-type': JSON_TYPE,
    'content-length': Buffer.byteLength(body),
    'retry-after': '1',
    'x-request-id': request_id,
  };
  response.writeHead(status, headers).end(body);
}
