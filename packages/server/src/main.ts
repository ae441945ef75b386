import closeWithGrace from 'close-with-grace';
import packageJson from '../package.json' with { type: 'json' };
import { openCarrier, openMedia, openStorage } from './adapters.ts';
import { buildApp } from './app.ts';
import { type Config, loadConfig } from './config.ts';
import { openDatabaseClock } from './db/clock.ts';
import type { Database } from './db/database.ts';
import { DirectoryLockedError } from './db/lock.ts';
import { MIGRATION_WAITS } from './db/migrate.ts';
import { openDatabase } from './db/open.ts';
import { PARTITIONS_FAILED } from './db/partitions.ts';
import { PREPARE_LOST } from './db/pooler.ts';
import { traceQuery } from './db/trace.ts';
import { DatabaseNotOpenError } from './db/trouble.ts';
import type { Server } from './http/server.ts';
import { timeIds } from './lib/ids.ts';
import { createLogger, type Logger } from './lib/log.ts';
import { isLoopback, openToNetwork } from './lib/loopback.ts';
import { createMetrics } from './lib/metrics.ts';
import type { Storage } from './providers/storage/storage.ts';
import { traceCarrier, traceMedia } from './providers/trace.ts';
import { ConfigError, misspelledSettings } from './settings-load.ts';

/** Time, in milliseconds, to close everything else once requests and callbacks are done. */
const CLOSING_MS = 10_000;
const STOP_SIGNALS = ['SIGINT', 'SIGTERM'] as const;
/** Signals within this many milliseconds count as one key press. */
const SAME_PRESS_MS = 1_000;
/** Tokens and webhook signatures are checked against this machine's clock, with a tolerance of seconds. */
const CLOCK_TOLERANCE_MS = 2_000;
/** Length of the accept queue; the kernel may cap it. A client that finds it full retries after a second. */
const BACKLOG = 4096;

/** Opens the configured resources, serves, and shuts down gracefully on SIGTERM or SIGINT. */
async function run(config: Config, log: Logger): Promise<void> {
  const metrics = createMetrics();
  const tracing = await openTracing(config);
  const database = await openDatabase({
    ...config.database,
    onIdleError: (err) => log.warn({ err }, 'lost a database connection'),
    onPrepareLost: () => log.warn(PREPARE_LOST),
    onPartitionError: (err) => log.error({ err }, PARTITIONS_FAILED),
    onMigrationWait: () => log.warn(MIGRATION_WAITS),
    ...(tracing && { onQuery: traceQuery }),
  });
  const clock = await openDatabaseClock(database.db);
  timeIds(() => clock.now().getTime());
  if (Math.abs(clock.aheadMs()) > CLOCK_TOLERANCE_MS)
    log.warn({ ahead_ms: clock.aheadMs() }, "this machine's clock differs from the database's, which is used; set it");
  const media = tracing ? traceMedia(await openMedia(config, clock)) : await openMedia(config, clock);
  const carrier = tracing ? traceCarrier(await openCarrier(config)) : await openCarrier(config);
  const storage = await openStorage(config);
  const app = await buildApp({ config, database, media, carrier, storage, clock, log, metrics });
  // Closing the other resources takes a moment longer than requests and callbacks have.
  const delay = config.shutdownTimeoutMs + config.callbacks.timeoutMs + CLOSING_MS;
  const stop = closeWithGrace({ delay, logger: false, skip: [...STOP_SIGNALS] }, async ({ err }) => {
    if (err) log.fatal({ err }, 'stopping after an error nobody caught');
    await closeServer(app.server, config.shutdownTimeoutMs);
    await app.stop();
    await clock.stop();
    await database.close();
    await tracing?.stop();
    log.info('stopped');
  });
  stopOnSignal(log, stop.close);
  if (config.auth.mode === 'required' && config.secretsKeys.length === 0)
    log.warn(`SECRETS_KEY is not set: ${config.kms ? '' : 'recordings and '}callback secrets are stored unencrypted`);
  await app.start();
  await app.server.listen({
    host: config.host,
    port: config.port,
    backlog: BACKLOG,
    listenTextResolver: (address) => readyText(address, database, [media.description, carrier.description]),
  });
  app.startRounds();
  void warnOfStorage(storage, log);
  if (config.auth.mode === 'open' && !isLoopback(config.host)) log.warn(openToNetwork(config.host));
}

