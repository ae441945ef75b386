/** Usage of a model. `quantity` is a plain decimal. */
export interface Used {
  provider: string;
  model: string;
  unit: Unit;
  quantity: string;
}

/** Units that providers count. Switchboard knows one kind of tokens; they differ in price only. */
export type Unit = keyof typeof EVENT_TYPES;

export const EVENT_TYPES = {
  stt_minutes: 'stt_minutes',
  tts_characters: 'tts_characters',
  llm_input_tokens: 'llm_tokens',
  llm_cached_tokens: 'llm_tokens',
  llm_output_tokens: 'llm_tokens',
} as const;

/**
 * Unit prices by provider and model: your contracts' prices, in the one currency of your reports. As text, because
 * 0.1 is no number a computer has; at most 12 digits after the point (see `minutes`). These are made up.
 */
const PRICES: Record<string, Partial<Record<Unit, string>>> = {
  'placeholder/recognizer': { stt_minutes: '0.0043' },
  'placeholder/rules': { llm_input_tokens: '0.00000015', llm_output_tokens: '0.0000006' },
  'placeholder/tone': { tts_characters: '0.000015' },
};

/** The price of one unit, or null when there is none in the table. */
export function priceOf({ provider, model, unit }: Used): string | null {
  return PRICES[`${provider}/${model}`]?.[unit] ?? null;
}

/**
 * Minutes with six digits after the point. Switchboard takes 18 for a cost: six of the quantity and twelve of the
 * price.
 */
export function minutes(milliseconds: number): string {
  return (milliseconds / 60_000).toFixed(6);
}

/** The exact product of two decimals that are not negative. */
export function times(a: string, b: string): string {
  const [x, y] = [parts(a), parts(b)];
  const decimals = x.decimals + y.decimals;
  const digits = String(x.digits * y.digits).padStart(decimals + 1, '0');
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

function parts(decimal: string): { digits: bigint; decimals: number } {
  const match = /^(\d+)(?:\.(\d+))?$/.exec(decimal);
  if (!match) throw new Error(`not a plain decimal: ${decimal}`);
  const [, whole = '', fraction = ''] = match;
  return { digits: BigInt(whole + fraction), decimals: fraction.length };
}
