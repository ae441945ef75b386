import { CsvError, parse } from 'csv-parse';
import secureJsonParse from 'secure-json-parse';
import { withoutGuard } from '../../lib/csv.ts';
import { isObject } from '../../lib/json.ts';
import { MAX_LINE_BYTES } from './recipient-schema.ts';

/** A line of a file: what it says, or why it says nothing. */
export interface Line {
  line: number;
  value: unknown;
  problem: string | null;
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

const LINE_FEED = 0x0a;
const utf8 = new TextDecoder('utf-8', { fatal: true });

function* readJson(bytes: Buffer, line: number): Generator<Line> {
  try {
    const text = utf8.decode(bytes).trim();
    if (text !== '') yield { line, value: secureJsonParse.parse(text), problem: null };
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

/** The records of CSV (RFC 4180) whose first line names the columns, in any order. Memory: one record. */
export async function* csvLines(parts: AsyncIterable<Buffer>): AsyncGenerator<Line> {
  const parser = parse({
    bom: true,
    info: true,
    trim: true,
    relax_column_count: true,
    // A quote inside of a cell is one; an error there would lose the lines before it that were read with it.
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: MAX_LINE_BYTES,
    record_delimiter: ['\r\n', '\n', '\r'],
  });
  const fed = feed(parts, parser);
  // Its failure is thrown below.
  fed.catch(() => {});
  let names: string[] | null = null;
  let last = 0;
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: { lines: number } }>) {
      last = info.lines;
      if (names === null) {
        names = record.map((name) => name.trim());
        const problem = headerProblem(names);
        if (problem) return yield { line: last, value: null, problem };
      } else yield { line: last, ...toRecipient(names, record) };
    }
    if (names === null) yield { line: 1, value: null, problem: 'The first line should name the columns' };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    // The rest cannot be told apart into lines any more.
    const msg = error.code === 'CSV_MAX_RECORD_SIZE' ? TOO_LONG : 'Quotes should surround a whole cell';
    yield { line: last + 1, value: null, problem: `${msg}; the file is not read any further` };
  } finally {
    parser.destroy();
    await fed.catch(() => {});
  }
  await fed;
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
