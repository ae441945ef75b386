/**
 * Writes what the service knows of phone prefixes, from a checkout of github.com/google/libphonenumber:
 *
 *     git clone --depth 1 https://github.com/google/libphonenumber
 *     node packages/server/scripts/phone-prefixes.ts libphonenumber
 *
 * `phone-zones.txt` has the time zones of a prefix, `phone-regions.txt` the states and provinces of area codes in North
 * America, which alone have windows of their own in dial policies.
 */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';

const NAMES: Record<string, string> = {
  Alabama: 'AL',
  Alaska: 'AK',
  Arizona: 'AZ',
  Arkansas: 'AR',
  California: 'CA',
  Colorado: 'CO',
  Connecticut: 'CT',
  Delaware: 'DE',
  'Washington D.C.': 'DC',
  Florida: 'FL',
  Georgia: 'GA',
  Hawaii: 'HI',
  Idaho: 'ID',
  Illinois: 'IL',
  Indiana: 'IN',
  Iowa: 'IA',
  Kansas: 'KS',
  Kentucky: 'KY',
  Louisiana: 'LA',
  Maine: 'ME',
  Maryland: 'MD',
  Massachusetts: 'MA',
  Michigan: 'MI',
  Minnesota: 'MN',
  Mississippi: 'MS',
  Missouri: 'MO',
  Montana: 'MT',
  Nebraska: 'NE',
  Nevada: 'NV',
  'New Hampshire': 'NH',
  'New Jersey': 'NJ',
  'New Mexico': 'NM',
  'New York': 'NY',
  'North Carolina': 'NC',
  'North Dakota': 'ND',
  Ohio: 'OH',
  Oklahoma: 'OK',
  Oregon: 'OR',
  Pennsylvania: 'PA',
  'Rhode Island': 'RI',
  'South Carolina': 'SC',
  'South Dakota': 'SD',
  Tennessee: 'TN',
  Texas: 'TX',
  Utah: 'UT',
  Vermont: 'VT',
  Virginia: 'VA',
  'Washington State': 'WA',
  'West Virginia': 'WV',
  Wisconsin: 'WI',
  Wyoming: 'WY',
};
const CANADIAN: Record<string, string> = {
  Alberta: 'AB',
  'British Columbia': 'BC',
  'British Colombia': 'BC',
  Manitoba: 'MB',
  'New Brunswick': 'NB',
  'Newfoundland and Labrador': 'NL',
  'Nova Scotia': 'NS',
  'Northwest Territories': 'NT',
  Nunavut: 'NU',
  Ontario: 'ON',
  'Prince Edward Island': 'PE',
  Quebec: 'QC',
  Saskatchewan: 'SK',
  Yukon: 'YT',
};
const OUT = path.resolve(import.meta.dirname, '../src/calling/policies/data');

const [checkout] = process.argv.slice(2);
if (!checkout) throw new Error('usage: phone-prefixes.ts <checkout of google/libphonenumber>');

const git = (...args: string[]) =>
  execFileSync('git', ['-C', checkout, ...args], { encoding: 'utf8', maxBuffer: 1 << 26 });
const linesOf = (file: string) =>
  git('show', `HEAD:${file}`)
    .split('\n')
    .filter((line) => /^\d/.test(line));

function write(name: string, from: string, lines: string[]): void {
  const [commit = '', date = ''] = git('log', '-1', '--format=%H %cs', 'HEAD', '--', from).trim().split(' ');
  const head = [
    `# Made by packages/server/scripts/phone-prefixes.ts.`,
    `# Source: https://github.com/google/libphonenumber, ${from}, last changed on ${date} (${commit.slice(0, 12)}).`,
    '# Copyright (C) The Libphonenumber Authors, Apache License 2.0.',
  ];
  writeFileSync(path.join(OUT, name), `${[...head, ...lines].join('\n')}\n`);
}

/** `TX` of "Texas" and of "Austin, TX", with its country; several for an area code of several provinces. */
function regionsOf(place: string): string[] {
  return place.split('/').map((name) => {
    const code = / ([A-Z]{2})$/.exec(name)?.[1];
    if (code) return Object.values(CANADIAN).includes(code) ? `CA-${code}` : `US-${code}`;
    if (NAMES[name]) return `US-${NAMES[name]}`;
    if (CANADIAN[name]) return `CA-${CANADIAN[name]}`;
    throw new Error(`a region that has no code here: ${name}`);
  });
}

const ZONES = 'resources/timezones/map_data.txt';
const PLACES = 'resources/geocoding/en/1.txt';
write('phone-zones.txt', ZONES, linesOf(ZONES));
const areaCodes = linesOf(PLACES).filter((line) => /^1\d{3}\|/.test(line));
write(
  'phone-regions.txt',
  PLACES,
  areaCodes.map((line) => {
    const [prefix = '', place = ''] = line.split('|');
    return `${prefix}|${regionsOf(place).join('&')}`;
  }),
);
