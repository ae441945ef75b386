import { agentRoutes } from './agents/routes.ts';
import { auditRoutes } from './audit/routes.ts';
import { callbackRoutes } from './callbacks/routes.ts';
import { callbackWebhooks } from './callbacks/webhooks.ts';
import { callEventRoutes, callRoutes, transferRoutes } from './calls/routes.ts';
import { isStreamToken } from './calls/stream-tokens.ts';
import { createOperations, type OperationDeps, type Operations } from './compose.ts';
import type { Config } from './config.ts';
import { isLoopback } from './config-checks.ts';
import { costRoutes } from './costs/routes.ts';
import type { Database } from './db/database.ts';
import { addressMatcher } from './http/addresses.ts';
import { registerHealth } from './http/health.ts';
import { createServer, type Server } from './http/server.ts';
import { createJwtAuthenticate } from './keys/jwt.ts';
import { isApiKey } from './keys/keys.ts';
import { createRecent } from './keys/recent.ts';
import { keyRoutes } from './keys/routes.ts';
import type { Clock } from './lib/clock.ts';
import type { Authenticate } from './lib/principal.ts';
import { repeat } from './lib/repeat.ts';
import { mediaEventRoutes } from './media-events/routes.ts';
import { numberRoutes } from './numbers/routes.ts';
import { privacyRoutes } from './privacy/routes.ts';
import { ProviderError } from './providers/provider-error.ts';
import { sessionRoutes } from './sessions/routes.ts';
import { usageRoutes } from './usage/routes.ts';

const DIALLING_GRACE_MS = 2_000;
/**
 * Queries waiting for each connection, beyond which requests are refused: at some milliseconds each they would wait a
 * second.
 */
const WAITING_PER_CONNECTION = 100;

export interface App {
  server: Server;
  /**
   * Starts delivering callbacks. Once the server listens, what an earlier process left half done is settled, and so on
   * from time to time.
   */
  start(): Promise<void>;
  /** One round of settling, as `start` repeats it. */
  reconcile(): Promise<void>;
  /** Stops the background work begun by `start`. Close the server first, the database afterwards. */
  stop(): Promise<void>;
}

/** Puts the service together out of what `main.ts`, or a test, has opened. */
export async function buildApp(deps: OperationDeps): Promise<App> {
  const { config, media, clock, log, metrics } = deps;
  const operations = createOperations(deps);
  const authenticate = config.AUTH_MODE === 'required' ? authentication(config, operations, clock) : null;
  const server = await createServer({
    ...{
      log,
      metrics,
      authenticate,
      webhooks: callbackWebhooks,
      isTraced: config.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined,
    },
    ...serverSettings(config, deps.database),
  });
  registerHealth(server, { ...deps, measure: operations.measure });
  registerRoutes(server, operations, config);
  media.subscribe((body) => operations.mediaEvents.receive(body, undefined));

  /** By task, why it failed the last time: what fails the same way every few seconds is said once. */
  const failing = new Map<string, string>();

  async function round(tasks: Record<string, () => Promise<void>>): Promise<void> {
    for (const [task, run] of Object.entries(tasks)) {
      await run().then(
        () => {
          metrics.upkeep.inc({ task, outcome: 'done' });
          if (failing.delete(task)) log.info({ task }, 'settling succeeds again');
        },
        (err: unknown) => {
          metrics.upkeep.inc({ task, outcome: 'failed' });
          const why = failureText(err);
          if (failing.get(task) !== why)
            log.error({ err, task }, 'settling failed; it is tried again, and said when that changes');
          failing.set(task, why);
        },
      );
    }
  }

  // Slow tasks have rounds of their own: neither calls nor each other wait for them.
  const slow = Object.entries(operations.slowUpkeep).map(([task, run]) => ({ [task]: run }));
  const kinds = [operations.upkeep, ...slow];
  const background = kinds.map((tasks) => repeat(() => round(tasks), config.RECONCILE_INTERVAL_MS, clock));
  // Not earlier: the first round would keep the service from being ready.
  server.addHook('onListen', async () => {
    for (const rounds of background) rounds.start();
  });
  return {
    server,
    reconcile: async () => {
      for (const tasks of kinds) await round(tasks);
    },
    start: async () => {
      if (config.BOOTSTRAP_KEY) await operations.keys.ensure(config.BOOTSTRAP_KEY, 'bootstrap');
      operations.sender.start();
    },
    stop: async () => {
      operations.retention.stop();
      await Promise.all([operations.sender.stop(), ...background.map((rounds) => rounds.stop())]);
      await operations.feed.settled();
      await operations.inbound.stop();
      await operations.rooms.settled();
      await media.close();
      // A phone that still rings is left to ring: another replica, or the next start, finds out what became of it.
      await Promise.race([operations.dialling.settled(), clock.sleep(DIALLING_GRACE_MS)]);
      await operations.mediaEvents.settled();
    },
  };
}

