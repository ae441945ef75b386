import { type Static, Type } from 'typebox';
import { type Database, ping } from '../db/database.ts';
import { installationOf } from '../db/installation.ts';
import { isMigrated } from '../db/migrate.ts';
import type { Metrics } from '../lib/metrics.ts';
import { responses } from './responses.ts';
import type { Server } from './server.ts';

const CHECK_TIMEOUT_MS = 2_000;
const PROVIDER_CHECK_MS = 30_000;

interface Provider {
  name: string;
  ping(): Promise<void>;
}

const ProviderReadiness = Type.Object({ name: Type.String(), status: Type.String() }, { title: 'ProviderReadiness' });

const Readiness = Type.Object(
  {
    status: Type.String({ description: '`ok` or `unavailable`: of the database and its migrations alone.' }),
    database: Type.String(),
    migrations: Type.String(),
    installation: Type.Union([Type.String(), Type.Null()], {
      description: 'The same from every process on one database; null while that cannot be read. No secret.',
    }),
    providers: Type.Object({ media: ProviderReadiness, carrier: ProviderReadiness }, { title: 'ProvidersReadiness' }),
  },
  {
    title: 'Readiness',
    examples: [
      {
        status: 'ok',
        database: 'ok',
        migrations: 'ok',
        installation: '0197a3c8-6b1e-4d27-9f0a-5c8e2d417b93',
        providers: { media: { name: 'sandbox', status: 'ok' }, carrier: { name: 'sandbox', status: 'ok' } },
      },
    ],
    description: 'Each part is `ok`, or what is wrong with it.',
  },
);

/** Whether the process lives, whether it can serve, and what it has counted. */
export function registerHealth(
  app: Server,
  deps: {
    database: Database;
    metrics: Metrics;
    media: Provider;
    carrier: Provider;
    /** Sets the gauges that are read from the database. */
    measure: () => Promise<unknown>;
  },
): void {
  const { database, metrics } = deps;
  const installation = installationRead(database);
  const ready = shared(async () => ({ ...(await check(database)), installation: await installation() }));
  const [media, carrier] = [providerCheck(deps.media), providerCheck(deps.carrier)];
  app.get(
    '/healthz',
    {
      schema: {
        tags: ['service'],
        operationId: 'getHealth',
        summary: 'Whether the process is alive',
        description: 'Always 200 while the process can answer. Restart the process when this fails. Needs no key.',
        response: { 200: Type.Object({ status: Type.String() }, { title: 'Health', examples: [{ status: 'ok' }] }) },
      },
    },
    async () => ({ status: 'ok' }),
  );
  app.get(
    '/readyz',
    {
      schema: {
        tags: ['service'],
        operationId: 'getReadiness',
        summary: 'Whether the service can serve',
        description:
          '503 while the database cannot be reached or its schema is not up to date: take the process out of the load balancer. The media provider and the carrier are shown and do not make it fail. Needs no key.',
        response: { 200: Readiness, 503: Readiness },
      },
    },
    async (_request, reply) => {
      const readiness = { ...(await ready()), providers: { media: await media(), carrier: await carrier() } };
      if (readiness.status !== 'ok') reply.status(503).header('retry-after', '1');
      return readiness;
    },
  );
  app.get(
    '/metrics',
    {
      config: { access: 'service' },
      schema: {
        tags: ['service'],
        operationId: 'getMetrics',
        summary: 'Metrics in Prometheus text format',
        description:
          'Counters and gauges of this process; gauges of open calls and queues are read from the database and are the same from every replica.',
        produces: ['text/plain'],
        response: responses({ 200: Type.String() }),
      },
    },
    async (request, reply) => {
      const measured = await within(deps.measure().then(() => 'ok'));
      if (measured !== 'ok') request.log.warn({ measured }, 'the gauges of the database are old');
      for (const [state, count] of Object.entries(database.connections()))
        metrics.poolConnections.set({ state }, count);
      reply.header('content-type', metrics.registry.contentType);
      return metrics.registry.metrics();
    },
  );
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
function providerCheck({ name, ping }: Provider): () => Promise<Static<typeof ProviderReadiness>> {
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
