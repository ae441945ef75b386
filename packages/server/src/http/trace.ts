import { type Context, context, propagation, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { FastifyInstance } from 'fastify';
import type { Observe } from './ends.ts';

/**
 * A span for each request, below the client's `traceparent`. Named by the route instead of the URL, which may contain
 * personal data.
 */
export function registerTracing(app: FastifyInstance, atEnd: (observe: Observe) => void): void {
  const tracer = trace.getTracer('switchboard');
  const spans = new WeakMap<object, Span>();
  app.addHook('onRequest', (request, _reply, done) => {
    const parent: Context = propagation.extract(context.active(), request.headers);
    const { method, routeOptions } = request;
    const route = routeOptions.url ?? 'unknown';
    const attributes = { 'http.request.method': method, 'http.route': route, 'http.request.id': request.id };
    const span = tracer.startSpan(`${method} ${route}`, { kind: SpanKind.SERVER, attributes }, parent);
    spans.set(request, span);
    context.with(trace.setSpan(parent, span), done);
  });
  atEnd((request, _reply, status) => {
    const span = spans.get(request);
    span?.setAttribute('http.response.status_code', status);
    if (status >= 500) span?.setStatus({ code: SpanStatusCode.ERROR });
    span?.end();
  });
}
