import { type Database, ping } from '../../db/database.ts';
import { installationOf } from '../../db/installation.ts';
import { isMigrated } from '../../db/migrate.ts';
import type { Metrics } from '../../lib/metrics.ts';

export type HealthChecks = ReturnType<typeof createHealth>;

const CHECK_TIMEOUT_MS = 2_000;
const PROVIDER_CHECK_MS = 30_000;

interface Provider {
  name: string;
  ping(): Promise<void>;
}

interface Deps {
  database: Database;
  metrics: Metrics;
  media: Provider;
  carrier: Provider;
  /** Sets the gauges that are read from the database. */
  measure: () => Promise<unknown>;
}

/** Whether the process can serve, and what it has counted. */
export function createHealth({ database, metrics, measure, ...providers }: Deps) {
  const installation = installationRead(database);
  const ready = shared(async () => ({ ...(await check(database)), installation: await installation() }));
  const [media, carrier] = [providerCheck(providers.media), providerCheck(providers.carrier)];

  return {
    readiness: async () => ({ ...(await ready()), providers: { media: await media(), carrier: await carrier() } }),
    /** The metrics, and how reading the gauges of the database went: `ok`, or they are old. */
    metrics: async () => {
      const measured = await within(measure().then(() => 'ok'));
      for (const [state, count] of Object.entries(database.connections()))
        metrics.poolConnections.set({ state }, count);
      return { measured, contentType: metrics.registry.contentType, text: await metrics.registry.metrics() };
    },
  };
}

async function check(database: Database) {
  const [reachable, migrations] = await Promise.all([
    within(ping(database.db).then(() => (database.isFull() ? 'disk_full' : 'ok'))),
    within(isMigrated(database.db).then((done) => (done ? 'ok' : 'pending'))),
  ]);
  const parts = { database: reachable, migrations };
  return { status: Object.values(parts).every((part) => part === 'ok') ? 'ok' : 'unavailable', ...parts };
}

/**
 * One check serves all who ask while it runs: nobody needs a key to ask, and each check takes a connection to the
 * database.
 */
function shared<T>(ask: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | null = null;
  return () => {
    running ??= ask().finally(() => {
      running = null;
    });
    return running;
  };
}

/** Reads it once: it never changes. */
function installationRead({ db }: Database): () => Promise<string | null> {
  let known: string | null = null;
  return async () => {
    if (known !== null) return known;
    const timeout = new Promise<null>((resolve) => setTimeout(resolve, CHECK_TIMEOUT_MS, null).unref());
    known = await Promise.race([installationOf(db).catch(() => null), timeout]);
    return known;
  };
}

/** Asks a provider now and then only: readiness is polled, and a carrier counts its requests. */
function providerCheck({ name, ping }: Provider): () => Promise<{ name: string; status: string }> {
  let checkedAt = Number.NEGATIVE_INFINITY;
  let status = Promise.resolve('unknown');
  return async () => {
    if (performance.now() - checkedAt > PROVIDER_CHECK_MS) {
      checkedAt = performance.now();
      status = within(ping().then(() => 'ok'));
    }
    return { name, status: await status };
  };
}

// The cause stays in the log of whoever uses the database; an anonymous caller learns only that it is away.
function within(work: Promise<string>): Promise<string> {
  const timeout = new Promise<string>((resolve) => setTimeout(resolve, CHECK_TIMEOUT_MS, 'timeout').unref());
  return Promise.race([work.catch(() => 'unreachable'), timeout]);
}
