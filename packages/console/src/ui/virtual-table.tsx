import { useVirtualizer } from '@tanstack/react-virtual';
import { type CSSProperties, memo, type ReactNode, useEffect, useLayoutEffect, useRef } from 'react';
import { useIsNarrow } from './narrow.ts';

export interface VirtualColumn {
  title: string;
  isNumber?: boolean;
  /** Hidden on narrow screens. */
  isMinor?: boolean;
  /** Shown only on wide screens. */
  isExtra?: boolean;
  /** Placed below the others, without a title, on narrow screens. */
  isBelow?: boolean;
}

interface Props {
  label: string;
  /** The class that sets the column widths. */
  layout: string;
  columns: VirtualColumn[];
  ids: readonly string[];
  /** The cells of a row, one per column. It must remain the same component. */
  Row: (props: { id: string }) => ReactNode;
  /** Row height in pixels on narrow screens, where some cells are below others. */
  narrowHeight?: number;
  /** Columns after those that the layout knows; the table then scrolls sideways where they have no room. */
  more?: number;
  /** Runs when the last rows become visible. */
  onEnd?: (() => void) | undefined;
}

const ROW_HEIGHT = 49;
const OVERSCAN = 8;
/** Number of rows before the last one at which the next page is read: a few screens. */
const AHEAD = 40;

/** A table that renders only the visible rows: ten thousand scroll like ten. */
export function VirtualTable({ label, layout, columns, ids, Row, narrowHeight = ROW_HEIGHT, more = 0, onEnd }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const height = useIsNarrow() ? narrowHeight : ROW_HEIGHT;
  const rows = useVirtualizer({
    count: ids.length,
    getScrollElement: () => frame.current,
    estimateSize: () => height,
    overscan: OVERSCAN,
    getItemKey: (index) => ids[index] ?? index,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the rows are measured when their height changes.
  useLayoutEffect(() => rows.measure(), [height]);
  const items = rows.getVirtualItems();
  const isNearEnd = (items.at(-1)?.index ?? 0) >= ids.length - AHEAD;
  useEffect(() => {
    if (isNearEnd) onEnd?.();
  }, [isNearEnd, onEnd]);
  return (
    // biome-ignore-start lint/a11y: a table whose rows are positioned manually cannot be an HTML table.
    <div
      className={`virtual-table ${layout}${more > 0 ? ' with-more' : ''}`}
      style={{ '--more': more } as CSSProperties}
      role="table"
      aria-label={label}
      aria-rowcount={ids.length + 1}
    >
      <div className="virtual-head virtual-row" role="row">
        {columns.map((column) => (
          <span key={column.title} role="columnheader" className={cellClass(column)}>
            {column.title}
          </span>
        ))}
      </div>
      <div className="virtual-frame" ref={frame} role="rowgroup" tabIndex={0} aria-label={label}>
        <div role="presentation" style={{ blockSize: rows.getTotalSize(), position: 'relative' }}>
          {items.map(({ key, index, start }) => (
            <Placed key={key} id={ids[index] ?? ''} start={start} index={index} height={height} Row={Row} />
          ))}
        </div>
      </div>
    </div>
    // biome-ignore-end lint/a11y: see above.
  );
}

/** The class of a column's cells. */
function cellClass({ isNumber, isMinor, isExtra, isBelow }: VirtualColumn): string | undefined {
  return (
    [isNumber && 'right', isMinor && 'minor', isExtra && 'extra', isBelow && 'below'].filter(Boolean).join(' ') ||
    undefined
  );
}

interface PlacedProps extends Pick<Props, 'Row'> {
  id: string;
  start: number;
  index: number;
  height: number;
}

/** A positioned row; it is rendered again only when its own call has changed. */
const Placed = memo(function Placed({ id, start, index, height, Row }: PlacedProps) {
  return (
    // biome-ignore lint/a11y: as above.
    <div
      className="virtual-row"
      role="row"
      aria-rowindex={index + 2}
      style={{ position: 'absolute', insetInline: 0, transform: `translateY(${start}px)`, blockSize: height }}
    >
      <Row id={id} />
    </div>
  );
});
