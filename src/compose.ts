import { createAgents } from './agents/agents.ts';
import { createAudit } from './audit/audit.ts';
import { createCallbacks } from './callbacks/callbacks.ts';
import { createDeliver } from './callbacks/deliver.ts';
import { createSecrets } from './callbacks/secrets.ts';
import { createSender } from './callbacks/sender.ts';
import { createCalls } from './calls/calls.ts';
import { createDialling } from './calls/dialling.ts';
import { createCallEvents } from './calls/events.ts';
import { createInbound } from './calls/inbound.ts';
import { createLimits } from './calls/limits.ts';
import { createPlacing } from './calls/placing.ts';
import { createReconciler } from './calls/reconcile.ts';
import { createSettle } from './calls/settle.ts';
import { createStreamTokens } from './calls/stream-tokens.ts';
import { createTransfers } from './calls/transfer.ts';
import { endTransfers } from './calls/transfer-records.ts';
import type { Config } from './config.ts';
import { createCosts } from './costs/costs.ts';
import type { Database } from './db/database.ts';
import { forgetAnswers } from './db/idempotency.ts';
import { createKeys } from './keys/keys.ts';
import type { Clock } from './lib/clock.ts';
import { newId } from './lib/ids.ts';
import type { Logger } from './lib/log.ts';
import type { Metrics } from './lib/metrics.ts';
import { createSeal } from './lib/seal.ts';
import { createMediaEvents } from './media-events/media-events.ts';
import { createNumbers } from './numbers/numbers.ts';
import { createErasures } from './privacy/erasure.ts';
import { createRetention } from './privacy/retention.ts';
import type { Carrier } from './providers/carrier/carrier.ts';
import type { Media } from './providers/media/media.ts';
import { createFeed } from './sessions/feed.ts';
import { createRoomTokens } from './sessions/room-tokens.ts';
import { createRooms } from './sessions/rooms.ts';
import { countEndedCall, createSessions, isFinal } from './sessions/sessions.ts';
import { createTranscripts } from './sessions/transcripts.ts';
import { createUsage } from './usage/usage.ts';

/** Beside the time that a receiver has, what reading and writing down an attempt may take. */
const CALLBACK_GRACE_MS = 30_000;

/** Resources that `main.ts`, or a test, has opened. */
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

