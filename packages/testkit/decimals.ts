import fc from 'fast-check';

const SCALE = 40;

/** The value of a plain decimal, times 10^40. */
export function scaled(decimal: string): bigint {
  const match = /^([+-]?)(\d*)(?:\.(\d*))?$/.exec(decimal);
  if (!match || decimal.length > SCALE * 3) throw new Error(`no plain decimal: ${decimal}`);
  const [, sign, whole = '', fraction = ''] = match;
  const value = BigInt(`0${whole}${fraction.padEnd(SCALE, '0')}`);
  return sign === '-' ? -value : value;
}

/** The exact sum of plain decimals, times 10^40. */
export function sum(decimals: string[]): bigint {
  return decimals.reduce((total, decimal) => total + scaled(decimal), 0n);
}

const digits = (minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength, maxLength });

/** Decimals that the service accepts: up to 20 digits before the point and 18 after it, with either sign. */
export const decimal: fc.Arbitrary<string> = fc
  .tuple(fc.constantFrom('', '', '-'), digits(1, 20), digits(0, 18))
  .map(([sign, whole, fraction]) => `${sign}${whole}${fraction && `.${fraction}`}`);
