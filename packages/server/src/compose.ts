import { auditFeature } from './access/audit/feature.ts';
import { createConsoleSessions } from './access/console-sessions/console-sessions.ts';
import { consoleSessionsFeature } from './access/console-sessions/feature.ts';
import { dataKeysFeature } from './access/data-keys/feature.ts';
import { idempotencyFeature } from './access/idempotency/feature.ts';
import { keysFeature } from './access/keys/feature.ts';
import { createKeys } from './access/keys/keys.ts';
import { quotasFeature } from './access/quotas/feature.ts';
import { budgetsFeature } from './billing/budgets/feature.ts';
import { carrierCostsFeature } from './billing/carrier-costs/feature.ts';
import { createCosts } from './billing/costs/costs.ts';
import { costsFeature } from './billing/costs/feature.ts';
import { createCostReports } from './billing/costs/report.ts';
import { reportsFeature } from './billing/reports/feature.ts';
import { createCalls } from './calling/calls/calls.ts';
import { callsFeature } from './calling/calls/feature.ts';
import { createInbound } from './calling/calls/inbound.ts';
import { complianceFeature } from './calling/compliance/feature.ts';
import { evidenceFeature } from './calling/evidence/feature.ts';
import { historyFeature } from './calling/history/feature.ts';
import { mediaEventsFeature } from './calling/media-events/feature.ts';
import { createMediaEvents } from './calling/media-events/media-events.ts';
import { numbersFeature } from './calling/numbers/feature.ts';
import { createNumbers } from './calling/numbers/numbers.ts';
import { policiesFeature } from './calling/policies/feature.ts';
import { createPolicies } from './calling/policies/policies.ts';
import { recordingsFeature } from './calling/recordings/feature.ts';
import { steeringFeature } from './calling/steering/feature.ts';
import { streamsFeature } from './calling/streams/feature.ts';
import { createStreamTokens } from './calling/streams/stream-tokens.ts';
import { suppressionsFeature } from './calling/suppressions/feature.ts';
import { transfersFeature } from './calling/transfers/feature.ts';
import { webFeature } from './calling/web/feature.ts';
import { createAnalysis } from './compose-analyses.ts';
import { createBase, type OperationDeps } from './compose-base.ts';
import { chatFeature } from './compose-chats.ts';
import { createConversations } from './compose-conversations.ts';
import { createPhones } from './compose-phones.ts';
import { testFeatures } from './compose-tests.ts';
import type { Config } from './config.ts';
import { agentsFeature } from './conversations/agents/feature.ts';
import { sessionsFeature } from './conversations/sessions/feature.ts';
import { statsFeature } from './conversations/stats/feature.ts';
import { transcriptsFeature } from './conversations/transcripts/feature.ts';
import { turnsFeature } from './conversations/turns/feature.ts';
import { versionsFeature } from './conversations/versions/feature.ts';
import { createDeliver } from './delivery/callbacks/deliver.ts';
import { callbacksFeature } from './delivery/callbacks/feature.ts';
import { createSender } from './delivery/callbacks/sender.ts';
import { secretsFeature } from './delivery/secrets/feature.ts';
import { createSecrets } from './delivery/secrets/secrets.ts';
import type { Feature } from './feature.ts';
import { pricesFeature } from './ledger/prices/feature.ts';
import { usageFeature } from './ledger/usage/feature.ts';
import { doctorFeature } from './ops/doctor/feature.ts';
import { healthFeature } from './ops/health/feature.ts';
import { createReconciler } from './ops/maintenance/reconcile.ts';
import { createRetention } from './ops/maintenance/retention.ts';
import { createUpkeep } from './ops/maintenance/upkeep.ts';
import { privacyFeature } from './ops/privacy/feature.ts';
import { settingsFeature } from './ops/settings/feature.ts';
import { workerChecksFeature } from './ops/worker-checks/feature.ts';
import { createWorkerChecks } from './ops/worker-checks/worker-checks.ts';
import type { Media } from './providers/media.ts';
import { viewSettings } from './settings-view.ts';
import { workRoutes } from './work/routes.ts';
import { taskRoutes } from './work/task-routes.ts';

export type { OperationDeps };
export type Operations = ReturnType<typeof createOperations>;

