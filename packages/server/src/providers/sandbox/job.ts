import { isObject } from '../../lib/json.ts';
import type { WorkedSession } from '../workers.ts';

/** The fields of a worker's job (`WorkerJob` in the API description) that the sandbox reads. */
export interface Job extends WorkedSession {
  config: Record<string, unknown>;
  variables: Record<string, unknown>;
  metadata: Record<string, unknown>;
}

/** The job in the metadata of a dispatch; null if there is none. */
export function readJob(agent_metadata: string): Job | null {
  const job = parse(agent_metadata);
  return isObject(job) && isObject(job.config) && isObject(job.variables) && isObject(job.metadata)
    ? (job as unknown as Job)
    : null;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
