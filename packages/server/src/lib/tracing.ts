import { type Attributes, context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';

const tracer = trace.getTracer('switchboard');

export { SpanKind };

/** Runs `work` in a span below the current one. Without a tracer provider it just calls `work`. */
export function traced<T>(name: string, kind: SpanKind, attributes: Attributes, work: () => Promise<T>): Promise<T> {
  return tracer.startActiveSpan(name, { kind, attributes }, async (span) => {
    try {
      return await work();
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.name : 'error' });
      throw error;
    } finally {
      span.end();
    }
  });
}

/** Runs `work` below the span in `traceparent` (W3C Trace Context), or below none. */
export function continueTrace<T>(traceparent: string | null, work: () => T): T {
  return context.with(propagation.extract(context.active(), traceparent === null ? {} : { traceparent }), work);
}

/** The current span as a `traceparent` header; null without one. */
export function currentTraceparent(): string | null {
  const carrier: { traceparent?: string } = {};
  propagation.inject(context.active(), carrier);
  return carrier.traceparent ?? null;
}

/** Records a span that has just ended, below the current one, with its duration in milliseconds. */
export function recordSpan(name: string, attributes: Attributes, durationMs: number, error?: unknown): void {
  const ended = Date.now();
  const span = tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes, startTime: ended - durationMs });
  if (error) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end(ended);
}

/**
 * Wraps the methods of an object in spans: all return promises, except those named. Arguments are not recorded: they
 * are personal data.
 */
export function tracedMethods<T extends object>(name: string, target: T, except: readonly (keyof T & string)[]): T {
  const wrapped = Object.entries(target).flatMap(([method, call]) => {
    if (typeof call !== 'function' || except.includes(method as keyof T & string)) return [];
    return [
      [
        method,
        (...args: unknown[]) => traced(`${name}.${method}`, SpanKind.CLIENT, {}, () => call.apply(target, args)),
      ],
    ];
  });
  return { ...target, ...Object.fromEntries(wrapped) };
}
