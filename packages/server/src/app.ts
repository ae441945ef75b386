import { isConsoleToken } from './access/console-sessions/console-sessions.ts';
import { idempotencyOf, registerIdempotency } from './access/idempotency/header.ts';
import { isAnswered } from './access/idempotency/idempotency.ts';
import { createJwtAuthenticate } from './access/keys/jwt.ts';
import { isApiKey } from './access/keys/keys.ts';
import { isStreamToken } from './calling/streams/stream-tokens.ts';
import { createOperations, type OperationDeps, type Operations } from './compose.ts';
import type { Config } from './config.ts';
import type { Database } from './db/database.ts';
import { clearForeignTransactionIds } from './db/streamed-tables.ts';
import { addressMatcher } from './http/addresses.ts';
import { registerConsole } from './http/console.ts';
import { type Quota, registerQuota } from './http/quota.ts';
import { createServer, type Server } from './http/server.ts';
import type { Clock } from './lib/clock.ts';
import type { Logger } from './lib/log.ts';
import type { Authenticate } from './lib/principal.ts';
import { createRecent } from './lib/recent.ts';

const DIALLING_GRACE_MS = 2_000;
/**
 * Queries queued per connection before requests are refused. At a few milliseconds each, the last one waits about a
 * second.
 */
const WAITING_PER_CONNECTION = 100;

export interface App {
  server: Server;
  /** Starts delivering callbacks and, once the server listens, doing queued work. */
  start(): Promise<void>;
  /**
   * Settles what an earlier process left unfinished, and expires what is old, repeatedly. Call it once the server
   * listens: the first round would delay readiness.
   */
  startRounds(): void;
  /** Runs one round of the work that `startRounds` repeats, and does the queued work that is due. */
  reconcile(): Promise<void>;
  /** Stops the background work, rounds included. Close the server before, and the database after. */
  stop(): Promise<void>;
}

/** Assembles the service from the resources that `main.ts` or a test has opened. */
export async function buildApp(deps: OperationDeps): Promise<App> {
  const { config, media, clock, log, metrics } = deps;
  const { auth } = config;
  const operations = createOperations(deps);
  const { features, upkeep } = operations;
  const authenticate = auth.mode === 'required' ? authentication(deps, operations) : null;
  const server = await createServer({
    log,
    metrics,
    authenticate,
    api: {
      tags: features.flatMap(({ tag }) => tag ?? []),
      webhooks: Object.assign({}, ...features.map(({ webhooks }) => webhooks)),
      schemas: Object.assign({}, ...features.map(({ schemas }) => schemas)),
    },
    isTraced: config.tracing !== null,
    audit: operations.audit,
    ...serverSettings(config, deps.database),
  });
  registerRepeats(server, deps, operations);
  for (const { routes } of features) routes?.(server);
  registerConsole(server, config.livekit?.url ?? null);
  media.subscribe(operations.mediaEvents.receive);

  // Deferred until the server listens: it would delay readiness.
  server.addHook('onListen', async () => upkeep.startWork());
  return {
    server,
    startRounds: upkeep.startRounds,
    reconcile: upkeep.round,
    start: async () => {
      await clearForeignTransactionIds(deps.database.db);
      if (auth.bootstrapKey) await operations.keys.ensure(auth.bootstrapKey, 'bootstrap');
      if (auth.mode === 'required') await warnOfOpenModeKeys(operations, log);
      operations.sender.start();
    },
    stop: async () => {
      await Promise.all([upkeep.stop(), ...features.map(({ stop }) => stop?.())]);
      // Watched until everything else has stopped: a call that is answered meanwhile is billed from then.
      await operations.conductor.stop();
      await operations.sessions.settled();
      await media.close();
      // A ringing phone keeps ringing: another replica, or the next start, settles its call.
      await settledWithin(operations.attempts.settled(), DIALLING_GRACE_MS, clock);
      await operations.mediaEvents.settled();
      // Lost if the database is gone: it has only counted requests.
      await operations.audit.flush().catch((err: unknown) => log.warn({ err }, 'refused requests were not audited'));
    },
  };
}

async function warnOfOpenModeKeys({ keys }: Operations, log: Logger): Promise<void> {
  const count = await keys.countOpenModeKeys();
  if (count > 0)
    log.warn(
      { keys: count },
      'keys that anybody may have created in open mode are accepted: see `npm run keys -- list`',
    );
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

/** Registers what limits requests that store something, and what finds out that they are repeated. */
function registerRepeats(server: Server, deps: OperationDeps, operations: Operations): void {
  registerIdempotency(server, deps.config.secretsKeys);
  registerQuota(server, quotaOf(deps, operations));
}

function quotaOf({ database: { db } }: OperationDeps, { quotas }: Operations): Quota {
  return {
    admit: quotas.admit,
    isRepeated: async (request) => {
      const idempotency = idempotencyOf(request);
      return idempotency !== null && isAnswered(db, idempotency);
    },
  };
}

/** Limits on clients that send too much or too slowly. */
function serverSettings({ host, auth, http, callbacks, database: { poolMax } }: Config, database: Database) {
  const max = poolMax * WAITING_PER_CONNECTION;
  return {
    requestTimeout: http.requestTimeoutMs,
    trustProxy: http.trustProxy,
    allowedHosts: auth.mode === 'required' ? null : [host.toLowerCase(), ...http.allowedHosts],
    corsOrigins: http.corsOrigins,
    connectionLimits: { ...http.connections, isTrustedProxy: addressMatcher(http.trustProxy) },
    rateLimits: http.rateLimits,
    allowPrivateCallbacks: callbacks.allowPrivate,
    overload: {
      maxDelayMs: http.overloadDelayMs,
      isDatabaseFull: () => database.kind === 'embedded' && database.isFull(),
      isDatabaseBehind: () => database.connections().waiting > max,
    },
  };
}

/** Bearer tokens: API keys, and JWTs where an identity provider is configured. */
function authentication({ config, clock, log }: OperationDeps, operations: Operations): Authenticate {
  const { jwt } = config.auth;
  const { keys, streamTokens, consoleSessions, revocations } = operations;
  const tokens = jwt && createRecent(clock, createJwtAuthenticate({ ...jwt, log }), revocations);
  return async (token, outlivesDatabase) => {
    if (isApiKey(token)) return keys.authenticate(token, outlivesDatabase);
    if (isConsoleToken(token)) return consoleSessions.authenticate(token);
    return isStreamToken(token) ? streamTokens.authenticate(token) : (tokens?.authenticate(token) ?? null);
  };
}