function registerRoutes(server: Server, operations: Operations, config: Config): void {
  auditRoutes(server, operations.audit);
  keyRoutes(server, operations.keys);
  agentRoutes(server, operations.agents);
  sessionRoutes(server, operations);
  usageRoutes(server, operations.usage);
  callbackRoutes(server, operations);
  numberRoutes(server, operations.numbers);
  callRoutes(server, operations.calls);
  callEventRoutes(server, operations, config.MAX_STREAMS_PER_USER);
  transferRoutes(server, operations.transfers);
  mediaEventRoutes(server, operations.mediaEvents);
  costRoutes(server, operations.costs);
  privacyRoutes(server, operations.erasures);
}

/** How the server deals with those who ask too much, and too slowly. */
function serverSettings(config: Config, database: Database) {
  const most = config.DATABASE_POOL_MAX * WAITING_PER_CONNECTION;
  return {
    requestTimeout: config.REQUEST_TIMEOUT_MS,
    trustProxy: config.TRUST_PROXY,
    allowedHosts:
      config.AUTH_MODE === 'required'
        ? null
        : { names: config.ALLOWED_HOSTS?.toLowerCase().split(',') ?? [], addresses: !isLoopback(config.HOST) },
    corsOrigins: config.CORS_ORIGINS?.split(',') ?? [],
    connectionLimits: {
      total: config.MAX_CONNECTIONS,
      perAddress: config.MAX_CONNECTIONS_PER_ADDRESS,
      answerTimeoutMs: config.ANSWER_TIMEOUT_MS,
      isTrustedProxy: addressMatcher(config.TRUST_PROXY),
    },
    rateLimits: {
      user: config.RATE_LIMIT_USER,
      service: config.RATE_LIMIT_SERVICE,
      public: config.RATE_LIMIT_PUBLIC,
      underWay: config.MAX_REQUESTS_PER_ADDRESS,
    },
    overload: {
      maxDelayMs: config.OVERLOAD_DELAY_MS,
      isDatabaseFull: () => database.kind === 'embedded' && database.isFull(),
      isDatabaseBehind: () => database.connections().waiting > most,
    },
  };
}

/** Bearer tokens: API keys, and JWTs where an identity provider is configured. */
function authentication(config: Config, { keys, streamTokens }: Operations, clock: Clock): Authenticate {
  const { AUTH_JWT_ISSUER: issuer, AUTH_JWT_AUDIENCE: audience, AUTH_JWT_JWKS_URL: jwksUrl } = config;
  const jwt = issuer && audience && jwksUrl ? createJwtAuthenticate({ issuer, audience, jwksUrl }) : null;
  const tokens = jwt && createRecent(clock, jwt);
  return async (token) => {
    if (isApiKey(token)) return keys.authenticate(token);
    return isStreamToken(token) ? streamTokens.authenticate(token) : (tokens?.authenticate(token) ?? null);
  };
}

function failureText(error: unknown): string {
  if (error instanceof ProviderError) return [error.code, error.operation, error.provider_code].join(' ');
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
