import type { Job } from './job.ts';

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
