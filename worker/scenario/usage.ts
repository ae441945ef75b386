import { decimal, type ScenarioTaskResult } from '@switchboard/client';
import type { Prices, Used } from '../switchboard/prices.ts';
import { priced } from '../switchboard/switchboard.ts';

type Booked = NonNullable<ScenarioTaskResult['used']>;

/** Adds up the usage of models in the conversations of a scenario, as the service books it. */
export function createUsage(prices: Prices) {
  const sums = new Map<string, Used>();
  return {
    add: (used: Used): void => {
      const { provider, model, unit, quantity } = used;
      // Rules cost nothing, and are not booked.
      if (provider === 'local' && model === 'rules') return;
      const key = JSON.stringify([provider, model, unit]);
      sums.set(key, { ...used, quantity: decimal.add(sums.get(key)?.quantity ?? '0', quantity) });
    },
    booked: (): Booked =>
      [...sums.values()].map((used) => {
        const { total_cost: _, ...one } = priced(used, prices) as Booked[number] & { total_cost?: string };
        return one;
      }),
  };
}

/** Adds up what models have used; the rules of `local` cost nothing. */
export function createCosts(prices: Prices) {
  let total: string | null = '0';
  return {
    add: (used: Used): void => {
      if (used.provider === 'local' && used.model === 'rules') return;
      const { total_cost } = priced(used, prices) as { total_cost?: string };
      total = total === null || total_cost === undefined ? null : decimal.add(total, total_cost);
    },
    total: (): string | null => total,
  };
}
