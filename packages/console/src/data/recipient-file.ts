/** The beginning of a CSV file of recipients. */
export interface FileHead {
  /** Names of the columns. */
  names: string[];
  /** Its first entries, for people. */
  rows: string[][];
  /** Bytes of the file before its first entry. */
  headBytes: number;
}

/** Bytes that are read of a file to know its columns. */
const HEAD_BYTES = 64 * 1024;
const SHOWN_ROWS = 3;

/** Reads the columns and the first entries of a file; null for one without columns. Throws unless it is UTF-8. */
export async function readHead(file: Blob): Promise<FileHead | null> {
  const text = await file.slice(0, HEAD_BYTES).text();
  const [head, ...rest] = recordsOf(text, SHOWN_ROWS + 1);
  if (!head || head.cells.every((cell) => cell === '')) return null;
  // Bytes of another encoding: nobody could tell where the heading ends.
  if (text.slice(0, head.end).includes('\uFFFD')) throw new Error('The file is not UTF-8. Save it as CSV UTF-8.');
  const headBytes = new TextEncoder().encode(text.slice(0, head.end)).length;
  const names = head.cells.map((cell) => cell.replace(/^\uFEFF/, ''));
  // `text()` leaves the mark of UTF-8 out, and the file has it.
  const mark = await hasMark(file);
  return { names, rows: rest.map(({ cells }) => cells), headBytes: headBytes + (mark ? 3 : 0) };
}

async function hasMark(file: Blob): Promise<boolean> {
  const [a, b, c] = new Uint8Array(await file.slice(0, 3).arrayBuffer());
  return a === 0xef && b === 0xbb && c === 0xbf;
}

/** Entries that are not empty, with their cells (RFC 4180), and where each ends in the text. */
function recordsOf(text: string, most: number): { cells: string[]; end: number }[] {
  const records: { cells: string[]; end: number }[] = [];
  const cell = /[ \t]*(?:"((?:[^"]|"")*)"[ \t]*|([^,\r\n]*))(,|\r\n|\n|\r|$)/y;
  let cells: string[] = [];
  while (records.length < most && cell.lastIndex < text.length) {
    const found = cell.exec(text);
    // A quote within a cell: the service says so.
    if (!found) break;
    const [, quoted, bare = '', end] = found;
    cells.push(quoted === undefined ? bare.trim() : quoted.replaceAll('""', '"'));
    if (end === ',') continue;
    if (cells.some((one) => one !== '')) records.push({ cells, end: cell.lastIndex });
    cells = [];
  }
  return records;
}

/** Columns that are fields of a recipient. All others become variables, or entries of the metadata. */
export const FIELDS = [
  'phone_number',
  'external_id',
  'time_zone',
  'region',
  'consent.kind',
  'consent.text',
  'consent.obtained_at',
  'consent.channel',
  'consent.evidence_url',
] as const;

/** A name of a column as a variable's: `{{First_name}}`. */
export const variableOf = (name: string) => name.trim().replace(/[^A-Za-z0-9_.]+/g, '_');

/** Guesses what a column is by its name: a field, a variable of the agent, or a variable of its own name. */
export function guessField(name: string): string {
  const plain = name.toLowerCase().replace(/[^a-z]/g, '');
  if (/^(phone|phonenumber|mobile|mobilenumber|cell|tel|telephone|number|msisdn)$/.test(plain)) return 'phone_number';
  if (/^(externalid|id|customerid|contactid|recordid)$/.test(plain)) return 'external_id';
  if (/^(timezone|tz)$/.test(plain)) return 'time_zone';
  const own = variableOf(name);
  return FIELDS.find((field) => field === own.toLowerCase()) ?? own;
}

/** The file with other names of its columns. An empty name leaves the column out. Nothing else is read or changed. */
export function withNames(file: Blob, { headBytes }: FileHead, names: string[]): Blob {
  const head = names.map((name) => `"${name.replaceAll('"', '""')}"`).join(',');
  return new Blob([`${head}\n`, file.slice(headBytes)], { type: 'text/csv' });
}
