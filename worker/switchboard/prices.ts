import { readFileSync } from 'node:fs';

/** Usage of a model. `quantity` is a plain decimal. */
export interface Used {
  provider: string;
  model: string;
  unit: Unit;
  quantity: string;
}

/** Units that providers count, which are Switchboard's event types. */
const UNITS = ['stt_minutes', 'tts_characters', 'llm_input_tokens', 'llm_cached_tokens', 'llm_output_tokens'] as const;
export type Unit = (typeof UNITS)[number];

export type Prices = ReturnType<typeof readPrices>;

/** A price of the service's price book; one without a `model` is that of all models of the provider. */
interface BookPrice {
  provider: string;
  event_type: string;
  model: string | null;
  price: string;
}

/** The prices of a task's price book, where the worker's own table has none. */
export function orBook(own: Prices, book: readonly BookPrice[]): Prices {
  const key = (provider: string, unit: string, model: string | null) => JSON.stringify([provider, unit, model]);
  const prices = new Map(book.map((one) => [key(one.provider, one.event_type, one.model), one.price]));
  return {
    priceOf: (used) => {
      const { provider, unit, model } = used;
      return (
        own.priceOf(used) ?? prices.get(key(provider, unit, model)) ?? prices.get(key(provider, unit, null)) ?? null
      );
    },
  };
}

/** Limits a price's digits, so that with a quantity's six a cost has at most the 18 that Switchboard accepts. */
const PRICE = /^\d{1,12}(\.\d{1,12})?$/;

/**
 * Unit prices by provider and model: the prices of your contracts, in the currency of your reports, as JSON. They
 * are strings, because a number such as 0.1 has no exact binary form. Throws one error that lists all problems.
 */
export function readPrices(file: string | null) {
  const table: Record<string, Record<string, unknown>> = file === null ? {} : JSON.parse(readFileSync(file, 'utf8'));
  const mistakes: string[] = [];
  for (const [model, units] of Object.entries(table)) {
    if (!model.includes('/')) mistakes.push(`${model} must be a provider and a model, as in openai/gpt-4.1-mini`);
    for (const [unit, price] of Object.entries(units)) {
      if (!UNITS.some((known) => known === unit)) mistakes.push(`${model}: ${unit} must be one of ${UNITS.join(', ')}`);
      if (typeof price !== 'string' || !PRICE.test(price))
        mistakes.push(`${model}: ${unit} must be a decimal as text, as in "0.0043"`);
    }
  }
  if (mistakes.length > 0) throw new Error(`${file} is wrong:\n  ${mistakes.join('\n  ')}`);
  return {
    /** The price of one unit, or null if the table has none. */
    priceOf: ({ provider, model, unit }: Pick<Used, 'provider' | 'model' | 'unit'>): string | null =>
      (table[`${provider}/${model}`]?.[unit] as string | undefined) ?? null,
  };
}

/**
 * Minutes with six decimals. Switchboard accepts 18 for a cost: six of the quantity and twelve of the
 * price.
 */
export function minutes(milliseconds: number): string {
  return (milliseconds / 60_000).toFixed(6);
}
