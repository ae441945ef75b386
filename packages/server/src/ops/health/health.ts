import { type Database, ping } from '../../db/database.ts';
import { installationOf } from '../../db/installation.ts';
import { isMigrated } from '../../db/migrate.ts';
import type { Feature } from '../../feature.ts';
import type { Logger } from '../../lib/log.ts';
import type { Metrics } from '../../lib/metrics.ts';
import type { Serving } from '../../work/serving.ts';

export type HealthChecks = ReturnType<typeof createHealth>;

const CHECK_TIMEOUT_MS = 2_000;
const PROVIDER_CHECK_MS = 30_000;

interface Provider {
  name: string;
  ping(): Promise<void>;
}

interface Deps {
  database: Database;
  log: Logger;
  metrics: Metrics;
  media: Provider;
  carrier: Provider;
  serving: Serving;
  features: () => Feature[];
}

/** Readiness and metrics of the process. */
export function createHealth({ database, log, metrics, serving, features, ...providers }: Deps) {
  const measure = () => Promise.all(features().map((feature) => feature.measure?.()));
  const installation = installationRead(database);
  const ready = shared(async () => {
    const [parts, id] = await Promise.all([check(database), installation()]);
    // A database that does not answer is not asked more.
    const workers = parts.database === 'ok' ? await orNull(serving.states()) : null;
    return { ...parts, installation: id, workers };
  });
  const [media, carrier] = [providerCheck(providers.media, log), providerCheck(providers.carrier, log)];

  return {
    readiness: async () => ({ ...(await ready()), providers: { media: await media(), carrier: await carrier() } }),
    /** The metrics, and whether the gauges could be read from the database: `ok`, or they are stale. */
    metrics: async () => {
      const measured = await statusOf(measure().then(() => 'ok'));
      for (const [state, count] of Object.entries(database.connections()))
        metrics.poolConnections.set({ state }, count);
      metrics.databaseConflicts.reset();
      for (const [conflict, outcomes] of Object.entries(database.conflicts()))
        for (const [outcome, count] of Object.entries(outcomes))
          metrics.databaseConflicts.inc({ conflict, outcome }, count);
      return { measured, contentType: metrics.registry.contentType, text: await metrics.registry.metrics() };
    },
  };
}

async function check(database: Database) {
  const [reachable, migrations] = await Promise.all([
    statusOf(ping(database.db).then(() => (database.isFull() ? 'disk_full' : 'ok'))),
    statusOf(isMigrated(database.db).then((done) => (done ? 'ok' : 'pending'))),
  ]);
  const parts = { database: reachable, migrations };
  return { status: Object.values(parts).every((part) => part === 'ok') ? 'ok' : 'unavailable', ...parts };
}

/** Concurrent requests share one check: the endpoint needs no key, and each check takes a database connection. */
function shared<T>(ask: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | null = null;
  return () => {
    running ??= ask().finally(() => {
      running = null;
    });
    return running;
  };
}

/** Read once: it never changes. */
function installationRead({ db }: Database): () => Promise<string | null> {
  let known: string | null = null;
  return async () => {
    if (known !== null) return known;
    known = await orNull(installationOf(db));
    return known;
  };
}

/** Provider checks are cached: readiness is polled, and carriers limit the rate of requests. */
function providerCheck({ name, ping }: Provider, log: Logger): () => Promise<{ name: string; status: string }> {
  let checkedAt = Number.NEGATIVE_INFINITY;
  let status = Promise.resolve('unknown');
  return async () => {
    if (performance.now() - checkedAt > PROVIDER_CHECK_MS) {
      checkedAt = performance.now();
      const answered = ping().then(() => 'ok');
      answered.catch((err: unknown) => log.warn({ err, provider: name }, 'a provider cannot be used'));
      status = statusOf(answered);
    }
    return { name, status: await status };
  };
}

/** The outcome of a check. Its cause is in the log; an anonymous caller only learns what fails. */
const statusOf = (check: Promise<string>) => within(check, { failed: 'unreachable', late: 'timeout' });
const orNull = <T>(work: Promise<T>) => within(work, { failed: null, late: null });

/** The result of `work`, `failed` if it rejects, or `late` if it takes too long. */
function within<T, F>(work: Promise<T>, { failed, late }: { failed: F; late: F }): Promise<T | F> {
  const timeout = new Promise<F>((resolve) => setTimeout(resolve, CHECK_TIMEOUT_MS, late).unref());
  return Promise.race([work.catch(() => failed), timeout]);
}
