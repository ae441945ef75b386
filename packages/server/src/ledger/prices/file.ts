import { columnsOf } from '../../http/csv-body.ts';
import { parseJsonFile } from '../../http/json-body.ts';
import { createCheck } from '../../http/validation.ts';
import { InvalidCsv, readCsv } from '../../lib/csv-read.ts';
import { InvalidRequest } from '../../lib/invalid.ts';
import { isObject } from '../../lib/json.ts';
import { entryProblems, type NewPrice } from './entries.ts';
import { IGNORED_COLUMNS, PriceEntry, PriceFile, REQUIRED_COLUMNS } from './schema.ts';

const check = createCheck(PriceFile, 'file', Number.POSITIVE_INFINITY);

/** The file contains mistakes: all that were found, one per line. */
export class InvalidPriceFile extends Error {}

// Invalid UTF-8 is an error: replacement characters would create a provider name that matches no usage.
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Reads a UTF-8 file of prices: CSV, or JSON as accepted by `PUT /api/prices`, as a list, or as exported. Throws
 * `InvalidPriceFile`.
 */
export function readPriceFile(file: Uint8Array): NewPrice[] {
  const text = decode(file);
  const { body, place } = /^\uFEFF?\s*[[{]/.test(text) ? fromJson(text) : fromCsv(text);
  const problems = [
    ...check(body).map(({ loc, msg }) => ({ path: loc.slice(1), msg })),
    ...entryProblems(body).map(({ field, msg }) => ({ path: [field].flat(), msg })),
  ];
  if (problems.length === 0) return (body as { entries: NewPrice[] }).entries;
  throw new InvalidPriceFile(problems.map(({ path, msg }) => `${place(path)}: ${msg}`).join('\n'));
}

function decode(file: Uint8Array): string {
  try {
    return utf8.decode(file);
  } catch {
    throw new InvalidPriceFile('The file should be in UTF-8 (Excel: save it as "CSV UTF-8").');
  }
}

type Path = (string | number)[];

function fromJson(text: string) {
  try {
    const value = parseJsonFile(text.replace(/^\uFEFF/, ''), ['price']);
    const body = Array.isArray(value) ? { entries: value } : value;
    if (isObject(body) && Array.isArray(body.entries)) body.entries = body.entries.map(withoutIgnored);
    const place = ([list, index, ...field]: Path) =>
      index === undefined ? `${list}` : `entry ${Number(index) + 1}${field.length > 0 ? `, ${field.join('.')}` : ''}`;
    return { body: isObject(body) ? body : {}, place };
  } catch (error) {
    if (!(error instanceof InvalidRequest)) throw error;
    throw new InvalidPriceFile(error.problems.map(({ loc, msg }) => `character ${loc[1]}: ${msg}`).join('\n'));
  }
}

function withoutIgnored(entry: unknown): unknown {
  if (!isObject(entry)) return entry;
  return Object.fromEntries(Object.entries(entry).filter(([name]) => !IGNORED_COLUMNS.some((one) => one === name)));
}

function fromCsv(text: string) {
  try {
    const { records, lines } = readCsv(text, columnsOf(PriceEntry, IGNORED_COLUMNS, REQUIRED_COLUMNS));
    const place = ([list, index, ...field]: Path) =>
      index === undefined ? `${list}` : `line ${lines[Number(index)]}${field.length > 0 ? `, ${field.join('.')}` : ''}`;
    return { body: { entries: records }, place };
  } catch (error) {
    if (error instanceof InvalidCsv) throw new InvalidPriceFile(error.message);
    throw error;
  }
}
