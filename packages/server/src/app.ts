import { createOperations, type OperationDeps, type Operations } from './compose.ts';
import type { Config } from './config.ts';
import type { Database } from './db/database.ts';
import { clearForeignTransactionIds } from './db/streamed-tables.ts';
import { isConsoleToken } from './features/console-sessions/console-sessions.ts';
import { createJwtAuthenticate } from './features/keys/jwt.ts';
import { isApiKey } from './features/keys/keys.ts';
import { createRecent } from './features/keys/recent.ts';
import { isStreamToken } from './features/live/stream-tokens.ts';
import { addressMatcher } from './http/addresses.ts';
import { registerConsole } from './http/console.ts';
import { createServer, type Server } from './http/server.ts';
import type { Clock } from './lib/clock.ts';
import type { Authenticate } from './lib/principal.ts';
import { isLoopback } from './settings-checks.ts';

const DIALLING_GRACE_MS = 2_000;
/**
 * Queries queued per connection before requests are refused. At a few milliseconds each, the last one waits about a
 * second.
 */
const WAITING_PER_CONNECTION = 100;

export interface App {
  server: Server;
  /**
   * Starts delivering callbacks. Once the server listens, work that an earlier process left unfinished is settled,
   * repeatedly.
   */
  start(): Promise<void>;
  /** Runs one round of the work that `start` repeats. */
  reconcile(): Promise<void>;
  /** Stops the background work that `start` began. Close the server before, and the database after. */
  stop(): Promise<void>;
}

/** Assembles the service from the resources that `main.ts` or a test has opened. */
export async function buildApp(deps: OperationDeps): Promise<App> {
  const { config, media, clock, log, metrics } = deps;
  const { auth } = config;
  const operations = createOperations(deps);
  const { features, upkeep } = operations;
  const authenticate = auth.mode === 'required' ? authentication(config, operations, clock) : null;
  const server = await createServer({
    log,
    metrics,
    authenticate,
    api: {
      tags: features.flatMap(({ tag }) => tag ?? []),
      webhooks: Object.assign({}, ...features.map(({ webhooks }) => webhooks)),
    },
    isTraced: config.tracing !== null,
    ...serverSettings(config, deps.database),
  });
  for (const { routes } of features) routes?.(server);
  registerConsole(server, config.livekit?.url ?? null);
  media.subscribe((body) => operations.mediaEvents.receive(body, undefined));

  // Deferred until the server listens: the first round would delay readiness.
  server.addHook('onListen', async () => upkeep.start());
  return {
    server,
    reconcile: upkeep.round,
    start: async () => {
      await clearForeignTransactionIds(deps.database.db);
      if (auth.bootstrapKey) await operations.keys.ensure(auth.bootstrapKey, 'bootstrap');
      operations.sender.start();
    },
    stop: async () => {
      operations.retention.stop();
      await Promise.all([operations.sender.stop(), upkeep.stop()]);
      await Promise.all([operations.feed.settled(), operations.activity.settled()]);
      await operations.inbound.stop();
      await operations.rooms.settled();
      await media.close();
      // A ringing phone keeps ringing: another replica, or the next start, settles its call.
      await settledWithin(operations.dialling.settled(), DIALLING_GRACE_MS, clock);
      await operations.mediaEvents.settled();
    },
  };
}

/**
 * Resolves when `work` is done or after `ms` milliseconds, whichever is first. Leaves no timer that keeps the process
 * alive.
 */
async function settledWithin(work: Promise<unknown>, ms: number, clock: Clock): Promise<void> {
  const isOver = new AbortController();
  await Promise.race([work, clock.sleep(ms, isOver.signal).catch(() => {})]);
  isOver.abort();
}

/** Limits on clients that send too much or too slowly. */
function serverSettings({ host, auth, http, database: { poolMax } }: Config, database: Database) {
  const max = poolMax * WAITING_PER_CONNECTION;
  return {
    requestTimeout: http.requestTimeoutMs,
    trustProxy: http.trustProxy,
    allowedHosts: auth.mode === 'required' ? null : { names: http.allowedHosts, addresses: !isLoopback(host) },
    corsOrigins: http.corsOrigins,
    connectionLimits: { ...http.connections, isTrustedProxy: addressMatcher(http.trustProxy) },
    rateLimits: http.rateLimits,
    overload: {
      maxDelayMs: http.overloadDelayMs,
      isDatabaseFull: () => database.kind === 'embedded' && database.isFull(),
      isDatabaseBehind: () => database.connections().waiting > max,
    },
  };
}

/** Bearer tokens: API keys, and JWTs where an identity provider is configured. */
function authentication({ auth: { jwt } }: Config, operations: Operations, clock: Clock): Authenticate {
  const { keys, streamTokens, consoleSessions } = operations;
  const sessions = createRecent(clock, consoleSessions.authenticate);
  const tokens = jwt && createRecent(clock, createJwtAuthenticate(jwt));
  return async (token) => {
    if (isApiKey(token)) return keys.authenticate(token);
    if (isConsoleToken(token)) return sessions.authenticate(token);
    return isStreamToken(token) ? streamTokens.authenticate(token) : (tokens?.authenticate(token) ?? null);
  };
}
