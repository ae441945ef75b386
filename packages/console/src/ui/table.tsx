import type { ReactNode } from 'react';
import { Link } from 'wouter';

export interface Column<Row> {
  title: string;
  /** Stands in the head instead of the title. */
  head?: ReactNode;
  cell: (row: Row) => ReactNode;
  /** Numbers stand on the right. */
  isNumber?: boolean;
  /** Text that is cut off where there is no room. */
  isText?: boolean;
  /** Shown where there is plenty of room. */
  isExtra?: boolean;
  /** Left out on narrow screens. */
  isMinor?: boolean;
}

interface Props<Row> {
  label: string;
  columns: Column<Row>[];
  rows: Row[];
  keyOf: (row: Row) => string;
  /** The page of a row: its first cell is a link, and the whole row leads there. */
  linkOf?: (row: Row) => string;
  /** Gives its text the room that other columns leave, and columns less distance on narrow screens. */
  isDense?: boolean;
}

/** A table. Rows that have a page can be clicked anywhere. */
export function Table<Row>({ label, columns, rows, keyOf, linkOf, isDense = false }: Props<Row>) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
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
