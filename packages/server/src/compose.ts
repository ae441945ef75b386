import { createAudit } from './access/audit/audit.ts';
import { auditFeature } from './access/audit/feature.ts';
import { createConsoleSessions } from './access/console-sessions/console-sessions.ts';
import { consoleSessionsFeature } from './access/console-sessions/feature.ts';
import { createContent } from './access/data-keys/content.ts';
import { createDataKeys } from './access/data-keys/data-keys.ts';
import { dataKeysFeature } from './access/data-keys/feature.ts';
import { idempotencyFeature } from './access/idempotency/feature.ts';
import { keysFeature } from './access/keys/feature.ts';
import { createKeys } from './access/keys/keys.ts';
import { quotasFeature } from './access/quotas/feature.ts';
import { createQuotas } from './access/quotas/quotas.ts';
import { createSeals } from './adapters.ts';
import { budgetsFeature } from './billing/budgets/feature.ts';
import { carrierCostsFeature } from './billing/carrier-costs/feature.ts';
import { createCosts } from './billing/costs/costs.ts';
import { costsFeature } from './billing/costs/feature.ts';
import { createCostReports } from './billing/costs/report.ts';
import { reportsFeature } from './billing/reports/feature.ts';
import { createAnalysisRequests, wantedIn } from './calling/analyses/ended.ts';
import { createCalls } from './calling/calls/calls.ts';
import { callsFeature } from './calling/calls/feature.ts';
import { createInbound } from './calling/calls/inbound.ts';
import { createChatEnds } from './calling/chats/ends.ts';
import { createCompliance } from './calling/compliance/compliance.ts';
import { complianceFeature } from './calling/compliance/feature.ts';
import { optOutIn } from './calling/compliance/opt-out.ts';
import { createLateEnds } from './calling/conductor/late-ends.ts';
import { evidenceFeature } from './calling/evidence/feature.ts';
import { historyFeature } from './calling/history/feature.ts';
import { createMediaReports } from './calling/media-events/departures.ts';
import { mediaEventsFeature } from './calling/media-events/feature.ts';
import { createMediaEvents } from './calling/media-events/media-events.ts';
import { numbersFeature } from './calling/numbers/feature.ts';
import { createNumbers } from './calling/numbers/numbers.ts';
import { createAttempts } from './calling/outbound/ring.ts';
import { policiesFeature } from './calling/policies/feature.ts';
import { createPolicies } from './calling/policies/policies.ts';
import { recordingsFeature } from './calling/recordings/feature.ts';
import { steeringFeature } from './calling/steering/feature.ts';
import { streamsFeature } from './calling/streams/feature.ts';
import { createStreamTokens } from './calling/streams/stream-tokens.ts';
import { suppressionsFeature } from './calling/suppressions/feature.ts';
import { createSuppressions } from './calling/suppressions/suppressions.ts';
import { createGate } from './calling/test-runs/gate.ts';
import { transfersFeature } from './calling/transfers/feature.ts';
import { createLineEnds } from './calling/transfers/transfer-records.ts';
import { webFeature } from './calling/web/feature.ts';
import { createAnalysis } from './compose-analyses.ts';
import { chatFeature } from './compose-chats.ts';
import { createPhones } from './compose-phones.ts';
import { testFeatures } from './compose-tests.ts';
import { createWorkerReports } from './compose-worker.ts';
import type { Config } from './config.ts';
import { createAgents } from './conversations/agents/agents.ts';
import { agentsFeature } from './conversations/agents/feature.ts';
import { sessionsFeature } from './conversations/sessions/feature.ts';
import {
  auditCorrection,
  createEndCounter,
  createRoomCloser,
  createSessions,
  type Sessions,
} from './conversations/sessions/sessions.ts';
import { statsFeature } from './conversations/stats/feature.ts';
import { countEndedCalls, recountCall } from './conversations/stats/stats.ts';
import { transcriptsFeature } from './conversations/transcripts/feature.ts';
import { createTranscripts } from './conversations/transcripts/transcripts.ts';
import { turnsFeature } from './conversations/turns/feature.ts';
import { createTurns } from './conversations/turns/turns.ts';
import { versionsFeature } from './conversations/versions/feature.ts';
import { createHistory, createVersionMemo, createVersions } from './conversations/versions/versions.ts';
import type { Database } from './db/database.ts';
import { createCallbacks } from './delivery/callbacks/callbacks.ts';
import { createDeliver } from './delivery/callbacks/deliver.ts';
import { callbacksFeature } from './delivery/callbacks/feature.ts';
import { createSender } from './delivery/callbacks/sender.ts';
import { secretsFeature } from './delivery/secrets/feature.ts';
import { createSecrets } from './delivery/secrets/secrets.ts';
import type { Feature } from './feature.ts';
import { createLineCharges } from './ledger/line-charges/line-charges.ts';
import { pricesFeature } from './ledger/prices/feature.ts';
import { createPricing } from './ledger/prices/prices.ts';
import { usageFeature } from './ledger/usage/feature.ts';
import { createUsage } from './ledger/usage/usage.ts';
import type { Clock } from './lib/clock.ts';
import type { Logger } from './lib/log.ts';
import type { Metrics } from './lib/metrics.ts';
import { createRevocations } from './lib/revocations.ts';
import { doctorFeature } from './ops/doctor/feature.ts';
import { healthFeature } from './ops/health/feature.ts';
import { createReconciler } from './ops/maintenance/reconcile.ts';
import { createRetention } from './ops/maintenance/retention.ts';
import { createUpkeep } from './ops/maintenance/upkeep.ts';
import { privacyFeature } from './ops/privacy/feature.ts';
import { settingsFeature } from './ops/settings/feature.ts';
import { workerChecksFeature } from './ops/worker-checks/feature.ts';
import { createWorkerChecks } from './ops/worker-checks/worker-checks.ts';
import type { Carrier } from './providers/carrier.ts';
import type { Media } from './providers/media.ts';
import type { Storage } from './providers/storage/storage.ts';
import { viewSettings } from './settings-view.ts';
import type { Kinds } from './work/kinds.ts';
import { workRoutes } from './work/routes.ts';
import { createRunner } from './work/runner.ts';
import { createServing } from './work/serving.ts';
import { taskRoutes } from './work/task-routes.ts';
import { createTasks, type TaskKinds } from './work/tasks.ts';
import { createWork } from './work/work.ts';

