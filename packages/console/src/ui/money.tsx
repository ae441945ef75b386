import { decimal } from '@switchboard/client';

interface Props {
  amount: string;
  currency?: string;
  /** Shows every digit, in lists whose lines are added up. */
  exact?: boolean;
}

/** An amount, rounded for reading; its digits are on hover. Amounts are decimal strings and never become floats. */
export function Money({ amount, currency = 'USD', exact = false }: Props) {
  const whole = decimal.normalize(amount);
  return (
    <span className="number nowrap" title={`${whole} ${currency}`}>
      {exact ? `${symbolOf(currency)}${whole}` : formatMoney(whole, currency)}
    </span>
  );
}

/** Two places; four where two would show almost nothing. */
export function formatMoney(amount: string, currency = 'USD'): string {
  const size = amount.replace('-', '');
  const isSmall = decimal.compare(size, '0') > 0 && decimal.compare(size, '1') < 0;
  const rounded = decimal.format(size, isSmall ? 4 : 2);
  return `${amount.startsWith('-') ? '−' : ''}${symbolOf(currency)}${rounded}`;
}

/** Kept, because making a formatter takes longer than drawing the rest of a row. */
const symbols = new Map<string, string>();

function symbolOf(currency: string): string {
  const known = symbols.get(currency);
  if (known !== undefined) return known;
  const parts = new Intl.NumberFormat('en', { style: 'currency', currency }).formatToParts(0);
  const name = parts.find(({ type }) => type === 'currency')?.value ?? currency;
  const symbol = name.length > 1 ? `${name} ` : name;
  symbols.set(currency, symbol);
  return symbol;
}
