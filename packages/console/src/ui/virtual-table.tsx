import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, type ReactNode, useRef } from 'react';

export interface VirtualColumn {
  title: string;
  isNumber?: boolean;
  isMinor?: boolean;
}

interface Props {
  label: string;
  columns: VirtualColumn[];
  ids: readonly string[];
  /** The cells of a row, one for each column. */
  Row: (props: { id: string }) => ReactNode;
}

const ROW_HEIGHT = 49;
const OVERSCAN = 8;

/** A table that draws only the rows in sight: ten thousand scroll as ten do. */
export function VirtualTable({ label, columns, ids, Row }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: ids.length,
    getScrollElement: () => frame.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: OVERSCAN,
    getItemKey: (index) => ids[index] ?? index,
  });
  return (
    // biome-ignore-start lint/a11y: a table whose rows are placed by hand cannot be one of HTML.
    <div className="virtual-table" role="table" aria-label={label} aria-rowcount={ids.length + 1}>
      <div className="virtual-head virtual-row" role="row">
        {columns.map(({ title, isNumber, isMinor }) => (
          <span
            key={title}
            role="columnheader"
            className={[isNumber && 'right', isMinor && 'minor'].filter(Boolean).join(' ')}
          >
            {title}
          </span>
        ))}
      </div>
      <div className="virtual-frame" ref={frame} role="rowgroup" tabIndex={0} aria-label={label}>
        <div role="presentation" style={{ blockSize: rows.getTotalSize(), position: 'relative' }}>
          {rows.getVirtualItems().map(({ key, index, start }) => (
            <Placed key={key} id={ids[index] ?? ''} start={start} index={index} Row={Row} />
          ))}
        </div>
      </div>
    </div>
    // biome-ignore-end lint/a11y: see above.
  );
}

interface PlacedProps extends Pick<Props, 'Row'> {
  id: string;
  start: number;
  index: number;
}

/** A row at its place; it is drawn again when its own call has changed, and not with every other. */
const Placed = memo(function Placed({ id, start, index, Row }: PlacedProps) {
  return (
    // biome-ignore lint/a11y: as above.
    <div
      className="virtual-row"
      role="row"
      aria-rowindex={index + 2}
      style={{ position: 'absolute', insetInline: 0, transform: `translateY(${start}px)`, blockSize: ROW_HEIGHT }}
    >
      <Row id={id} />
    </div>
  );
});
