import { isUtf8 } from 'node:buffer';
import { CsvError, parse } from 'csv-parse';
import secureJsonParse from 'secure-json-parse';
import { LOSSY_NUMBER, lossyPlaces } from '../../http/exact-numbers.ts';
import { withoutGuard } from '../../lib/csv.ts';
import { isObject } from '../../lib/json.ts';
import { MAX_LINE_BYTES } from './recipient-schema.ts';

/** A line of a file: what it says, or why it says nothing. */
export interface Line {
  line: number;
  value: unknown;
  problem: string | null;
  /** The field that the problem is about; without it, the whole line. */
  field?: string | null;
  /** Present if reading stops with this problem: what follows in the file is not read. */
  isLast?: true;
}

const TOO_LONG = `A line should have ${MAX_LINE_BYTES / 1024} KiB at most`;

/** The lines of JSON values, one on each; empty ones are left out. Memory: one line, and one part of the file. */
export async function* ndjsonLines(parts: AsyncIterable<Buffer>): AsyncGenerator<Line> {
  let line = 0;
  let rest: Buffer = Buffer.alloc(0);
  let isTooLong = false;
  function* take(text: Buffer): Generator<Line> {
    line++;
    if (isTooLong || text.length > MAX_LINE_BYTES) yield { line, value: null, problem: TOO_LONG };
    else yield* readJson(text, line);
    isTooLong = false;
  }
  for await (const part of parts) {
    let from = 0;
    for (let end = part.indexOf(LINE_FEED); end >= 0; end = part.indexOf(LINE_FEED, from)) {
      const text = part.subarray(from, end);
      yield* take(rest.length === 0 ? text : Buffer.concat([rest, text]));
      rest = Buffer.alloc(0);
      from = end + 1;
    }
    rest = Buffer.concat([rest, part.subarray(from)]);
    if (rest.length > MAX_LINE_BYTES) {
      isTooLong = true;
      rest = Buffer.alloc(0);
    }
  }
  if (rest.length > 0 || isTooLong) yield* take(rest);
}

const [LINE_FEED, RETURN] = [0x0a, 0x0d];
const utf8 = new TextDecoder('utf-8', { fatal: true });

function* readJson(bytes: Buffer, line: number): Generator<Line> {
  try {
    const text = utf8.decode(bytes).trim();
    if (text === '') return;
    const value = secureJsonParse.parse(text);
    const [lossy] = lossyPlaces(text);
    if (lossy) yield { line, value: null, field: lossy.join('.') || null, problem: LOSSY_NUMBER };
    else yield { line, value, problem: null };
  } catch {
    yield { line, value: null, problem: 'A line should be one JSON object' };
  }
}

/**
 * Columns that are fields; `metadata.x` and the fields of `consent` are entries of those, one without a name is
 * nothing, and others are variables.
 */
const FIELDS = ['phone_number', 'external_id', 'time_zone', 'region'];
const ENTRY = /^(?:(metadata)\.(.+)|(consent)\.(kind|text|obtained_at|channel|evidence_url))$/s;

const CSV = {
  bom: true,
  info: true,
  trim: true,
  relax_column_count: true,
  // A quote inside of a cell is one.
  relax_quotes: true,
  skip_empty_lines: true,
  max_record_size: MAX_LINE_BYTES,
  record_delimiter: ['\r\n', '\n', '\r'],
  // An error would lose the records before it that have not been taken yet.
  autoDestroy: false,
};

/** A record, with the lines up to it, empty ones among them. */
interface CsvRecord {
  record: string[];
  info: { lines: number; empty_lines: number };
}

/**
 * The records of CSV (RFC 4180) in UTF-8, or in UTF-16 as spreadsheets save it, whose first line names the columns, in
 * any order. Memory: one record.
 */
export async function* csvLines(parts: AsyncIterable<Buffer>): AsyncGenerator<Line> {
  const parser = parse(CSV);
  const end: End = { problem: null };
  const fed = feed(readable(parts, end), parser);
  // Its failure is thrown below.
  fed.catch(() => {});
  let names: string[] | null = null;
  let [last, empty] = [0, 0];
  try {
    for await (const { record, info } of parser as AsyncIterable<CsvRecord>) {
      [last, empty] = [info.lines, info.empty_lines];
      if (names === null) {
        names = record.map((name) => name.trim());
        const problem = headerProblem(names);
        if (problem) return yield { line: last, value: null, problem, isLast: true };
      } else yield { line: last, ...toRecipient(names, record) };
    }
    if (end.problem !== null) yield stopAt(parser.info.lines, end.problem);
    else if (names === null) yield { line: 1, value: null, problem: 'The first line should name the columns' };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    // The rest cannot be told apart into lines any more.
    const msg = error.code === 'CSV_MAX_RECORD_SIZE' ? TOO_LONG : 'Quotes should surround a whole cell';
    // A quote may be open only because the file ends there.
    const isOpen = error.code === 'CSV_QUOTE_NOT_CLOSED';
    // A record of several lines is named by its first one.
    const line = last + 1 + Number(error.empty_lines) - empty;
    yield stopAt(line, isOpen && end.problem !== null ? end.problem : msg);
  } finally {
    parser.destroy();
    await fed.catch(() => {});
  }
  await fed;
}

