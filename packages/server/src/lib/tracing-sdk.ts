import { context, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';

/** OTEL_TRACES_SAMPLER and OTEL_TRACES_SAMPLER_ARG, as the OpenTelemetry specification names them. */
export interface Sampling {
  sampler: string;
  ratio: number;
}

/**
 * Exports spans by OTLP over HTTP; the exporter itself reads its standard variables (OTEL_EXPORTER_OTLP_…). Import
 * this module only if tracing is on. The returned function flushes and stops.
 */
export function startTracing(version: string, { sampler, ratio }: Sampling): () => Promise<void> {
  const defaults = resourceFromAttributes({ 'service.name': 'switchboard', 'service.version': version });
  const root: Sampler = sampler.endsWith('always_off')
    ? new AlwaysOffSampler()
    : sampler.endsWith('traceidratio')
      ? new TraceIdRatioBasedSampler(ratio)
      : new AlwaysOnSampler();
  const provider = new TracerProvider({
    resource: defaultResource()
      .merge(defaults)
      .merge(detectResources({ detectors: [envDetector] })),
    sampler: sampler.startsWith('parentbased') ? new ParentBasedSampler({ root }) : root,
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  trace.setGlobalTracerProvider(provider);
  return () => provider.shutdown();
}
