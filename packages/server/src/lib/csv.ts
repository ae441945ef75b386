/** How the cells of a column are written: text is guarded against formulas, a number is written as it is. */
type Kind = 'text' | 'number';

/** Columns of a table, in their order, by the names of the fields they show. */
export type Columns = Readonly<Record<string, Kind>>;

/**
 * Text that a spreadsheet may take for a formula, the full-width forms included, and what may begin a cell of its own
 * when text is pasted (OWASP, "CSV Injection"). With apostrophes of its own, so that taking away the guard gives back
 * the text.
 */
const FORMULA = /^'*(?:[\t\r\n]|\s*[=+\-@＝＋－＠])/u;
// Semicolons and tabs separate cells where a comma is the decimal separator.
const NEEDS_QUOTES = /[",;\t\r\n]|^\s|\s$/u;

/** The names of the columns, as the first record of a file (RFC 4180). */
export function csvHeader(columns: Columns): string {
  return `${Object.keys(columns).join(',')}\r\n`;
}

/** A record (RFC 4180). Fields that are null or absent are empty; text that resembles a formula begins with `'`. */
export function csvRecord(columns: Columns, row: object): string {
  const fields = row as Record<string, unknown>;
  return `${Object.entries(columns)
    .map(([name, kind]) => cell(fields[name], kind))
    .join(',')}\r\n`;
}

/** The text of a cell without the apostrophe that guards it against being run as a formula. */
export function withoutGuard(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell.slice(1)) ? cell.slice(1) : cell;
}

function cell(value: unknown, kind: Kind): string {
  if (value === null || value === undefined) return '';
  const text = value instanceof Date ? value.toISOString() : String(value);
  if (kind === 'number') return text;
  const guarded = FORMULA.test(text) ? `'${text}` : text;
  return NEEDS_QUOTES.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}
