import type { PgBoss } from 'pg-boss';
import { createAgents } from './agents/agents.ts';
import { agentRoutes } from './agents/routes.ts';
import { createAudit } from './audit/audit.ts';
import { auditRoutes } from './audit/routes.ts';
import { createCallbacks } from './callbacks/callbacks.ts';
import { createDeliver } from './callbacks/deliver.ts';
import { callbackRoutes } from './callbacks/routes.ts';
import { createSecrets } from './callbacks/secrets.ts';
import { createSender } from './callbacks/sender.ts';
import { createCalls } from './calls/calls.ts';
import { createDialling } from './calls/dialling.ts';
import { createLimits } from './calls/limits.ts';
import { createReconciler } from './calls/reconcile.ts';
import { callRoutes, transferRoutes } from './calls/routes.ts';
import { createSettle } from './calls/settle.ts';
import { createTransfers, endTransfers } from './calls/transfer.ts';
import type { Config } from './config.ts';
import { createCosts } from './costs/costs.ts';
import { costRoutes } from './costs/routes.ts';
import type { Database } from './db/database.ts';
import { forgetAnswers } from './db/idempotency.ts';
import { registerHealth } from './http/health.ts';
import { createServer, type Server } from './http/server.ts';
import { createJwtAuthenticate } from './keys/jwt.ts';
import { createKeys, isApiKey, type Keys } from './keys/keys.ts';
import { keyRoutes } from './keys/routes.ts';
import type { Clock } from './lib/clock.ts';
import { newId } from './lib/ids.ts';
import type { Logger } from './lib/log.ts';
import type { Metrics } from './lib/metrics.ts';
import type { Authenticate } from './lib/principal.ts';
import { createSeal } from './lib/seal.ts';
import { createMediaEvents } from './media-events/media-events.ts';
import { mediaEventRoutes } from './media-events/routes.ts';
import { createNumbers } from './numbers/numbers.ts';
import { numberRoutes } from './numbers/routes.ts';
import { createErasures } from './privacy/erasure.ts';
import { createRetention } from './privacy/retention.ts';
import { privacyRoutes } from './privacy/routes.ts';
import type { Carrier } from './providers/carrier/carrier.ts';
import type { Media } from './providers/media/media.ts';
import { createRoomTokens } from './sessions/room-tokens.ts';
import { sessionRoutes } from './sessions/routes.ts';
import { createSessions } from './sessions/sessions.ts';
import { createTranscripts } from './sessions/transcripts.ts';
import { usageRoutes } from './usage/routes.ts';
import { createUsage } from './usage/usage.ts';

const DIALLING_GRACE_MS = 2_000;
/** Queries waiting for each connection, beyond which requests are refused: at some milliseconds each they would wait a second. */
const WAITING_PER_CONNECTION = 100;

export interface AppDeps {
  config: Config;
  database: Database;
  jobs: PgBoss;
  media: Media;
  carrier: Carrier;
  clock: Clock;
  log: Logger;
  metrics: Metrics;
}

export interface App {
  server: Server;
  /** Starts delivering callbacks. Once the server listens, what an earlier process left half done is settled, and so on from time to time. */
  start(): Promise<void>;
  /** One round of settling, as `start` repeats it. */
  reconcile(): Promise<void>;
  /** Stops the background work begun by `start`. Close the server first, the queue and the database afterwards. */
  stop(): Promise<void>;
}

/** Puts the service together out of what `main.ts`, or a test, has opened. */
export async function buildApp(deps: AppDeps): Promise<App> {
  const { config, media, clock, log, metrics } = deps;
  const operations = createOperations(deps);
  const authenticate = config.AUTH_MODE === 'required' ? authentication(config, operations.keys) : null;
  const server = await createServer({ log, metrics, authenticate, ...serverSettings(config, deps.database) });
  registerHealth(server, deps);
  registerRoutes(server, operations);
  media.subscribe((body) => operations.mediaEvents.receive(body, undefined));

  async function reconcile(): Promise<void> {
    for (const [task, run] of Object.entries(operations.upkeep)) {
      await run().catch((err: unknown) => log.error({ err, task }, 'settling failed'));
    }
  }

  const background = repeat(reconcile, config.RECONCILE_INTERVAL_MS, clock);
  // Not earlier: the first round would keep the service from being ready.
  server.addHook('onListen', async () => background.start());
  return {
    server,
    reconcile,
    start: async () => {
      await operations.sender.start();
      await operations.retention.start();
    },
    stop: async () => {
      await background.stop();
      await media.close();
      // A phone that still rings is left to ring: another replica, or the next start, finds out what became of it.
      await Promise.race([operations.dialling.settled(), clock.sleep(DIALLING_GRACE_MS)]);
      await operations.mediaEvents.settled();
    },
  };
}

type Operations = ReturnType<typeof createOperations>;

