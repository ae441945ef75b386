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
