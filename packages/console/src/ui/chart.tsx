/** The parts of one column, by series. Heights are for the eye: amounts stay text wherever they are read. */
export interface ChartColumn {
  label: string;
  parts: Record<string, string>;
}

interface Props {
  label: string;
  columns: ChartColumn[];
  series: string[];
  /** Shows an amount, for the text on hover. */
  format: (amount: string) => string;
}

const HEIGHT = 160;
const GAP = 0.22;

/** Stacked columns. A table of the same figures belongs beside it, or its summary into `label`. */
export function StackedColumns({ label, columns, series, format }: Props) {
  const sums = columns.map(({ parts }) =>
    Object.values(parts).reduce((sum, part) => sum + Math.max(0, Number(part)), 0),
  );
  const top = Math.max(...sums, Number.MIN_VALUE);
  return (
    <figure className="chart">
      <svg viewBox={`0 0 ${columns.length} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={label}>
        {columns.map((column, index) => (
          <Column key={column.label} {...{ column, index, series, top, format }} />
        ))}
      </svg>
      <div className="chart-ends muted small" aria-hidden="true">
        <span>{columns[0]?.label}</span>
        <span>{columns.at(-1)?.label}</span>
      </div>
      {(series.length > 1 || series[0]) && (
        <figcaption>
          <Legend series={series} />
        </figcaption>
      )}
    </figure>
  );
}

interface ColumnProps extends Pick<Props, 'series' | 'format'> {
  column: ChartColumn;
  index: number;
  top: number;
}

function Column({ column, index, series, top, format }: ColumnProps) {
  let y = HEIGHT;
  const lines = series.flatMap((name) => (column.parts[name] ? [`${name}: ${format(column.parts[name])}`] : []));
  return (
    <g>
      <title>{[column.label, ...lines].join('\n')}</title>
      <rect x={index} y={0} width={1} height={HEIGHT} className="chart-hover" />
      {series.map((name, place) => {
        const height = (Math.max(0, Number(column.parts[name] ?? 0)) / top) * HEIGHT;
        y -= height;
        return (
          <rect
            key={name}
            className={`series-${place % 6}`}
            x={index + GAP / 2}
            y={y}
            width={1 - GAP}
            height={height}
          />
        );
      })}
    </g>
  );
}

/** The colours of series, in their order. */
export function Legend({ series }: { series: string[] }) {
  return (
    <ul className="legend">
      {series.map((name, place) => (
        <li key={name}>
          <span className={`swatch series-${place % 6}`} aria-hidden="true" />
          {name}
        </li>
      ))}
    </ul>
  );
}
