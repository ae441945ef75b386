import { Type } from 'typebox';
import { refused, responses } from '../../http/responses.ts';
import type { Server } from '../../http/server.ts';
import type { HealthChecks } from './health.ts';
import { Health, Readiness } from './schema.ts';

const tags = ['service'];

/** Liveness, readiness and metrics. */
export function healthRoutes(app: Server, health: HealthChecks): void {
  app.get(
    '/healthz',
    {
      schema: {
        tags,
        operationId: 'getHealth',
        summary: 'Whether the process is alive',
        description: 'Always 200 while the process can answer. Restart the process when this fails. Needs no key.',
        response: { 200: Health },
      },
    },
    async () => ({ status: 'ok' }),
  );
  app.get(
    '/readyz',
    {
      schema: {
        tags,
        operationId: 'getReadiness',
        summary: 'Whether the service is ready',
        description:
          '503 while the database cannot be reached or its schema is not up to date: take the process out of the load balancer. The media provider, the carrier and workers are reported, but do not affect the status. Needs no key.',
        response: { 200: Readiness, ...refused(429), 503: Readiness },
      },
    },
    async (_request, reply) => {
      const readiness = await health.readiness();
      if (readiness.status !== 'ok') reply.status(503).header('retry-after', '1');
      return readiness;
    },
  );
  app.get(
    '/metrics',
    {
      // The alerts that say what is wrong need these while the database is away.
      config: { access: 'read_all', outlivesDatabase: true },
      schema: {
        tags,
        operationId: 'getMetrics',
        summary: 'Metrics in Prometheus text format',
        description:
          'Counters and gauges of this process; gauges of open calls and queues are read from the database and are the same on every replica. While the database is away these keep their values, and the keys that this process has accepted in the last 15 minutes are still accepted, here alone.',
        produces: ['text/plain'],
        response: responses({ 200: Type.String() }),
      },
    },
    async (request, reply) => {
      const { measured, contentType, text } = await health.metrics();
      if (measured !== 'ok') request.log.warn({ measured }, 'database gauges are stale');
      reply.header('content-type', contentType);
      return text;
    },
  );
}
