import path from 'node:path';
import { NODE, type Program, startProgram } from './program.ts';

export const MAIN = path.resolve(import.meta.dirname, '../server/src/main.ts');

/** The service in a process of its own. */
export interface ServiceProcess extends Program {
  url: string;
}

/** The address in its startup message. */
export function readyUrl(output: string): string | undefined {
  return /ready on (http:\/\/\S+) /.exec(output)?.[1];
}

/**
 * Starts the service with only this environment; resolves when it is ready, throws with its output if it ends before.
 */
export async function startProcess(env: Record<string, string>): Promise<ServiceProcess> {
  const program = startProgram([...NODE, MAIN], {
    env: {
      PATH: process.env.PATH,
      HOST: '127.0.0.1',
      PORT: '0',
      SANDBOX_RING_MS: '20',
      SANDBOX_CONVERSATIONS: '0',
      LOG_FORMAT: 'json',
      ...env,
    },
  });
  return { ...program, url: await program.until(readyUrl) };
}
