import assert from 'node:assert/strict';
import { createAgent, USER } from '@switchboard/testkit/calls.ts';
import type { Json } from '@switchboard/testkit/client.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { type Service, startService } from '@switchboard/testkit/service.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { createSandboxMedia } from '../../src/providers/sandbox/media.ts';

export const OPENS_AT = (hour: string) => ({ instructions: `The library opens at ${hour} on Sundays.` });

/** A scenario that passes with an agent that knows when the library opens. */
export const scenario = (name: string, expected = 'ten', more = '') => `scenario: ${name}
caller:
  script:
    - { say: "When do you open on Sunday?" }
expect:
  - { agent_says: "${expected}" }
${more}`;

export function send(service: Service, method: string, path: string, body?: Json, user: string | null = USER) {
  return service.request(method, path, { ...(user && { user }), ...(body && { body }) });
}

export async function save(service: Service, text: string): Promise<string> {
  const { status, body } = await send(service, 'POST', '/api/scenarios', { text });
  assert.ok(status === 201 || status === 200, JSON.stringify(body));
  return body.id;
}

export async function saveSuite(service: Service, scenarios: string[], name = 'Desk'): Promise<string> {
  const { status, body } = await send(service, 'POST', '/api/suites', { name, scenarios });
  assert.ok(status === 201 || status === 200, JSON.stringify(body));
  return body.id;
}

export const library = (service: Service, hour = 'ten') => createAgent(service, { config: OPENS_AT(hour) });

/** Starts a test run. */
export async function start(service: Service, fields: Json): Promise<Json> {
  const { status, body } = await send(service, 'POST', '/api/test-runs', { agent_version: 1, ...fields });
  assert.equal(status, 201, JSON.stringify(body));
  return body;
}

/** Waits until a test run has ended. */
export async function ended(service: Service, { id }: Json): Promise<Json> {
  return eventually(
    async () => (await send(service, 'GET', `/api/test-runs/${id}`)).body,
    ({ ended_at }) => ended_at !== null,
    90_000,
  );
}

export async function resultsOf(service: Service, { id }: Json): Promise<Json[]> {
  return (await send(service, 'GET', `/api/test-runs/${id}/results?limit=100`)).body.items;
}

/** A service whose scenarios are run by workers that claim tasks. */
export function served(env: Record<string, string> = {}) {
  const { runScenario: _, ...media } = createSandboxMedia({ clock: systemClock, ringMs: 20 });
  return startService({ media, env });
}

export async function claim(service: Service, fields: Json = {}): Promise<Json[]> {
  const body = { kind: 'scenario', capacity: 100, ...fields };
  return (await send(service, 'POST', '/api/worker/tasks/claim', body, null)).body.tasks;
}

/** A result of a worker, all of whose runs passed. */
export const PASSED = { passed: 1, failed: 0, invalid: 0, problems: [], conversations: [], is_complete: true };

export const complete = (service: Service, { task_id, lease_token }: Json, result: Json = PASSED) =>
  send(service, 'POST', `/api/worker/tasks/${task_id}/complete`, { lease_token, result }, null);

export const fail = (service: Service, { task_id, lease_token }: Json, retryable: boolean) =>
  send(service, 'POST', `/api/worker/tasks/${task_id}/fail`, { lease_token, retryable, error: 'no model' }, null);
