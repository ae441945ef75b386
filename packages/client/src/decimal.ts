// Exact decimal arithmetic for money: in floating point 0.1 + 0.2 is not 0.3.

interface Parsed {
  digits: bigint;
  places: number;
}

/** Far above the 38 digits that the service accepts: longer input is a mistake, and slow to multiply. */
const MAX_LENGTH = 1_000;

/** `0.1` and `0.2` are `0.3`. */
export function add(a: string, b: string): string {
  return sum([a, b]);
}

export function subtract(a: string, b: string): string {
  const [x, y] = [parse(a), parse(b)];
  return write(addParsed(x, { ...y, digits: -y.digits }));
}

/** The sum of the arguments; `0` without any. */
export function sum(amounts: Iterable<string>): string {
  let total: Parsed = { digits: 0n, places: 0 };
  for (const amount of amounts) total = addParsed(total, parse(amount));
  return write(total);
}

/** The exact product: `0.42` times `0.0077` is `0.003234`. */
export function multiply(a: string, b: string): string {
  const [x, y] = [parse(a), parse(b)];
  return write({ digits: x.digits * y.digits, places: x.places + y.places });
}

/** Negative, zero or positive, for `Array.sort`. `1.0` and `1` are equal. */
export function compare(a: string, b: string): -1 | 0 | 1 {
  const [x, y] = [parse(a), parse(b)];
  const places = Math.max(x.places, y.places);
  const difference = scale(x, places) - scale(y, places);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** The canonical form that the service writes: no insignificant zeros, no plus sign, no `-0`. */
export function normalize(amount: string): string {
  return write(parse(amount));
}

/** Rounds to this many decimal places, half to even. */
export function format(amount: string, places: number): string {
  if (!Number.isInteger(places) || places < 0 || places > 100) throw new RangeError('places must be from 0 to 100');
  const parsed = parse(amount);
  if (parsed.places <= places) return show({ digits: scale(parsed, places), places });
  const unit = 10n ** BigInt(parsed.places - places);
  const magnitude = parsed.digits < 0n ? -parsed.digits : parsed.digits;
  const [whole, rest] = [magnitude / unit, magnitude % unit];
  const isUp = rest * 2n > unit || (rest * 2n === unit && whole % 2n === 1n);
  const rounded = isUp ? whole + 1n : whole;
  return show({ digits: parsed.digits < 0n ? -rounded : rounded, places });
}

function parse(text: string): Parsed {
  const match = text.length <= MAX_LENGTH && /^([+-]?)(?:(\d+)(?:\.(\d*))?|\.(\d+))$/.exec(text);
  if (!match) throw new TypeError(`not a plain decimal: ${String(text).slice(0, 50)}`);
  const [, sign, whole = '', after, alone] = match;
  const fraction = after ?? alone ?? '';
  const digits = BigInt(whole + fraction);
  return { digits: sign === '-' ? -digits : digits, places: fraction.length };
}

function addParsed(a: Parsed, b: Parsed): Parsed {
  const places = Math.max(a.places, b.places);
  return { digits: scale(a, places) + scale(b, places), places };
}

function scale({ digits, places }: Parsed, wanted: number): bigint {
  return digits * 10n ** BigInt(wanted - places);
}

function write(parsed: Parsed): string {
  const text = show(parsed);
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

function show({ digits, places }: Parsed): string {
  const sign = digits < 0n ? '-' : '';
  const text = String(digits < 0n ? -digits : digits).padStart(places + 1, '0');
  return places === 0 ? sign + text : `${sign}${text.slice(0, -places)}.${text.slice(-places)}`;
}
