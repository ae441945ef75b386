import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answeredCall, createAgent, USER } from '@switchboard/testkit/calls.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { keysOf } from '@switchboard/testkit/keys.ts';
import { recorder, segment } from '@switchboard/testkit/recordings.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { aBackfill, anAnalysis, anExtractor, anOpenBackfill, extractor } from '../support/analyses.ts';
import { ACTS, NOT_AUDITED } from '../support/audited.ts';
import { scenario } from '../support/tests.ts';

const service = await startService({ env: { AUTH_MODE: 'required', CALLS_BURST: '100' } });
const root = await keysOf(service.database).create({ name: 'Night shift', role: 'service' });
const authorization = `Bearer ${root.key}`;
const as = {
  request: (method: string, path: string, options: { body?: unknown; accept?: string } = {}) => {
    const { accept, ...rest } = options;
    return service.request(method, path, {
      user: USER,
      ...rest,
      headers: { authorization, ...(accept && { accept }) },
    });
  },
};
const { paths } = service.app.server.swagger() as unknown as {
  paths: Record<string, Record<string, { operationId: string; description: string }>>;
};
const declared = new Map(
  Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .map(({ operationId, description }) => [operationId, /Audit log: `([\w.]+)`/.exec(description)?.[1]] as const),
);

test('each operation declares what is audited, or is listed as needing no entry', () => {
  const silent = [...declared].flatMap(([id, action]) => (action === undefined ? [id] : []));
  assert.deepEqual(silent.sort(), Object.values(NOT_AUDITED).join(' ').split(' ').sort());
});

interface Entry {
  action: string;
  actor_name: string;
  outcome: string;
  before: object | null;
  after: object | null;
}

async function entries(): Promise<Entry[]> {
  await service.app.reconcile();
  return (await as.request('GET', '/api/audit?limit=100')).body.items;
}

/** A request that follows a stream, and leaves it. */
async function follow(path: string) {
  const leave = new AbortController();
  const { status } = await fetch(service.url + path, { headers: { authorization }, signal: leave.signal });
  leave.abort();
  return { status, body: null };
}

/** The path of a stored recording. */
async function aRecording(call_id: string): Promise<string> {
  const of = recorder(as, call_id);
  await of.report('recording');
  await of.add(segment(0));
  await of.report('ended', { segments: 1 });
  const list = `/api/calls/${call_id}/recordings`;
  const isStored = ({ recording_id, state }: { recording_id: string; state: string }) =>
    recording_id === of.recording_id && state === 'stored';
  await eventually(
    async () => {
      await service.app.reconcile();
      return as.request('GET', list);
    },
    ({ body }) => body.recordings.some(isStored),
  );
  return `${list}/${of.recording_id}`;
}

/** The id of a scenario. */
async function aScenario(): Promise<string> {
  return (await as.request('POST', '/api/scenarios', { body: { text: scenario('another') } })).body.id;
}

const consent = {
  phone_number: '+15005550199',
  purpose: 'marketing',
  kind: 'express_written',
  text: 'Yes.',
  obtained_at: '2026-01-15T09:30:00.000Z',
  channel: 'form',
};
const LATER = { at: new Date(Date.now() + 86_400_000).toISOString() };
const CSV = { accept: 'text/csv' };
const used = { session_id: 's', user_id: USER, provider: 'p', event_type: 'llm_tokens', quantity: 1, unit_cost: -1 };

