import type { ReactNode } from 'react';
import { Link } from 'wouter';

export interface Column<Row> {
  title: string;
  /** Replaces the title in the head. */
  head?: ReactNode;
  cell: (row: Row) => ReactNode;
  /** Right-aligned, for numbers. */
  isNumber?: boolean;
  /** Text that is truncated if there is no room. */
  isText?: boolean;
  /** Shown only on wide screens. */
  isExtra?: boolean;
  /** Hidden on narrow screens. */
  isMinor?: boolean;
}

interface Props<Row> {
  label: string;
  columns: Column<Row>[];
  rows: Row[];
  keyOf: (row: Row) => string;
  /** The page of a row: its first cell is a link, and clicking the row opens it. */
  linkOf?: (row: Row) => string;
  /** Gives its text the room left by other columns, and reduces the gaps on narrow screens. */
  isDense?: boolean;
}

/** A table. Rows that have a page can be clicked anywhere. */
export function Table<Row>({ label, columns, rows, keyOf, linkOf, isDense = false }: Props<Row>) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard.
    <section className={isDense ? 'table-frame dense' : 'table-frame'} aria-label={label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.title} className={classOf(column)} scope="col">
                {column.head ?? column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} className={linkOf && 'linked'}>
              {columns.map((column, index) => (
                <td key={column.title} className={classOf(column)}>
                  {index === 0 && linkOf ? (
                    <Link to={linkOf(row)} className="row-link">
                      {column.cell(row)}
                    </Link>
                  ) : (
                    column.cell(row)
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function classOf<Row>({ isNumber, isText, isExtra, isMinor }: Column<Row>): string | undefined {
  return (
    [isNumber && 'right', isText && 'text', isExtra && 'extra', isMinor && 'minor'].filter(Boolean).join(' ') ||
    undefined
  );
}
