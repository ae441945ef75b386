import { createPhones } from './compose-phones.ts';
import type { Config } from './config.ts';
import type { Database } from './db/database.ts';
import { createAgents } from './features/agents/agents.ts';
import { agentsFeature } from './features/agents/feature.ts';
import { createAudit } from './features/audit/audit.ts';
import { auditFeature } from './features/audit/feature.ts';
import { browsersFeature } from './features/browsers/feature.ts';
import { createRoomTokens } from './features/browsers/room-tokens.ts';
import { createWebCalls } from './features/browsers/web-calls.ts';
import { createWebPlacing } from './features/browsers/web-placing.ts';
import { createBudgets } from './features/budgets/budgets.ts';
import { budgetsFeature } from './features/budgets/feature.ts';
import { createCallbacks } from './features/callbacks/callbacks.ts';
import { createDeliver } from './features/callbacks/deliver.ts';
import { callbacksFeature } from './features/callbacks/feature.ts';
import { createSecrets } from './features/callbacks/secrets.ts';
import { createSender } from './features/callbacks/sender.ts';
import { createWebhookEndpoints } from './features/callbacks/webhook-endpoints.ts';
import { createCalls } from './features/calls/calls.ts';
import { callsFeature } from './features/calls/feature.ts';
import { createInbound } from './features/calls/inbound.ts';
import { createSettle } from './features/calls/settle.ts';
import { createCarrierCosts } from './features/carrier-costs/carrier-costs.ts';
import { carrierCostsFeature } from './features/carrier-costs/feature.ts';
import { createConsoleSessions } from './features/console-sessions/console-sessions.ts';
import { consoleSessionsFeature } from './features/console-sessions/feature.ts';
import { createCosts } from './features/costs/costs.ts';
import { costsFeature } from './features/costs/feature.ts';
import { createCostReports } from './features/costs/report.ts';
import { diallingFeature } from './features/dialling/feature.ts';
import { createDoctor } from './features/doctor/doctor.ts';
import { doctorFeature } from './features/doctor/feature.ts';
import type { Feature } from './features/feature.ts';
import { healthFeature } from './features/health/feature.ts';
import { createHealth } from './features/health/health.ts';
import { historyFeature } from './features/history/feature.ts';
import { createHistory } from './features/history/history.ts';
import { createWords } from './features/history/words.ts';
import { idempotencyFeature } from './features/idempotency/feature.ts';
import { forgetAnswers } from './features/idempotency/idempotency.ts';
import { keysFeature } from './features/keys/feature.ts';
import { createKeys } from './features/keys/keys.ts';
import { createLine, endedLegs } from './features/line/line.ts';
import { createActivity } from './features/live/activity.ts';
import { createCallEvents } from './features/live/call-events.ts';
import { liveFeature } from './features/live/feature.ts';
import { createFeed } from './features/live/feed.ts';
import { createStreamTokens } from './features/live/stream-tokens.ts';
import { createReconciler } from './features/maintenance/reconcile.ts';
import { createCallReconciler } from './features/maintenance/reconcile-calls.ts';
import { createRoomReconciler } from './features/maintenance/reconcile-rooms.ts';
import { createRetention } from './features/maintenance/retention.ts';
import { createUpkeep } from './features/maintenance/upkeep.ts';
import { mediaEventsFeature } from './features/media-events/feature.ts';
import { createMediaEvents } from './features/media-events/media-events.ts';
import { numbersFeature } from './features/numbers/feature.ts';
import { createNumbers } from './features/numbers/numbers.ts';
import { createApplyPrices } from './features/prices/apply.ts';
import { pricesFeature } from './features/prices/feature.ts';
import { createPrices, createPricing } from './features/prices/prices.ts';
import { createErasures } from './features/privacy/erasure.ts';
import { privacyFeature } from './features/privacy/feature.ts';
import { createSteps } from './features/privacy/steps.ts';
import { reportsFeature } from './features/reports/feature.ts';
import { createReports } from './features/reports/reports.ts';
import { sessionsFeature } from './features/sessions/feature.ts';
import { countEndedCall } from './features/sessions/metrics.ts';
import { createRooms } from './features/sessions/rooms.ts';
import { createSessions, isFinal } from './features/sessions/sessions.ts';
import { settingsFeature } from './features/settings/feature.ts';
import { statsFeature } from './features/stats/feature.ts';
import { countEndedCalls, createCallStats, recountCall } from './features/stats/stats.ts';
import { transcriptsFeature } from './features/transcripts/feature.ts';
import { createTranscripts } from './features/transcripts/transcripts.ts';
import { transfersFeature } from './features/transfers/feature.ts';
import { endTransfers } from './features/transfers/transfer-records.ts';
import { turnsFeature } from './features/turns/feature.ts';
import { createTurns } from './features/turns/turns.ts';
import { usageFeature } from './features/usage/feature.ts';
import { createUsageList } from './features/usage/list.ts';
import { createUsage } from './features/usage/usage.ts';
import type { Clock } from './lib/clock.ts';
import type { Logger } from './lib/log.ts';
import type { Metrics } from './lib/metrics.ts';
import { createSeal } from './lib/seal.ts';
import type { Carrier } from './providers/carrier/carrier.ts';
import type { Media } from './providers/media/media.ts';
import { viewSettings } from './settings-view.ts';

