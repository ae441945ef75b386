// Money is multiplied and added in whole numbers of its last digit, because 0.1 + 0.2 is not 0.3 in floating point.

interface Decimal {
  digits: bigint;
  places: number;
}

/** `0.42` times `0.0077` is `0.003234`, with every digit. */
export function times(a: string, b: string): string {
  const [left, right] = [parse(a), parse(b)];
  return format({ digits: left.digits * right.digits, places: left.places + right.places });
}

export function sum(amounts: string[]): string {
  const parsed = amounts.map(parse);
  const places = Math.max(0, ...parsed.map((amount) => amount.places));
  const digits = parsed.reduce((total, amount) => total + amount.digits * 10n ** BigInt(places - amount.places), 0n);
  return format({ digits, places });
}

/** Without the zeros that say nothing: `0.0420` is `0.042`. */
export function shortest(text: string): string {
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

function parse(text: string): Decimal {
  const [whole = '', fraction = ''] = text.split('.');
  return { digits: BigInt(whole + fraction), places: fraction.length };
}

function format({ digits, places }: Decimal): string {
  const text = String(digits).padStart(places + 1, '0');
  return shortest(places === 0 ? text : `${text.slice(0, -places)}.${text.slice(-places)}`);
}
