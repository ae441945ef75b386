import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** A message from the process of a call to the worker's own process. */
export type Observation =
  | { type: 'turn'; transcript_ms: number | null; first_token_ms: number | null; first_audio_ms: number | null }
  | { type: 'model_error'; kind: string; provider: string; reason: 'timeout' | 'error'; is_retried: boolean }
  | { type: 'failed_over'; kind: string; from: string; to: string; reason: string }
  | { type: 'report_lost' };

/** The state of the worker, read when it is scraped. */
export interface State {
  calls: number;
  isRegistered: boolean;
  outbox: Record<'waiting' | 'failing' | 'refused' | 'uncertain', number>;
  oldestReportMs: number;
}

/** Outcome of a turn of a chat: `lost` to another worker or to nobody, `returned` by a worker that stops. */
export type ChatOutcome = (typeof CHAT_OUTCOMES)[number];
const CHAT_OUTCOMES = ['answered', 'failed', 'lost', 'returned'] as const;

export type Metrics = ReturnType<typeof createMetrics>;

export function createMetrics(maxCalls: number) {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name, help, labelNames, registers });
  const calls = gauge('worker_calls', 'Calls in progress.');
  gauge('worker_calls_max', 'WORKER_MAX_CALLS: calls that this worker takes at the same time.').set(maxCalls);
  const registered = gauge('worker_registered', '1 while the worker is registered at the media server.');
  const reports = gauge('worker_outbox_reports', 'Reports that are not delivered, by state.', ['state']);
  const oldest = gauge('worker_outbox_oldest_seconds', 'Age of the oldest report that is still to be sent.');
  const dispatches = new Counter({
    name: 'worker_dispatches_total',
    help: 'Calls offered by the media server, by outcome: accepted, or refused because the worker is full.',
    labelNames: ['outcome'],
    registers,
  });
  for (const outcome of ['accepted', 'refused']) dispatches.inc({ outcome }, 0);
  const chatTurns = new Counter({
    name: 'worker_chat_turns_total',
    help: 'Turns of chats by outcome: answered, failed, lost (nobody wants the answer any more), or returned.',
    labelNames: ['outcome'],
    registers,
  });
  for (const outcome of CHAT_OUTCOMES) chatTurns.inc({ outcome }, 0);
  const observe = createObservations(registry);

  return {
    contentType: registry.contentType,
    dispatched: (outcome: 'accepted' | 'refused') => dispatches.inc({ outcome }),
    answered: (outcome: ChatOutcome) => chatTurns.inc({ outcome }),
    observe,
    /** All metrics in Prometheus' format. */
    render: (state: State): Promise<string> => {
      calls.set(state.calls);
      registered.set(state.isRegistered ? 1 : 0);
      oldest.set(state.oldestReportMs / 1000);
      for (const [name, count] of Object.entries(state.outbox)) reports.set({ state: name }, count);
      return registry.metrics();
    },
  };
}

/** The metrics of what the calls' processes observe. */
function createObservations(registry: Registry): (observation: Observation) => void {
  const registers = [registry];
  const latency = new Histogram({
    name: 'worker_turn_latency_seconds',
    help: 'Time from the end of the caller’s speech to transcript, first_token and first_audio.',
    labelNames: ['stage'],
    buckets: [0.1, 0.2, 0.3, 0.5, 0.75, 1, 1.5, 2, 3, 5, 10],
    registers,
  });
  const errors = new Counter({
    name: 'worker_model_errors_total',
    help: 'Failed requests to models, by kind, provider, reason (timeout, error) and whether they are retried.',
    labelNames: ['kind', 'provider', 'reason', 'is_retried'],
    registers,
  });
  const failedOver = new Counter({
    name: 'worker_failed_over_total',
    help: 'Models that took over from another one, by kind, both providers with their models, and reason.',
    labelNames: ['kind', 'from', 'to', 'reason'],
    registers,
  });
  const lost = new Counter({
    name: 'worker_reports_lost_total',
    help: 'Reports that could not be written to the outbox, as on a full disk.',
    registers,
  });
  return (observation) => {
    if (observation.type === 'report_lost') return lost.inc();
    if (observation.type === 'failed_over') {
      const { type: _, ...labels } = observation;
      failedOver.inc(labels);
      return;
    }
    if (observation.type === 'model_error') {
      const { kind, provider, reason, is_retried } = observation;
      errors.inc({ kind, provider, reason, is_retried: String(is_retried) });
      return;
    }
    for (const stage of ['transcript', 'first_token', 'first_audio'] as const) {
      const ms = observation[`${stage}_ms`];
      if (ms !== null) latency.observe({ stage }, ms / 1000);
    }
  };
}
