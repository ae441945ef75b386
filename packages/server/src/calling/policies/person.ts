import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { FifoMap } from 'toad-cache';
import { regionsOfNumber, zonesOfNumber, zonesOfRegion } from './prefixes.ts';

/** Where somebody is, as far as it is known. */
export interface Person {
  /** ISO 3166-1 codes; several for a number that may be of several countries, none for one that is of no country. */
  countries: readonly string[];
  /** ISO 3166-2 codes, for example `US-TX`; null if unknown. */
  regions: readonly string[] | null;
  /** IANA names; several if any of them is possible, none if unknown. */
  zones: readonly string[];
  /** The source of the zones. */
  zone_from: 'time_zone' | 'region' | 'prefix';
}

/** Facts that are given about somebody who is called. */
export interface Place {
  time_zone?: string | null | undefined;
  /** A country, or a region of one: `DE`, `US-TX`. */
  region?: string | null | undefined;
}

/** By number: calls to one are repeated, and parsing takes tens of microseconds. */
const numbers = new FifoMap<Pick<Person, 'countries' | 'regions' | 'zones'>>(10_000);

/** Where the owner of a number is: as is said, otherwise as its prefix says. */
export function whereIs(phone_number: string, { time_zone, region }: Place): Person {
  const number = ofNumber(phone_number);
  const [country, sub] = region?.split('-') ?? [];
  const isOwn = region === number.countries[0] && number.countries.length === 1;
  const place = region && country && !isOwn ? { countries: [country], regions: sub ? [region] : null } : number;
  const { countries, regions } = place;
  if (time_zone) return { countries, regions, zones: [time_zone], zone_from: 'time_zone' };
  if (!region) return { ...number, zone_from: 'prefix' };
  if (isOwn) return { ...number, zones: within(number.zones, region), zone_from: 'prefix' };
  return { countries, regions, zones: zonesOfRegion(region), zone_from: 'region' };
}

/** Input with which `whereIs` places a person in the same way; empty if the number alone says it. */
export function placeOf({ countries, regions, zones, zone_from }: Person): Place {
  if (zone_from === 'prefix') return {};
  const [region] = regions?.length === 1 ? regions : countries.length === 1 ? countries : [];
  return { region, ...(zone_from === 'time_zone' && { time_zone: zones[0] }) };
}

/** The country of a number leaves what its prefix says, without the zones of other countries with its calling code. */
function within(zones: readonly string[], country: string): readonly string[] {
  const own = zonesOfRegion(country);
  const left = zones.filter((zone) => own.includes(zone));
  return left.length > 0 ? left : zones;
}

function ofNumber(phone_number: string): Pick<Person, 'countries' | 'regions' | 'zones'> {
  const known = numbers.get(phone_number);
  if (known) return known;
  const parsed = parsePhoneNumberFromString(phone_number);
  const regions = regionsOfNumber(phone_number);
  const found = {
    countries: parsed?.country ? [parsed.country] : (parsed?.getPossibleCountries() ?? []),
    regions: regions.length > 0 ? regions : null,
    zones: zonesOfNumber(phone_number),
  };
  numbers.set(phone_number, found);
  return found;
}
