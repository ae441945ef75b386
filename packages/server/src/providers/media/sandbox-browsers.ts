import { isObject } from '../../lib/json.ts';

/** The behavior of the two sides of a sandbox call. By default both join and stay. */
export type Behavior = (typeof BEHAVIORS)[number];

/** `metadata.sandbox` of a call. A side that leaves or is lost does so a second after the browser has joined. */
const BEHAVIORS = [
  'agent_never_joins',
  'agent_leaves',
  'browser_never_joins',
  'browser_leaves',
  'browser_is_lost',
] as const;

/** The behavior that a call requests in its metadata, as passed in its worker's job. */
export function behaviorOf(agent_metadata: string): Behavior | null {
  const job = parse(agent_metadata);
  const metadata = isObject(job) ? job.metadata : null;
  const asked = isObject(metadata) ? metadata.sandbox : null;
  return BEHAVIORS.find((one) => one === asked) ?? null;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
