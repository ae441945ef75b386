import path from 'node:path';
import type { ServiceProcess } from '@switchboard/testkit/service-process.ts';

/** Additional environment of the service, which `readProbe` needs. */
export const PROBED = { NODE_OPTIONS: `--import=${path.join(import.meta.dirname, 'stall-probe.ts')}` };

/** Measurements from inside the service. */
export interface Probe {
  /** The longest turn of the event loop since the previous query, in milliseconds. */
  stall: number;
  /** Number of properties of Object.prototype. */
  polluted: number;
  /** Milliseconds that a known piece of work takes at this moment; if it was asked for. */
  reference?: number;
}

/** Queries the service, one query at a time. */
export function readProbe({ child }: ServiceProcess, asked: 'turns' | 'reference' = 'turns'): Promise<Probe> {
  return new Promise((resolve) => {
    let text = '';
    const read = (chunk: Buffer) => {
      text += chunk;
      const line = /^\{"stall.*\}$/m.exec(text)?.[0];
      if (line === undefined) return;
      child.stderr?.off('data', read);
      resolve(JSON.parse(line));
    };
    child.stderr?.on('data', read);
    child.stdin?.write(`${asked}\n`);
  });
}