/** The refusal with which reading stops. */
export function stopAt(line: number, msg: string): Line {
  return { line, value: null, problem: `${msg}; the file is not read any further`, isLast: true };
}

/** The reason why a file ends early; null if it does not. */
interface End {
  problem: string | null;
}

/** The mark of UTF-16, little-endian, which the parser reads by itself. */
const UTF16_MARK = Buffer.from([0xff, 0xfe]);

/**
 * Whole lines of a file, in parts, up to the first one that is not UTF-8, of which the parser would make other
 * characters, or that is too long.
 */
async function* readable(parts: AsyncIterable<Buffer>, early: End): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  let isUtf16: boolean | null = null;
  for await (const part of parts) {
    const bytes = Buffer.concat([rest, part]);
    if (bytes.length >= UTF16_MARK.length) isUtf16 ??= bytes.subarray(0, UTF16_MARK.length).equals(UTF16_MARK);
    const end = isUtf16 ? bytes.length : Math.max(bytes.lastIndexOf(LINE_FEED), bytes.lastIndexOf(RETURN)) + 1;
    rest = bytes.subarray(end);
    if (end > 0) yield isUtf16 ? bytes : checked(bytes.subarray(0, end), early);
    if (rest.length > MAX_LINE_BYTES) early.problem ??= TOO_LONG;
    if (early.problem !== null) return;
  }
  if (rest.length > 0) yield checked(rest, early);
}

/** The lines before the first one that is not UTF-8. */
function checked(lines: Buffer, early: End): Buffer {
  if (isUtf8(lines)) return lines;
  early.problem = 'Text should be UTF-8';
  let from = 0;
  for (const [at, byte] of lines.entries()) {
    if (byte !== LINE_FEED && byte !== RETURN) continue;
    if (!isUtf8(lines.subarray(from, at))) break;
    from = at + 1;
  }
  return lines.subarray(0, from);
}

async function feed(parts: AsyncIterable<Buffer>, parser: ReturnType<typeof parse>): Promise<void> {
  // Listeners for the whole file: those of each part would add up.
  let goOn = () => {};
  for (const event of ['drain', 'close']) parser.on(event, () => goOn());
  try {
    for await (const part of parts) {
      if (parser.destroyed) return;
      if (!parser.write(part))
        await new Promise<void>((resolve) => {
          goOn = resolve;
        });
    }
    parser.end();
  } catch (error) {
    parser.destroy(error as Error);
    throw error;
  }
}

function headerProblem(names: string[]): string | null {
  if (!names.includes('phone_number')) return 'There should be a column "phone_number"';
  const twice = names.find((name, index) => name !== '' && names.indexOf(name) < index);
  return twice === undefined ? null : `Second column "${twice}"`;
}

function toRecipient(names: string[], cells: string[]): Omit<Line, 'line'> {
  if (cells.length > names.length)
    return { value: null, problem: `A line should have ${names.length} cells, and has ${cells.length}` };
  const fields: Record<string, unknown> = {};
  const variables: Record<string, string> = {};
  const entries: Record<string, Record<string, string>> = { metadata: {}, consent: {} };
  for (const [index, raw] of cells.entries()) {
    const name = names[index] ?? '';
    const cell = withoutGuard(raw);
    if (cell === '' || name === '') continue;
    const [object = '', entry = ''] = (ENTRY.exec(name) ?? []).slice(1).filter((part) => part !== undefined);
    if (FIELDS.includes(name)) fields[name] = cell;
    else (entries[object] ?? variables)[entry || name] = cell;
  }
  const some = (values: object) => (Object.keys(values).length > 0 ? values : undefined);
  const { metadata = {}, consent = {} } = entries;
  const value = { ...fields, variables: some(variables), metadata: some(metadata), consent: some(consent) };
  return { value: Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)), problem: null };
}

/** The entries of a list, as lines. */
export async function* listLines(values: unknown[]): AsyncGenerator<Line> {
  for (const [index, value] of values.entries())
    yield { line: index + 1, value, problem: isObject(value) ? null : 'Input should be an object' };
}