/** Resources that `main.ts` or a test has opened. */
export interface OperationDeps {
  config: Config;
  database: Database;
  media: Media;
  carrier: Carrier;
  storage: Storage;
  clock: Clock;
  log: Logger;
  metrics: Metrics;
}

export type Operations = ReturnType<typeof createOperations>;

/** Creates every feature from the ones below it. */
export function createOperations({ config, database, media, carrier, storage, clock, log, metrics }: OperationDeps) {
  const { db } = database;
  const { callbacks: delivery, retention: days, reconcileIntervalMs: intervalMs } = config;
  const { durations } = config.calls;
  const audit = createAudit({ db, clock });
  const revocations = createRevocations();
  const runner = createRunner({ db, clock, log, metrics, intervalMs, kinds: () => kinds });
  const serving = createServing({ db, workers: media });
  const tasks = createTasks({ db, clock, kinds: () => taskKinds, serving });
  const wake = (added: string[]) => void [runner.wake(), tasks.wake(), serving.noteAsked(added)];
  const work = createWork({ db, clock, metrics, wake });
  const ports = { storage, media, rooms: media, browsers: media, phones: media, workers: media };
  const base = { db, clock, log, metrics, audit, revocations, work, serving, ...ports };
  const keys = createKeys(base);
  const consoleSessions = createConsoleSessions({ ...base, keys });

  // Callbacks
  const { seal, kms, ofKeys } = createSeals(config);
  const dataKeys = createDataKeys({ ...base, ...ofKeys });
  const content = createContent({ dataKeys, isOn: config.encryptContent });
  database.opening.open = content.open;
  const secrets = createSecrets({ ...base, seal });
  const sender = createSender({ ...base, secrets, deliver: createDeliver(delivery), timeoutMs: delivery.timeoutMs });
  const callbacks = createCallbacks({ ...base, content, reportDelayMs: delivery.reportDelayMs });

  // Agents and numbers
  const quotas = createQuotas({ ...base, limits: config.quota, callbacks });
  const agents = createAgents({ ...base, history: createHistory(callbacks) });
  const versions = createVersions({ ...base, agents, gate: createGate(ports), callbacks });
  const versionFacts = createVersionMemo((config) => ({ wanted: wantedIn(config), optOut: optOutIn(config) }));
  const numbers = createNumbers({ ...base, carrier, agents });
  const usage = createUsage({ ...base, price: createPricing() });

  // Sessions
  const lineCharges = createLineCharges({ ...base, carrier });
  const closeRoom = createRoomCloser(base);
  const reports = createMediaReports({ db, source: media });
  const lateEnds = createLateEnds({ ...base, ...reports, lineCharges });
  const attempts = createAttempts();
  const analysisRequests = createAnalysisRequests({ ...base, versionFacts, delayMs: delivery.reportDelayMs });
  const markTransferred: Sessions['markTransferred'] = (...args) => sessions.markTransferred(...args);
  const endLines = createLineEnds({ clock, lineCharges, callbacks, markTransferred });
  const sessions: Sessions = createSessions({
    ...base,
    agents,
    content,
    closeRoom,
    leftAt: lateEnds.leftAt,
    // Run in this order, in the transaction that changes a session's state.
    listeners: [callbacks.announce, createChatEnds(callbacks), endLines, countEndedCalls, analysisRequests],
    // Run for a session that has ended, after that transaction has committed.
    afterEnd: [attempts.cancel, closeRoom, createEndCounter(metrics)],
    aroundCorrection: (trx, correction, correct) =>
      recountCall(trx, correction.before.id, () => auditCorrection(audit, trx, correction, correct)),
  });
  const [policies, suppressions] = [createPolicies(base), createSuppressions({ ...base, seal, callbacks })];
  const compliance = createCompliance({ ...base, sessions, suppressions, versionFacts });
  const transcripts = createTranscripts({ ...base, sessions, content, hear: compliance.hear });
  const turns = createTurns({ ...base, agents, sessions, content, callbacks });
  media.reportTo?.(createWorkerReports({ ...base, sessions, transcripts, turns, usage, compliance }));
  const costs = createCosts({ ...base, sessions });
  const parts = { ...base, agents, sessions, transcripts, usage, callbacks, quietMs: delivery.reportDelayMs };
  const analysis = createAnalysis({ ...parts, versionFacts }, days.transcripts);

  // Calls, and what dials phones for them
  const receive = (room: string) => inbound.receive(room);
  const {
    conductor,
    limits,
    decisions,
    transfers,
    fallbacks,
    listStaleTransfers,
    consultations,
    features: phones,
  } = createPhones(
    { ...base, ...reports, ...lateEnds, attempts, agents, sessions, callbacks, lineCharges, receive },
    config,
    suppressions,
  );
  const { keysOf } = turns.toolCalls;
  const calls = createCalls({ db, agents, sessions, transfers, decisions, compliance, keysOf });
  const [{ answerMs }, maxStreams, wordsDays] = [config.chats, config.http.streamsPerUser, days.transcripts];
  const settings = { ...durations, sipHeaders: config.sipHeadersIn };
  const inbound = createInbound({ ...base, agents, sessions, conductor, fallbacks, settings });
  const mediaEvents = createMediaEvents({ ...base, source: media, sessions, inbound, conductor });
  const streamTokens = createStreamTokens({ ...base, keys, calls });

  // Every feature, in the order of the API description, which is also the order of deletion in an erasure.
  const features: Feature[] = [
    agentsFeature(agents),
    versionsFeature(versions),
    ...analysis.features,
    policiesFeature(policies),
    complianceFeature(compliance, days.transcripts),
    ...phones,
    // Behind campaigns, whose recipients bring consents.
    suppressionsFeature(suppressions),
    callsFeature(calls),
    evidenceFeature({ ...base, agents, sessions, decisions, policies, suppressions, compliance, seal }),
    steeringFeature({ ...base, calls }),
    webFeature({ ...base, agents, versions, sessions, limits, durations, streamTokens }),
    chatFeature({ ...base, agents, versions, sessions, transcripts, limits, usage, answerMs, wordsDays }, maxStreams),
    ...testFeatures({ ...base, content, agents, versions, sessions, transcripts, turns, callbacks }, days.transcripts),
    historyFeature({ ...base, sessions, content }, days.transcripts),
    streamsFeature({ ...base, calls, sessions, streamTokens }, maxStreams),
    recordingsFeature({ ...base, dataKeys, sessions, transcripts, streamTokens, callbacks }, days.recordings),
    sessionsFeature(sessions),
    transcriptsFeature(transcripts, days.transcripts),
    turnsFeature(turns, days),
    statsFeature({ ...base, agents }),
    transfersFeature(transfers, consultations),
    mediaEventsFeature(mediaEvents),
    // Its round follows that of the events, which say what has happened to a call.
    { upkeep: { calls: createReconciler({ ...base, sessions, inbound, conductor, listStaleTransfers, intervalMs }) } },
    numbersFeature(numbers, config.numbersPerUser),
    usageFeature(usage, base),
    pricesFeature(base),
    costsFeature({ costs, reports: createCostReports({ database, currency: config.currency }) }),
    carrierCostsFeature({ ...base, carrier, currency: config.currency }),
    budgetsFeature({ ...base, callbacks, sessions, max_duration_s: durations.max_duration_s }),
    reportsFeature({
      ...base,
      callbacks,
      calls,
      sessions,
      transcripts,
      costs,
      analysis,
      quietMs: delivery.reportDelayMs,
    }),
    callbacksFeature({ callbacks, sender }, base, days),
    secretsFeature(secrets),
    keysFeature(keys),
    consoleSessionsFeature(consoleSessions, factsOf(config, media), config.auth.openId),
    idempotencyFeature(db),
    auditFeature(audit, days.auditLog),
    privacyFeature({ ...base, agents, sessions, numbers, usage, runner, features: () => features }),
    { work: createRetention({ ...base, sessions, secrets, dataKeys, features: () => features }) },
    healthFeature({ database, metrics, media, carrier, serving, features: () => features }),
    { routes: (server) => workRoutes(server, work), measure: work.measure, erase: work.erase },
    { routes: (server) => taskRoutes(server, tasks, serving) },
    settingsFeature(viewSettings(config.settings)),
    doctorFeature({ database, media, carrier, storage, kms, settings: config.settings }),
    workerChecksFeature(createWorkerChecks({ ...base, agents })),
    quotasFeature(quotas),
    // Last: what an erasure deletes before may wait for a transaction that has just made the key.
    dataKeysFeature(dataKeys),
  ];
  const kinds: Kinds = Object.assign({}, ...features.map((feature) => feature.work));
  const taskKinds: TaskKinds = Object.assign({}, ...features.map((feature) => feature.tasks));
  return {
    features,
    audit,
    keys,
    consoleSessions,
    quotas,
    revocations,
    streamTokens,
    sender,
    upkeep: createUpkeep({ ...base, runner, intervalMs, features }),
    conductor,
    sessions,
    attempts,
    mediaEvents,
  };
}

/** Facts of the configuration that the console shows before anybody has signed in. */
function factsOf({ auth, twilio, currency }: Config, { simulated }: Media) {
  return { auth_mode: auth.mode, is_media_simulated: simulated, is_carrier_simulated: twilio === null, currency };
}
