import { createHash } from 'node:crypto';

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
  /** For a worker of the other user; by default what that user gets, and 404 where users are not let in. */
  foreign?: number;
  /** Roles beside service, admin, user and worker that are let in; by default both for GET, and none otherwise. */
  also?: ('viewer' | 'supervisor')[];
  /** Not for keys that are bound to a user. */
  isUnbound?: true;
}

/** The roles beside user, worker, service and admin that may use an operation. */
export function othersOf({ method, also = method === 'GET' ? ['viewer', 'supervisor'] : [] }: Operation) {
  return also;
}

/** The status of each principal that is let in somewhere: a role gets what others with the same users get. */
export function expectedOf(operation: Operation): Record<string, number> {
  const { owner, service = owner, worker, other, foreign = other === 403 ? 404 : other, isUnbound = false } = operation;
  const also = othersOf(operation);
  return {
    'other user': other,
    'other user by JWT': other,
    worker,
    "other user's worker": worker === 403 ? 403 : foreign,
    viewer: also.includes('viewer') ? service : 403,
    "owner's viewer": also.includes('viewer') && !isUnbound ? owner : 403,
    "other user's supervisor": also.includes('supervisor') && !isUnbound ? other : 403,
    supervisor: also.includes('supervisor') ? service : 403,
    'owner by JWT': owner,
    admin: service,
    service,
  };
}

/** Operations of the console that came after the table in `auth.matrix.heavy.test.ts`. */
export function consoleOperations(callback: { id: string }, endpoint: { id: string }): Operation[] {
  const again = { ids: [callback.id] };
  return [
    { method: 'GET', path: '/api/settings', also: [], owner: 403, service: 200, worker: 403, other: 403 },
    { method: 'GET', path: '/api/work', also: [], owner: 403, service: 200, worker: 403, other: 403 },
    { method: 'POST', path: `/api/work/${callback.id}/retry`, owner: 403, service: 404, worker: 403, other: 403 },
    { method: 'POST', path: '/api/doctor', owner: 403, service: 200, worker: 403, other: 403 },
    {
      method: 'POST',
      path: '/api/providers/check',
      body: { kind: 'llm' },
      owner: 403,
      service: 200,
      worker: 403,
      other: 403,
    },
    { method: 'POST', path: '/api/callbacks/redeliver', body: again, owner: 200, worker: 403, other: 200 },
    { method: 'POST', path: `/api/webhook-endpoints/${endpoint.id}/test`, owner: 201, worker: 403, other: 404 },
  ];
}

/** Operations of a call and its recordings, of which it has none. */
export function callOperations({ call_id }: { call_id: string }): Operation[] {
  const path = `/api/calls/${call_id}`;
  const [one, ofWorker] = ['01980000-0000-7000-8000-0000000000a1', `/api/sessions/${call_id}/recordings`];
  const [callBacks, at] = [`/api/sessions/${call_id}/call-backs`, { date_time: '2026-01-16T15:00' }];
  const body = { state: 'refused', channels: 'stereo' };
  const audio = Buffer.from('OggS');
  const sha256 = createHash('sha256').update(audio).digest('hex');
  const segment = { seq: 0, from_ms: 0, to_ms: 1, sha256, audio: audio.toString('base64') };
  const steers = { also: ['supervisor'] as ['supervisor'], owner: 409, worker: 403, other: 404 };
  const [none, forWorkers] = [
    { owner: 404, worker: 403, other: 404 },
    { owner: 403, other: 403 },
  ];
  return [
    { method: 'POST', path: `${path}/say`, body: { text: 'Hello.' }, ...steers },
    { method: 'POST', path: `${path}/instructions`, body: { text: 'Be kind.' }, ...steers },
    { method: 'POST', path: `${path}/dtmf`, body: { digits: '1' }, ...steers },
    { method: 'POST', path: `${path}/take-over`, ...steers },
    { method: 'POST', path: `${callBacks}/propose`, body: at, owner: 409, worker: 409, other: 404 },
    { method: 'POST', path: `${callBacks}/confirm`, body: at, owner: 409, worker: 409, other: 404 },
    { method: 'GET', path: `${path}/status`, owner: 200, worker: 200, other: 404 },
    { method: 'GET', path: `${path}/job`, owner: 200, worker: 200, other: 404 },
    { method: 'GET', path: `/api/calls/${one}/evidence`, ...none },
    { method: 'GET', path: `${path}/recordings`, owner: 200, worker: 403, other: 404 },
    { method: 'GET', path: `${path}/recordings/${one}/levels`, ...none },
    { method: 'GET', path: `${path}/recordings/${one}/audio`, also: ['supervisor'], ...none },
    { method: 'POST', path: `${path}/recordings/${one}/link`, also: ['supervisor'], ...none },
    { method: 'DELETE', path: `${path}/recordings/${one}`, ...none },
    { method: 'POST', path: `${ofWorker}/${one}/segments`, body: segment, ...forWorkers, service: 404, worker: 404 },
    { method: 'PUT', path: `${ofWorker}/${one}`, body, ...forWorkers, service: 200, worker: 200 },
  ];
}