test('each operation that is audited has its entry, with the name of the key, and with what it changed', async () => {
  const agent_id = await createAgent(as);
  const number = { agent_id, phone_number: '+15005550010' };
  const endpoint = (await as.request('POST', '/api/webhook-endpoints', { body: { url: 'http://127.0.0.1:1/' } })).body;
  const { call_id, room_name } = await answeredCall(as, { agent_id });
  const session = `/api/sessions/${call_id}`;
  const callback = await eventually(
    async () => (await as.request('GET', '/api/callbacks')).body.items[0],
    (found) => found !== undefined,
  );
  const key = (await as.request('POST', '/api/keys', { body: { name: 'x', role: 'worker' } })).body;
  const signIn = () => as.request('POST', '/api/console/session', { body: { api_key: root.key } });
  const cookie = (await signIn()).headers.get('set-cookie')?.split(';')[0] ?? '';
  const price = { provider: 'p', event_type: 'llm_tokens', price: '1', valid_from: '2026-01-01' };
  const send = (method: string, path: string, options?: object) => () => as.request(method, path, options);
  const ending = (path: (call: Awaited<ReturnType<typeof answeredCall>>) => string) => async () =>
    as.request('POST', path(await answeredCall(as, { agent_id })), { body: {} });
  const aBooking = async () => {
    const body = { agent_id, phone_number: '+15005550100', ...LATER };
    return (await as.request('POST', '/api/calls/outbound', { body })).body.call_id;
  };
  const onCampaign = (method: string, path: string, options?: object) => async () => {
    const { body } = await as.request('GET', '/api/campaigns');
    return as.request(method, `/api/campaigns/${body.items[0].id}${path}`, options);
  };
  const requests: Record<string, () => Promise<{ status: number; body: unknown }>> = {
    createAgent: send('POST', '/api/agents/', { body: { name: 'Front desk', user_id: USER } }),
    updateAgent: send('PATCH', `/api/agents/${agent_id}`, { body: { name: 'Back desk' } }),
    putAgentDraft: send('PUT', `/api/agents/${agent_id}/draft`, { body: { name: 'Draft', config: {} } }),
    createAgentVersion: send('POST', `/api/agents/${agent_id}/versions`, { body: {} }),
    releaseAgent: send('PUT', `/api/agents/${agent_id}/release`, { body: { arms: [{ version: 3, weight: 100 }] } }),
    rollBackAgent: send('POST', `/api/agents/${agent_id}/rollback`),
    setAgentPublishing: send('PUT', `/api/agents/${agent_id}/publishing`, { body: { publishing: 'gated' } }),
    setAgentCallbackUrl: send('PUT', `/api/agents/${agent_id}/callback-url`, { body: { callback_url: null } }),
    setAgentExternalKey: send('PUT', `/api/agents/${agent_id}/external-key`, { body: { external_key: 'desk' } }),
    assignNumber: send('POST', '/api/telephony/numbers/assign', { body: number }),
    releaseNumber: send('POST', '/api/telephony/numbers/release', { body: { agent_id } }),
    sayInCall: send('POST', `/api/calls/${call_id}/say`, { body: { text: 'Hello.' } }),
    instructAgent: send('POST', `/api/calls/${call_id}/instructions`, { body: { text: 'Be kind.' } }),
    pressKeys: send('POST', `/api/calls/${call_id}/dtmf`, { body: { digits: '1' } }),
    takeOverCall: send('POST', `/api/calls/${call_id}/take-over`),
    listenToCall: send('POST', `/api/calls/${call_id}/listen`),
    rewindChat: async () => {
      const { body } = await as.request('POST', '/api/chats', { body: { agent_id } });
      return as.request('POST', `/api/chats/${body.chat_id}/rewind`, { body: { to_message: null } });
    },
    draftScenario: send('POST', `/api/calls/${call_id}/scenario`),
    replayCall: async () => {
      const said = { speaker: 'USER', content: 'Hello.' };
      await as.request('POST', `/api/sessions/by-room/${room_name}/transcripts`, { body: said });
      return as.request('POST', `/api/calls/${call_id}/replay`, { body: { agent_version: 1 } });
    },
    listTestResults: async () => {
      const { body } = await as.request('GET', '/api/test-runs');
      return as.request('GET', `/api/test-runs/${body.items[0]?.id}/results`);
    },
    saveExtractor: send('POST', '/api/extractors', { body: extractor('outcome') }),
    deleteExtractor: async () => as.request('DELETE', `/api/extractors/${await anExtractor(as)}`),
    requestAnalyses: () => anAnalysis(as),
    backfillAnalyses: () => aBackfill(as),
    cancelAnalysisBackfill: async () =>
      as.request('POST', `/api/analyses/backfills/${await anOpenBackfill(service)}/cancel`),
    listAnalyses: send('GET', `/api/calls/${call_id}/analyses`),
    saveScenario: send('POST', '/api/scenarios', { body: { text: scenario('opens') } }),
    saveSuite: async () => as.request('POST', '/api/suites', { body: { name: 'x', scenarios: [await aScenario()] } }),
    deleteSuite: async () => {
      const { body } = await as.request('POST', '/api/suites', { body: { name: 'y', scenarios: [await aScenario()] } });
      return as.request('DELETE', `/api/suites/${body.id}`);
    },
    moveScheduledCall: async () => as.request('PATCH', `/api/scheduled-calls/${await aBooking()}`, { body: LATER }),
    cancelScheduledCall: async () => as.request('POST', `/api/scheduled-calls/${await aBooking()}/cancel`),
    putDialPolicy: send('PUT', '/api/dial-policies/office', { body: { min_gap_s: 60 } }),
    addSuppressions: send('POST', '/api/suppressions', { body: { entries: [{ phone_number: '+15005550199' }] } }),
    listSuppressions: send('GET', '/api/suppressions', CSV),
    deleteSuppression: async () => {
      const { body } = await as.request('GET', '/api/suppressions');
      return as.request('DELETE', `/api/suppressions/${body.items[0].id}`);
    },
    createCampaign: send('POST', '/api/campaigns', { body: { name: 'x', agent_id } }),
    updateCampaign: onCampaign('PATCH', '', { body: { name: 'y' } }),
    addRecipients: onCampaign('POST', '/recipients', { body: { recipients: [{ phone_number: '+15005550199' }] } }),
    listRecipients: onCampaign('GET', '/recipients', CSV),
    startCampaign: onCampaign('POST', '/start'),
    pauseCampaign: onCampaign('POST', '/pause'),
    resumeCampaign: onCampaign('POST', '/resume'),
    cancelCampaign: onCampaign('POST', '/cancel'),
    deleteCampaign: onCampaign('DELETE', ''),
    addConsent: send('POST', '/api/consents', { body: consent }),
    revokeConsent: async () => {
      const { body } = await as.request('GET', '/api/consents');
      return as.request('POST', `/api/consents/${body.items[0].id}/revoke`);
    },
    deleteScenario: async () => as.request('DELETE', `/api/scenarios/${await aScenario()}`),
    deleteCassette: async () => {
      const id = await aScenario();
      const of = {
        id,
        user_id: USER,
        agent_id,
        agent_version: 1,
        content: '{}',
        exchanges: 1,
        recorded_at: new Date(),
      };
      await service.database.db.insertInto('cassettes').values(of).execute();
      return as.request('DELETE', `/api/scenarios/${id}/cassette`);
    },
    createRecordingLink: async () => as.request('POST', `${await aRecording(call_id)}/link`),
    getRecordingAudio: async () => as.request('GET', `${await aRecording(call_id)}/audio`),
    deleteRecording: async () => as.request('DELETE', await aRecording(call_id)),
    createStreamToken: send('POST', `/api/calls/${call_id}/events/token`),
    createEventsToken: send('POST', '/api/events/token'),
    streamCallEvents: () => follow(`/api/calls/${call_id}/events`),
    streamEvents: () => follow('/api/events'),
    createRoomToken: send('POST', '/api/media/token', { body: { session_id: call_id } }),
    startWebCall: send('POST', '/api/calls/web', { body: { agent_id } }),
    transferCall: send('POST', `${session}/transfer`, { body: { phone_number: '+15005550101', type: 'WARM' } }),
    completeTransfer: async () => {
      await eventually(
        () => as.request('GET', `/api/calls/${call_id}`),
        ({ body }) => body.transfers[0].status === 'connected',
      );
      return as.request('POST', `${session}/transfer/complete`);
    },
    updateSession: async () => {
      await as.request('POST', `/api/calls/${call_id}/end`);
      return as.request('PATCH', session, { body: { duration: 12.5 } });
    },
    endCall: ending(({ call_id }) => `/api/calls/${call_id}/end`),
    endSessionByRoom: ending(({ room_name }) => `/api/sessions/by-room/${room_name}/end`),
    listCalls: send('GET', '/api/calls/?include=last_transcript'),
    getCallEvidence: send('GET', `/api/calls/${call_id}/evidence`),
    getDecisionEvidence: async () => {
      const phone_number = '+15005550198';
      await as.request('POST', '/api/suppressions', { body: { entries: [{ phone_number }] } });
      const { body } = await as.request('POST', '/api/calls/outbound', { body: { agent_id, phone_number } });
      return as.request('GET', `/api/dial-decisions/${body.decision.id}/evidence`);
    },
    reportCallOutcome: send('POST', `/api/calls/${call_id}/outcome`, { body: { answered_by: 'human' } }),
    listTranscripts: send('GET', `${session}/transcripts`),
    exportCalls: send('GET', '/api/calls/export', CSV),
    logUsageEvent: send('POST', '/api/usage/events', { body: { ...used, total_cost: -1 } }),
    logUsageEvents: send('POST', '/api/usage/events/batch', { body: { events: [used] } }),
    listUsageEvents: send('GET', '/api/usage/events', CSV),
    putPrices: send('PUT', '/api/prices', { body: { entries: [price] } }),
    listPrices: send('GET', '/api/prices', CSV),
    applyPrices: async () => {
      const unpriced = { ...used, provider: 'q', unit_cost: null };
      await as.request('POST', '/api/usage/events/batch', { body: { events: [unpriced] } });
      await as.request('PUT', '/api/prices', { body: { entries: [{ ...price, provider: 'q' }] } });
      return as.request('POST', '/api/prices/apply', { body: {} });
    },
    getCostReport: send('GET', '/api/costs/report?group_by=day', CSV),
    getCallStats: send('GET', '/api/stats/calls', CSV),
    setBudget: send('PUT', `/api/budgets/${USER}`, { body: { monthly_limit: '10' } }),
    redeliverCallback: send('POST', `/api/callbacks/${callback.id}/redeliver`),
    redeliverCallbacks: send('POST', '/api/callbacks/redeliver', { body: { ids: [callback.id] } }),
    getCallbackSecret: send('GET', '/api/callbacks/secret'),
    rotateCallbackSecret: send('POST', '/api/callbacks/secret/rotate', { body: {} }),
    createWebhookEndpoint: send('POST', '/api/webhook-endpoints', { body: { url: 'http://127.0.0.1:1/' } }),
    updateWebhookEndpoint: send('PATCH', `/api/webhook-endpoints/${endpoint.id}`, { body: { is_active: false } }),
    testWebhookEndpoint: send('POST', `/api/webhook-endpoints/${endpoint.id}/test`),
    deleteWebhookEndpoint: send('DELETE', `/api/webhook-endpoints/${endpoint.id}`),
    createApiKey: send('POST', '/api/keys', { body: { name: 'y', role: 'worker' } }),
    revokeApiKey: send('POST', `/api/keys/${key.id}/revoke`),
    signIn,
    signOut: () => service.request('DELETE', '/api/console/session', { headers: { cookie, origin: service.url } }),
    signOutEverywhere: send('DELETE', '/api/console/sessions'),
    checkProvider: send('POST', '/api/providers/check', { body: { kind: 'llm' } }),
    checkFunction: send('POST', `/api/agents/${agent_id}/functions/check`, {
      body: { function: { name: 'find', description: 'Finds.', url: 'https://example.com/find' } },
    }),
    runDoctor: send('POST', '/api/doctor', { body: {} }),
    listAuditEntries: send('GET', '/api/audit', CSV),
    setAgentLegalHold: send('PUT', `/api/agents/${agent_id}/legal-hold`, { body: { legal_hold: false } }),
    deleteAgent: send('DELETE', `/api/agents/${agent_id}`),
    updateUser: send('PATCH', '/api/users/stranger', { body: { legal_hold: false } }),
    eraseUser: send('DELETE', '/api/users/stranger'),
  };
  const audited = [...declared].flatMap(([id, action]) => (action === undefined ? [] : [[id, action] as const]));
  // The sandbox's carrier has no bill of a day that is over, see carrier-costs.test.ts; and no work fails, see
  // work.api.test.ts.
  const untried = audited.filter(([id]) => !(id in requests)).map(([id]) => id);
  assert.deepEqual(untried.sort(), ['importCarrierCosts', 'retryWork']);
  const actions = new Map(audited);
  const acts: string[] = [];
  for (const [id, request] of Object.entries(requests)) {
    const action = actions.get(id);
    const before = (await entries()).length;
    const { status, body } = await request();
    assert.ok(status < 300, `${id}: ${status} ${JSON.stringify(body)}`);
    const all = await entries();
    const [found] = all.slice(0, all.length - before || 100).filter((entry) => entry.action === action);
    assert.ok(found, `${id} has no entry ${action}`);
    assert.deepEqual([found.outcome, found.actor_name], ['succeeded', 'Night shift'], id);
    if (!found.before && !found.after) acts.push(id);
  }
  assert.deepEqual(acts.sort(), ACTS.split(/\s+/).sort());
});
