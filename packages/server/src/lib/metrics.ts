import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** Metrics in a registry of their own: two services in one process must not share them. */
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
    mediaEvents: new Counter({
      name: 'media_events_total',
      help: 'Events of the media provider taken in, by kind; repeated ones are not counted.',
      labelNames: ['event'],
      registers,
    }),
    upkeep: new Counter({
      name: 'upkeep_rounds_total',
      help: 'Rounds of settling what was left half done, by task and outcome: done, failed, or skipped for another process.',
      labelNames: ['task', 'outcome'],
      registers,
    }),
    workAttempts: new Counter({
      name: 'work_attempts_total',
      help: 'Attempts at queued work, by kind and outcome.',
      labelNames: ['kind', 'outcome'],
      registers,
    }),
    work: new Gauge({
      name: 'work_items',
      help: 'Queued work over all processes, by kind and state: waiting, running, or failing (also counted as waiting).',
      labelNames: ['kind', 'state'],
      registers,
    }),
    overdueWork: new Gauge({
      name: 'work_overdue_seconds',
      help: 'Time since which the longest due work of a kind has been due and nobody has begun it; 0 if none is.',
      labelNames: ['kind'],
      registers,
    }),
    retentionHeld: new Counter({
      name: 'retention_held_total',
      help: 'Conversations past their retention that a round has kept for a legal hold, by what would be deleted.',
      labelNames: ['what'],
      registers,
    }),
    openCalls: new Gauge({
      name: 'calls_open',
      help: 'Calls that have not ended, by call_status, over all processes.',
      labelNames: ['call_status'],
      registers,
    }),
    oldestCall: new Gauge({
      name: 'calls_open_oldest_seconds',
      help: 'Age of the oldest call that has not ended, by call_status.',
      labelNames: ['call_status'],
      registers,
    }),
    roomsNotClosed: new Gauge({
      name: 'media_rooms_not_closed',
      help: 'Rooms of ended sessions that the media provider has failed to close, as the process that reconciles knows.',
      registers,
    }),
    overdueCallbacks: new Gauge({
      name: 'callbacks_overdue',
      help: 'Callbacks whose next attempt has been due for more than a minute, over all processes.',
      registers,
    }),
    unhandledEvents: new Gauge({
      name: 'media_events_unhandled',
      help: 'Events of the media provider that are stored and not acted on yet, over all processes.',
      registers,
    }),
    trunkAttempts: new Counter({
      name: 'trunk_attempts_total',
      help: 'Calls dialled over a SIP trunk, by trunk and outcome: answered, the end reason, or unknown.',
      labelNames: ['trunk', 'outcome'],
      registers,
    }),
    trunkCircuitsOpen: new Gauge({
      name: 'trunk_passed_over',
      help: 'Whether a SIP trunk has failed repeatedly, and is passed over by this process (1) or not (0).',
      labelNames: ['trunk'],
      registers,
    }),
    callbacks: new Counter({
      name: 'callback_attempts_total',
      help: 'Attempts to deliver a callback, by outcome.',
      labelNames: ['outcome'],
      registers,
    }),
    redactionMissed: new Counter({
      name: 'redaction_missed_total',
      help: 'Secrets in the reports of workers that these should have replaced, and that this service has, by kind.',
      labelNames: ['kind'],
      registers,
    }),
    poolConnections: new Gauge({
      name: 'db_pool_connections',
      help: 'Database connections, by state (the embedded database has one).',
      labelNames: ['state'],
      registers,
    }),
    databaseConflicts: new Counter({
      name: 'db_conflicts_total',
      help: 'Work that the database has rolled back because of a concurrent transaction or a long pause, by conflict and outcome.',
      labelNames: ['conflict', 'outcome'],
      registers,
    }),
  };
}

export type Metrics = ReturnType<typeof createMetrics>;
