import { decimal } from '@switchboard/client';
import { createContext, useContext } from 'react';

/** The currency of all amounts, ISO 4217. */
export const CurrencyContext = createContext('USD');

interface Props {
  amount: string;
  /** Shows every digit, in lists that readers add up. */
  exact?: boolean;
}

/** An amount, rounded for display, with all digits on hover. Amounts are decimal strings and never become floats. */
export function Money({ amount, exact = false }: Props) {
  const currency = useContext(CurrencyContext);
  const whole = decimal.normalize(amount);
  return (
    <span className="number nowrap" title={`${whole} ${currency}`}>
      {exact ? `${symbolOf(currency)}${whole}` : formatMoney(whole, currency)}
    </span>
  );
}

/** Formats amounts where an element is not possible. */
export function useFormatMoney(): (amount: string) => string {
  const currency = useContext(CurrencyContext);
  return (amount) => formatMoney(amount, currency);
}

/** Prepends the currency to amounts that are already rounded. */
export function useCurrencySign(): (amount: string) => string {
  const currency = useContext(CurrencyContext);
  return (amount) => `${symbolOf(currency)}${amount}`;
}

/** Two decimals; four if two would show almost nothing. */
function formatMoney(amount: string, currency: string): string {
  const size = amount.replace('-', '');
  const isSmall = decimal.compare(size, '0') > 0 && decimal.compare(size, '1') < 0;
  const rounded = decimal.format(size, isSmall ? 4 : 2);
  return `${amount.startsWith('-') ? '−' : ''}${symbolOf(currency)}${rounded}`;
}

/** Cached, because creating a formatter takes longer than rendering the rest of a row. */
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