/** Creates every feature from the ones below it. */
export function createOperations(deps: OperationDeps) {
  const { config, database, media } = deps;
  const { callbacks: delivery, retention: days, reconcileIntervalMs: intervalMs } = config;
  const { durations } = config.calls;
  const { base, runner, tasks, seal, kms, dataKeys, quotas } = createBase(deps, () => features);
  const secrets = createSecrets({ ...base, seal });
  const sender = createSender({ ...base, secrets, deliver: createDeliver(delivery), timeoutMs: delivery.timeoutMs });
  const keys = createKeys(base);
  const consoleSessions = createConsoleSessions({ ...base, keys });
  const { said, dialled } = createConversations(base, config, seal);
  const { agents, sessions, transcripts, turns, usage, suppressions, compliance } = said;
  const parts = { ...base, ...said };
  const numbers = createNumbers(parts);
  const policies = createPolicies(base);
  const costs = createCosts(parts);
  const analysis = createAnalysis({ ...parts, quietMs: delivery.reportDelayMs }, days.transcripts);

  // Calls, and what dials phones for them
  const receive = (room: string) => inbound.receive(room);
  const phones = createPhones({ ...parts, ...dialled, receive }, config, suppressions);
  const { conductor, limits, decisions, transfers, fallbacks, listStaleTransfers } = phones;
  const { keysOf } = turns.toolCalls;
  const calls = createCalls({ ...parts, transfers, decisions, keysOf });
  const [{ answerMs }, maxStreams, wordsDays] = [config.chats, config.http.streamsPerUser, days.transcripts];
  const settings = { ...durations, sipHeaders: config.sipHeadersIn };
  const inbound = createInbound({ ...parts, conductor, fallbacks, settings });
  const mediaEvents = createMediaEvents({ ...parts, source: media, inbound, conductor });
  const streamTokens = createStreamTokens({ ...base, keys, calls });

  // Every feature, in the order of the API description, which is also the order of deletion in an erasure.
  const features: Feature[] = [
    agentsFeature(agents),
    versionsFeature(said.versions),
    ...analysis.features,
    policiesFeature(policies),
    complianceFeature(compliance, days.transcripts),
    ...phones.features,
    // Behind campaigns, whose recipients bring consents.
    suppressionsFeature(suppressions),
    callsFeature(calls),
    evidenceFeature({ ...parts, decisions, policies, seal }),
    steeringFeature({ ...base, calls }),
    webFeature({ ...parts, limits, durations, streamTokens }),
    chatFeature({ ...parts, limits, answerMs, wordsDays }, maxStreams),
    ...testFeatures(parts, days.transcripts),
    historyFeature(parts, days.transcripts),
    streamsFeature({ ...parts, calls, streamTokens }, maxStreams),
    recordingsFeature({ ...parts, dataKeys, streamTokens }, days.recordings),
    sessionsFeature(sessions),
    transcriptsFeature(transcripts, days.transcripts),
    turnsFeature(turns, days),
    statsFeature(parts),
    transfersFeature(transfers, phones.consultations),
    mediaEventsFeature(mediaEvents),
    // Its round follows that of the events, which say what has happened to a call.
    { upkeep: { calls: createReconciler({ ...parts, inbound, conductor, listStaleTransfers, intervalMs }) } },
    numbersFeature(numbers, config.numbersPerUser),
    usageFeature(usage, base),
    pricesFeature(base),
    costsFeature({ costs, reports: createCostReports({ database, currency: config.currency }) }),
    carrierCostsFeature({ ...base, currency: config.currency }),
    budgetsFeature({ ...parts, max_duration_s: durations.max_duration_s }),
    reportsFeature({ ...parts, calls, costs, analysis, quietMs: delivery.reportDelayMs }),
    callbacksFeature({ ...base, sender }, base, days),
    secretsFeature(secrets),
    keysFeature(keys),
    consoleSessionsFeature(consoleSessions, factsOf(config, media), config.auth.openId),
    idempotencyFeature(base.db),
    auditFeature(base.audit, days.auditLog),
    privacyFeature({ ...parts, numbers, runner, features: () => features }),
    { work: createRetention({ ...parts, secrets, dataKeys, features: () => features }) },
    healthFeature({ ...base, database, features: () => features }),
    { routes: (server) => workRoutes(server, base.work), measure: base.work.measure, erase: base.work.erase },
    { routes: (server) => taskRoutes(server, tasks, base.serving) },
    settingsFeature(viewSettings(config.settings)),
    doctorFeature({ ...deps, kms, settings: config.settings }),
    workerChecksFeature(createWorkerChecks(parts)),
    quotasFeature(quotas),
    // Last: what an erasure deletes before may wait for a transaction that has just made the key.
    dataKeysFeature(dataKeys),
  ];
  return {
    features,
    audit: base.audit,
    keys,
    consoleSessions,
    quotas,
    revocations: base.revocations,
    streamTokens,
    sender,
    upkeep: createUpkeep({ ...base, runner, intervalMs, features }),
    conductor,
    sessions,
    attempts: dialled.attempts,
    mediaEvents,
  };
}

/** Facts of the configuration that the console shows before anybody has signed in. */
function factsOf({ auth, twilio, currency }: Config, { simulated }: Media) {
  return { auth_mode: auth.mode, is_media_simulated: simulated, is_carrier_simulated: twilio === null, currency };
}
