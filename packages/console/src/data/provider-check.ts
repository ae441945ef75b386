import type { ModelKind, ProviderCheck, ProviderCheckCreate } from '@switchboard/client';
import { valueAt } from './config-paths.ts';
import { durationOf } from './durations.ts';

const FIELDS = ['provider', 'model', 'voice', 'language', 'base_url'] as const;

/** A model of a configuration, as a check names it. */
export function checkOf(kind: ModelKind, model: unknown): ProviderCheckCreate {
  const given = FIELDS.flatMap((name) => {
    const value = valueAt(model, [name]);
    return typeof value === 'string' && value !== '' ? [[name, value]] : [];
  });
  return { kind, ...Object.fromEntries(given) };
}

const REASONS: Record<NonNullable<ProviderCheck['reason']>, string> = {
  no_key: 'The worker has no key for this provider.',
  refused_key: 'The provider refuses the worker’s key.',
  unknown_model: 'The provider does not know this model or voice.',
  unreachable: 'The worker cannot reach the provider.',
  timeout: 'The provider did not answer in time.',
  wrong_config: 'The worker cannot use these values.',
  error: 'The provider answered with an error.',
};

/** The result of a check in plain words. */
export function resultText({ outcome, reason, latency_ms, worker, is_simulated }: ProviderCheck): string {
  if (is_simulated) return 'This is the sandbox: no provider was asked.';
  if (outcome === 'failed') return `${REASONS[reason ?? 'error']} Asked by ${worker}.`;
  const answered =
    latency_ms === null ? 'It refused nothing, but said nothing' : `It answered after ${durationOf(latency_ms)}`;
  return `${answered}. Asked by ${worker}.`;
}
