import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino';
import pretty from 'pino-pretty';
import { maskPhoneNumbers } from './phone.ts';

export type { Logger };

interface Options {
  level: string;
  pretty: boolean;
  /** Where the lines go instead of the standard output. */
  destination?: DestinationStream;
}

/** Its other properties stay out: a database's error carries the row that it is about. */
function describe(error: unknown): unknown {
  if (!(error instanceof Error)) return typeof error;
  const { name: type, message, stack } = error;
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {};
  return { type, message, stack, ...code, ...(error.cause instanceof Error && { cause: describe(error.cause) }) };
}

/** The service's log: JSON lines, or readable ones in a terminal. Phone numbers are masked in every line, wherever they stand. */
export function createLogger({ level, pretty: readable, destination }: Options): Logger {
  const base: LoggerOptions = { level, hooks: { streamWrite: maskPhoneNumbers }, serializers: { err: describe } };
  if (!readable) return pino(base, destination ?? pino.destination(1));
  return pino(base, pretty({ ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss.l', singleLine: true, sync: true }));
}