/** Every feature, made out of the ones below it. */
export function createOperations({ config, database, media, carrier, clock, log, metrics }: OperationDeps) {
  const { db } = database;
  const { durations, policy, callLimits, referredMs, leaseMs } = settings(config, media);
  const deliver = createDeliver({ allowPrivate: config.CALLBACK_ALLOW_PRIVATE, timeoutMs: config.CALLBACK_TIMEOUT_MS });
  const audit = createAudit({ db, clock });
  const base = { db, clock, log, media, audit };
  const keys = createKeys(base);
  const secrets = createSecrets({ ...base, seal: createSeal(config.SECRETS_KEY?.split(',') ?? []) });
  const callbackLeaseMs = config.CALLBACK_TIMEOUT_MS + CALLBACK_GRACE_MS;
  const sender = createSender({ ...base, metrics, secrets, deliver, leaseMs: callbackLeaseMs });
  const callbacks = createCallbacks(base);
  const agents = createAgents(base);
  const rooms = createRooms(base);
  const sessions = createSessions({
    ...{ db, clock, metrics, agents, rooms },
    // Consequences of a change of a session's state, in its transaction and in this order.
    listeners: [callbacks.announce, (trx, transitions) => endTransfers(trx, transitions, clock.now())],
    // Actions after its commit.
    afterCommit: [
      ({ after }) => isFinal(after) && dialling.cancel(after.id),
      ({ after }) => isFinal(after) && void rooms.close(after.room_name),
      ({ after }) => countEndedCall(metrics, after),
    ],
  });
  const transcripts = createTranscripts({ ...base, sessions });
  const roomTokens = createRoomTokens({ ...base, sessions });
  const usage = createUsage({ ...base, metrics });
  const numbers = createNumbers({ ...base, carrier, agents, perUser: config.NUMBERS_PER_USER });
  const dialling = createDialling({ ...base, sessions, limits: durations });
  const limits = createLimits({ ...base, limits: callLimits });
  const place = createPlacing({ ...base, agents, sessions, policy, limits });
  const calls = createCalls({ ...base, agents, sessions, dialling, place });
  const inbound = createInbound({ ...base, agents, sessions, limits: durations });
  const feed = createFeed({ ...base, sessions });
  const callEvents = createCallEvents({ calls, feed });
  const streamTokens = createStreamTokens({ ...base, keys, calls });
  const transfers = createTransfers({
    ...base,
    agents,
    sessions,
    callbacks,
    dialling,
    policy,
    limits,
    countedMs: { WARM: (durations.ringing_timeout_s + durations.max_duration_s) * 1000, COLD: referredMs },
    defaultType: config.TRANSFER_TYPE,
  });
  const settle = createSettle({ ...base, sessions, transfers, limits: durations });
  const mediaEvents = createMediaEvents({ ...base, metrics, sessions, inbound, settle });
  const costs = createCosts({ ...base, sessions });
  const reconcile = createReconciler({
    ...base,
    metrics,
    sessions,
    inbound,
    transfers,
    dialling,
    settle,
    holder: newId(),
    leaseMs,
    limits: durations,
  });
  const erasures = createErasures({
    ...{
      ...base,
      keys,
      agents,
      sessions,
      transcripts,
      usage,
      callbacks,
      secrets,
      numbers,
      calls,
      transfers,
      mediaEvents,
    },
  });
  const retention = createRetention({
    ...{ ...base, transcripts, callbacks, secrets },
    transcript_days: config.TRANSCRIPT_RETENTION_DAYS,
    callback_days: config.CALLBACK_RETENTION_DAYS,
  });
  /** Repairs work that a dead process left unfinished, and removes expired rows. */
  const upkeep = {
    media_events: mediaEvents.resume,
    calls: reconcile,
    numbers: numbers.repair,
    answers: () => forgetAnswers(db),
    stream_tokens: streamTokens.forgetExpired,
  };
  /** The same, of tasks that may take long: each has rounds of its own. */
  const slowUpkeep = { erasures: erasures.resume, retention: retention.round };
  return {
    audit,
    keys,
    callbacks,
    secrets,
    sender,
    erasures,
    retention,
    agents,
    sessions,
    rooms,
    transcripts,
    roomTokens,
    usage,
    numbers,
    dialling,
    calls,
    inbound,
    feed,
    callEvents,
    streamTokens,
    transfers,
    mediaEvents,
    costs,
    upkeep,
    slowUpkeep,
    measure: () => Promise.all([sessions.measure(), sender.measure(), mediaEvents.measure()]),
  };
}

/**
 * The configuration in the terms of the features. On the sandbox's phones calls may go anywhere, and ten times as many.
 */
function settings(config: Config, media: Media) {
  const isSandbox = media.simulated;
  const times = isSandbox ? 10 : 1;
  return {
    durations: {
      ringing_timeout_s: config.RINGING_TIMEOUT_S,
      max_duration_s: config.MAX_CALL_DURATION_S,
      agent_join_timeout_s: config.AGENT_JOIN_TIMEOUT_S,
    },
    policy: {
      enabled: config.CALLING_ENABLED,
      countries: isSandbox ? null : new Set(config.CALLING_COUNTRIES?.split(',')),
      blockedPrefixes: config.CALLING_BLOCKED_PREFIXES?.split(',') ?? [],
    },
    callLimits: {
      concurrent: config.CALLS_CONCURRENT * times,
      per_second: config.CALLS_PER_SECOND * times,
      burst: config.CALLS_BURST * times,
      per_day: config.CALLS_PER_DAY * times,
      transfers_per_call: config.TRANSFERS_PER_CALL,
      phones_per_call: config.PHONES_PER_CALL,
    },
    referredMs: config.COLD_TRANSFER_COUNTS_S * 1000,
    leaseMs: config.RECONCILE_INTERVAL_MS * 2 + 1000,
  };
}
