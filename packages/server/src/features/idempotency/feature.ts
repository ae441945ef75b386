import type { Feature } from '../feature.ts';
import { forgetAnswersOf } from './idempotency.ts';

export function idempotencyFeature(): Feature {
  return {
    erase: { user: (trx, { user_id }) => forgetAnswersOf(trx, user_id) },
  };
}
