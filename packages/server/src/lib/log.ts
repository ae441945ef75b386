import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino';
import pretty from 'pino-pretty';
import { isObject } from './json.ts';
import { maskPhoneNumbers } from './phone.ts';

export type { Logger };

interface Options {
  level: string;
  pretty: boolean;
  /** Replaces the standard output. */
  destination?: DestinationStream;
}

/** Other properties are dropped: a database error carries the row. */
function describe(error: unknown): unknown {
  // Errors copied into plain objects are handled as well.
  if (!isObject(error) || typeof error.message !== 'string') return typeof error;
  const { name: type, message, stack, code, cause } = error;
  return {
    type,
    message,
    stack,
    ...(typeof code === 'string' && { code }),
    ...(cause instanceof Error && { cause: describe(cause) }),
  };
}

/** The service's log: JSON lines, or readable ones in a terminal. Phone numbers are masked wherever they occur. */
export function createLogger({ level, pretty: readable, destination }: Options): Logger {
  const base: LoggerOptions = { level, hooks: { streamWrite: maskPhoneNumbers }, serializers: { err: describe } };
  if (!readable) return pino(base, destination ?? pino.destination(1));
  return pino(base, pretty({ ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss.l', singleLine: true, sync: true }));
}
