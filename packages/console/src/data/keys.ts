import type { UserEvent } from '@switchboard/client';
import { hashKey, type QueryKey } from '@tanstack/react-query';
import type { Shown } from './signed-in.ts';

/**
 * The keys of all queries. A user's data begins with the user, so that no other one sees it, and a key that begins
 * like another one is refreshed with it.
 */
export const keys = {
  signIn: ['sign-in'],
  readiness: ['readiness'],
  settings: ['settings'],
  apiKeys: ['keys'],
  audit: (filters: object) => ['audit', filters],
  work: ['work'],
  users: (prefix: string) => ['users', prefix],
  userSettings: (user: string) => ['users', 'settings', user],
  prices: (withHistory: boolean) => ['prices', withHistory],
  modelPrices: ['model-prices'],
  configSchema: ['config-schema'],
  configCheck: (config: unknown) => ['config-check', config],
  all: (user: Shown) => [user],
  lists: (user: Shown) => [user, 'calls'],
  list: (user: Shown, filters: object) => [user, 'calls', filters],
  call: (user: Shown, id: string) => [user, 'call', id],
  scheduledCalls: (user: Shown) => [user, 'scheduled-calls'],
  scheduledCall: (user: Shown, id: string) => [user, 'scheduled-calls', id],
  callCosts: (user: Shown, id: string) => [user, 'call', id, 'costs'],
  callCostLines: (user: Shown, id: string) => [user, 'call', id, 'costs', 'lines'],
  callTotal: (user: Shown, id: string) => [user, 'call', id, 'costs', 'total'],
  callTurns: (user: Shown, id: string) => [user, 'call', id, 'turns'],
  callJob: (user: Shown, id: string) => [user, 'call', id, 'job'],
  callCallbacks: (user: Shown, id: string) => [user, 'call', id, 'callbacks'],
  callRecordings: (user: Shown, id: string) => [user, 'call', id, 'recordings'],
  recordingLevels: (user: Shown, id: string, ms: number) => [user, 'recording', id, 'levels', ms],
  callAnalyses: (user: Shown, id: string) => [user, 'call', id, 'analyses'],
  agents: (user: Shown) => [user, 'agents'],
  agent: (user: Shown, id: string | null) => [user, 'agent', id],
  agentSettings: (user: Shown, id: string) => [user, 'agent', id, 'settings'],
  agentDraft: (user: Shown, id: string) => [user, 'agent', id, 'draft'],
  agentRelease: (user: Shown, id: string) => [user, 'agent', id, 'release'],
  agentVersions: (user: Shown, id: string) => [user, 'agent', id, 'versions'],
  agentVersion: (user: Shown, id: string, number: number) => [user, 'agent', id, 'versions', number],
  versionFigures: (user: Shown, id: string) => [user, 'agent', id, 'version-figures'],
  numbers: (user: Shown) => [user, 'numbers'],
  stats: (user: Shown) => [user, 'stats'],
  callStats: (user: Shown, days: number) => [user, 'stats', 'calls', days],
  latencies: (user: Shown) => [user, 'stats', 'latency'],
  latency: (user: Shown, days: number) => [user, 'stats', 'latency', days],
  // Not with the others: thousands of turns would ask for it thousands of times.
  modelLatency: (user: Shown, agent: string | null) => [user, 'model-latency', agent],
  versionLatency: (user: Shown, kind: string) => [user, 'version-latency', kind],
  agentWeek: (user: Shown) => [user, 'agents', 'week'],
  costs: (user: Shown) => [user, 'costs'],
  costReport: (user: Shown, choice: object) => [user, 'costs', 'report', choice],
  costTimeline: (user: Shown, days: number) => [user, 'costs', 'timeline', days],
  budget: (user: Shown) => [user, 'costs', 'budget'],
  quota: (user: Shown) => [user, 'quota'],
  callbacks: (user: Shown) => [user, 'callbacks'],
  callbackList: (user: Shown, filters: object) => [user, 'callbacks', 'list', filters],
  failingCallbacks: (user: Shown) => [user, 'callbacks', 'failing'],
  endpointDeliveries: (user: Shown, id: string) => [user, 'callbacks', 'endpoint', id],
  testEvent: (user: Shown, id: string | undefined) => [user, 'callbacks', 'test', id],
  endpoints: (user: Shown) => [user, 'webhook-endpoints'],
  secret: (user: Shown) => [user, 'secret'],
  campaigns: (user: Shown) => [user, 'campaigns'],
  campaignList: (user: Shown) => [user, 'campaigns', 'list'],
  campaign: (user: Shown, id: string) => [user, 'campaigns', id],
  campaignStats: (user: Shown, id: string) => [user, 'campaigns', id, 'stats'],
  recipients: (user: Shown, id: string, state: string) => [user, 'campaigns', id, 'recipients', state],
  recipient: (user: Shown, campaign: string, id: string) => [user, 'campaigns', campaign, 'recipient', id],
  policies: (user: Shown) => [user, 'policies'],
  policyVersion: (user: Shown, name: string, version: number) => [user, 'policies', name, version],
  suppressions: (user: Shown) => [user, 'suppressions'],
  suppressionList: (user: Shown, number: string) => [user, 'suppressions', number],
  consents: (user: Shown) => [user, 'consents'],
  consentList: (user: Shown, number: string) => [user, 'consents', number],
  decisionList: (user: Shown, number: string) => [user, 'decisions', number],
  tests: (user: Shown) => [user, 'tests'],
  scenarios: (user: Shown) => [user, 'tests', 'scenarios'],
  scenario: (user: Shown, id: string) => [user, 'tests', 'scenarios', id],
  // Not with the others: what is being edited is not drafted anew.
  scenarioDraft: (user: Shown, callId: string) => [user, 'scenario-draft', callId],
  suites: (user: Shown) => [user, 'tests', 'suites'],
  testRunList: (user: Shown) => [user, 'tests', 'runs'],
  testRun: (user: Shown, id: string) => [user, 'tests', 'run', id],
  testResults: (user: Shown, id: string, state: string) => [user, 'tests', 'run', id, 'results', state],
  extractors: (user: Shown) => [user, 'extractors'],
  // Not with the list: one that was deleted is not read again.
  extractor: (user: Shown, id: string) => [user, 'extractor', id, 'newest'],
  extractorVersion: (user: Shown, id: string, version: number) => [user, 'extractor', id, version],
  analysisStats: (user: Shown, choice: object) => [user, 'analysis-stats', choice],
  backfills: (user: Shown) => [user, 'backfills'],
  backfillEstimate: (user: Shown, wanted: object) => [user, 'backfill-estimate', wanted],
} satisfies Record<string, QueryKey | ((...args: never[]) => QueryKey)>;

