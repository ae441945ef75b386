import type { Db } from '../../db/tables.ts';
import type { Feature } from '../../feature.ts';
import { forgetAnswers, forgetAnswersOf } from './idempotency.ts';

export function idempotencyFeature(db: Db): Feature {
  return {
    upkeep: { answers: () => forgetAnswers(db) },
    erase: { user: (trx, { user_id }) => forgetAnswersOf(trx, user_id) },
  };
}
