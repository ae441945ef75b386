import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** What the service counts, in a registry of its own so that two services in one process do not mix. */
export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  return {
    registry,
    httpDuration: new Histogram({
      name: 'http_request_duration_seconds',
      help: 'Time from the request line to the last byte of the answer, by route and status.',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
      registers,
    }),
    callsEnded: new Counter({
      name: 'calls_ended_total',
      help: 'Calls that reached a final state, by direction, call_status and end_reason.',
      labelNames: ['call_direction', 'call_status', 'end_reason'],
      registers,
    }),
    usageEvents: new Counter({
      name: 'usage_events_total',
      help: 'Usage events taken in, by event_type.',
      labelNames: ['event_type'],
      registers,
    }),
    callbacks: new Counter({
      name: 'callback_attempts_total',
      help: 'Attempts to deliver a callback, by outcome.',
      labelNames: ['outcome'],
      registers,
    }),
    poolConnections: new Gauge({
      name: 'db_pool_connections',
      help: 'Database connections, by state (the embedded database has one).',
      labelNames: ['state'],
      registers,
    }),
  };
}

export type Metrics = ReturnType<typeof createMetrics>;