/** Every feature, made out of the ones below it. */
function createOperations({ config, database, jobs, media, carrier, clock, log, metrics }: AppDeps) {
  const { db } = database;
  const { durations, policy, callLimits, leaseMs } = settings(config, media);
  const deliver = createDeliver({ allowPrivate: config.CALLBACK_ALLOW_PRIVATE, timeoutMs: config.CALLBACK_TIMEOUT_MS });
  const audit = createAudit({ db, clock });
  const base = { db, clock, log, media, audit };
  const keys = createKeys(base);
  const secrets = createSecrets({ ...base, seal: createSeal(config.SECRETS_KEY?.split(',') ?? []) });
  const sender = createSender({ ...base, jobs, metrics, secrets, deliver });
  const callbacks = createCallbacks({ ...base, jobs });
  const agents = createAgents(base);
  const sessions = createSessions({
    ...base,
    metrics,
    agents,
    announce: callbacks.announce,
    onEnd: (trx, session) => endTransfers(trx, session, clock.now()),
  });
  const transcripts = createTranscripts({ ...base, sessions });
  const roomTokens = createRoomTokens({ ...base, sessions });
  const usage = createUsage({ ...base, metrics });
  const numbers = createNumbers({ ...base, carrier, agents });
  const dialling = createDialling({ ...base, sessions, limits: durations });
  const countCall = createLimits({ ...base, sessions, limits: callLimits });
  const calls = createCalls({ ...base, agents, sessions, dialling, policy, countCall });
  const transfers = createTransfers({
    ...base,
    agents,
    sessions,
    callbacks,
    dialling,
    policy,
    defaultType: config.TRANSFER_TYPE,
  });
  const settle = createSettle({ ...base, sessions, transfers });
  const mediaEvents = createMediaEvents({ ...base, sessions, calls, settle });
  const costs = createCosts({ ...base, sessions });
  const reconcile = createReconciler({
    ...base,
    sessions,
    calls,
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
    ...{ ...base, jobs, transcripts, callbacks, secrets },
    transcript_days: config.TRANSCRIPT_RETENTION_DAYS,
    callback_days: config.CALLBACK_RETENTION_DAYS,
  });
  /** What a process that died left half done, and what is no longer needed. */
  const upkeep = {
    media_events: mediaEvents.resume,
    calls: reconcile,
    numbers: numbers.repair,
    callbacks: sender.repair,
    erasures: erasures.resume,
    answers: () => forgetAnswers(db),
  };
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
    transcripts,
    roomTokens,
    usage,
    numbers,
    dialling,
    calls,
    transfers,
    mediaEvents,
    costs,
    upkeep,
  };
}

function registerRoutes(server: Server, operations: Operations): void {
  auditRoutes(server, operations.audit);
  keyRoutes(server, operations.keys);
  agentRoutes(server, operations.agents);
  sessionRoutes(server, operations);
  usageRoutes(server, operations.usage);
  callbackRoutes(server, operations);
  numberRoutes(server, operations.numbers);
  callRoutes(server, operations.calls);
  transferRoutes(server, operations.transfers);
  mediaEventRoutes(server, operations.mediaEvents);
  costRoutes(server, operations.costs);
  privacyRoutes(server, operations.erasures);
}

/** The configuration in the terms of the features. On the sandbox's phones calls may go anywhere, and ten times as many. */
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
    },
    callLimits: {
      concurrent: config.CALLS_CONCURRENT * times,
      per_second: config.CALLS_PER_SECOND * times,
      burst: config.CALLS_BURST * times,
      per_day: config.CALLS_PER_DAY * times,
    },
    leaseMs: config.RECONCILE_INTERVAL_MS * 2 + 1000,
  };
}

/** How the server deals with those who ask too much, and too slowly. */
function serverSettings(config: Config, database: Database) {
  const most = config.DATABASE_POOL_MAX * WAITING_PER_CONNECTION;
  return {
    requestTimeout: config.REQUEST_TIMEOUT_MS,
    trustProxy: config.TRUST_PROXY,
    rateLimits: { user: config.RATE_LIMIT_USER, service: config.RATE_LIMIT_SERVICE },
    overload: {
      maxDelayMs: config.OVERLOAD_DELAY_MS,
      isDatabaseBehind: () => database.connections().waiting > most,
    },
  };
}

/** Bearer tokens: API keys, and JWTs where an identity provider is configured. */
function authentication(config: Config, keys: Keys): Authenticate {
  const { AUTH_JWT_ISSUER: issuer, AUTH_JWT_AUDIENCE: audience, AUTH_JWT_JWKS_URL: jwksUrl } = config;
  const jwt = issuer && audience && jwksUrl ? createJwtAuthenticate({ issuer, audience, jwksUrl }) : null;
  return async (token) => (isApiKey(token) ? keys.authenticate(token) : (jwt?.(token) ?? null));
}

/** Runs `work` again and again, at once and then `intervalMs` after it has ended each time. */
function repeat(work: () => Promise<void>, intervalMs: number, clock: Clock) {
  const stopping = new AbortController();
  let running = Promise.resolve();
  async function loop(): Promise<void> {
    while (!stopping.signal.aborted) {
      await work();
      await clock.sleep(intervalMs, stopping.signal).catch(() => {});
    }
  }
  return {
    start: () => {
      running = loop();
    },
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}