/** Says so at the start, not when the first call is recorded. Nothing waits for a storage that is away. */
async function warnOfStorage(storage: Storage, log: Logger): Promise<void> {
  const { state, text } = await storage.diagnose();
  if (state === 'wrong') log.warn(`recordings cannot be stored: ${text}`);
}

/** Stops once per key press: on Ctrl-C the terminal signals npm too, which forwards the signal. */
function stopOnSignal(log: Logger, close: () => void): void {
  let begunAt: number | undefined;
  for (const signal of STOP_SIGNALS) {
    process.on(signal, () => {
      if (begunAt === undefined) {
        begunAt = performance.now();
        log.info(`${signal} received: finishing requests in progress; another signal stops the process at once`);
        close();
      } else if (performance.now() - begunAt > SAME_PRESS_MS) {
        log.warn(`${signal} received again; stopping at once`);
        process.exit(1);
      }
    });
  }
}

/** Stops accepting requests and waits for those in progress; cuts them off after `timeoutMs`. */
async function closeServer(server: Server, timeoutMs: number): Promise<void> {
  const cut = setTimeout(() => server.server.closeAllConnections(), timeoutMs);
  await server.close();
  clearTimeout(cut);
}

// OpenTelemetry's SDK is large, so it is loaded only when it is used.
async function openTracing(config: Config): Promise<{ stop: () => Promise<void> } | null> {
  if (!config.tracing) return null;
  const { startTracing } = await import('./lib/tracing-sdk.ts');
  return { stop: startTracing(packageJson.version, config.tracing) };
}

function readyText(address: string, database: Database, providers: string[]): string {
  const kind =
    database.kind === 'postgres' ? `PostgreSQL ${database.location}` : `the embedded database in ${database.location}`;
  const parts = [kind, ...providers].join(', ');
  const limit = database.isFull()
    ? ' It answers reads only, because the disk of the database is full: free some space.'
    : '';
  return `Switchboard is ready on ${address} with ${parts}.${limit} Next: open ${address}/console in a browser (the API: ${address}/docs), or "npm run demo" in another terminal`;
}

try {
  const config = loadConfig(process.env);
  const pretty = config.log.format === 'pretty' || (config.log.format === 'auto' && process.stdout.isTTY);
  const log = createLogger({ level: config.log.level, pretty });
  for (const sentence of misspelledSettings(process.env)) log.warn(sentence);
  await run(config, log);
} catch (error) {
  process.stderr.write(`${explain(error)}\n`);
  process.exit(1);
}

// One sentence for problems that an operator can fix; the stack for anything else, which is a bug.
function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof ConfigError) return error.message;
  const isKnown = error instanceof DirectoryLockedError || error instanceof DatabaseNotOpenError;
  const sentence = isKnown ? error.message : listenTrouble(error);
  return sentence === null ? (error.stack ?? error.message) : `Switchboard cannot start: ${sentence}`;
}

/** Why the address cannot be listened on, with the remedy; null for any other error. */
function listenTrouble(error: NodeJS.ErrnoException & { address?: string; port?: number }): string | null {
  const { code, address, port } = error;
  if (code === 'EADDRINUSE')
    return `PORT ${port} at ${address} is in use by another process. Stop that one, or set PORT to another port.`;
  if (code === 'EACCES' && port !== undefined)
    return `PORT ${port} may not be listened on by this user. Set PORT to 1024 or higher.`;
  if (code === 'EADDRNOTAVAIL') return `HOST ${address} is no address of this machine. Set HOST to one that is.`;
  if (error.syscall === 'getaddrinfo')
    return 'HOST is a name that cannot be resolved. Set HOST to an address of this machine.';
  return null;
}
