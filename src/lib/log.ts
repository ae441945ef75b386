import { type Logger, type LoggerOptions, pino } from 'pino';
import pretty from 'pino-pretty';
import { maskPhoneNumbers } from './phone.ts';

export type { Logger };

/** The service's log: JSON lines, or readable ones in a terminal. Phone numbers are masked in every line, wherever they stand. */
export function createLogger(options: { level: string; pretty: boolean }): Logger {
  const base: LoggerOptions = { level: options.level, hooks: { streamWrite: maskPhoneNumbers } };
  if (!options.pretty) return pino(base);
  return pino(base, pretty({ ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss.l', singleLine: true, sync: true }));
}
