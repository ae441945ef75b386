import { readFileSync } from 'node:fs';
import path from 'node:path';
import { getCountries, getCountryCallingCode, isSupportedCountry } from 'libphonenumber-js/max';

/** Prefixes without their plus sign, and what they stand for. Read on first use. */
type Table = ReadonlyMap<string, readonly string[]>;

const tables = new Map<string, Table>();

function table(name: 'phone-zones' | 'phone-regions'): Table {
  const known = tables.get(name);
  if (known) return known;
  const text = readFileSync(path.join(import.meta.dirname, 'data', `${name}.txt`), 'utf8');
  const lines = text.split('\n').filter((line) => /^\d/.test(line));
  const read = new Map(
    lines.map((line) => {
      const [prefix = '', values = ''] = line.split('|');
      return [prefix, values.split('&')];
    }),
  );
  tables.set(name, read);
  return read;
}

/** The values of the longest known prefix of a number in E.164; none without one. */
function byPrefix(known: Table, phone_number: string): readonly string[] {
  for (let prefix = phone_number.slice(1); prefix !== ''; prefix = prefix.slice(0, -1)) {
    const found = known.get(prefix);
    if (found) return found;
  }
  return [];
}

/** The time zones in which numbers with this prefix are; several for a prefix that spans them. */
export const zonesOfNumber = (phone_number: string) => byPrefix(table('phone-zones'), phone_number);

/** The states or provinces of a number, such as `US-TX`; nothing where they are not known. */
export const regionsOfNumber = (phone_number: string) => byPrefix(table('phone-regions'), phone_number);

let regions: Map<string, string[]> | undefined;

/** Area codes by region. */
function areaCodes(): Map<string, string[]> {
  regions ??= [...table('phone-regions')].reduce(
    (all, [code, of]) => of.reduce((known, region) => known.set(region, [...(known.get(region) ?? []), code]), all),
    new Map<string, string[]>(),
  );
  return regions;
}

/** Whether this is a country by its ISO 3166-1 code, for example `DE`. */
export const isCountry = (code: string) => isSupportedCountry(code);

/**
 * Whether this is a country, or a region of one by its ISO 3166-2 code, for example `US-TX`. Regions are only checked
 * where they are known: in the United States and Canada.
 */
export function isRegion(code: string): boolean {
  const [country = '', ...region] = code.split('-');
  if (!isCountry(country) || region.length > 1) return false;
  if (region.length === 0 || areaCodes().has(code)) return true;
  return country !== 'US' && country !== 'CA' && /^[A-Z0-9]{1,3}$/.test(region[0] ?? '');
}

/** By region: reading the prefixes of all area codes of a country takes milliseconds. */
const zonesOf = new Map<string, readonly string[]>();

/**
 * The time zones of a country or a region of it, by the prefixes of its numbers; those of a country that shares its
 * calling code with others, as Puerto Rico does, by the runtime's data.
 */
export function zonesOfRegion(code: string): readonly string[] {
  const [country = ''] = code.split('-');
  const key = areaCodes().has(code) ? code : country;
  const known = zonesOf.get(key);
  if (known) return known;
  const calling = getCallingCode(country);
  if (calling === null) return [];
  const codes = areaCodes().get(code) ?? (country === 'US' || country === 'CA' ? codesOf(country) : null);
  const own = codes === null && isShared(calling) ? runtimeZones(country) : [];
  const found = own.length > 0 ? own : [...new Set((codes ?? [calling]).flatMap(zonesWithin))].sort();
  zonesOf.set(key, found);
  return found;
}

const isShared = (calling: string) =>
  getCountries().filter((country) => getCountryCallingCode(country) === calling).length > 1;

/** TypeScript does not know the method yet. */
type LocaleWithZones = Intl.Locale & { getTimeZones(): string[] | undefined };

const runtimeZones = (country: string): readonly string[] =>
  (new Intl.Locale('und', { region: country }) as LocaleWithZones).getTimeZones() ?? [];

/** The zones of all prefixes that begin with a code; those of the code itself if there are none. */
function zonesWithin(code: string): readonly string[] {
  const within = [...table('phone-zones')].flatMap(([prefix, zones]) => (prefix.startsWith(code) ? zones : []));
  return within.length > 0 ? within : zonesOfNumber(`+${code}`);
}

const codesOf = (country: string) =>
  [...areaCodes()].flatMap(([region, codes]) => (region.startsWith(`${country}-`) ? codes : []));

function getCallingCode(country: string): string | null {
  const found = getCountries().find((code) => code === country);
  return found ? getCountryCallingCode(found) : null;
}
