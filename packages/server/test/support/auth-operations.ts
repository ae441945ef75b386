/** An operation, and the status that each role gets. */
export interface Operation {
  method: string;
  path: string;
  body?: unknown;
  /** The status for each role that is let in; service gets the owner's unless given. */
  owner: number;
  service?: number;
  worker: number;
  other: number;
}

/** Operations of the console that came after the table in `auth.matrix.test.ts`. */
export function consoleOperations(callback: { id: string }, endpoint: { id: string }): Operation[] {
  const again = { ids: [callback.id] };
  return [
    { method: 'GET', path: '/api/settings', owner: 403, service: 200, worker: 403, other: 403 },
    { method: 'POST', path: '/api/doctor', owner: 403, service: 200, worker: 403, other: 403 },
    { method: 'POST', path: '/api/callbacks/redeliver', body: again, owner: 200, worker: 403, other: 200 },
    { method: 'POST', path: `/api/webhook-endpoints/${endpoint.id}/test`, owner: 201, worker: 403, other: 404 },
  ];
}

/** Operations for keys of role service alone. */
export function serviceOperations(revoked: { id: string }): Operation[] {
  const [entry, key] = [
    { provider: 'p', event_type: 'llm_tokens', price: '1', valid_from: '2026-01-01' },
    { name: 'x', role: 'worker' },
  ];
  const alone = { owner: 403, worker: 403, other: 403 };
  return [
    { method: 'GET', path: '/api/keys', ...alone, service: 200 },
    { method: 'POST', path: '/api/keys', body: key, ...alone, service: 201 },
    { method: 'POST', path: `/api/keys/${revoked.id}/revoke`, ...alone, service: 200 },
    { method: 'GET', path: '/api/users', ...alone, service: 200 },
    { method: 'GET', path: '/api/audit', ...alone, service: 200 },
    { method: 'GET', path: '/api/prices', ...alone, service: 200 },
    { method: 'PUT', path: '/api/prices', body: { entries: [entry] }, ...alone, service: 200 },
    { method: 'POST', path: '/api/prices/apply', ...alone, service: 200 },
    { method: 'GET', path: '/metrics', ...alone, service: 200 },
  ];
}
