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

/** The service's log: JSON lines, or readable ones in a terminal. Phone numbers are masked in every line, wherever they stand. */
export function createLogger({ level, pretty: readable, destination }: Options): Logger {
  const base: LoggerOptions = { level, hooks: { streamWrite: maskPhoneNumbers } };
  if (!readable) return pino(base, destination ?? pino.destination(1));
  return pino(base, pretty({ ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss.l', singleLine: true, sync: true }));
}