/** Operations of policies, suppressions and consents. */
export function outreachOperations(agent: { id: string }): Operation[] {
  const phone_number = '+15005550199';
  const consent = {
    phone_number,
    purpose: 'marketing',
    kind: 'k',
    text: 't',
    channel: 'c',
    obtained_at: '2026-01-15T09:30:00Z',
  };
  const all = { owner: 200, service: 401, worker: 403, other: 200 };
  const one = '01980000-0000-7000-8000-0000000000a2';
  return [
    { method: 'GET', path: '/api/scheduled-calls', ...all },
    { method: 'GET', path: `/api/scheduled-calls/${one}`, ...all, owner: 404, other: 404 },
    { method: 'PATCH', path: `/api/scheduled-calls/${one}`, body: {}, ...all, owner: 404, other: 404 },
    {
      method: 'POST',
      path: `/api/scheduled-calls/${one}/cancel`,
      also: ['supervisor'],
      ...all,
      owner: 404,
      other: 404,
    },
    { method: 'PUT', path: '/api/dial-policies/office', body: { min_gap_s: 60 }, ...all },
    { method: 'GET', path: '/api/dial-policies', ...all },
    { method: 'GET', path: '/api/dial-policies/none', ...all, owner: 404, other: 404 },
    { method: 'POST', path: '/api/suppressions', body: { entries: [{ phone_number }] }, ...all },
    { method: 'GET', path: '/api/suppressions', ...all },
    { method: 'GET', path: '/api/suppressions/changes', ...all },
    { method: 'DELETE', path: `/api/suppressions/${one}`, ...all, owner: 404, other: 404 },
    { method: 'POST', path: '/api/consents', body: consent, ...all, owner: 201, other: 201 },
    { method: 'GET', path: '/api/consents', ...all },
    { method: 'POST', path: `/api/consents/${one}/revoke`, ...all, owner: 404, other: 404 },
    { method: 'POST', path: '/api/dial-checks', body: { agent_id: agent.id, phone_number }, ...all, other: 404 },
    { method: 'GET', path: '/api/dial-decisions', ...all },
    { method: 'GET', path: `/api/dial-decisions/${one}/evidence`, ...all, owner: 404, service: 404, other: 404 },
    ...campaignOperations(agent, one),
  ];
}

function campaignOperations({ id: agent_id }: { id: string }, one: string): Operation[] {
  const of = `/api/campaigns/${one}`;
  const all = { owner: 200, service: 401, worker: 403, other: 200 };
  const none = { ...all, owner: 404, other: 404 };
  const shown = { owner: 404, worker: 403, other: 404 };
  const list = { recipients: [{ phone_number: '+15005550199' }] };
  return [
    { method: 'POST', path: '/api/campaigns', body: { name: 'x', agent_id }, ...all, owner: 201, other: 404 },
    { method: 'GET', path: '/api/campaigns', ...all },
    { method: 'GET', path: of, ...shown },
    { method: 'PATCH', path: of, body: { name: 'y' }, ...none },
    { method: 'DELETE', path: of, ...none },
    ...['start', 'pause', 'resume', 'cancel'].map((action) => ({ method: 'POST', path: `${of}/${action}`, ...none })),
    { method: 'GET', path: `${of}/stats`, ...shown },
    { method: 'POST', path: `${of}/preview`, ...shown },
    { method: 'POST', path: `${of}/recipients`, body: list, ...none },
    { method: 'GET', path: `${of}/recipients`, ...shown },
    { method: 'GET', path: `${of}/recipients/${one}`, ...shown },
  ];
}

