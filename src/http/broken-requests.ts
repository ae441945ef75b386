import type { Socket } from 'node:net';
import { AppError, type ErrorCode } from '../lib/errors.ts';

// Node's names for what is wrong with a request before it is one.
const CODES: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};
const REASONS: Record<number, string> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
};

/** Answers what is no HTTP request, or took too long to become one, in the form of the API, and closes the connection. */
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
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