/** Time to read and record a callback attempt, in addition to the receiver's timeout. */
const CALLBACK_GRACE_MS = 30_000;

/** Resources that `main.ts` or a test has opened. */
export interface OperationDeps {
  config: Config;
  database: Database;
  media: Media;
  carrier: Carrier;
  clock: Clock;
  log: Logger;
  metrics: Metrics;
}

export type Operations = ReturnType<typeof createOperations>;

/** Creates every feature from the ones below it. */
export function createOperations({ config, database, media, carrier, clock, log, metrics }: OperationDeps) {
  const { db } = database;
  const { durations } = config.calls;
  const leaseMs = config.reconcileIntervalMs * 2 + 1000;
  const audit = createAudit({ db, clock });
  const base = { db, clock, log, media, metrics, audit };
  const keys = createKeys(base);
  const consoleSessions = createConsoleSessions({ ...base, keys });
  const agents = createAgents(base);
  const numbers = createNumbers({ ...base, carrier, agents, perUser: config.numbersPerUser });
  const usage = createUsage({ ...base, price: createPricing() });
  const prices = { prices: createPrices(base), apply: createApplyPrices(base) };

  // Callbacks
  const deliver = createDeliver(config.callbacks);
  const secrets = createSecrets({ ...base, seal: createSeal(config.secretsKeys) });
  const callbackLeaseMs = config.callbacks.timeoutMs + CALLBACK_GRACE_MS;
  const sender = createSender({ ...base, secrets, deliver, leaseMs: callbackLeaseMs });
  const callbacks = createCallbacks({ ...base, reportDelayMs: config.callbacks.reportDelayMs });
  const webhookEndpoints = createWebhookEndpoints(base);

  // Sessions
  const line = createLine({ ...base, carrier });
  const rooms = createRooms(base);
  const sessions = createSessions({
    ...base,
    agents,
    rooms,
    // Run in this order, in the transaction that changes a session's state.
    listeners: [
      callbacks.announce,
      async (trx, transitions) => {
        const targets = await endTransfers(trx, transitions, clock.now());
        await line.bill(trx, [...endedLegs(transitions), ...targets]);
      },
      countEndedCalls,
    ],
    // Run after that transaction has committed.
    afterCommit: [
      ({ after }) => isFinal(after) && dialling.cancel(after.id),
      ({ after }) => isFinal(after) && void rooms.close(after.room_name),
      ({ after }) => countEndedCall(metrics, after),
    ],
    aroundCorrection: recountCall,
  });
  const transcripts = createTranscripts({ ...base, sessions });
  const turns = createTurns({ ...base, agents, sessions });
  const costs = createCosts({ ...base, sessions });
  const budgets = createBudgets({ ...base, callbacks, sessions });

  // Outbound calls and transfers
  const phones = createPhones({ ...base, agents, sessions, callbacks, line }, config);
  const { dialling, limits, outbound, transfers } = phones;

  // Calls
  const calls = createCalls({ agents, sessions, transfers });
  const inbound = createInbound({ ...base, agents, sessions, limits: durations });
  const settle = createSettle({ ...base, sessions, transfers, limits: durations });
  const mediaEvents = createMediaEvents({ ...base, sessions, inbound, settle });
  const feed = createFeed({ ...base, sessions });
  const history = createHistory({ ...base, calls, sessions });
  const words = createWords(base);
  const activity = createActivity({ ...base, sessions });
  const callEvents = createCallEvents({ calls, feed });
  const streamTokens = createStreamTokens({ ...base, keys, calls });

  // Browsers
  const roomTokens = createRoomTokens({ ...base, agents, sessions, limits });
  const placeWeb = createWebPlacing({ ...base, agents, sessions, limits });
  const webCalls = createWebCalls({ ...base, sessions, streamTokens, place: placeWeb, limits: durations });

  const quietMs = config.callbacks.reportDelayMs;
  const reports = createReports({ ...base, callbacks, calls, transcripts, costs, quietMs });

  // Privacy and maintenance
  const steps = createSteps({ ...base, agents, sessions, numbers, usage, features: () => features });
  const erasures = createErasures({ ...base, agents, steps });
  const retention = createRetention({
    ...base,
    secrets,
    kept: {
      transcripts: { days: config.retention.transcripts, deleteOlder: transcripts.deleteOlder },
      words: { days: config.retention.transcripts, deleteOlder: history.deleteOlder },
      turns: { days: config.retention.turns, deleteOlder: turns.deleteOlder },
      // Reports contain the transcripts.
      reports: { days: config.retention.transcripts, deleteOlder: callbacks.deleteOlderReports },
      callbacks: { days: config.retention.callbacks, deleteOlder: callbacks.deleteOlder },
    },
  });
  const reconcileCall = createCallReconciler({ ...base, sessions, inbound, dialling, settle, limits: durations });
  const reconcileRooms = createRoomReconciler({ ...base, sessions, inbound });
  const upkeep = createUpkeep({
    clock,
    log,
    metrics,
    intervalMs: config.reconcileIntervalMs,
    tasks: {
      media_events: mediaEvents.resume,
      calls: createReconciler({
        ...base,
        sessions,
        reconcileCall,
        rooms: reconcileRooms,
        settleTransfers: phones.settleTransfers,
        leaseMs,
      }),
      numbers: numbers.repair,
      answers: () => forgetAnswers(db),
      stream_tokens: streamTokens.forgetExpired,
      console_sessions: consoleSessions.forgetExpired,
    },
    slowTasks: {
      erasures: erasures.resume,
      retention: retention.round,
      call_reports: reports.round,
      budgets: budgets.round,
      call_words: words.round,
    },
  });
  const measure = () => Promise.all([sessions.measure(), sender.measure(), mediaEvents.measure()]);
  const health = createHealth({ database, metrics, media, carrier, measure });

  // Every feature, in the order of the API description, which is also the order of deletion in an erasure.
  const features: Feature[] = [
    agentsFeature(agents),
    callsFeature({ calls, outbound }),
    browsersFeature({ webCalls, roomTokens }),
    historyFeature(history),
    liveFeature({ callEvents, activity, streamTokens }, config.http.streamsPerUser),
    sessionsFeature(sessions),
    transcriptsFeature(transcripts),
    turnsFeature(turns),
    statsFeature(createCallStats({ ...base, agents })),
    transfersFeature(transfers),
    mediaEventsFeature(mediaEvents),
    numbersFeature(numbers),
    usageFeature({ usage, list: createUsageList(base) }),
    pricesFeature(prices),
    costsFeature({ costs, reports: createCostReports({ database, currency: config.currency }) }),
    carrierCostsFeature(createCarrierCosts({ ...base, carrier, currency: config.currency })),
    budgetsFeature(budgets),
    reportsFeature(),
    callbacksFeature({ callbacks, secrets, webhookEndpoints }),
    keysFeature(keys),
    consoleSessionsFeature(
      consoleSessions,
      {
        auth_mode: config.auth.mode,
        is_media_simulated: media.simulated,
        is_carrier_simulated: config.twilio === null,
        currency: config.currency,
      },
      config.auth.openId,
    ),
    diallingFeature(limits),
    idempotencyFeature(),
    auditFeature(audit),
    privacyFeature(erasures),
    healthFeature(health),
    settingsFeature(viewSettings(config.settings)),
    doctorFeature(createDoctor({ database, carrier, settings: config.settings })),
  ];
  return {
    features,
    keys,
    consoleSessions,
    streamTokens,
    sender,
    upkeep,
    retention,
    feed,
    activity,
    inbound,
    rooms,
    dialling,
    mediaEvents,
  };
}