/** Operations of an agent's callback URL and versions. */
export function agentOperations(agent: { id: string }): Operation[] {
  const path = `/api/agents/${agent.id}`;
  const tried = { name: 'find', description: 'Finds.', url: 'https://example.com/find' };
  const all = { owner: 200, worker: 403, other: 404 };
  return [
    { method: 'GET', path: `${path}/callback-url`, ...all },
    { method: 'PUT', path: `${path}/callback-url`, body: { callback_url: null }, ...all },
    { method: 'GET', path: '/api/agents/by-key/none', ...all, owner: 404, service: 401 },
    { method: 'GET', path: `${path}/external-key`, ...all },
    { method: 'PUT', path: `${path}/external-key`, body: { external_key: null }, ...all },
    { method: 'GET', path: `${path}/legal-hold`, ...all },
    {
      method: 'PUT',
      path: `${path}/legal-hold`,
      body: { legal_hold: false },
      ...all,
      owner: 403,
      other: 403,
      service: 200,
    },
    { method: 'GET', path: `${path}/draft`, ...all },
    { method: 'PUT', path: `${path}/draft`, body: { name: 'Draft', config: {} }, ...all },
    { method: 'POST', path: `${path}/functions/check`, body: { function: tried }, ...all },
    { method: 'POST', path: `${path}/versions`, body: { from: 1 }, ...all },
    { method: 'GET', path: `${path}/versions`, ...all },
    { method: 'GET', path: `${path}/versions/1`, ...all },
    { method: 'GET', path: `${path}/versions/1/diff/draft`, ...all },
    { method: 'GET', path: `${path}/release`, ...all },
    { method: 'PUT', path: `${path}/release`, body: { arms: [{ version: 1, weight: 100 }] }, ...all },
    { method: 'POST', path: `${path}/rollback`, ...all, owner: 409 },
    { method: 'GET', path: `${path}/releases`, ...all },
    { method: 'PUT', path: `${path}/publishing`, body: { publishing: 'direct' }, ...all },
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
    { method: 'GET', path: '/api/keys', ...alone, service: 200, also: [] },
    { method: 'POST', path: '/api/keys', body: key, ...alone, service: 201 },
    { method: 'POST', path: `/api/keys/${revoked.id}/revoke`, ...alone, service: 200 },
    { method: 'GET', path: '/api/users', ...alone, service: 200, isUnbound: true },
    { method: 'GET', path: '/api/audit', ...alone, service: 200, also: [] },
    { method: 'GET', path: '/api/prices', ...alone, service: 200, isUnbound: true },
    { method: 'PUT', path: '/api/prices', body: { entries: [entry] }, ...alone, service: 200 },
    { method: 'POST', path: '/api/prices/apply', ...alone, service: 200 },
    { method: 'GET', path: '/metrics', ...alone, service: 200, isUnbound: true },
  ];
}

