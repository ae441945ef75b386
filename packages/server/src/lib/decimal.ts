/**
 * The specification's pattern for numeric strings. Only published: it backtracks cubically, so it is never executed.
 */
export const NUMERIC_STRING_PATTERN = '^(?!^[-+.]*$)[+-]?0*\\d*\\.?\\d*$';

const MAX_LENGTH = 64;
const MAX_DIGITS = 38;
const MAX_PLACES = 18;
// The same language as NUMERIC_STRING_PATTERN, in linear time.
const DECIMAL = /^[+-]?(?:(\d+)(?:\.(\d*))?|\.(\d+))$/;
const CANONICAL = /^(?:0|-?[1-9]\d*|-?(?:0|[1-9]\d*)\.\d*[1-9])$/;

/** Why `text` is not an accepted decimal (at most 38 digits, 18 of them fractional), or null if it is. */
export function decimalProblem(text: string): { type: string; msg: string } | null {
  const parts = text.length <= MAX_LENGTH ? DECIMAL.exec(text) : null;
  if (!parts)
    return { type: 'decimal_parsing', msg: `Input should be a decimal number of at most ${MAX_LENGTH} characters` };
  const [, whole = '', places = '', bare = ''] = parts;
  const fraction = places + bare;
  if (fraction.length > MAX_PLACES) {
    return { type: 'decimal_max_places', msg: `Decimal input should have no more than ${MAX_PLACES} decimal places` };
  }
  if (whole.replace(/^0+/, '').length + fraction.length > MAX_DIGITS) {
    return { type: 'decimal_max_digits', msg: `Decimal input should have no more than ${MAX_DIGITS} digits in total` };
  }
  return null;
}

/** The canonical form of a plain decimal, as PostgreSQL's `trim_scale` writes it: `+01.50` is `1.5`, `-0.0` is `0`. */
export function canonicalDecimal(text: string): string {
  if (CANONICAL.test(text)) return text;
  const { units, places } = parse(text);
  return format(units, places);
}

/** The exact product of two plain decimals, in canonical form. */
export function multiplyDecimals(one: string, other: string): string {
  const [a, b] = [parse(one), parse(other)];
  return format(a.units * b.units, a.places + b.places);
}

/** A plain decimal as a whole number of its last decimal place. */
function parse(text: string): { units: bigint; places: number } {
  const parts = DECIMAL.exec(text);
  if (!parts) throw new TypeError('Not a plain decimal');
  const [, whole = '', places = '', bare = ''] = parts;
  const fraction = places + bare;
  const units = BigInt(whole + fraction);
  return { units: text.startsWith('-') ? -units : units, places: fraction.length };
}

function format(units: bigint, places: number): string {
  const digits = String(units < 0n ? -units : units).padStart(places + 1, '0');
  const point = digits.length - places;
  const fraction = digits.slice(point).replace(/0+$/, '');
  return `${units < 0n ? '-' : ''}${digits.slice(0, point)}${fraction && `.${fraction}`}`;
}

/**
 * The digits of a JSON number literal without its exponent: `1e-7` is `0.0000001`. A literal whose plain form would
 * exceed any accepted decimal is returned unchanged.
 */
export function plainDecimal(literal: string): string {
  const match = /^(-?)(\d+)(?:\.(\d+))?[eE]([+-]?\d+)$/.exec(literal);
  if (!match) return literal;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
  const shift = Number(exponent);
  if (Math.abs(shift) > MAX_LENGTH) return literal;
  const digits = whole + fraction;
  const point = whole.length + shift;
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`;
  return `${sign}${digits.slice(0, point).padEnd(point, '0')}.${digits.slice(point)}`.replace(/\.$/, '');
}
