import { CsvError, parse } from 'csv-parse/sync';
import { withoutGuard } from './csv.ts';

/** The records of a file by column name, without empty cells, and the line on which each ends. */
export interface CsvRecords {
  records: Record<string, string | boolean>[];
  lines: number[];
}

/** Allowed, required and ignored columns. */
export interface CsvColumns {
  known: readonly string[];
  required: readonly string[];
  ignored: readonly string[];
  /** Columns with `true` or `false`. */
  booleans?: readonly string[];
}

/** The file is not CSV with these columns; `mistakes` lists all problems found. */
export class InvalidCsv extends Error {
  readonly mistakes: { line: number; msg: string }[];

  constructor(mistakes: { line: number; msg: string }[]) {
    super(mistakes.map(({ line, msg }) => `line ${line}: ${msg}`).join('\n'));
    this.name = 'InvalidCsv';
    this.mistakes = mistakes;
  }
}

/** Maximum cells in a line: more than any valid file has. */
const MAX_COLUMNS = 50;

/**
 * Reads CSV (RFC 4180; any line ending, optional byte order mark) whose first line names the columns, in any order.
 * Surplus cells become fields named `column 9`, for validation to reject. Stops after `maxRecords` records. Throws
 * `InvalidCsv`.
 */
export function readCsv(text: string, columns: CsvColumns, maxRecords = Number.MAX_SAFE_INTEGER - 1): CsvRecords {
  // Before parsing: a million cells take half a second.
  const long = lineWithMore(text, MAX_COLUMNS);
  if (long !== null) throw new InvalidCsv([{ line: long, msg: `A line should have ${MAX_COLUMNS} cells at most` }]);
  const [header, ...rows] = parseCsv(text, maxRecords + 1);
  if (!header) throw new InvalidCsv([{ line: 1, msg: `The columns should be named: ${columns.required.join(', ')}` }]);
  const names = header.record.map((name) => name.trim().toLowerCase());
  const mistakes = headerMistakes(names, columns).map((msg) => ({ line: header.info.lines, msg }));
  if (mistakes.length > 0) throw new InvalidCsv(mistakes);
  return {
    records: rows.map(({ record }) => toRecord(record, names, columns)),
    lines: rows.map(({ info }) => info.lines),
  };
}

interface Row {
  record: string[];
  info: { lines: number };
}

/** The first line with more than `max` cells; null without one. A record that spans several lines counts as one. */
function lineWithMore(text: string, max: number): number | null {
  let [line, cells, isQuoted] = [1, 1, false];
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char === QUOTE) isQuoted = !isQuoted;
    else if (char === LINE_FEED || char === CARRIAGE_RETURN) {
      if (char === LINE_FEED || text.charCodeAt(at + 1) !== LINE_FEED) line += 1;
      if (!isQuoted) cells = 1;
    } else if (char === COMMA && !isQuoted && ++cells > max) return line;
  }
  return null;
}

const [QUOTE, COMMA, LINE_FEED, CARRIAGE_RETURN] = [0x22, 0x2c, 0x0a, 0x0d];

function parseCsv(text: string, to: number): Row[] {
  try {
    return parse(text, {
      bom: true,
      info: true,
      trim: true,
      relax_column_count: true,
      skip_empty_lines: true,
      to,
      record_delimiter: ['\r\n', '\n', '\r'],
    }) as unknown as Row[];
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new InvalidCsv([{ line: Number(error.lines), msg: 'Quotes should surround a whole cell' }]);
  }
}

function headerMistakes(names: string[], { known, required, ignored }: CsvColumns): string[] {
  return [
    ...names
      .filter((name) => !known.includes(name) && !ignored.includes(name))
      .map((name) => `Unknown column "${name}"`),
    ...names.filter((name, index) => names.indexOf(name) < index).map((name) => `Second column "${name}"`),
    ...required.filter((name) => !names.includes(name)).map((name) => `Missing column "${name}"`),
  ];
}

function toRecord(cells: string[], names: string[], { ignored, booleans = [] }: CsvColumns) {
  const fields = cells.map((cell, index): [string, string] => [
    names[index] ?? `column ${index + 1}`,
    withoutGuard(cell),
  ]);
  const isTruth = (name: string, cell: string) => booleans.includes(name) && /^(true|false)$/i.test(cell);
  return Object.fromEntries(
    fields
      .filter(([name, cell]) => cell !== '' && !ignored.includes(name))
      .map(([name, cell]) => [name, isTruth(name, cell) ? cell.toLowerCase() === 'true' : cell]),
  );
}