/**
 * Beginnings of the keys whose data an event of the user's stream has changed. `isListed` tells of ended calls that are
 * in a list.
 */
export function changedBy(user: Shown, { event, data }: UserEvent, isListed: (call: string) => boolean): QueryKey[] {
  // A scheduled call that is placed becomes one.
  if (event === 'call')
    return [keys.lists(user), keys.stats(user), keys.call(user, data.call_id), keys.scheduledCalls(user)];
  if (event === 'provider.failed_over') return [keys.call(user, data.session_id)];
  if (event === 'turn') return [keys.callTurns(user, data.session_id), keys.latencies(user)];
  if (event === 'cost') {
    // The end of an open call refreshes the lists: each of its costs would have them read all the time.
    const lists = isListed(data.session_id) ? [keys.lists(user)] : [];
    const own = [keys.callCosts(user, data.session_id), keys.callAnalyses(user, data.session_id)];
    return [keys.costs(user), ...own, ...lists];
  }
  if (event === 'delivery') {
    const call = data.session_id === null ? [] : [keys.callCallbacks(user, data.session_id)];
    return [keys.callbacks(user), ...call];
  }
  if (event === 'campaign') return [keys.campaignList(user), keys.campaign(user, data.campaign_id)];
  return event === 'reset' ? [keys.all(user)] : [];
}

/** Gathers beginnings of keys. Asking about a key takes the same time however many were added. */
export function createKeySet() {
  const hashes = new Set<string>();
  return {
    add: (key: QueryKey) => void hashes.add(hashKey(key)),
    covers: (key: QueryKey) => key.some((_, index) => hashes.has(hashKey(key.slice(0, index + 1)))),
    isEmpty: () => hashes.size === 0,
  };
}
