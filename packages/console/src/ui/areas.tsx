import { decimal } from '@switchboard/client';
import { useState } from 'react';
import { seriesClasses } from '../data/series.ts';
import { Legend } from './legend.tsx';
import { Money, useCurrencySign, useFormatMoney } from './money.tsx';
import { useIsNarrow } from './narrow.ts';
import { Plot } from './plot.tsx';
import { axisOf, type ChartColumn, labelledColumns, partOf } from './stack.ts';

interface Props {
  label: string;
  columns: ChartColumn[];
  /** The first one is at the bottom. */
  series: string[];
  /** Renders the label of a column. */
  formatLabel: (label: string) => string;
  /** Numbers of things instead of amounts of money. */
  isCount?: boolean;
}

/**
 * Amounts as stacked areas. The legend has those of the column under the pointer, or chosen with the keyboard;
 * otherwise the sums. The same figures must also be in a table next to it, or summarized in `label`.
 */
export function StackedAreas({ label, columns, series, formatLabel, isCount = false }: Props) {
  const { format, sign } = useFormats(isCount);
  const [chosen, setChosen] = useState<number | null>(null);
  const column = chosen === null ? undefined : columns[chosen];
  const classes = seriesClasses(series);
  const { top, labels } = axisOf(columns);
  const shown = column ? [column] : columns;
  const sums = series.map((name) => ({ name, sum: decimal.sum(shown.map((one) => partOf(one, name))) }));
  const total = decimal.sum(sums.map(({ sum }) => sum));
  const heading = column ? formatLabel(column.label) : 'Total';
  const text = [`${heading}: ${format(total)}`, ...sums.map(({ name, sum }) => `${name} ${format(sum)}`)].join(', ');
  return (
    <figure className="chart">
      <div className="chart-axis muted small number" aria-hidden="true">
        {labels.map((amount) => (
          <span key={amount}>{sign(amount)}</span>
        ))}
      </div>
      <Plot
        label={label}
        columns={columns}
        series={series}
        classes={classes}
        top={top}
        chosen={chosen}
        setChosen={setChosen}
        lines={labels.length}
      >
        <input
          type="range"
          className="chart-range"
          aria-label={`${label}, one at a time`}
          aria-valuetext={text}
          min={0}
          max={columns.length - 1}
          value={chosen ?? columns.length - 1}
          onChange={(event) => setChosen(Number(event.target.value))}
          onBlur={() => setChosen(null)}
        />
      </Plot>
      <ColumnLabels columns={columns} formatLabel={formatLabel} />
      <Amounts heading={heading} total={total} sums={sums} classes={classes} isCount={isCount} />
    </figure>
  );
}

/** Labels of some columns, below the plot. */
function ColumnLabels({ columns, formatLabel }: Pick<Props, 'columns' | 'formatLabel'>) {
  const maxLabels = useIsNarrow() ? 3 : 5;
  return (
    <div className="chart-labels muted small number" aria-hidden="true">
      {labelledColumns(columns.length, maxLabels).map((place) => (
        <span key={place} style={styleOf(place, columns.length)}>
          {formatLabel(columns[place]?.label ?? '')}
        </span>
      ))}
    </div>
  );
}

function useFormats(isCount: boolean) {
  const format = useFormatMoney();
  const sign = useCurrencySign();
  const same = (amount: string) => amount;
  return isCount ? { format: same, sign: same } : { format, sign };
}

interface AmountsProps {
  isCount: boolean;
  heading: string;
  total: string;
  sums: { name: string; sum: string }[];
  classes: Map<string, string>;
}

/** The total, and the amount of each series beside its color. */
function Amounts({ heading, total, sums, classes, isCount }: AmountsProps) {
  const show = (amount: string) => (isCount ? amount : <Money amount={amount} />);
  return (
    <figcaption>
      <p className="legend-head">
        <span className="muted">{heading}</span> {show(total)}
      </p>
      <Legend
        items={sums.map(({ name, sum }) => ({
          name,
          className: classes.get(name) ?? '',
          value: show(sum),
        }))}
      />
    </figcaption>
  );
}

/** Position below its column, but not beyond the edges of the plot. */
function styleOf(place: number, count: number) {
  const share = place / Math.max(1, count - 1);
  const shift = share === 0 ? 0 : share === 1 ? 100 : 50;
  return { insetInlineStart: `${share * 100}%`, transform: `translateX(-${shift}%)` };
}
