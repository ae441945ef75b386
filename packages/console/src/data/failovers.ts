import type { FailedOver } from '@switchboard/client';
import { PROVIDERS } from './model-choices.ts';

const FAILURES = {
  error: 'failed',
  timeout: 'did not answer in time',
  rate_limit: 'refused, because it gets too many requests',
} satisfies Record<FailedOver['reason'], string>;

/** A sentence about a model that failed, and the one that took over. */
export const failedOverText = ({ from, to, reason }: FailedOver) =>
  `${modelName(from)} ${FAILURES[reason]}; ${modelName(to)} took over.`;

/** A model as people call it, from `groq/some-model`; names that are not known stay. */
function modelName(reported: string): string {
  const [provider = '', ...model] = reported.split('/');
  const [label = provider] = (PROVIDERS[provider] ?? provider).split(',');
  return model.length === 0 ? label : `${label} ${model.join('/')}`;
}
