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

/** Milliseconds that the known piece of work takes on an idle machine. */
const USUAL_REFERENCE_MS = 5.5;
/** Beyond this, a slow reference is the service's own doing as likely as the machine's, and a limit must hold. */
const MAX_SLOWNESS = 3;

/**
 * How many times longer than usual the service's thread takes for a known piece of work at this moment, from 1 to 3.
 * Limits on its times are multiplied by this: they are promises about work, and not about the neighbors of a machine.
 */
export async function readSlowness(service: ServiceProcess): Promise<number> {
  const { reference = 0 } = await readProbe(service, 'reference');
  return Math.min(MAX_SLOWNESS, Math.max(1, reference / USUAL_REFERENCE_MS));
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
