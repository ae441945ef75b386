import { columnText, headingOf, meanText, type VersionBars } from '../../data/analysis-words.ts';
import { percentText } from '../../data/call-figures.ts';
import { seriesClasses } from '../../data/series.ts';
import { Legend } from '../../ui/legend.tsx';

interface Props {
  rows: VersionBars[];
  field: string;
  nameOf: (row: VersionBars) => string;
}

/** For each version of an agent a bar: the shares of the values, or the mean of a score. */
export function VersionRows({ rows, field, nameOf }: Props) {
  const values = [...new Set(rows.flatMap(({ bars }) => bars.map(({ value }) => value)))].sort();
  const classes = seriesClasses(values);
  const textOf = (value: string) => columnText(field, value) ?? value;
  const top = Math.max(...rows.map(({ mean }) => mean ?? 0), field === 'score' ? 1 : 0) || 1;
  return (
    <section className="version-rows" aria-label={`${headingOf(field)} by version`}>
      {values.length > 0 && (
        <Legend items={values.map((value) => ({ name: textOf(value), className: classes.get(value) ?? '' }))} />
      )}
      <ul className="version-list">
        {rows.map((row) => (
          <li key={`${row.agentId} ${row.version}`}>
            <span className="version-row-name">
              <span className="strong anywhere">{nameOf(row)}</span>
              <span className="muted number nowrap">
                {row.mean !== null && <strong className="mean">{meanText(field, row.mean)}</strong>}
                {row.calls === 1 ? '1 call' : `${row.calls} calls`}
              </span>
            </span>
            <Shares row={row} top={top} classes={classes} textOf={textOf} />
          </li>
        ))}
      </ul>
    </section>
  );
}

interface SharesProps {
  row: VersionBars;
  /** The largest mean of all versions. */
  top: number;
  classes: Map<string, string>;
  textOf: (value: string) => string;
}

/** A share that is at least this large has room for its figure. */
const ROOMY = 0.12;

/** The bar of a version; the same figures are in the table. */
function Shares({ row: { bars, calls: all, mean }, top, classes, textOf }: SharesProps) {
  return (
    <span className="shares" aria-hidden="true">
      {bars.map(({ value, calls }) => (
        <span
          key={value}
          className={`share ${classes.get(value)}`}
          style={{ flexGrow: calls }}
          title={`${textOf(value)}: ${calls}`}
        >
          {calls / all >= ROOMY && percentText(calls / all)}
        </span>
      ))}
      {bars.length === 0 && (
        <span className="share series-0" style={{ inlineSize: `${Math.max(0, (mean ?? 0) / top) * 100}%` }} />
      )}
    </span>
  );
}