/** Operations whose paths name no resource that the test creates. */
export const PLAIN_OPERATIONS: Operation[] = [
  { method: 'GET', path: '/api/quotas/owner', owner: 200, worker: 403, other: 404 },
  { method: 'GET', path: '/api/budgets/owner', owner: 200, worker: 403, other: 404 },
  { method: 'GET', path: '/api/costs/report?group_by=day', owner: 200, worker: 403, other: 200 },
  // The stream itself would not end.
  { method: 'GET', path: '/api/events?unknown=1', owner: 422, worker: 403, other: 422 },
  {
    method: 'POST',
    path: '/api/events/token',
    also: ['viewer', 'supervisor'],
    owner: 201,
    service: 401,
    worker: 403,
    other: 201,
  },
  { method: 'GET', path: '/api/agents/', owner: 200, service: 401, worker: 403, other: 200 },
  { method: 'GET', path: '/api/schemas/agent-config', owner: 200, worker: 200, other: 200 },
  {
    method: 'POST',
    path: '/api/schemas/agent-config/validate',
    body: { config: {} },
    also: ['viewer', 'supervisor'],
    owner: 200,
    worker: 200,
    other: 200,
  },
  { method: 'GET', path: '/api/costs/summary', owner: 200, service: 401, worker: 403, other: 200 },
  { method: 'GET', path: '/api/costs/by-agent', owner: 200, service: 401, worker: 403, other: 200 },
  { method: 'GET', path: '/api/costs/timeline', owner: 200, service: 401, worker: 403, other: 200 },
  { method: 'GET', path: '/api/sessions/', owner: 200, worker: 200, other: 200 },
  { method: 'GET', path: '/api/sessions/by-room/auth-room', owner: 200, worker: 200, other: 404 },
  { method: 'GET', path: '/api/stats/latency', owner: 200, service: 401, worker: 403, other: 200 },
  { method: 'GET', path: '/api/stats/calls', owner: 200, worker: 403, other: 200 },
  { method: 'GET', path: '/api/calls/export', owner: 200, worker: 403, other: 200 },
  { method: 'GET', path: '/api/calls/', owner: 200, worker: 403, other: 200 },
  { method: 'GET', path: '/api/schemas/worker-job', owner: 200, worker: 200, other: 200 },
  { method: 'GET', path: '/api/telephony/numbers', owner: 200, worker: 403, other: 200 },
  { method: 'GET', path: '/api/telephony/lookup?phone_number=%2B15005550019', owner: 404, worker: 404, other: 404 },
  { method: 'GET', path: '/api/callbacks', owner: 200, worker: 403, other: 200 },
  { method: 'GET', path: '/api/console/session', owner: 200, worker: 403, other: 200 },
  {
    method: 'DELETE',
    path: '/api/console/sessions',
    also: ['viewer', 'supervisor'],
    owner: 200,
    worker: 403,
    other: 200,
  },
  {
    method: 'DELETE',
    path: '/api/console/session',
    also: ['viewer', 'supervisor'],
    owner: 204,
    worker: 403,
    other: 204,
  },
];

/** Operations of tests of agents. */
export function testOperations(agent: { id: string }): Operation[] {
  const made = { service: 401, worker: 403 };
  const nobodys = { owner: 404, worker: 403, other: 404 };
  const all = { owner: 200, worker: 403, other: 200, service: 401 };
  const wanted = { agent_id: agent.id, agent_version: 1, scenarios: [agent.id] };
  return [
    { method: 'POST', path: '/api/scenarios', body: { text: 'x' }, ...made, owner: 422, other: 422 },
    { method: 'GET', path: '/api/scenarios', ...all },
    { method: 'GET', path: `/api/scenarios/${agent.id}`, ...nobodys },
    { method: 'DELETE', path: `/api/scenarios/${agent.id}`, ...nobodys },
    { method: 'GET', path: `/api/scenarios/${agent.id}/cassette`, ...nobodys },
    { method: 'DELETE', path: `/api/scenarios/${agent.id}/cassette`, ...nobodys },
    { method: 'POST', path: `/api/calls/${agent.id}/scenario`, ...nobodys },
    { method: 'POST', path: `/api/calls/${agent.id}/replay`, body: { agent_version: 1 }, ...nobodys },
    {
      method: 'POST',
      path: '/api/suites',
      body: { name: 'x', scenarios: [agent.id] },
      ...made,
      owner: 422,
      other: 422,
    },
    { method: 'GET', path: '/api/suites', ...all },
    { method: 'GET', path: `/api/suites/${agent.id}`, ...nobodys },
    { method: 'DELETE', path: `/api/suites/${agent.id}`, ...nobodys },
    { method: 'POST', path: '/api/test-runs', body: wanted, ...made, owner: 422, other: 404 },
    { method: 'GET', path: '/api/test-runs', ...all },
    { method: 'GET', path: `/api/test-runs/${agent.id}`, ...nobodys },
    { method: 'GET', path: `/api/test-runs/${agent.id}/results`, ...nobodys },
    { method: 'POST', path: `/api/test-runs/${agent.id}/cancel`, ...nobodys },
  ];
}

