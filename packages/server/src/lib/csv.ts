/** How a column is written: text is guarded against formulas, numbers are written unchanged. */
type Kind = 'text' | 'number';

/** Columns in order, by the names of their fields. */
export type Columns = Readonly<Record<string, Kind>>;

/**
 * Text that a spreadsheet may interpret as a formula, including full-width forms and cells that appear when text is
 * pasted (OWASP, "CSV Injection"). Leading apostrophes match too, so that removing the guard restores the text.
 */
const FORMULA = /^'*(?:[\t\r\n]|\s*[=+\-@＝＋－＠])/u;
// Semicolons and tabs separate cells where the comma is the decimal separator.
const NEEDS_QUOTES = /[",;\t\r\n]|^\s|\s$/u;

/** The header record (RFC 4180). */
export function csvHeader(columns: Columns): string {
  return `${Object.keys(columns).join(',')}\r\n`;
}

/** A record (RFC 4180). Null and absent fields are empty; text that resembles a formula gets a leading `'`. */
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
