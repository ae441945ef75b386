import path from 'node:path';
import type { ServiceProcess } from '@switchboard/testkit/service-process.ts';

/** Environment of the service beside its settings: `readProbe` needs it. */
export const PROBED = { NODE_OPTIONS: `--import=${path.join(import.meta.dirname, 'stall-probe.ts')}` };

/** The service's figures about itself. */
export interface Probe {
  /** The longest turn of the event loop since it was asked before. Milliseconds. */
  stall: number;
  /** How many properties Object.prototype has. */
  polluted: number;
}

/** Asks the service. One question at a time. */
export function readProbe({ child }: ServiceProcess): Promise<Probe> {
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
    child.stdin?.write('\n');
  });
}
