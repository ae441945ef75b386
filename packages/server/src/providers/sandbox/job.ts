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

/** The behavior of the two sides of a sandbox call. By default both join, talk and stay. */
export type Behavior = (typeof BEHAVIORS)[number];

/** `metadata.sandbox` of a call. A side that leaves or is lost does so a second after the browser has joined. */
const BEHAVIORS = [
  'agent_never_joins',
  'agent_is_silent',
  'agent_leaves',
  'browser_never_joins',
  'browser_leaves',
  'browser_is_lost',
] as const;

/** The behavior that a call requests in its metadata, as passed in its worker's job. */
export function behaviorOf(job: Job | null): Behavior | null {
  return BEHAVIORS.find((one) => one === job?.metadata.sandbox) ?? null;
}