/** Operations of extractors and of analyses. */
export function extractorOperations(agent: { id: string }): Operation[] {
  const nobodys = { owner: 404, worker: 403, other: 404 };
  const schema = { type: 'object' };
  return [
    {
      method: 'POST',
      path: '/api/extractors',
      body: { name: 'x', schema },
      owner: 422,
      service: 401,
      worker: 403,
      other: 422,
    },
    { method: 'GET', path: '/api/extractors', owner: 200, service: 401, worker: 403, other: 200 },
    { method: 'GET', path: `/api/extractors/${agent.id}`, ...nobodys },
    { method: 'DELETE', path: `/api/extractors/${agent.id}`, ...nobodys },
    { method: 'GET', path: `/api/calls/${agent.id}/analyses`, ...nobodys },
    { method: 'POST', path: `/api/calls/${agent.id}/analyses`, body: {}, ...nobodys },
    {
      method: 'POST',
      path: '/api/analyses/backfill',
      body: { extractor: 'x', filter: {} },
      owner: 422,
      service: 401,
      worker: 403,
      other: 422,
    },
    { method: 'GET', path: `/api/analyses/backfills/${agent.id}`, ...nobodys },
    { method: 'POST', path: `/api/analyses/backfills/${agent.id}/cancel`, ...nobodys },
    { method: 'GET', path: '/api/analyses/backfills', owner: 200, service: 401, worker: 403, other: 200 },
    { method: 'GET', path: '/api/stats/analyses?field=outcome', owner: 200, worker: 403, other: 200, service: 200 },
  ];
}

/** Operations of chats, and of the workers that answer them. */
export function chatOperations(agent: { id: string }, session: { id: string }): Operation[] {
  const task = `/api/worker/tasks/${session.id}`;
  const lease = { lease_token: 1 };
  const workers = { owner: 403, service: 409, worker: 409, other: 403, foreign: 409 };
  return [
    {
      method: 'POST',
      path: '/api/chats',
      body: { agent_id: agent.id },
      owner: 201,
      service: 401,
      worker: 403,
      other: 404,
    },
    { method: 'GET', path: `/api/chats/${session.id}`, owner: 404, worker: 403, other: 404 },
    {
      method: 'POST',
      path: `/api/chats/${session.id}/messages`,
      body: { content: 'x' },
      owner: 404,
      worker: 403,
      other: 404,
    },
    {
      method: 'POST',
      path: `/api/chats/${session.id}/rewind`,
      body: { to_message: null },
      owner: 404,
      worker: 403,
      other: 404,
    },
    { method: 'POST', path: `/api/chats/${session.id}/fork`, body: {}, owner: 404, worker: 403, other: 404 },
    { method: 'POST', path: `/api/chats/${session.id}/end`, owner: 404, worker: 403, other: 404 },
    {
      method: 'POST',
      path: '/api/worker/tasks/claim',
      body: { kind: 'chat_turn' },
      ...workers,
      service: 200,
      worker: 200,
      foreign: 200,
    },
    { method: 'POST', path: `${task}/events`, body: { ...lease, events: [{ type: 'words', text: 'x' }] }, ...workers },
    { method: 'POST', path: `${task}/heartbeat`, body: lease, ...workers },
    { method: 'POST', path: `${task}/complete`, body: { ...lease, result: { content: 'x' } }, ...workers },
    { method: 'POST', path: `${task}/fail`, body: { ...lease, error: 'x', retryable: true }, ...workers },
  ];
}
